import { Fault } from '#core/fault.ts'
import { commensurable, parseUnit, UNIT_LENGTH_MAX, type Unit } from '#core/units.ts'

/** A unit as a text says it: as it is parsed, what its number is multiplied by, and how many characters it takes. */
export interface SaidUnit {
  readonly unit: string
  readonly times: number
  readonly length: number
}

/** Speed of light: exact (SI Brochure, 9th edition). */
const LIGHT = 299_792_458
/** What no unit of the table is, in units of it. Masses and radii: NASA NSSDCA fact sheets. */
const SCALED: readonly (readonly [RegExp, number, string])[] = [
  [/^solar mass(?:es)?\b|^(?:times )?(?:the )?mass(?:es)? of the sun\b/iu, 1.98892e30, 'kg'],
  [/^earth mass(?:es)?\b/iu, 5.9722e24, 'kg'],
  [/^solar radi(?:us|i)\b/iu, 695_700_000, 'm'],
  [/^earth radi(?:us|i)\b/iu, 6_371_000, 'm'],
  [/^(?:times )?(?:the )?speed of light\b/iu, LIGHT, 'm/s'],
  [/^(?:%|percent|per cent) (?:of )?(?:the )?(?:speed of light|light ?speed|c\b)/iu, 0.01 * LIGHT, 'm/s'],
  [/^c\b(?![-/°*^])/u, LIGHT, 'm/s'],
  [/^light[\s-]?(?:years?)\b/iu, 1, 'ly'],
  [/^light[\s-]?(?:minutes?)\b/iu, 60 * LIGHT, 'm'],
  [/^light[\s-]?(?:seconds?)\b/iu, LIGHT, 'm'],
  [/^(?:astronomical units?)\b/iu, 1, 'AU'],
  [/^dozen\b/iu, 12, ''],
  [/^(?:cents?|pence|pennies)\b/iu, 0.01, ''],
  [/^gs?\b(?= (?:of )?(?:acceleration|force|load|deceleration))/iu, 9.80665, 'm/s^2'],
  [/^(?:percentage points?)\b/iu, 0.01, ''],
]

