import { Fault } from '#core/fault.ts'
import { parseUnit, UNIT_LENGTH_MAX, type Unit } from '#core/units.ts'
import { withDigits } from './counts.ts'

/** A number that stands in a query, with its unit and the words around it. */
export interface Amount {
  /** As written, the unit included. */
  readonly text: string
  /** The number as a decimal text. */
  readonly number: string
  /** Its unit as it is parsed; undefined for a bare number. */
  readonly unit: string | undefined
  /** Words before it back to the amount before, and after it up to the next one; both end at a comma or full stop. */
  readonly before: string
  readonly after: string
  /** A name that it is given by, as in `k = 5`. */
  readonly name: string | undefined
  /** A count in words before something that is no unit (`three stars`): read where it has a place, else left. */
  readonly loose: boolean
}

/** Amounts of one query. */
export const AMOUNTS_MAX = 32

/** Digits that belong to a word: two dimensions, names of cases and groups, ids of operators, powers. */
const WORDS_WITH_DIGITS = [
  /\b[123]\s?-?\s?d\b/giu,
  /\b[23]\s?-\s?body\b/giu,
  /\b3\s?-?\s?sat\b/giu,
  /\bu\s?\(\s?1\s?\)/giu,
  /\bieee[\s-]?\d+/giu,
  /\b\d+[\s-]bus(?:es)?\b/giu,
  /\bn\s?-\s?1\b/giu,
  /\b\p{Lu}{2,}\d+\b/gu,
  /\bq[48]\b/giu,
  /\b\d+\sliterals?\b/giu,
  /\bre\s?\(?s\)?\s?=\s?1\/2\b/giu,
  /(?<![\p{L}/])[xyzn]\s?\^\s?\d+/gu,
  /\b(?:g\d|1\/f)\b/giu,
]
const MANTISSA = String.raw`[-+−]?(?:\d{1,3}(?:,\d{3})+|\d+)?(?:\.\d+|(?<=\d))(?:e[-+]?\d{1,3})?`
const POWER_OF_TEN = String.raw`(?:\s?[×x*]\s?10\s?\^\s?[-+−]?\d{1,3})?`
const NUMBER = new RegExp(String.raw`(?<![\p{L}\p{N}_.])${MANTISSA}${POWER_OF_TEN}`, 'giu')

/** Words that a number is multiplied by. */
const LARGE = /^\s(thousand|million|billion)s?\b/iu
const LARGE_POWERS: Readonly<Record<string, number>> = { thousand: 3, million: 6, billion: 9 }

/** No unit of the table: its amounts become kilograms. */
const SOLAR_MASS = 'solar mass'
const SOLAR_MASS_KG = 1.98892e30

/** Units in words that the table of units has under another name. */
const WORD_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^solar mass(?:es)?\b/iu, SOLAR_MASS],
  [/^(?:degrees? )?(?:celsius|centigrade)\b/iu, 'degC'],
  [/^degrees? fahrenheit\b/iu, 'degF'],
  [/^percent\b/iu, '%'],
  [/^(?:amps?|amperes?)\b/iu, 'A'],
  [/^(?:feet|foot)\b/iu, 'ft'],
  [/^inch(?:es)?\b/iu, 'inch'],
  [/^moles?\b/iu, 'mol'],
  [/^(?:tonnes?|metric tons?)\b/iu, 'Mg'],
  [/^secs?\b/iu, 's'],
  [/^hrs?\b/iu, 'h'],
  [/^mins?\b/iu, 'min'],
  [/^yrs?\b/iu, 'yr'],
  [/^k[mp]h\b/iu, 'km/h'],
  [/^(?:metres?|meters?) per second squared\b/iu, 'm/s^2'],
  [/^(?:metres?|meters?) per second\b/iu, 'm/s'],
  [/^(?:kilometres?|kilometers?) per hour\b/iu, 'km/h'],
  [/^(?:kilometres?|kilometers?) per second\b/iu, 'km/s'],
  [/^miles per hour\b/iu, 'mph'],
  [/^(?:per|an?|each|every) (second|minute|hour|day|week|year)\b/iu, '1/$1'],
  [/^square (?:metres?|meters?)\b/iu, 'm^2'],
  [/^cubic (?:metres?|meters?)\b/iu, 'm^3'],
]
/** Words that are units too and hardly ever meant so. */
const HARDLY_UNITS = new Set([
  'a',
  'an',
  'in',
  'at',
  'as',
  'to',
  'are',
  'is',
  'us',
  'be',
  'u',
  'b',
  't',
  'of',
  'and',
  'with',
  'bit',
  'bits',
  'per',
])
/** Tokens one unit may take: `kg m^-1 s^-1`. */
const UNIT_TOKENS_MAX = 3

