import type { OperatorRow } from '#numerics/operators/operator.ts'
import { amountsOf } from './amounts.ts'
import { withDigits } from './counts.ts'
import { PLAIN_WORDS } from './operator-index.ts'
import type { Phrase } from './phrases.ts'
import { folded, holds, wordsOf } from './words.ts'

/**
 * Words that say how something is asked and nothing of what: with these alone no question becomes another. Words that
 * would make it another (twice, half, without, largest) are not among them.
 */
const ASKING: ReadonlySet<string> = new Set(
  wordsOf(
    `what whats which who whose is are was were be been being am do does did done how why where when if then than that
    this these those there here it its they them their he she him her his i me my we us our you your one some any each
    every such so as like but can could will would shall should may might must want wants need needs please let lets
    has have having had get gets getting give gives given tell show shows see look find compute computation calculate
    calculation estimate determine predict work works out solve solved solving solution solver simulate simulated
    simulation simulator run running model modelled modelling integrate integrated plot draw evaluate use using take
    takes taken make makes made become becomes happen happens go goes going start starts started starting begin begins
    keep keeps put set come comes know say said ask thing things something someone anybody people problem question
    case example toy famous simple simulations behaviour behave behaves way result results answer answers value values
    value position place motion move moves moving trajectory path dynamics dynamic evolution evolve evolves
    numerically numeric numerical equation equations system systems theory model
    a an the of in on at to for by from and or with its over through between under into onto off up down around about
    after before during until till till while again together along near nearly inside within
    us really quickly quick just now ok hello hi thanks thank expected expect approximately roughly`,
  ),
)
/** Words that make a question of a law another one, and names of quantities, unless the row has them. */
const QUALIFYING: ReadonlySet<string> = new Set(
  wordsOf(
    `twice half halved double doubled triple tripled quarter third average mean total sum combined difference ratio
    without no not never except ignoring instead neglecting squared cubed maximum minimum largest smallest per
    increase decrease reduction relative percentage both several few dozen pair
    height altitude depth diameter radius width length thickness area volume mass weight density
    temperature pressure speed velocity acceleration frequency wavelength period time duration angle energy power force
    charge current voltage resistance capacitance distance thick wide long high tall deep
    younger older faster slower longer shorter heavier lighter hotter colder hottest coldest more less fewer extra
    unpolarised unpolarized other
    additional remaining left lost lose gain gained saved save change another return returns
    drag friction damping damped dump dumped waste wasted reject rejected
    twin`,
  ),
)

const DIGIT = /\p{N}/u

/** The words of a query beside the amounts that have a place, as they are compared; `2-d` is one word. */
const saidBeside = (query: string, loose: readonly string[]): string => {
  const { text } = withDigits(query)
  const rest = amountsOf(query).reduce(
    (said, { text: amount }) => (loose.includes(amount) ? said : said.replace(amount, ' ')),
    text,
  )
  return folded(rest.replace(/\b([123])\s?-?\s?d(?:imensions?|imensional)?\b/giu, '$1d'))
}

/** Numbers in phrases stand in digits, as those of a query do. */
const inDigits = (phrase: string): string => folded(withDigits(phrase).text)

const NUMBERED = /\d$/u

/** What a reading heard of a query. */
export interface Heard {
  readonly query: string
  /** Counts in words that have no place, as digits. */
  readonly loose: readonly string[]
  /** Words that did something: names of amounts, corrected words, materials and bodies that gave a value. */
  readonly used: readonly string[]
}

/** Words of a list that the phrases or words known do not cover. A number is known by a whole phrase alone. */
const unknownIn = (said: string, phrases: readonly string[], plain: (word: string) => boolean): readonly string[] => {
  const known = new Set(phrases.flatMap(wordsOf).filter((word) => !DIGIT.test(word)))
  for (const phrase of phrases.map(inDigits)) {
    if (DIGIT.test(phrase) && holds(said, phrase)) for (const word of phrase.trim().split(' ')) known.add(word)
  }
  const words = said.trim() === '' ? [] : said.trim().split(' ')
  return [...new Set(words.filter((word) => !known.has(word) && !plain(word)))]
}

/** Unknown words that a question may have which surely names its solver. */
const PASSING_MAX = 2

/** Words after which a question says what it is about: an unknown word there is an object that nothing was read of. */
const ABOUT: ReadonlySet<string> = new Set(
  wordsOf('of between from to in into inside on onto with for above below under among by near around through against'),
)

