import { DEPTH_MAX } from '#core/canonical.ts'
import { pointer } from '#core/input.ts'
import { shortened } from '#core/near-names.ts'

/** A piece of a text, in UTF-16 code units: from the first of it to the first behind it. */
export interface JsonSpan {
  readonly from: number
  readonly to: number
}

/** Where a text is no JSON, and why. */
export interface WrongAt {
  readonly at: number
  readonly reason: string
}

/** A text that is JSON, and where each of its values stands. */
export interface JsonMap {
  readonly value: unknown
  /** The value at a JSON pointer; undefined where the text has none. */
  readonly spans: ReadonlyMap<string, JsonSpan>
}

const SPACE = /[ \t\n\r]*/y
const NUMBER = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?/y
const WORD = /true|false|null/y
/** A text from its quote to the one that ends it, without a bare control. */
const STRING = /"(?:[^"\\\p{Cc}]|\\(?:["\\/bfnrt]|u[0-9a-fA-F]{4}))*"/uy

/** Thrown within a reading, and caught by it. */
class Wrong {
  readonly place: WrongAt

  constructor(at: number, reason: string) {
    this.place = { at, reason }
  }
}

const reader = (text: string) => {
  const spans = new Map<string, JsonSpan>()
  let index = 0

  const refuse = (reason: string, at = index): never => {
    throw new Wrong(Math.min(at, Math.max(0, text.length - 1)), reason)
  }
  const match = (form: RegExp): string | undefined => {
    form.lastIndex = index
    const [found] = form.exec(text) ?? []
    index += found?.length ?? 0
    return found
  }
  const name = (): string => {
    const found = match(STRING)
    if (found !== undefined) return JSON.parse(found) as string
    return refuse(
      text[index] === '"'
        ? 'this text is not closed, or has a sign that JSON does not know'
        : 'a name in quotes is wanted here',
    )
  }
  const members = (at: string, depth: number): void => {
    const seen = new Set<string>()
    index += 1
    match(SPACE)
    for (let first = true; text[index] !== '}'; first = false) {
      if (!first && text[index] !== ',') refuse('a comma or } is wanted here')
      if (!first) index += 1
      match(SPACE)
      const from = index
      const word = name()
      if (seen.has(word)) refuse(`the name ${shortened(word)} stands twice in one object`, from)
      seen.add(word)
      match(SPACE)
      if (text[index] !== ':') refuse('a colon is wanted here')
      index += 1
      value(pointer(at, word), depth + 1)
      match(SPACE)
    }
    index += 1
  }
  const items = (at: string, depth: number): void => {
    index += 1
    match(SPACE)
    for (let i = 0; text[index] !== ']'; i += 1) {
      if (i > 0 && text[index] !== ',') refuse('a comma or ] is wanted here')
      if (i > 0) index += 1
      value(pointer(at, String(i)), depth + 1)
      match(SPACE)
    }
    index += 1
  }
  const value = (at: string, depth: number): void => {
    match(SPACE)
    if (depth > DEPTH_MAX) refuse(`nesting is deeper than ${DEPTH_MAX}`)
    const from = index
    const open = text[index]
    if (open === '{') members(at, depth)
    else if (open === '[') items(at, depth)
    else if (open === '"') name()
    else if (match(WORD) === undefined && !match(NUMBER)) refuse('a value is wanted here')
    spans.set(at, { from, to: index })
  }
  return {
    spans,
    read: (): void => {
      value('', 0)
      match(SPACE)
      if (index < text.length) refuse('nothing may stand behind the value')
    },
  }
}

/** Reads a JSON text and notes where each value stands, or finds the first place that is wrong. */
export const mapJson = (text: string): JsonMap | WrongAt => {
  const { spans, read } = reader(text)
  try {
    read()
    return { value: JSON.parse(text) as unknown, spans }
  } catch (thrown) {
    if (thrown instanceof Wrong) return thrown.place
    throw thrown
  }
}

/** Whether a reading found no JSON. */
export const isWrong = (it: JsonMap | WrongAt): it is WrongAt => 'reason' in it

/** The sign of a text that stands for each of its code units, by the place of its quote. */
const ESCAPE = /\\(?:u[0-9a-fA-F]{4}|.)|[\s\S]/y

/** Where in a text the code unit of a string stands that so many come before. @param from place of its quote */
export const withinString = (text: string, from: number, position: number): number => {
  let at = from + 1
  for (let k = 0; k < position && at < text.length && text[at] !== '"'; k += 1) {
    ESCAPE.lastIndex = at
    at += ESCAPE.exec(text)?.[0].length ?? 1
  }
  return at
}

/** Where the lines of a text begin. */
export const lineStarts = (text: string): readonly number[] => {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return starts
}

/** The line, from 1, that a place of a text is in. */
export const lineAt = (starts: readonly number[], place: number): number => {
  let [low, high] = [0, starts.length - 1]
  while (low < high) {
    const middle = (low + high + 1) >>> 1
    if ((starts[middle] ?? 0) <= place) low = middle
    else high = middle - 1
  }
  return low + 1
}
