import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import { meshTickStart } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { noZone, spanAround, zoneTable } from '#node/zones.ts'
import type { ZoneTable } from '#numerics/contracts/cron/cron.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { type ReadyContract, readyContract } from '#numerics/contracts/fire/ready.ts'
import { cronCheck } from './cron-check.ts'
import { exits } from './exit.ts'
import { readBounded } from './files.ts'
import { CliError } from './problem.ts'

/** Bytes of a definition's file, and of one with what happens to a contract. */
export const DEFINITION_BYTES_MAX = 1_048_576
const LINES_BYTES_MAX = 67_108_864

/** A file whole. @throws CliError where it is too large; the system's error */
export const bytesOf = async (file: string, bytesMax: number, signal: AbortSignal): Promise<Uint8Array> => {
  const bytes = await readBounded(file, bytesMax, signal)
  if (bytes !== undefined) return bytes
  throw new CliError(exits.failure, `${file} is larger than ${bytesMax} bytes`, { code: 'INPUT_TOO_LARGE' })
}

/** The definition in a file: all of it, or the member `definition` of what a node exports. */
const definitionIn = (value: Json): Json => {
  const isFile = typeof value === 'object' && value !== null && 'format' in value && 'definition' in value
  return isFile ? ((value as Readonly<Record<string, Json>>)['definition'] ?? null) : value
}

/** The tables of the zones that a definition names, as this machine knows them about an instant. */
const zonesOf = ({ timezone, transitions }: Definition, tick: number): Readonly<Record<string, ZoneTable>> => {
  const span = spanAround(Number(meshTickStart(tick) / NS_PER_SECOND))
  const names = transitions.flatMap(({ trigger }) => (trigger.kind === 'cron' ? [trigger.timezone ?? timezone] : []))
  return Object.fromEntries(
    [...new Set(names)].map((name) => {
      const table = zoneTable(name, span)
      if (table === undefined) throw new CliError(exits.failure, noZone(name).message, { code: 'CONTRACT_INVALID' })
      return [name, table]
    }),
  )
}

/** A definition from a file, made ready. @throws CliError naming all its faults */
export const readyIn = async (
  file: string,
  of: { readonly tick: number; readonly signal: AbortSignal },
): Promise<ReadyContract> => {
  const bytes = await bytesOf(file, DEFINITION_BYTES_MAX, of.signal)
  const { contract, faults } = lintContract(definitionIn(parseJson(bytes, DEFINITION_BYTES_MAX)), { cron: cronCheck })
  if (contract !== undefined) return readyContract({ ...contract, zones: zonesOf(contract.definition, of.tick) })
  const lines = faults.map(({ path, reason }) => `${file}: ${path === '' ? '/' : path}: ${reason}`)
  const count = `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`
  throw new CliError(exits.failure, [...lines, count].join('\n'), { code: 'CONTRACT_INVALID', details: { faults } })
}

/** One line of a file, as JSON, and where it stands. */
export interface JsonLine {
  readonly value: Readonly<Record<string, Json>>
  /** `file:line`, for messages. */
  readonly place: string
}

const lineOf = (text: string, place: string): JsonLine => {
  try {
    const value = parseJson(new TextEncoder().encode(text), LINES_BYTES_MAX)
    if (typeof value === 'object' && value !== null && !Array.isArray(value))
      return { value: value as Readonly<Record<string, Json>>, place }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    throw new CliError(exits.usage, `${place}: ${error.message}`, { code: 'USAGE' })
  }
  throw new CliError(exits.usage, `${place}: a line is a JSON object`, { code: 'USAGE' })
}

/** The lines of a file with a JSON object on each; empty ones are left out. @throws CliError naming the line */
export const linesIn = async (file: string, signal: AbortSignal): Promise<readonly JsonLine[]> => {
  const text = new TextDecoder().decode(await bytesOf(file, LINES_BYTES_MAX, signal))
  return text
    .split('\n')
    .map((line, i) => ({ line: line.trim(), place: `${file}:${i + 1}` }))
    .filter(({ line }) => line !== '')
    .map(({ line, place }) => lineOf(line, place))
}