/** Whether an unknown word stands where a question says what it is about: no verb, no manner. */
const isObject = (word: string, words: readonly string[]): boolean => {
  const before = words.slice(0, words.indexOf(word)).reverse()
  const turn = before.find((it) => ABOUT.has(it) || (ASKING.has(it) && !ARTICLES.has(it)))
  return turn !== undefined && ABOUT.has(turn)
}
const ARTICLES: ReadonlySet<string> = new Set(wordsOf('a an the my our your its their this that'))

/**
 * Words of a query that the reading by a solver leaves out: neither of its vocabulary, nor of a value that it gave, nor
 * words of asking. A default case answers for none of them. One that is no object, number or quantity is let pass
 * (two where a phrase names the solver surely): it tells how something is done.
 */
export const unheardBySolver = (
  { query, loose, used }: Heard,
  { phrases, sure }: { readonly phrases: readonly string[]; readonly sure: readonly Phrase[] },
): readonly string[] => {
  const said = saidBeside(query, loose)
  // `one end` counts nothing.
  const unknown = unknownIn(said, [...phrases, ...used], (word) => ASKING.has(word) || word === '1')
  const words = said.trim().split(' ')
  const named = sure.some((it) => holds(folded(query), it.folded))
  const grave = unknown.some((it) => QUALIFYING.has(it) || DIGIT.test(it) || isObject(it, words))
  const passes = !grave && unknown.length <= (named ? PASSING_MAX : 1)
  return passes ? [] : unknown
}

/** The texts by which a row is known. */
const textsOf = (row: OperatorRow, more: readonly Phrase[]): readonly string[] => [
  row.id,
  row.name,
  ...Object.entries(row.variables).flatMap(([symbol, { name, aliases = [] }]) => [symbol, name, ...aliases]),
  ...more.map(({ text }) => text),
]

/**
 * Words that the reading by an operator leaves out and that may make the question another: numbers, words that qualify.
 * What the numbers are the values of (a car, a lamp) changes nothing; but of a row that says little of itself (a
 * conversion, a percentage) every word must be known: `strict`.
 */
export const unheardByOperator = (
  { query, loose, used }: Heard,
  {
    row,
    phrases,
    strict,
  }: { readonly row: OperatorRow; readonly phrases: readonly Phrase[]; readonly strict: boolean },
): readonly string[] => {
  const pairs = Object.keys(row.variables).some((symbol) => NUMBERED.test(symbol))
  const unknown = unknownIn(
    saidBeside(query, loose),
    [...textsOf(row, phrases), ...used],
    (word) => ASKING.has(word) || PLAIN_WORDS.has(word) || word === '1' || (word === '2' && pairs),
  )
  if (strict) return unknown
  const texts = [...textsOf(row, phrases)].map(folded).join(' ')
  const alike = (word: string): boolean =>
    ALIKE.some((words) => words.includes(word) && words.some((it) => texts.includes(` ${it} `)))
  const paired = PAIRED.test(query)
  return unknown.filter(
    (word) => (QUALIFYING.has(word) && !alike(word)) || (DIGIT.test(word) && !(paired && word === '2')),
  )
}

/** Words of one meaning: a row that has one of them has all. */
const ALIKE: readonly (readonly string[])[] = [
  'maximum largest greatest peak max top highest biggest'.split(' '),
  'minimum smallest least min lowest'.split(' '),
  'percentage percent share fraction probability efficiency'.split(' '),
  'mean average'.split(' '),
  'length long'.split(' '),
  'height high tall altitude'.split(' '),
  'width wide'.split(' '),
  'depth deep'.split(' '),
  'thickness thick'.split(' '),
  'drag resistance'.split(' '),
  'mass weight heavy weigh'.split(' '),
  'velocity speed'.split(' '),
  'time duration period'.split(' '),
]
/** Things that come in twos: their number is none of the relation's. */
const PAIRED = new RegExp(
  [
    String.raw`\b(?:two|2|a pair of)[\s-](?:identical |equal )?(?:parallel |`,
    'narrow |thin |metal |large |flat )*(?:plates?|slits?|cores?|wires?|',
    String.raw`ends|sides|hands|walls|points|rails|conductors)\b`,
  ].join(''),
  'iu',
)
