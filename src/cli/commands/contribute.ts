import { type Command, command } from '#cli/command.ts'
import { confirm } from '#cli/confirm.ts'
import { connect } from '#cli/connection.ts'
import { disputeRows, disputeSteps, momentText, riskText, statusRows, workRows } from '#cli/contribute-text.ts'
import { describe } from '#cli/describe.ts'
import { exits } from '#cli/exit.ts'
import { readSource } from '#cli/input.ts'
import { present, table } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'

const MODES = ['idle', 'contributing', 'experimenting'] as const
const ENVELOPES = 1_000
const TOKEN = /^[0-9a-f]{32}$/

const status = command({
  path: 'contribute status',
  settings: 'node',
  summary: 'Show what the node does for others, its bond and record, and what is at risk until when.',
  examples: ['tickmesh contribute status', 'tickmesh contribute status --json'],
  async run({ io, signal, ...invocation }) {
    const { client } = connect({ io, signal, ...invocation })
    const answer = await client.call('network.contribute-status', {}, { signal })
    present(io, answer, () => table(statusRows(answer)))
    return exits.ok
  },
})

/** Token ids, one a line. */
const tokensIn = (text: string): readonly string[] => {
  const tokens = text.split(/\s+/).filter((it) => it !== '')
  if (tokens.every((it) => TOKEN.test(it))) return tokens
  throw usageError('the file should hold token ids, 32 hex digits each, one a line')
}

const bond = command({
  path: 'contribute bond',
  settings: 'node',
  summary: "Put 1,000 of the node owner's envelopes behind the works that it does for others.",
  options: [
    {
      flags: '--tokens <file>',
      help: 'token ids, one a line, @file or - for stdin; the node chooses when left out, soulbound ones first',
      choices: 'files',
    },
  ],
  examples: ['tickmesh contribute bond', 'tickmesh contribute bond --tokens @mine.txt --yes'],
  async run(invocation) {
    const { io, signal, options } = invocation
    const { tokens } = options
    const token_ids = typeof tokens === 'string' ? tokensIn(await readSource(tokens, signal)) : undefined
    const { client } = connect(invocation)
    await confirm(io, riskText(ENVELOPES), signal)
    const answer = await client.call('network.contribute-bond', token_ids === undefined ? {} : { token_ids }, {
      signal,
    })
    present(io, answer, () => `bond ${answer.bond}: ${answer.count} envelopes are tied, ${answer.at_risk} at risk`)
    io.say('contribute mode contributing offers the node to others; contribute release ends it')
    return exits.ok
  },
})

const mode = command({
  path: 'contribute mode',
  settings: 'node',
  summary: 'Set what the node does with its threads; all but idle need the bond.',
  args: [{ name: '<mode>', help: MODES.join(', ') }],
  examples: ['tickmesh contribute mode contributing', 'tickmesh contribute mode idle'],
  async run(invocation) {
    const { io, signal } = invocation
    const wanted = MODES.find((it) => it === invocation.args[0])
    if (wanted === undefined)
      throw usageError(`a mode is one of ${MODES.join(', ')}; got "${invocation.args[0] ?? ''}"`)
    const { client } = connect(invocation)
    const answer = await client.call('network.contribute-mode', { mode: wanted }, { signal })
    present(io, answer, () => `the node is ${answer.mode}`)
    return exits.ok
  },
})

const release = command({
  path: 'contribute release',
  settings: 'node',
  summary: 'End offers at once; the envelopes are free when nothing under the bond can be disputed any more.',
  examples: ['tickmesh contribute release'],
  async run(invocation) {
    const { io, signal } = invocation
    const { client } = connect(invocation)
    const answer = await client.call('network.contribute-release', {}, { signal })
    present(io, answer, () => `released; the envelopes are free from ${momentText(answer.unlocks_at)}, or later`)
    return exits.ok
  },
})

const policy = command({
  path: 'contribute policy',
  settings: 'node',
  summary: 'Show the public rules of contributed work, and what they promise and do not.',
  examples: ['tickmesh contribute policy'],
  async run(invocation) {
    const { io, signal } = invocation
    const { client } = connect(invocation)
    const answer = await client.call('network.contribute-policy', {}, { signal })
    const { ok: _, said, ...rules } = answer
    present(io, answer, () => [describe(rules), ...said].join('\n'))
    return exits.ok
  },
})

const census = command({
  path: 'contribute census',
  settings: 'node',
  summary: 'Show how many nodes contribute, as far as this one has heard; nothing under three.',
  examples: ['tickmesh contribute census'],
  async run(invocation) {
    const { io, signal } = invocation
    const { client } = connect(invocation)
    const answer = await client.call('network.contribute-census', {}, { signal })
    present(io, answer, () => {
      const modes = answer.modes.map(({ mode: name, nodes }) => [name, `${nodes} nodes`])
      const sets = answer.kernels.map((it) => [it.mode, `${it.nodes} nodes with kernels ${it.kernels.slice(0, 12)}…`])
      return modes.length === 0 ? 'no mode has three nodes or more' : table([...modes, ...sets])
    })
    return exits.ok
  },
})

const works = command({
  path: 'contribute works',
  settings: 'node',
  summary: 'List the jobs that the node took from others and gave them, the newest first.',
  examples: ['tickmesh contribute works', 'tickmesh contribute works --json'],
  async run(invocation) {
    const { io, signal } = invocation
    const { client } = connect(invocation)
    const answer = await client.call('network.contribute-works', {}, { signal })
    present(io, answer, () => (answer.total === 0 ? 'no work was taken or given' : table(workRows(answer))))
    return exits.ok
  },
})

const disputes = command({
  path: 'contribute disputes',
  settings: 'node',
  summary: 'List the disputes over works that the node knows of, or show one step by step.',
  args: [{ name: '[id]', help: 'id of a dispute; all when left out' }],
  options: [{ flags: '--open <work>', help: 'run the work of this digest again, and challenge it where it differs' }],
  examples: ['tickmesh contribute disputes', 'tickmesh contribute disputes --open 5f0c…'],
  async run(invocation) {
    const { io, signal, options, args } = invocation
    const { client } = connect(invocation)
    const { open } = options
    if (typeof open === 'string' && args[0] !== undefined) throw usageError('give an id, or --open, not both')
    if (typeof open === 'string' || args[0] !== undefined) {
      const one =
        typeof open === 'string'
          ? await client.call('network.open-dispute', { work: open }, { signal })
          : await client.call('network.dispute', { id: args[0] ?? '' }, { signal })
      present(io, one, () => table(disputeSteps(one)))
      return exits.ok
    }
    const answer = await client.call('network.disputes', {}, { signal })
    present(io, answer, () => (answer.total === 0 ? 'no dispute is known here' : table(disputeRows(answer))))
    return exits.ok
  },
})

/** Contributing, from the command line. */
export const contribute: readonly Command[] = [status, bond, mode, works, disputes, release, policy, census]
