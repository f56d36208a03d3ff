import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'

/** Logs that one question names, and cosignatures of one log in one answer. */
export const LOGS_ASKED_MAX = 128
export const LINES_TOLD_MAX = 256
/** Bytes of a question: names are some 90 each. */
export const QUESTION_BYTES_MAX = 32_768
export const ANSWER_BYTES_MAX = 1_048_576
/** Characters of a signature line: a name, and the 76 bytes of a cosignature in base64. */
export const LINE_CHARS_MAX = 512

/** A log, from which serial number of the answering node's on, and how far it is held here. */
export type CosignedAsk = readonly [origin: string, from: number, size: number]

/** A log, the serial number to ask from next, and cosignatures of trees no larger than asked for. */
export type CosignedTold = readonly [
  origin: string,
  next: number,
  lines: readonly (readonly [size: number, line: string])[],
]

const eventsLog = new RegExp(patterns.eventsLogName)
const isOrigin = (it: Json | undefined): boolean => typeof it === 'string' && eventsLog.test(it)
const isCount = (it: unknown): it is number => Number.isSafeInteger(it) && (it as number) >= 0

/** The list that canonical JSON of `{logs: […]}` holds, if it is no longer than that. */
const logsIn = (frame: Uint8Array, logsMax: number): readonly Json[] | undefined => {
  try {
    const value = parseCanonical(frame) as { readonly logs?: Json } | null
    if (typeof value !== 'object' || value === null || Object.keys(value).join() !== 'logs') return undefined
    return Array.isArray(value.logs) && value.logs.length <= logsMax ? value.logs : undefined
  } catch {
    return undefined
  }
}

const isAsk = (it: Json): boolean =>
  Array.isArray(it) && it.length === 3 && isOrigin(it[0]) && isCount(it[1]) && isCount(it[2])

const isLine = (it: Json): boolean =>
  Array.isArray(it) &&
  it.length === 2 &&
  isCount(it[0]) &&
  typeof it[1] === 'string' &&
  it[1].length <= LINE_CHARS_MAX &&
  it[1].endsWith('\n')

const isTold = (it: Json): boolean =>
  Array.isArray(it) &&
  it.length === 3 &&
  isOrigin(it[0]) &&
  isCount(it[1]) &&
  Array.isArray(it[2]) &&
  it[2].length <= LINES_TOLD_MAX &&
  it[2].every(isLine)

/** The bytes of a question. */
export const askFrame = (logs: readonly CosignedAsk[]): Uint8Array => canonicalBytes({ logs } as unknown as Json)

/** Reads a question; undefined for anything that is not exactly one. */
export const readAsk = (frame: Uint8Array): readonly CosignedAsk[] | undefined => {
  if (frame.length > QUESTION_BYTES_MAX) return undefined
  const logs = logsIn(frame, LOGS_ASKED_MAX)
  return logs?.every(isAsk) === true ? (logs as unknown as readonly CosignedAsk[]) : undefined
}

/** The bytes of an answer. */
export const toldFrame = (logs: readonly CosignedTold[]): Uint8Array => canonicalBytes({ logs } as unknown as Json)

/** Reads an answer; undefined for anything that is not exactly one. */
export const readTold = (frame: Uint8Array): readonly CosignedTold[] | undefined => {
  if (frame.length > ANSWER_BYTES_MAX) return undefined
  const logs = logsIn(frame, LOGS_ASKED_MAX)
  return logs?.every(isTold) === true ? (logs as unknown as readonly CosignedTold[]) : undefined
}
