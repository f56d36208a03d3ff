import { withDigits } from './counts.ts'
import { joined, type Span, shared } from './joined.ts'
import { unitAt } from './word-units.ts'

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
  /** What it is where it fits nowhere as it is: `20 C` degrees, `0.9 c` a share, `3.3k` ohms. */
  readonly or: { readonly number: string; readonly unit: string | undefined } | undefined
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
  new RegExp(
    [
      String.raw`\b(?:carbon|cobalt|iodine|uranium|caesium|cesium|strontium|radium|`,
      'technetium|plutonium|potassium|polonium|americium|phosphorus|',
      String.raw`fluorine|sodium|radon|thorium)[\s-]\d{1,3}m?\b`,
    ].join(''),
    'giu',
  ),
  /\b\p{Lu}\p{Ll}?-\d{1,3}m?\b/gu,
  /\bm\/m\/\d\b/giu,
  /\braid \d\b/giu,
  /\brule of \d+\b/giu,
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
const LARGE = /^(?:\s(thousand|million|billion|trillion)s?\b|(k|bn)\b(?![-·*/]))/iu
const LARGE_POWERS: Readonly<Record<string, number>> = {
  thousand: 3,
  million: 6,
  billion: 9,
  trillion: 12,
  k: 3,
  bn: 9,
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

const spansOf = (text: string): readonly Span[] => {
  const spans: Span[] = []
  for (const found of text.matchAll(NUMBER)) {
    const [written] = found
    const start = found.index
    if (written === '' || (spans.at(-1)?.end ?? 0) > start) continue
    const plain = start + written.length
    const large = LARGE.exec(text.slice(plain))
    const number = multiplied(decimalOf(written), large?.[1] ?? large?.[2])
    if (!Number.isFinite(Number(number))) continue
    const end = plain + (large?.[0].length ?? 0)
    const unit = unitAt(text.slice(end))
    // Digits that run into letters are part of a word, unless the letters are a unit.
    if (unit === undefined && /^[\p{L}_]/u.test(text.slice(end))) continue
    const till = end + (unit?.length ?? 0)
    const scaled = unit === undefined || unit.times === 1 ? number : String(Number(number) * unit.times)
    spans.push({ start, end: till, number: scaled, unit: unit?.unit === '' ? undefined : unit?.unit })
    if (spans.length === AMOUNTS_MAX) break
  }
  return shared(text, joined(text, spans))
}

/** Hides what is no amount behind spaces, so that places stay. */
const hidden = (query: string): string =>
  WORDS_WITH_DIGITS.reduce((text, words) => text.replace(words, (it) => ' '.repeat(it.length)), query)

/** Powers of ten and simple fractions, each as a decimal of the same length, so that places stay. */
const WRITTEN: readonly (readonly [RegExp, (...found: readonly string[]) => string])[] = [
  [/(?<![\d.×x*] ?)10\s?\^\s?([-−]?\d{1,3})\b/gu, (_, power = '') => `1e${power.replace('−', '-')}`],
  [/(?<![\d./])1\/2(?![\d/])/gu, () => '.5'],
  [/(?<![\d./])1\/4(?![\d/])/gu, () => '.25'],
  [/(?<![\d./])3\/4(?![\d/])/gu, () => '.75'],
]
const decimal = (query: string): string =>
  WRITTEN.reduce((text, [form, to]) => text.replace(form, (...it) => to(...it).padEnd(it[0].length)), query)

/** Letters that are everyday for another unit than their own. */
const OTHERWISE: Readonly<Record<string, string>> = { C: 'degC', F: 'degF', M: 'mol/L' }

const otherwise = (text: string, { number, unit }: Pick<Span, 'number' | 'unit'>): Amount['or'] => {
  const letter = OTHERWISE[unit ?? '']
  if (letter !== undefined) return { number, unit: letter }
  if (unit === undefined && /\dk$/iu.test(text)) return { number, unit: 'ohm' }
  const light = /^([-+−]?[\d.]+)\s?c$/u.exec(text)?.[1]
  if (light !== undefined) return { number: light, unit: undefined }
  const share = /^([\d.]+)\s?(?:%|percent)/u.exec(text)?.[1]
  return share !== undefined && unit === 'm/s' ? { number: share, unit: '%' } : undefined
}

const readAmounts = (query: string): readonly Amount[] => {
  const { text: digits, words } = withDigits(query)
  const text = decimal(hidden(digits))
  const spans = spansOf(text)
  return spans.map(({ start, end, number, unit }, i) => {
    const head = text.slice(spans[i - 1]?.end ?? 0, start)
    const crossed = (a: number, b: number): boolean => /^\s*[x×]\s*$/iu.test(text.slice(spans[a]?.end, spans[b]?.start))
    // Columns and rows of a grid: `40 x 4`.
    const side = i > 0 && crossed(i - 1, i) ? 'ny' : i + 1 < spans.length && crossed(i, i + 1) ? 'nx' : undefined
    return {
      text: text.slice(start, end).trim(),
      number,
      unit,
      before: withoutConnecting(lastClause(head)),
      after: firstClause(text.slice(end, spans[i + 1]?.start ?? text.length)),
      name: side ?? NAMED.exec(head)?.[1],
      or: otherwise(text.slice(start, end), { number, unit }),
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
