import { utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { parseJson } from '#core/json.ts'
import { noZone, spanAround, zoneTable } from '#node/zones.ts'
import { readCron, type ZoneTable } from '#numerics/contracts/cron/cron.ts'
import type { ContractFault } from '#numerics/contracts/definition/faults.ts'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import type { Definition } from '#numerics/contracts/definition/schema.ts'
import { isWrong, type JsonMap, type JsonSpan, lineAt, lineStarts, mapJson, withinString } from './json-map.ts'
import { type ContractModel, modelOf } from './model.ts'

/** Bytes of a text that is read: a definition has 64 KiB in its canonical form, and may be spelled with more space. */
const TEXT_BYTES_MAX = 1_048_576

/** A fault, and where the text has it. */
export interface ShownFault extends ContractFault {
  /** From 1; undefined where the text spells the definition in the earlier shape. */
  readonly line?: number
  readonly span?: JsonSpan
}

/** What is known of a text. */
export interface JudgedText {
  readonly text: string
  readonly faults: readonly ShownFault[]
  /** Whether it is of the earlier shape. */
  readonly earlier: boolean
  readonly contract?: { readonly definition: Definition; readonly version: string }
  /** What can be drawn; undefined where the text is no JSON, or names no state. */
  readonly model: ContractModel | undefined
  /** Where the values of the text stand, by their pointers; none of a text in the earlier shape. */
  readonly lines: ReadonlyMap<string, JsonSpan>
}

/** Why a pattern of cron says no times by the clock of a zone, as this browser knows zones. */
export const cronCheckAt =
  (now: number) =>
  (pattern: string, zone: string): string | undefined => {
    const reasons = readCron(pattern).faults.map(({ field, reason }) => `${field}: ${reason}`)
    if (zoneTable(zone, spanAround(now)) === undefined) reasons.push(noZone(zone).message)
    return reasons.length === 0 ? undefined : reasons.join('; ')
  }

/** The tables of the zones that a definition names, as this browser knows them. @param now Unix seconds */
export const zonesOf = ({ transitions, timezone }: Definition, now: number): Readonly<Record<string, ZoneTable>> => {
  const names = transitions.flatMap(({ trigger }) => (trigger.kind === 'cron' ? [trigger.timezone ?? timezone] : []))
  const tables = [...new Set(names)].flatMap((name) => {
    const table = zoneTable(name, spanAround(now))
    return table === undefined ? [] : [[name, table] as const]
  })
  return Object.fromEntries(tables)
}

const TOKEN = /[\w.]+|[^\s"]/y

/** What a fault is about: a sign of an expression, the value itself, or the place where it is missing. */
const spanOf = (text: string, { spans }: JsonMap, { path, position }: ContractFault): JsonSpan => {
  const exact = spans.get(path)
  if (exact === undefined) {
    const at = path.slice(0, Math.max(0, path.lastIndexOf('/')))
    const from = path === '' ? 0 : spanOf(text, { value: undefined, spans }, { path: at, reason: '' }).from
    return { from, to: from + 1 }
  }
  if (position !== undefined && text[exact.from] === '"') {
    const from = withinString(text, exact.from, position)
    TOKEN.lastIndex = from
    const [token] = TOKEN.exec(text) ?? []
    return token === undefined ? exact : { from, to: Math.min(from + token.length, exact.to) }
  }
  const end = text.indexOf('\n', exact.from)
  return end === -1 || end >= exact.to ? exact : { from: exact.from, to: exact.from + 1 }
}

const wrongText = (text: string, at: number, reason: string): JudgedText => {
  const starts = lineStarts(text)
  const fault = { path: '', reason, line: lineAt(starts, at), span: { from: at, to: at + 1 } }
  return { text, faults: [fault], earlier: false, model: undefined, lines: new Map() }
}

/** What only a second reader would take otherwise: a whole number beyond what is exact. */
const bent = (text: string): string | undefined => {
  try {
    parseJson(utf8(text), TEXT_BYTES_MAX)
    return undefined
  } catch (thrown) {
    if (thrown instanceof Fault) return thrown.message
    throw thrown
  }
}

/** Looks at the text of a definition: all faults with their places, or what it means. @param now Unix seconds */
export const judgeText = (text: string, now: number): JudgedText => {
  if (text.trim() === '') return { text, faults: [], earlier: false, model: undefined, lines: new Map() }
  const map = mapJson(text)
  if (isWrong(map)) return wrongText(text, map.at, map.reason)
  const why = bent(text)
  if (why !== undefined) return wrongText(text, 0, why)
  const { earlier, faults, contract } = lintContract(map.value, { cron: cronCheckAt(now) })
  const starts = lineStarts(text)
  const placed = faults.map((it): ShownFault => {
    if (earlier) return it
    const span = spanOf(text, map, it)
    return { ...it, span, line: lineAt(starts, span.from) }
  })
  // States in the order in which they are written, which a normal form does not keep.
  const model = modelOf(earlier ? (contract?.definition ?? map.value) : map.value)
  return {
    ...{ text, earlier, faults: placed, model, lines: earlier ? new Map() : map.spans },
    ...(contract !== undefined && { contract }),
  }
}
