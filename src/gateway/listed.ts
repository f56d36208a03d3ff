import { concat, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { parseObject } from './json.ts'

/** Media types of a body that is a list, an element a line. */
const LINES = /^application\/(?:x-ndjson|ndjson|jsonl|x-jsonlines)\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i

const [LINE_FEED, CARRIAGE_RETURN, OPEN_LIST] = [0x0a, 0x0d, 0x5b]
const BLANKS: ReadonlySet<number> = new Set(utf8(' \t\n\r'))

/** Whether a Content-Type says that a body is a list of lines. */
export const isLines = (type: string | undefined): boolean => LINES.test(type ?? '')

/** The lines of a text, without those that are blank. */
const linesOf = (bytes: Uint8Array): readonly Uint8Array[] => {
  const lines: Uint8Array[] = []
  for (let from = 0; from < bytes.length; ) {
    const end = bytes.indexOf(LINE_FEED, from)
    const to = end < 0 ? bytes.length : end
    const line = bytes.subarray(from, bytes[to - 1] === CARRIAGE_RETURN ? to - 1 : to)
    if (line.some((byte) => !BLANKS.has(byte))) lines.push(line)
    from = to + 1
  }
  return lines
}

const lineOf = (bytes: Uint8Array, index: number): unknown => {
  try {
    return parseObject(bytes)
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    throw new Fault(cause.code, `Line ${index}: ${cause.message}`, { ...cause.details, index })
  }
}

/**
 * The input of an endpoint whose body may be one of its lists alone: an object with that list, the list as JSON, or a
 * line for each element.
 *
 * @throws Fault MALFORMED_JSON, of lines with the `index` of the first that is no object
 */
export const listedBody = (
  list: string,
  bytes: Uint8Array,
  type: string | undefined,
): Readonly<Record<string, unknown>> => {
  if (isLines(type)) return { [list]: linesOf(bytes).map(lineOf) }
  const first = bytes.find((byte) => !BLANKS.has(byte))
  if (first !== OPEN_LIST) return parseObject(bytes)
  return parseObject(concat(utf8(`{${JSON.stringify(list)}:`), bytes, utf8('}')))
}