/** Units in words that the table of units has under another name. */
const WORD_UNITS: readonly (readonly [RegExp, string])[] = [
  [/^(?:degrees? |deg )?(?:celsius|centigrade)\b/iu, 'degC'],
  [/^(?:degrees?|deg) C\b/u, 'degC'],
  [/^(?:degrees?|deg) F\b|^(?:degrees? )?fahrenheit\b/u, 'degF'],
  [/^degrees? fahrenheit\b/iu, 'degF'],
  [/^(?:percent|per cent|pct)\b/iu, '%'],
  [/^(?:amps?|amperes?)\b/iu, 'A'],
  [/^(?:milli-?amps?)\b/iu, 'mA'],
  [/^inch(?:es)?\b/iu, 'inch'],
  [/^metric tons?\b/iu, 'Mg'],
  [/^secs?\b/iu, 's'],
  [/^hrs?\b/iu, 'h'],
  [/^mins?\b/iu, 'min'],
  [/^yrs?\b/iu, 'yr'],
  [/^k[mp]h\b|^kmph\b/iu, 'km/h'],
  [/^kms\b/u, 'km'],
  [/^fps\b/iu, 'ft/s'],
  [/^kilos?\b(?!-)/iu, 'kg'],
  [/^kilo-?ohms?\b|^kohms?\b|^k Ω/iu, 'kohm'],
  [/^mega-?ohms?\b|^Mohms?\b/u, 'Mohm'],
  [/^(?:milli-?litres?|milli-?liters?|mls?|cc)\b/u, 'mL'],
  [/^(?:micro-?farads?)\b/iu, 'uF'],
  [/^(?:degrees?|deg)\b/iu, 'deg'],
  [/^(?:kilo-?watt[\s-]?hours?|kwh)\b/iu, 'kWh'],
  [/^watt[\s-]?hours?\b/iu, 'Wh'],
  [/^(?:milliamp[\s-]?hours?)\b/iu, 'mAh'],
  [/^amp[\s-]?hours?\b/iu, 'Ah'],
  [/^(?:Mbps|Mbit\/s|megabits? per second|Mb\/s)/u, 'Mbps'],
  [/^(?:Gbps|Gbit\/s|gigabits? per second|Gb\/s)/u, 'Gbps'],
  [/^(?:MB\/s|megabytes? per second|MBps)/u, 'MB/s'],
  [/^gigabytes?\b/iu, 'GB'],
  [/^megabytes?\b/iu, 'MB'],
  [/^M\b(?= (?:HCl|NaOH|NaCl|H2SO4|acid|solution|stock|of|KOH|sucrose|glucose|acetic))/u, 'mol/L'],
  [/^(?:molar)\b/iu, 'mol/L'],
  [/^W\/m\.?K\b|^W\/\(m ?K\)|^W m-1 K-1/u, 'W/(m*K)'],
  [/^W\/m[2²]\.?K\b|^W\/\(m[2²][·* ]?K\)/u, 'W/(m^2*K)'],
  [/^J\/(?:kg[·* ]?K\b|\(kg[·* ]?K\)|kg\/K)|^J\/kg\/?(?:°C|K)/u, 'J/(kg*K)'],
  [/^kJ\/(?:kg[·* ]?K\b|\(kg[·* ]?K\))/u, 'kJ/(kg*K)'],
  [/^(?:metres?|meters?) per second squared\b/iu, 'm/s^2'],
  [/^(?:metres?|meters?) per second\b/iu, 'm/s'],
  [/^(?:kilometres?|kilometers?|km) per hour\b/iu, 'km/h'],
  [/^(?:kilometres?|kilometers?) per second\b/iu, 'km/s'],
  [/^miles (?:per|an) hour\b/iu, 'mph'],
  [/^(?:feet|foot|ft) per second\b/iu, 'ft/s'],
  [/^(?:pounds? per square inch|psig|psia)\b/iu, 'psi'],
  [/^(?:revolutions?|revs?|turns|rotations?) (?:per|a) minute\b/iu, 'rpm'],
  [/^(?:revolutions?|revs?|rotations?) (?:per|a) second\b/iu, 'rev/s'],
  [/^(?:bpm|(?:heart)?beats (?:per|a) minute)\b/iu, '1/min'],
  [/^(?:per|an?|each|every) (second|minute|hour|day|week|month|year)\b/iu, '1/$1'],
  [/^square (?:metres?|meters?)\b|^sq\.? ?m\b/iu, 'm^2'],
  [/^square (?:feet|foot)\b|^sq\.? ?ft\b/iu, 'ft^2'],
  [/^square (?:centimetres?|centimeters?)\b|^sq\.? ?cm\b/iu, 'cm^2'],
  [/^square (?:millimetres?|millimeters?)\b|^sq\.? ?mm\b/iu, 'mm^2'],
  [/^square (?:kilometres?|kilometers?)\b|^sq\.? ?km\b/iu, 'km^2'],
  [/^square inch(?:es)?\b|^sq\.? ?in\b/iu, 'in^2'],
  [/^cubic (?:metres?|meters?)\b/iu, 'm^3'],
  [/^cubic (?:feet|foot)\b/iu, 'ft^3'],
  [/^cubic (?:centimetres?|centimeters?)\b/iu, 'cm^3'],
]
/** A count of things for each of a unit: `lines per mm`, `dollars per kWh`, `0.28 per kWh`, `12e-6 /K`. */
const EACH = new RegExp(
  [
    String.raw`^(?:(?:[\p{L}$€£]+) )?(?:per|\/|an?(?= (?:kWh|minute|litre|liter|`,
    String.raw`kg|second|hour|day|mile|gallon)\b)) ?(?=[\p{L}°%])`,
  ].join(''),
  'iu',
)
const PER = new RegExp(
  [
    '^ (?:per|an?(?= (?:minute|litre|liter|gallon|kg|second|hour|day|',
    String.raw`week|month|year|mile|kilometre|metre|meter)\b)) ?(?=[\p{L}°%])`,
  ].join(''),
  'iu',
)
/** Words that are units too and hardly ever meant so. */
const HARDLY_UNITS = new Set('a an in at as to are is us be u b t of and with bit bits per hand cap pa'.split(' '))
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