/** `kg/m3` as the grammar of units writes it. */
export const withCarets = (unit: string): string => unit.replace(/(\p{L})(-?[2-9])(?![\p{L}\d])/gu, '$1^$2')

/** Words that were found to be no units: most words of a query are none, and a refusal costs more than its reading. */
const noUnits = new Set<string>()
const NO_UNITS_MAX = 4_096

/** A unit, or undefined when the text is none. */
export const unitOrNone = (text: string): Unit | undefined => {
  if (noUnits.has(text)) return undefined
  try {
    return parseUnit(withCarets(text))
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    if (noUnits.size < NO_UNITS_MAX && text.length <= UNIT_LENGTH_MAX) noUnits.add(text)
    return undefined
  }
}

/** Whether tokens may be one unit: a percent joins nothing, and a number begins the next amount (`20% 1 year`). */
const mayJoin = (tokens: readonly string[]): boolean =>
  tokens.every((token) => !token.includes('%')) && tokens.every((token) => !/^[-+−.]?\d/u.test(token))

/** The unit that a text begins with, and how many of its characters it takes. */
const unitAt = (text: string): { readonly unit: string; readonly length: number } | undefined => {
  const gap = /^[\s-]?/u.exec(text)?.[0].length ?? 0
  const rest = text.slice(gap)
  for (const [words, unit] of WORD_UNITS) {
    const found = words.exec(rest)
    if (found !== null) return { unit: found[0].replace(words, unit), length: gap + found[0].length }
  }
  const tokens = /^[^\s,;:?!)]+(?:\s[^\s,;:?!)]+){0,2}/u.exec(rest)?.[0].split(/\s/u) ?? []
  for (let count = Math.min(tokens.length, UNIT_TOKENS_MAX); count >= 1; count--) {
    const words = tokens.slice(0, count)
    const token = words.join(' ').replace(/\.+$/u, '')
    if (words.some((word) => HARDLY_UNITS.has(word)) || (count > 1 && !mayJoin(words))) continue
    if (/^[\p{L}%°µμΩÅ][^\s]*/u.test(token) && unitOrNone(token) !== undefined) {
      return { unit: withCarets(token), length: gap + token.length }
    }
  }
  return undefined
}

/** A number as a plain decimal text. */
const decimalOf = (written: string): string => {
  const [mantissa = '', exponent] = written
    .replaceAll(',', '')
    .replaceAll('−', '-')
    .split(/\s?[×x*]\s?10\s?\^\s?/iu)
  return exponent === undefined ? mantissa : `${mantissa}e${exponent}`
}

/** A decimal text times a thousand, a million or a billion: only its exponent changes. */
const multiplied = (number: string, word: string | undefined): string => {
  if (word === undefined) return number
  const [mantissa = '', exponent = '0'] = number.toLowerCase().split('e')
  return `${mantissa}e${Number(exponent) + (LARGE_POWERS[word.toLowerCase()] ?? 0)}`
}

const NAMED = /([\p{L}][\p{L}\p{N}_.]*)\s*(?:=|:=|:)\s*$/u
const CONNECTING = /(?:\s|^)(?:=|:|is|are|of|at|to|by|about|around|approximately|equal|equals|be|the|a|an|with)\s*$/iu
const BOUNDARY = /[,;?!]|\.(?:\s|$)|\band\b|\bwith\b(?=.*\bof\b)/giu

