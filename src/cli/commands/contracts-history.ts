import { command } from '#cli/command.ts'
import { connect } from '#cli/connection.ts'
import { exits } from '#cli/exit.ts'
import { assertWritable, writeWhole } from '#cli/files.ts'
import { jsonText, present } from '#cli/io.ts'
import { usageError } from '#cli/problem.ts'
import { isSlug } from '#core/slug.ts'

/** `tickmesh contracts history`: what `contracts replay` takes. */
export const contractsHistory = command({
  path: 'contracts history',
  settings: 'node',
  summary: 'All that a contract did, with the chain of its machine, for `tickmesh contracts replay`; for its owner.',
  args: [
    { name: '<slug>', help: 'Slug of the machine.', choices: 'machines' },
    { name: '<id>', help: 'Id of the contract.' },
  ],
  options: [{ flags: '--out <file>', help: 'save it here instead of printing it', choices: 'files' }],
  examples: [
    'tickmesh contracts history pump-7 00112233445566778899aabbccddeeff --out pump.history.json',
    'tickmesh contracts replay pump.history.json --key node.key',
  ],
  async run(invocation) {
    const { args, io, options, signal } = invocation
    const [slug = '', id = ''] = args
    if (!isSlug(slug)) throw usageError(`"${slug}" is no slug of a machine`)
    const { out } = options
    if (typeof out === 'string') assertWritable(out)
    const { client } = connect(invocation)
    const { exportHistory } = await import('#cli/contract-history.ts')
    const tell = (entries: number, of: number): void => io.redraw(`${entries} of ${of} entries …`)
    const file = await exportHistory(client, { slug, id, signal, tell }).finally(() => io.redraw(''))
    if (typeof out !== 'string') {
      io.out(io.json ? jsonText({ ok: true, history: file }) : JSON.stringify(file))
      return exits.ok
    }
    writeWhole(out, `${JSON.stringify(file)}\n`)
    const [rows, entries] = [file.rows.length, file.chain.entries.length]
    present(io, { ok: true, slug, id, saved: out, rows, entries }, () => `saved ${out}`)
    io.say(`${rows} rows; decide them again with: tickmesh contracts replay ${out} --key <whom you trust>`)
    return exits.ok
  },
})
