import { command, type Invocation } from '#cli/command.ts'
import { type Exit, exits } from '#cli/exit.ts'
import { readBounded, STDIN } from '#cli/files.ts'
import { present, table } from '#cli/io.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import type { Weigh } from '#numerics/contracts/checker/cost.ts'
import type { ContractFinding, TraceStep } from '#numerics/contracts/checker/finding.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'

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

/** What lines of a file say, by the paths of what stands on them; undefined where it is of another shape. */
type LineOf = ((path: string) => number) | undefined

const place = (file: string, { path, position }: Pick<ContractFault, 'path' | 'position'>, lineOf: LineOf): string => {
  const line = lineOf?.(path)
  return `${line === undefined ? file : `${file}:${line}`}: ${path === '' ? '/' : path}${character(position)}`
}

/** Credits of an action, as every node has them. */
const prices = async (): Promise<Weigh> => {
  const { price, OPERATORS_MAX } = await import('#core/price.ts')
  const { solverTable } = await import('#numerics/solvers/index.ts')
  const solvers = solverTable as Readonly<Record<string, { readonly operators: readonly string[] }>>
  const of = (count: number): number | undefined => (count < 1 || count > OPERATORS_MAX ? undefined : price(count))
  return (action) => {
    if (action.kind !== 'compute') return 0
    const { solver, operators = [] } = action as { readonly solver?: string; readonly operators?: readonly string[] }
    if (solver === undefined) return of(operators.filter((it) => it !== 'KO42').length)
    return Object.hasOwn(solvers, solver) ? of(solvers[solver]?.operators.length ?? 0) : undefined
  }
}

/** What the checker finds, with what this machine knows of the time and its zones. */
const findingsOf = async (definition: Definition): Promise<readonly ContractFinding[]> => {
  const { checkContract } = await import('#numerics/contracts/checker/check.ts')
  const { nodeClock } = await import('#node/clock.ts')
  const { spanAround, zoneTable } = await import('#node/zones.ts')
  const from = Number(nodeClock().now() / NS_PER_SECOND)
  const names = new Set([
    definition.timezone,
    ...definition.transitions.flatMap(({ trigger }) => (trigger.kind === 'cron' ? [trigger.timezone ?? ''] : [])),
  ])
  const zones = [...names].flatMap((name) => {
    const table = zoneTable(name, spanAround(from))
    return table === undefined ? [] : [[name, table] as const]
  })
  const { credits_per_day, fires_per_day } = definition.budget
  const priced = credits_per_day === undefined && fires_per_day === undefined ? {} : { priceOf: await prices() }
  return checkContract(definition, { from, zones: Object.fromEntries(zones), ...priced }).findings
}

const stepLine = ({ tick, event, due, state, context }: TraceStep): string => {
  const what =
    event === undefined ? (due === undefined ? 'time goes by' : 'due') : `${event.name} ${JSON.stringify(event.data)}`
  return `    tick ${tick}: ${what} → ${state} ${JSON.stringify(context)}`
}

/** A finding as lines: where, what, and how it comes about. */
const shown = (file: string, it: ContractFinding, lineOf: LineOf): readonly string[] => {
  const { severity, rule, answer, reason, witness = {}, trace = [] } = it
  const read = Object.entries(witness).map(([name, value]) => `${name} = ${JSON.stringify(value)}`)
  return [
    `${place(file, it, lineOf)}: ${severity}: ${reason} (${rule}, ${answer})`,
    ...(read.length === 0 ? [] : [`    with ${read.join(', ')}`]),
    ...trace.map(stepLine),
  ]
}

const count = (faults: number): string => `${faults} ${faults === 1 ? 'fault' : 'faults'}`

const lint = async ({ args: [file = STDIN], io, signal }: Invocation): Promise<Exit> => {
  const { lintContract } = await import('#numerics/contracts/definition/lint.ts')
  const { jsonLines } = await import('#cli/json-lines.ts')
  const { cronCheck } = await import('#cli/cron-check.ts')
  const { value, text } = await readDefinition(file, signal)
  const { earlier, faults, contract } = lintContract(value, { cron: cronCheck })
  const lineOf: LineOf = earlier ? undefined : jsonLines(text)
  const found = contract === undefined ? [] : await findingsOf(contract.definition)
  const wrong = faults.length + found.filter(({ severity }) => severity === 'fault').length
  const withLine = <T extends { readonly path: string }>(it: T) => ({
    ...it,
    ...(lineOf === undefined ? {} : { line: lineOf(it.path) }),
  })
  const answer = {
    ...{ ok: wrong === 0, file, earlier, faults: faults.map(withLine), findings: found.map(withLine) },
    version: contract?.version ?? null,
  }
  present(io, answer, () => {
    const lines = faults.map((it) => `${place(file, it, lineOf)}: ${it.reason}`)
    if (contract === undefined) return `${lines.join('\n')}\n${count(wrong)}`
    const { name, states, transitions } = contract.definition
    const summary = table([
      ['contract', name],
      ['states', String(Object.keys(states).length)],
      ['transitions', String(transitions.length)],
      ['version', contract.version],
    ])
    const findings = found.flatMap((it) => shown(file, it, lineOf))
    return [...findings, ...(wrong === 0 ? [] : [count(wrong)]), summary].join('\n')
  })
  if (earlier) io.say('This is of the earlier shape; paths point into what it means now.')
  return wrong === 0 ? exits.ok : exits.failure
}

/** `contracts lint` */
export const contractsLint = command({
  path: 'contracts lint',
  summary: 'Find everything that is wrong with the definition of a contract, and what can go wrong, without a node.',
  args: [{ name: '[file]', help: 'the definition as JSON; - or nothing is stdin', choices: 'files' }],
  settings: 'none',
  examples: ['tickmesh contracts lint pump.json', 'tickmesh contracts lint - --json < pump.json'],
  run: lint,
})
