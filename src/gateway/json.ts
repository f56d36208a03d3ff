import { DEPTH_MAX } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'

/** Digits of a number beyond which it is looked at: the longest exact double has 17, and 309 reach infinity. */
const DIGITS_PLAIN_MAX = 300

const malformed = (why: string): never => {
  throw new Fault('MALFORMED_JSON', why)
}

const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** The end of the string that opens at `from`: the place of its closing quote. */
const endOfString = (text: string, from: number): number => {
  let at = from + 1
  while (at < text.length) {
    const letter = text[at]
    if (letter === '"') return at
    at += letter === '\\' ? 2 : 1
  }
  return malformed('A string does not end.')
}

const NUMBER = /[-+.\deE]*/y

const inspectNumber = (text: string, from: number): number => {
  NUMBER.lastIndex = from
  const [token = ''] = NUMBER.exec(text) ?? []
  if ((token.length > DIGITS_PLAIN_MAX || /e/i.test(token)) && !Number.isFinite(Number(token))) {
    return malformed('A number is too large.')
  }
  return from + Math.max(token.length, 1)
}

/** A string of the text, quotes taken off. Half a surrogate pair is no character, and no UTF-8 could hold it. */
const readString = (text: string, from: number, to: number): string => {
  const raw = text.slice(from, to + 1)
  if (!raw.includes('\\')) return raw.slice(1, -1)
  const value = JSON.parse(raw) as string
  return value.isWellFormed() ? value : malformed('A string holds half of a surrogate pair.')
}

/** Names of the objects that are open; undefined stands for an array. */
type Open = Set<string> | undefined

const inspectName = (name: string, names: Set<string>): void => {
  if (name === '__proto__') return malformed('The name __proto__ is refused.')
  if (names.has(name)) return malformed('A name stands twice in one object.')
  names.add(name)
}

/**
 * Finds what JSON.parse would let through or die of: nesting beyond the bound, names that stand twice, `__proto__`,
 * halves of surrogate pairs and numbers that are infinite as doubles. Whether the text is JSON at all is left to
 * JSON.parse.
 */
const inspect = (text: string): void => {
  const open: Open[] = []
  let nameNext = false
  for (let at = 0; at < text.length; ) {
    const letter = text[at]
    if (letter === '"') {
      const end = endOfString(text, at)
      const value = readString(text, at, end)
      const names = open.at(-1)
      if (nameNext && names !== undefined) inspectName(value, names)
      nameNext = false
      at = end + 1
      continue
    }
    if (letter === '{' || letter === '[') {
      if (open.length >= DEPTH_MAX) malformed(`Nesting is deeper than ${DEPTH_MAX}.`)
      open.push(letter === '{' ? new Set() : undefined)
      nameNext = letter === '{'
    } else if (letter === '}' || letter === ']') {
      open.pop()
      nameNext = false
    } else if (letter === ',') {
      nameNext = open.at(-1) !== undefined
    } else if (letter === '-' || (letter !== undefined && letter >= '0' && letter <= '9')) {
      at = inspectNumber(text, at)
      continue
    }
    at++
  }
}

/**
 * The JSON object in a body.
 *
 * @throws Fault MALFORMED_JSON for bytes that are not UTF-8 or not JSON, anything but an object, names that stand
 * twice, `__proto__`, halves of surrogate pairs, numbers beyond the doubles, nesting deeper than 32.
 */
export const parseObject = (bytes: Uint8Array): Readonly<Record<string, unknown>> => {
  let value: unknown
  try {
    const text = decoder.decode(bytes)
    inspect(text)
    value = JSON.parse(text)
  } catch (cause) {
    if (cause instanceof Fault) throw cause
    return malformed(cause instanceof SyntaxError ? cause.message : 'The body is not UTF-8.')
  }
  if (typeof value !== 'object' || value === null || Array.isArray(value))
    return malformed('The body is not an object.')
  return value as Record<string, unknown>
}