const inTokens = (rest: string): SaidUnit | undefined => {
  const tokens = /^[^\s,;:?!)]+(?:\s[^\s,;:?!)]+){0,2}/u.exec(rest)?.[0].split(/\s/u) ?? []
  for (let count = Math.min(tokens.length, UNIT_TOKENS_MAX); count >= 1; count--) {
    const words = tokens.slice(0, count)
    const token = words.join(' ').replace(/\.+$/u, '')
    if (words.some((word) => HARDLY_UNITS.has(word)) || (count > 1 && !mayJoin(words))) continue
    if (/^[\p{L}%°µμΩÅ][^\s]*/u.test(token) && unitOrNone(token) !== undefined) {
      return { unit: withCarets(token), times: 1, length: token.length }
    }
  }
  return undefined
}

const MONTHLY = /^(?:%|percent|per cent) monthly\b/iu

const inWords = (rest: string): SaidUnit | undefined => {
  const monthly = MONTHLY.exec(rest)
  if (monthly !== null) return { unit: '%/month', times: 1, length: monthly[0].length }
  for (const [words, times, unit] of SCALED) {
    const found = words.exec(rest)
    if (found !== null) return { unit, times, length: found[0].length }
  }
  for (const [words, unit] of WORD_UNITS) {
    const found = words.exec(rest)
    if (found !== null) {
      return { unit: unit.replace('$1', found[1] ?? ''), times: 1, length: found[0].length }
    }
  }
  return undefined
}

/** `1.2e-5 1/K`, where the unit itself begins with a number. */
const OVER = /^1\/\(?[\p{L}°%][^\s,;:?!)]*\)?/u

const plainUnit = (rest: string): SaidUnit | undefined => {
  const over = OVER.exec(rest)?.[0]
  if (over !== undefined && unitOrNone(over) !== undefined) return { unit: over, times: 1, length: over.length }
  return inWords(rest) ?? inTokens(rest)
}

/** Units of temperature for each of which something changes are steps of it. */
const stepOf = (unit: string): string => (/^(?:°C|degC|degrees? C)$/u.test(unit) ? 'K' : unit)

/** `0.28 per kWh`, `600 lines per mm`: one over the unit; a part of money keeps its size. */
const eachOf = (rest: string): SaidUnit | undefined => {
  const found = EACH.exec(rest)?.[0]
  const unit = found === undefined ? undefined : plainUnit(rest.slice(found.length))
  if (found === undefined || unit === undefined || unit.times !== 1 || unit.unit === '') return undefined
  const times = /^(?:cents?|pence)/iu.test(found) ? 0.01 : 1
  return { unit: `1/(${stepOf(unit.unit)})`, times, length: found.length + unit.length }
}

const TIME = parseUnit('s')
const isTime = (unit: string): boolean => {
  const read = unitOrNone(unit)
  return read !== undefined && commensurable(read, TIME)
}

/** The unit that a text begins with, and how many of its characters it takes. */
export const unitAt = (text: string): SaidUnit | undefined => {
  const gap = /^[\s-]?/u.exec(text)?.[0].length ?? 0
  const rest = text.slice(gap)
  const first = plainUnit(rest)
  if (first === undefined || first.unit === '') {
    const each = eachOf(rest) ?? first
    return each === undefined ? undefined : { ...each, length: gap + each.length }
  }
  const link = PER.exec(rest.slice(first.length))?.[0]
  const below = link === undefined ? undefined : plainUnit(rest.slice(first.length + link.length))
  // A share a year is what a rate is; of any other time it is said with it.
  const yearly = first.unit.includes('%') && below !== undefined && /^(?:yr|years?)$/u.test(below.unit)
  if (link === undefined || below === undefined || below.times !== 1 || yearly) {
    return { ...first, length: gap + first.length }
  }
  const unit = `${first.unit}/(${stepOf(below.unit)})`
  // `4 hours a day` are hours.
  if (isTime(first.unit) && isTime(below.unit))
    return { ...first, length: gap + first.length + link.length + below.length }
  return unitOrNone(unit) === undefined
    ? { ...first, length: gap + first.length }
    : { unit, times: first.times, length: gap + first.length + link.length + below.length }
}
