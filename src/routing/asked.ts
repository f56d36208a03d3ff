import { commensurable, parseUnit, type Unit } from '#core/units.ts'
import { amountsOf } from './amounts.ts'
import { withDigits } from './counts.ts'
import type { NamedQuantity } from './operator-index.ts'
import { unitAt, unitOrNone } from './word-units.ts'
import { folded, holds } from './words.ts'

/** What a question wants: the words that name it, and the quantities that it may be. */
export interface AskedFor {
  /** The noun phrase that names what is wanted, folded; empty where none was found. */
  readonly phrase: string
  /** What stands behind the words of asking, folded: it may begin with the whole name of a quantity. */
  readonly tails: readonly string[]
  /** Quantities that the words allow; empty where they say nothing of it. */
  readonly units: readonly Unit[]
  /** A name of several words that rows give to a quantity: another quantity of the same dimension is not asked for. */
  readonly name: string | undefined
  /** The unit in which the answer is wanted, as it is parsed and as it is said. */
  readonly shownIn: { readonly unit: string; readonly text: string } | undefined
}

const unitsOf = (...texts: readonly string[]): readonly Unit[] => texts.map(parseUnit)
const TIME = unitsOf('s')
const PURE = parseUnit('1')
/** Names of pure numbers that say nothing of which. */
const GENERIC = new Set([
  ...'ratio number fraction percentage percent share value amount price cost rate count'.split(' '),
  ...'factor total result level change'.split(' '),
])
const LENGTH = unitsOf('m')
const SPEED = unitsOf('m/s')

/** Questions that say by themselves what kind of quantity is wanted, the first that fits wins. */
const FORMS: readonly (readonly [pattern: RegExp, units: readonly Unit[]])[] = [
  [/\bhow long (?:must|should|would|does|do|will|is) .{1,40}\b(?:be|appear|look|measure)\b/iu, LENGTH],
  [/\bhow long .{1,60}\b(?:in the air|take|takes|last|lasts|stay|stays|until|before|after)\b/iu, TIME],
  [
    /\bhow (?:long|much time) (?:does|do|will|would|did|until|till|before|to|must|should|can|could|for|after|it)\b/iu,
    TIME,
  ],
  [/\bhow long (?:is|are) (?:the |a |an )?(?:trip|journey|period|delay|run|drive|flight|fall|day|year)\b/iu, TIME],
  [/\bhow long (?:is|are|was|were)\b/iu, LENGTH],
  [/\bhow (?:soon|old)\b/iu, TIME],
  [/\b(?:how long|after what time|in what time|how many (?:seconds|minutes|hours|days|weeks|months|years))\b/iu, TIME],
  [
    /\bhow (?:fast|quick|quickly)\b|\b(?:at )?(?:what|which) (?:\w+ )?(?:speed|velocity)\b/iu,
    [...SPEED, parseUnit('rad/s')],
  ],
  [/\bhow (?:far|high|tall|deep|wide|thick|large|big|close)\b/iu, LENGTH],
  [/\bhow many (?:metres|meters|kilometres|kilometers|miles|feet|inches)\b/iu, LENGTH],
  [/\bhow (?:hot|cold|warm)\b|\bwhat temperature\b/iu, unitsOf('K')],
  [/\bhow (?:heavy)\b|\bhow much (?:does|do|would|will) .{1,40}\bweigh\b/iu, unitsOf('kg', 'N')],
  [/\bhow much (?:\w+ )?(?:energy|heat|work)\b/iu, unitsOf('J', 'J/kg', 'W')],
  [/\bhow much (?:\w+ )?power\b/iu, unitsOf('W')],
  [/\bhow much (?:\w+ )?force\b|\bhow hard\b/iu, unitsOf('N')],
  [/\bhow much (?:\w+ )?pressure\b/iu, unitsOf('Pa')],
  [/\bhow much current\b|\bhow many amps?\b/iu, unitsOf('A')],
  [/\bin g['’]?s\b|\bhow many g['’]?s?\b/iu, unitsOf('1')],
  [/\bhow (?:loud)\b/iu, unitsOf('1')],
  [
    /\b(?:probability|chance|odds|percentage|percent|fraction|proportion|efficiency)\b(?! ?(?:of|is|=|rate)? ?\d)/iu,
    unitsOf('1'),
  ],
]

