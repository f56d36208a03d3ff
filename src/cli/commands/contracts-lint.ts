import { command, type Invocation } from '#cli/command.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { readBounded, STDIN } from '#cli/files.ts'
import { present, table } from '#cli/io.ts'

/** Bytes of a file: a definition has 64 KiB in its canonical form, and may be spelled with more space. */
const FILE_BYTES_MAX = 1_048_576

/** What a file says. @throws Fault where it is too large, no JSON, or read by two readers in two ways */
const readDefinition = async (file: string, signal: AbortSignal) => {
  const { parseJson } = await import('#core/json.ts')
  const bytes = (await readBounded(file, FILE_BYTES_MAX, signal)) ?? new Uint8Array(FILE_BYTES_MAX + 1)
  return { value: parseJson(bytes, FILE_BYTES_MAX), text: new TextDecoder().decode(bytes) }
}

/** Where an expression is off, as people count. */
const character = (position: number | undefined): string =>
  position === undefined ? '' : `, character ${position + 1}`

const lint = async ({ args: [file = STDIN], io, signal }: Invocation): Promise<Exit> => {
  const { lintContract } = await import('#numerics/contracts/definition/lint.ts')
  const { jsonLines } = await import('#cli/json-lines.ts')
  const { cronCheck } = await import('#cli/cron-check.ts')
  const { value, text } = await readDefinition(file, signal)
  const { earlier, faults, contract } = lintContract(value, { cron: cronCheck })
  const lineOf = earlier ? undefined : jsonLines(text)
  const found = faults.map((it) => ({ ...it, ...(lineOf === undefined ? {} : { line: lineOf(it.path) }) }))
  const answer = { ok: contract !== undefined, file, earlier, faults: found, version: contract?.version ?? null }
  present(io, answer, () => {
    if (contract === undefined) {
      const lines = found.map(({ path, reason, position, line }) => {
        const place = line === undefined ? file : `${file}:${line}`
        return `${place}: ${path === '' ? '/' : path}${character(position)}: ${reason}`
      })
      return `${lines.join('\n')}\n${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`
    }
    const { name, states, transitions } = contract.definition
    return table([
      ['contract', name],
      ['states', String(Object.keys(states).length)],
      ['transitions', String(transitions.length)],
      ['version', contract.version],
    ])
  })
  if (earlier) io.say('This is of the earlier shape; paths point into what it means now.')
  return contract === undefined ? exits.failure : exits.ok
}

/** `contracts lint` */
export const contractsLint = command({
  path: 'contracts lint',
  summary: 'Find everything that is wrong with the definition of a contract, without a node.',
  args: [{ name: '[file]', help: 'the definition as JSON; - or nothing is stdin', choices: 'files' }],
  settings: 'none',
  examples: ['tickmesh contracts lint pump.json', 'tickmesh contracts lint - --json < pump.json'],
  run: lint,
})
