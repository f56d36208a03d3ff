import { fromUtf8, utf8 } from './bytes.ts'
import { DEPTH_MAX, type Json } from './canonical.ts'
import { Fault } from './fault.ts'

const refuse = (why: string): never => {
  throw new Fault('MALFORMED_JSON', why)
}

const QUOTE = 0x22
const BACKSLASH = 0x5c

/** Index after the closing quote of the string that opens at `at`; the text is known to be JSON. */
const endOfString = (text: string, at: number): number => {
  let i = at + 1
  while (text.charCodeAt(i) !== QUOTE) i += text.charCodeAt(i) === BACKSLASH ? 2 : 1
  return i + 1
}

/**
 * Refuses a name that stands twice in one object, which JSON.parse lets pass with the last value: two readers could
 * see two documents. Spellings are resolved first, so an escaped twin counts. Also refuses nesting beyond
 * {@link DEPTH_MAX}.
 */
const refuseDuplicateNames = (text: string): void => {
  // One entry per open bracket: the names seen, or undefined in an array.
  const open: (Set<string> | undefined)[] = []
  let expectName = false
  for (let i = 0; i < text.length; ) {
    const char = text[i]
    if (char === '"') {
      const end = endOfString(text, i)
      const names = open.at(-1)
      if (expectName && names !== undefined) {
        const name = JSON.parse(text.slice(i, end)) as string
        if (names.has(name)) refuse(`The name ${JSON.stringify(name.slice(0, 64))} stands twice in one object.`)
        names.add(name)
        expectName = false
      }
      i = end
      continue
    }
    if (char === '{' || char === '[') {
      if (open.length >= DEPTH_MAX) refuse(`Nesting is deeper than ${DEPTH_MAX}.`)
      open.push(char === '{' ? new Set() : undefined)
      expectName = char === '{'
    } else if (char === '}' || char === ']') {
      open.pop()
      expectName = false
    } else if (char === ',') {
      expectName = open.at(-1) !== undefined
    }
    i++
  }
}

/**
 * Reads JSON of any spelling, from text or UTF-8 bytes, that every reader understands alike: bounded, no duplicate
 * names, not nested beyond {@link DEPTH_MAX}. Numbers stay as JSON.parse reads them, so schemas refuse `1e400`.
 *
 * @throws Fault BODY_TOO_LARGE | MALFORMED_JSON
 */
export const parseJson = (source: string | Uint8Array, bytesMax: number): Json => {
  const tooLarge = (): never => {
    throw new Fault('BODY_TOO_LARGE', `The document is larger than ${bytesMax} bytes.`)
  }
  // A text has at least one byte for every UTF-16 code unit, so the cheap test comes first.
  if (source.length > bytesMax) return tooLarge()
  if (typeof source === 'string' && utf8(source).length > bytesMax) return tooLarge()
  let text: string
  let value: Json
  try {
    text = typeof source === 'string' ? source : fromUtf8(source)
    value = JSON.parse(text) as Json
  } catch {
    return refuse('The document is not JSON in UTF-8.')
  }
  refuseDuplicateNames(text)
  return value
}