/** What stands before the unit of an answer: `how many litres`, `in km/h`, `answer in feet`, `(mm)`, `? microtesla`. */
const BEFORE_UNIT = new RegExp(
  [
    String.raw`\b(?:how many|in|to|into)\s+|\(\s*(?:in )?|[?=]\s*(?:in )?(?=[\p{L}°µμΩ])|`,
    String.raw`[.;]\s+(?=(?:volts|amps|watts|ohms|years|days|hours|minutes|seconds|`,
    String.raw`grams|litres|joules)\b)`,
  ].join(''),
  'giu',
)
/** What stands behind it. */
const BEHIND_UNIT = new RegExp(
  [
    String.raw`^\s*(?:$|[?.,;:)]|(?:and|if|when|of|for|does|do|is|are|will|would|`,
    'with|at|that|after|before|from|did|can|per|it|should|on|across|',
    String.raw`through|needed)\b)`,
  ].join(''),
  'iu',
)
/** Words behind `in` or `to` that a unit's letters spell by chance. */
const NO_UNITS = new Set(
  'a an it me us at as pa min rad turn air series parallel line day year full hand cap mins'.split(' '),
)

const ASKING = new RegExp(
  [
    String.raw`\b(?:what(?:'s| is| are| was| will be| would be| must be| should be)|`,
    'whats|find|compute|calculate|determine|estimate|work out|give(?: me)?|',
    'tell me|need|solve(?: it)? for|what|which|get|evaluate|how (?:much|',
    String.raw`many|big|large|strong))\s+(?:the\s+|its\s+|my\s+|a\s+|an\s+|this\s+|`,
    String.raw`that\s+|their\s+|his\s+|her\s+)?([^?.;,]{2,70})`,
  ].join(''),
  'giu',
)
/** Where the noun phrase of a question ends. */
const NOUN_END = new RegExp(
  [
    String.raw`\b(?:of|for|if|when|in|at|with|between|from|to|on|by|does|do|`,
    'is|are|will|would|needed|required|that|given|using|after|through|',
    'per|down|inside|along|across|around|under|above|below|behind|',
    'against|until|before|into|onto|off|over|within|without|during|',
    'near|so|as|must|can|could|should|did|has|have|which|who|where|',
    String.raw`while|because|come|comes|drawn|made)\b|[?,;:.]|\d`,
  ].join(''),
  'iu',
)

/** A last sentence or clause that ends with a question mark, or with `=`. */
const LAST_ASKED = /[.;:,]\s+([^.;:,?]{3,60}?)\s*(?:=\s*)?\?\s*$|[.;,]\s+([^.;:,?\d]{3,40}?)\s*$/u
const ARTICLE = /^(?:and )?(?:the|a|an|my|our|its)\s+/iu

const PRONOUNS = new Set(['it', 'that', 'this', 'the answer', 'the result', 'they'])

const phraseOf = (text: string): string => folded(text.split(NOUN_END)[0] ?? '').trim()

const tailsOf = (said: string): readonly string[] => [...said.matchAll(ASKING)].map(([, rest = '']) => folded(rest))

const withoutAmounts = (query: string): string =>
  amountsOf(query).reduce((rest, { text }) => rest.replace(text, ' 0 '), withDigits(query).text)

/** The unit that an answer is wanted in, and the words that say so. */
const shownIn = (query: string): { readonly unit: string; readonly text: string } | undefined => {
  const said = withoutAmounts(query)
  for (const found of said.matchAll(BEFORE_UNIT)) {
    const rest = said.slice(found.index + found[0].length)
    const word = /^[^\s?.,;:)]+/u.exec(rest)?.[0] ?? ''
    if (NO_UNITS.has(word.toLowerCase()) || (word.length === 1 && !'KJNVAW'.includes(word))) continue
    const unit = unitAt(rest)
    if (unit === undefined || unit.times !== 1 || unit.unit === '' || /^1\//u.test(unit.unit)) continue
    if (BEHIND_UNIT.test(rest.slice(unit.length))) return { unit: unit.unit, text: rest.slice(0, unit.length) }
  }
  return undefined
}

/** Noun phrases that may name what is wanted: behind words of asking; else what the question begins with. */
const phrasesIn = (query: string): readonly string[] => {
  const said = withoutAmounts(query)
  const asked = [...said.matchAll(ASKING)].map(([, rest = '']) => phraseOf(rest)).filter((it) => it !== '')
  // `…, what is it at 3 m?` asks for what the question began with.
  if (asked.length > 0 && asked.every((it) => PRONOUNS.has(it))) return [phraseOf(said.replace(ARTICLE, ''))]
  if (asked.length > 0 || FORMS.some(([form]) => form.test(query))) return asked
  // `…, unity feedback. Steady state error?`: what stands alone before the mark is what is wanted.
  const clause = LAST_ASKED.exec(said)
  const last = clause?.[1] ?? clause?.[2]
  return [last ?? said].map((it) => phraseOf(it.replace(ARTICLE, ''))).filter((it) => it !== '')
}

