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

const numberForm = /-?[0-9]+(?:\.[0-9]+)?(?:[eE][+-]?[0-9]+)?/y

/**
 * Refuses an integer that JSON.parse would bend: one written without fraction or exponent, beyond 2^53 − 1, that is
 * neither a double exactly nor the shortest spelling of one, which is how a canonical text writes large quantities.
 */
const inspectNumber = (token: string): void => {
  const value = Number(token)
  if (Number.isSafeInteger(value) || !/^-?[0-9]+$/.test(token) || String(value) === token) return
  if (!Number.isFinite(value) || BigInt(value) !== BigInt(token)) {
    refuse('An integer beyond 2^53 − 1 cannot be read exactly; a quantity is written with an exponent.')
  }
}

/** Index after the number that begins at `at`. */
const endOfNumber = (text: string, at: number): number => {
  numberForm.lastIndex = at
  const [token = ''] = numberForm.exec(text) ?? []
  inspectNumber(token)
  return at + token.length
}

/**
 * Refuses what JSON.parse lets pass and another reader would read otherwise: a name that stands twice in one object
 * (spellings are resolved first, so an escaped twin counts), an integer that a double cannot hold, and nesting beyond
 * {@link DEPTH_MAX}. The text is known to be JSON.
 */
const inspectText = (text: string): void => {
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
    if (char === '-' || (char !== undefined && char >= '0' && char <= '9')) {
      i = endOfNumber(text, i)
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
 * names, no integer that a double cannot hold, not nested beyond {@link DEPTH_MAX}. `1e400` is read as Infinity, which
 * schemas refuse.
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
  inspectText(text)
  return value
}