/** The last stretch of a text before which something else is spoken of. */
const lastClause = (text: string): string => text.split(BOUNDARY).at(-1) ?? ''
const firstClause = (text: string): string => text.split(BOUNDARY)[0] ?? ''

const withoutConnecting = (text: string): string => {
  let rest = text.trimEnd()
  for (let turn = 0; turn < 4; turn++) rest = rest.replace(CONNECTING, '').trimEnd()
  return rest
}

interface Span {
  readonly start: number
  readonly end: number
  readonly number: string
  readonly unit: string | undefined
}

const spansOf = (text: string): readonly Span[] => {
  const spans: Span[] = []
  for (const found of text.matchAll(NUMBER)) {
    const [written] = found
    const start = found.index
    if (written === '' || (spans.at(-1)?.end ?? 0) > start) continue
    const plain = start + written.length
    const large = LARGE.exec(text.slice(plain))
    const number = multiplied(decimalOf(written), large?.[1])
    if (!Number.isFinite(Number(number))) continue
    const end = plain + (large?.[0].length ?? 0)
    const unit = unitAt(text.slice(end))
    // Digits that run into letters are part of a word, unless the letters are a unit.
    if (unit === undefined && /^[\p{L}_]/u.test(text.slice(end))) continue
    const till = end + (unit?.length ?? 0)
    if (unit?.unit === SOLAR_MASS)
      spans.push({ start, end: till, number: String(Number(number) * SOLAR_MASS_KG), unit: 'kg' })
    else spans.push({ start, end: till, number, unit: unit?.unit })
    if (spans.length === AMOUNTS_MAX) break
  }
  return spans
}

/** Hides what is no amount behind spaces, so that places stay. */
const hidden = (query: string): string =>
  WORDS_WITH_DIGITS.reduce((text, words) => text.replace(words, (it) => ' '.repeat(it.length)), query)

const readAmounts = (query: string): readonly Amount[] => {
  const { text: digits, words } = withDigits(query)
  const text = hidden(digits)
  const spans = spansOf(text)
  return spans.map(({ start, end, number, unit }, i) => {
    const head = text.slice(spans[i - 1]?.end ?? 0, start)
    const joined = (a: number, b: number): boolean => /^\s*[x×]\s*$/iu.test(text.slice(spans[a]?.end, spans[b]?.start))
    // Columns and rows of a grid: `40 x 4`.
    const side = i > 0 && joined(i - 1, i) ? 'ny' : i + 1 < spans.length && joined(i, i + 1) ? 'nx' : undefined
    return {
      text: text.slice(start, end).trim(),
      number,
      unit,
      before: withoutConnecting(lastClause(head)),
      after: firstClause(text.slice(end, spans[i + 1]?.start ?? text.length)),
      name: side ?? NAMED.exec(head)?.[1],
      loose: unit === undefined && words.has(start) && !LARGE.test(text.slice(start + (words.get(start) ?? 0))),
    }
  })
}

/** The query read last: each route that is tried for it reads it again. */
let last: { readonly query: string; readonly amounts: readonly Amount[] } | undefined

/** The amounts of a query, in the order in which they stand: `5 km`, `for 10 seconds`, `sigma = 0.2`, `1,000 paths`. */
export const amountsOf = (query: string): readonly Amount[] => {
  if (last?.query !== query) last = { query, amounts: readAmounts(query) }
  return last.amounts
}

/** Amounts less those that repeat a constant of the call: the same number once more in words. */
export const notRepeated = (
  amounts: readonly Amount[],
  constants: Readonly<Record<string, unknown>>,
): readonly Amount[] => {
  const given = Object.values(constants).map((it) => {
    const value = typeof it === 'object' && it !== null ? (it as { value?: unknown }).value : it
    return typeof value === 'string' ? Number.parseFloat(value) : value
  })
  return amounts.filter(({ number }) => !given.includes(Number(number)))
}