/** Words of the longest name that is looked for behind words of asking. */
const NAME_WORDS_MAX = 8

/** The longest name of a quantity that a text begins with. */
const wholeName = (tail: string, quantityOf: (phrase: string) => NamedQuantity | undefined): string | undefined => {
  const words = tail.trim().split(' ').slice(0, NAME_WORDS_MAX)
  for (let count = words.length; count > 1; count--) {
    const said = words.slice(0, count).join(' ')
    if (quantityOf(said)?.name === said) return said
  }
  return undefined
}

/**
 * What a question wants, by its words: `how long does it take` is a time, `in km/h` a speed, `the focal
 * length of` names
 * itself.
 *
 * @param quantityOf the quantity that a noun phrase names, by the tables' rows.
 */
export const askedOf = (query: string, quantityOf: (phrase: string) => NamedQuantity | undefined): AskedFor => {
  const shown = shownIn(query)
  const tails = tailsOf(withoutAmounts(query))
  const phrases = phrasesIn(query)
  const found = phrases
    .map((it) => ({ it, quantity: quantityOf(it) }))
    .findLast(({ quantity }) => quantity !== undefined)
  const whole = tails.map((it) => wholeName(it, quantityOf)).findLast((it) => it !== undefined)
  const phrase = ` ${found?.it ?? phrases.at(-1) ?? ''} `
  const called = (whole?.length ?? 0) > (found?.quantity?.name.length ?? 0) ? whole : found?.quantity?.name
  const pure = found?.quantity?.units.every((it) => commensurable(it, PURE)) === true && !GENERIC.has(called ?? '')
  const named = called !== undefined && (called.includes(' ') || pure) && !/^(?:how|what|which) /u.test(called)
  const name = named ? ` ${called} ` : undefined
  if (shown !== undefined) return { phrase, tails, name, units: [unitOrNone(shown.unit) as Unit], shownIn: shown }
  const form = FORMS.find(([pattern]) => pattern.test(query))
  if (form !== undefined) return { phrase, tails, name, units: form[1], shownIn: undefined }
  return { phrase, tails, name, units: found?.quantity?.units ?? [], shownIn: undefined }
}

/** Whether a quantity may be what is asked. */
export const mayBeAsked = ({ units }: AskedFor, of: Unit): boolean =>
  units.length === 0 || units.some((it) => commensurable(it, of) || (isAngle(it) && isAngle(of)))

const ANGLE = parseUnit('rad')
const isAngle = (it: Unit): boolean => commensurable(it, ANGLE)

/**
 * How well a name is what a question says that it wants: 4 that begins with it, of its noun phrase 3 it is, 2 it
 * is part of that, 1 that is part of it.
 */
export const namedBy = ({ phrase, tails }: AskedFor, name: string): number => {
  // A name of several words and little ones (`dose at the second distance`) is longer than the noun phrase.
  if (name.length > phrase.length && tails.some((it) => it.startsWith(name))) return 4
  const said = phrase.trim()
  if (said === '') return 0
  if (phrase === name) return 3
  if (holds(phrase, name)) return 2
  return said.includes(' ') && holds(name, phrase) ? 1 : 0
}

/** Words of lengths by the question that asks for them. */
const LENGTHS: readonly (readonly [RegExp, RegExp])[] = [
  [/\bhow far\b/iu, /\b(?:distance|range|far|travel|away|position|displacement|separation|apart|land)/u],
  [/\bhow (?:high|tall)\b/iu, /\b(?:height|high|altitude|elevation|tall|rise|peak|climb|level|drop)/u],
  [/\bhow deep\b/iu, /\b(?:depth|deep)/u],
  [/\bhow (?:wide|broad)\b/iu, /\b(?:width|wide|diameter|breadth|broad)/u],
  [/\bhow thick\b/iu, /\b(?:thick)/u],
]

/** Whether a question asks for another kind of length than these names are of: how far is not how high. */
export const isOtherLength = (query: string, names: readonly string[]): boolean => {
  const asked = LENGTHS.find(([form]) => form.test(query))
  const of = (kind: readonly [RegExp, RegExp]): boolean => names.some((it) => kind[1].test(it.toLowerCase()))
  return asked !== undefined && !of(asked) && LENGTHS.some((kind) => kind !== asked && of(kind))
}

/** Whether a question asks for the kind of length that these names are of. */
export const isThatLength = (query: string, names: readonly string[]): boolean => {
  const asked = LENGTHS.find(([form]) => form.test(query))
  return asked !== undefined && names.some((it) => asked[1].test(it.toLowerCase()))
}
