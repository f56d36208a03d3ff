import { fromSi, parseUnit, toSi } from '#core/units.ts'
import { unitOrNone, withCarets } from './word-units.ts'

/** A number with its unit where it stands in a text. */
export interface Span {
  readonly start: number
  readonly end: number
  readonly number: string
  readonly unit: string | undefined
}

/** Pairs of units that are said as one amount, the smaller one second. */
const PAIRS = new Set(['h min', 'min s', 'h s', 'd h', 'ft in', 'lb oz', 'deg arcmin', 'yr month'])
const SHORT: Readonly<Record<string, string>> = {
  ...{ hours: 'h', hour: 'h', minutes: 'min', minute: 'min', seconds: 's', second: 's', days: 'd', day: 'd' },
  ...{ feet: 'ft', foot: 'ft', inches: 'in', inch: 'in', pounds: 'lb', pound: 'lb', lbs: 'lb', ounces: 'oz' },
  ...{ years: 'yr', year: 'yr', months: 'month', degrees: 'deg', '°': 'deg' },
}
const shortOf = (unit: string | undefined): string => (unit === undefined ? '' : (SHORT[unit] ?? unit))

/** `6 ft 2 in`, `3 hours and 20 minutes`: one amount, in the smaller unit. */
export const joined = (text: string, spans: readonly Span[]): readonly Span[] => {
  const all: Span[] = []
  for (const span of spans) {
    const before = all.at(-1)
    const between = before === undefined ? '' : text.slice(before.end, span.start)
    // `6 ft 2 in`: the word `in` is no unit anywhere else.
    const inches =
      shortOf(before?.unit) === 'ft' && span.unit === undefined && /^ ?(?:in\b|")/u.exec(text.slice(span.end))
    const small = inches ? 'in' : shortOf(span.unit)
    if (
      before === undefined ||
      !/^\s*(?:,|and)?\s*$/u.test(between) ||
      !PAIRS.has(`${shortOf(before.unit)} ${small}`)
    ) {
      all.push(span)
      continue
    }
    const [large, little] = [unitOrNone(before.unit ?? ''), parseUnit(small)]
    if (large === undefined) continue
    const sum = toSi(before.number, large) + toSi(span.number, little)
    const end = inches ? span.end + inches[0].length : span.end
    all[all.length - 1] = { start: before.start, end, number: String(fromSi(sum, little)), unit: withCarets(small) }
  }
  return all
}

/** Words between two numbers of one unit: `3 and 6 ohm`, `from 0 to 60 mph`. */
const SHARING = /^\s*,?\s*(?:and|to|or|by|versus|vs\.?|-|–|×|x)\s*$/iu

/** Gives bare numbers the unit of the one behind them where all are said in one breath: `10, 20 and 30 ohm`. */
export const shared = (text: string, spans: readonly Span[]): readonly Span[] => {
  const all = [...spans]
  let listed = false
  for (let i = all.length - 2; i >= 0; i--) {
    const [span, next] = [all[i], all[i + 1]]
    if (span === undefined || next === undefined) continue
    const between = text.slice(span.end, next.start)
    const joins: boolean = SHARING.test(between) || (listed && /^\s*,\s*$/u.test(between))
    const bare: boolean = span.unit === undefined && !/[=:]\s*$/u.test(text.slice(0, span.start))
    listed = bare && joins && next.unit !== undefined && !next.unit.includes('%')
    if (listed) all[i] = { ...span, unit: next.unit }
  }
  return all
}
