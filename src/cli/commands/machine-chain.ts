import { type EntryRef, exportChain } from '#cli/chain.ts'
import { type Command, command, type Invocation } from '#cli/command.ts'
import { confirm } from '#cli/confirm.ts'
import { connect } from '#cli/connection.ts'
import { describe } from '#cli/describe.ts'
import { exits } from '#cli/exit.ts'
import { assertWritable, writeWhole } from '#cli/files.ts'
import { wholeOption } from '#cli/input.ts'
import { jsonText, present } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import { trustOptions } from '#cli/trust-options.ts'
import { isSlug } from '#core/slug.ts'

const SLUG = { name: '<slug>', help: 'Slug of the machine.', choices: 'machines' } as const

/** The slug of the call: it is a part of paths, so no other word gets there. */
const slugOf = ({ args: [slug = ''] }: Invocation): string => {
  if (isSlug(slug)) return slug
  throw usageError(`"${slug}" is no slug of a machine`)
}

const placeOf = (invocation: Invocation): EntryRef => {
  const tick = wholeOption(invocation.args[1], 'the tick')
  const seq = wholeOption(invocation.options['seq'], '--seq')
  if (tick === undefined && seq === undefined) throw usageError('give a tick, or --seq')
  return { slug: slugOf(invocation), ...(tick !== undefined && { tick }), ...(seq !== undefined && { seq }) }
}

const block = command({
  path: 'machines block',
  settings: 'node',
  summary: 'One entry with its proof: that it is in the chain, and the chain in the log of the node.',
  args: [SLUG, { name: '[tick]', help: 'node tick; the entry that ended it' }],
  options: [
    { flags: '--seq <n>', help: 'the entry of this number, instead of the tick' },
    {
      flags: '--verify',
      help: 'check the proof here, trusting the own node unless told otherwise; exit code 3 if it fails',
    },
    ...trustOptions,
  ],
  examples: ['tickmesh machines block pump-7 128', 'tickmesh machines block pump-7 --seq 3 --verify --key node.key'],
  async run(invocation) {
    const { io, options, signal } = invocation
    const place = placeOf(invocation)
    if (options['verify'] === true) return (await import('#cli/verify-block.ts')).verifyBlock(invocation, place)
    for (const name of ['key', 'policy', 'successions']) {
      if (options[name] !== undefined) throw usageError(`--${name} goes with --verify`)
    }
    const found = await connect(invocation).client.call('machines.block', place, { signal })
    present(io, found, () => describe(found))
    return exits.ok
  },
})

const exported = command({
  path: 'machines export',
  settings: 'node',
  summary: "A machine's whole chain with its proof, for `tickmesh verify`: anyone can check it, without a node.",
  args: [SLUG],
  options: [
    { flags: '--out <file>', help: 'save it here instead of printing it', choices: 'files' },
    { flags: '--tick <n>', help: 'as it stood at the end of this node tick; now when left out' },
  ],
  examples: ['tickmesh machines export pump-7 --out pump-7.chain', 'tickmesh verify pump-7.chain --key node.key'],
  async run(invocation) {
    const { io, options, signal } = invocation
    const slug = slugOf(invocation)
    const tick = wholeOption(options['tick'], '--tick')
    const { out } = options
    if (typeof out === 'string') assertWritable(out)
    const { client } = connect(invocation)
    const tell = (entries: number, of: number): void => io.redraw(`${entries} of ${of} entries …`)
    const chain = await exportChain(client, { slug, signal, tell, ...(tick !== undefined && { tick }) }).finally(() =>
      io.redraw(''),
    )
    if (typeof out !== 'string') {
      io.out(io.json ? jsonText({ ok: true, chain }) : JSON.stringify(chain))
      return exits.ok
    }
    writeWhole(out, `${JSON.stringify(chain)}\n`)
    const { head } = chain.proof
    present(io, { ok: true, slug, saved: out, entries: chain.entries.length, head }, () => `saved ${out}`)
    io.say(`${chain.entries.length} entries; verify it with: tickmesh verify ${out} --key <whom you trust>`)
    return exits.ok
  },
})

const deleted = command({
  path: 'machines delete',
  settings: 'node',
  summary: 'Archives a machine for good, and saves its chain with the proof of its last head.',
  args: [SLUG],
  options: [{ flags: '--out <file>', help: 'save the chain here; <slug>.chain when left out', choices: 'files' }],
  examples: ['tickmesh machines delete pump-7', 'tickmesh machines delete pump-7 --out old/pump-7.chain --yes'],
  async run(invocation) {
    const { io, options, signal } = invocation
    const slug = slugOf(invocation)
    const out = typeof options['out'] === 'string' ? options['out'] : `${slug}.chain`
    assertWritable(out)
    const { client } = connect(invocation)
    const { machine } = await client.call('machines.read', { slug }, { signal })
    await confirm(io, `Archive ${slug}: it takes no entry any more, and no setting?`, signal)
    if (machine.status !== 'archived') {
      await client.call('machines.status', { slug, status: 'archived' }, { signal })
    }
    const tell = (entries: number, of: number): void => io.redraw(`${entries} of ${of} entries …`)
    const chain = await exportChain(client, { slug, signal, tell })
      .catch((error: unknown) => {
        io.complain(
          `${slug} is archived, and its chain is not saved; repeat this, or: tickmesh machines export ${slug}`,
        )
        throw error
      })
      .finally(() => io.redraw(''))
    writeWhole(out, `${JSON.stringify(chain)}\n`)
    const { head } = chain.proof
    present(
      io,
      { ok: true, slug, status: 'archived', saved: out, entries: chain.entries.length, head },
      () => `archived ${slug}, saved ${out}: ${chain.entries.length} entries, head ${head.hash}`,
    )
    io.say(
      'What stays: the node keeps the chain, its token and who holds it, and shows them as before; its slug stays ' +
        `taken. Verify the file with: tickmesh verify ${out} --key <whom you trust>`,
    )
    return exits.ok
  },
})

export const machineChain: readonly Command[] = [block, exported, deleted]
