import type { Json } from '#core/canonical.ts'
import type { Scalar } from '#core/contract/standing.ts'
import { didYouMean, slipsOf } from '#core/near-names.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import type { ContractHappening } from '#numerics/contracts/fire/simulation.ts'
import { type JsonLine, linesIn } from './contract-files.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

type Data = Readonly<Record<string, Json>>

/** What the lines of a file are read against. */
interface Reading {
  readonly ready: ReadyContract
  /** Mesh tick of the beginning. */
  readonly from: number
}

const wrong = (place: string, why: string): never => {
  throw new CliError(exits.usage, `${place}: ${why}`, { code: 'USAGE' })
}

/** Complains of members that no line has, and of a name that the definition does not know. */
const assertMembers = ({ value, place }: JsonLine, known: readonly string[]): void => {
  const stranger = Object.keys(value).find((name) => !known.includes(name))
  if (stranger === undefined) return
  wrong(place, `a line has no member ${stranger}.${didYouMean(slipsOf(stranger, known))}`)
}
const known = (name: Json | undefined, of: { place: string; what: string; names: readonly string[] }): string => {
  const { place, what, names } = of
  if (typeof name === 'string' && names.includes(name)) return name
  const near = typeof name === 'string' ? didYouMean(slipsOf(name, names)) : ''
  return wrong(place, `the definition has no ${what} ${JSON.stringify(name ?? null)}.${near}`)
}

const tickOf = ({ value: { tick, in: after }, place }: JsonLine, { from }: Reading): number => {
  if ((tick === undefined) === (after === undefined))
    wrong(place, 'a line says either tick, a mesh tick, or in, ticks from the start')
  const at = tick === undefined ? Number(after) + from : Number(tick)
  return Number.isSafeInteger(at) && at >= from
    ? at
    : wrong(place, `its tick is a whole number, and not before the start, ${from}`)
}

const dataOf = ({ value: { data = {} }, place }: JsonLine): Data =>
  typeof data === 'object' && data !== null && !Array.isArray(data) ? (data as Data) : wrong(place, 'data is an object')

const eventLine = (line: JsonLine, reading: Reading): ContractHappening => {
  const { value, place } = line
  const { definition, transitions } = reading.ready
  assertMembers(line, ['tick', 'in', 'event', 'data', 'from', 'transition', 'now'])
  const tick = tickOf(line, reading)
  if (value['now'] === true) return { tick, kind: 'now' }
  const events = { place, what: 'event', names: Object.keys(definition.events) }
  if (value['transition'] === undefined) {
    const { from = null } = value
    if (from !== null && typeof from !== 'string') return wrong(place, 'from is the slug of a machine')
    return { tick, kind: 'event', name: known(value['event'], events), from, data: dataOf(line) }
  }
  const id = known(value['transition'], { place, what: 'transition', names: [...transitions.keys()] })
  if (value['event'] === undefined) return { tick, kind: 'transition', id }
  return { tick, kind: 'transition', id, event: { name: known(value['event'], events), data: dataOf(line) } }
}

const readingLine = (line: JsonLine, reading: Reading): ContractHappening => {
  const { value, place } = line
  assertMembers(line, ['tick', 'in', 'oracle', 'value'])
  const names = Object.keys(reading.ready.definition.oracles)
  const oracle = known(value['oracle'], { place, what: 'oracle', names })
  const { value: given } = value
  if (given === undefined || given === null || typeof given === 'object')
    return wrong(place, 'value is a number, a text or a boolean')
  return { tick: tickOf(line, reading), kind: 'reading', oracle, value: given as Scalar }
}

/** What happens to a contract, from files of JSON lines, in the order of their ticks. @throws CliError */
export const happeningsIn = async (
  files: { readonly events: string | undefined; readonly readings: string | undefined },
  reading: Reading,
  signal: AbortSignal,
): Promise<readonly ContractHappening[]> => {
  const lines = async (file: string | undefined): Promise<readonly JsonLine[]> =>
    file === undefined ? [] : linesIn(file, signal)
  const readings = (await lines(files.readings)).map((it) => readingLine(it, reading))
  const events = (await lines(files.events)).map((it) => eventLine(it, reading))
  return [...readings, ...events].toSorted((a, b) => a.tick - b.tick)
}
