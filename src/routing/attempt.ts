import { commensurable, parseUnit, toSi } from '#core/units.ts'
import { targetsOf } from '#numerics/operators/names.ts'
import type { Operator, OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Quantity } from '#numerics/operators/relation.ts'
import { type Amount, amountsOf, notRepeated } from './amounts.ts'
import { type AskedFor, askedOf, isOtherLength, isThatLength, mayBeAsked, namedBy } from './asked.ts'
import { isContested, type PlaceNames, placeBeside } from './beside.ts'
import { withDigits } from './counts.ts'
import { quantityNamed } from './operator-index.ts'
import { type Supplied, supplied } from './supplied.ts'
import type { Vocabulary } from './vocabulary.ts'
import { unitOrNone, withCarets } from './word-units.ts'
import { folded, holds, LEFT_OUT, wordsOf } from './words.ts'

type Named = PlaceNames<Quantity>
type Called = Readonly<Record<string, readonly string[]>>
type Quantities = ReadonlyMap<string, Quantity>

/** Where the numbers of a question would go in a relation when one of its variables is asked for. */
export interface Attempt {
  readonly operator: Operator
  /** The symbol that is asked for. */
  readonly asked: string
  /**
   * How that is known: the words name it; it has the dimension they ask; they say nothing; they name a
   * quantity that the
   * relation calls otherwise; it has another dimension.
   */
  readonly askedBy: 'name' | 'dimension' | 'nothing' | 'other' | 'against'
  readonly placed: readonly { readonly amount: Amount; readonly quantity: Quantity }[]
  /** Amounts without a place, and counts in words without one. */
  readonly unread: readonly Amount[]
  readonly loose: readonly Amount[]
  readonly supplied: Supplied
  /** Variables that have no value. */
  readonly missing: readonly Quantity[]
  readonly amounts: readonly Amount[]
  readonly own: Called
}

/** What a question is tried on. */
export interface AttemptPlaces {
  readonly registry: OperatorRegistry
  readonly vocabulary: Vocabulary
}

/** A question in words and values. */
export interface AttemptQuestion {
  readonly query: string
  readonly constants: Readonly<Record<string, unknown>>
}

const PURE = parseUnit('1')
const TIME = parseUnit('s')
/** Words of a name that a number is called by. */
const NAME_WORDS_MAX = 4
const NO_NAMES: Called = {}

const calledOf = ({ symbol, name, aliases }: Quantity, own: Called): readonly string[] => [
  ...[name, ...(aliases ?? [])],
  ...(own[symbol] ?? []),
]

const namesOf = (quantities: readonly Quantity[], own: Called): Named =>
  quantities
    .flatMap((quantity) =>
      [...new Set(calledOf(quantity, own).flatMap((it) => [folded(it), folded(withDigits(it).text)]))].map(
        (it): readonly [string, Quantity] => [it, quantity],
      ),
    )
    .filter(([alias]) => alias.length > 3)
    .sort(([a], [b]) => b.length - a.length)

const namesKnown = new WeakMap<Quantities, { readonly own: Called; readonly names: Named }>()

/** The names of a relation's variables, kept for the next query that tries it. */
const namesIn = (quantities: Quantities, own: Called): Named => {
  const known = namesKnown.get(quantities)
  if (known?.own === own) return known.names
  const names = namesOf([...quantities.values()], own)
  namesKnown.set(quantities, { own, names })
  return names
}

/** What is counted or paid is never said in percent. */
const NO_SHARE =
  /\b(?:amount|price|value|cost|number|count|size|principal|income|salary|population|time|payment|demand)\b/iu

const fits = ({ of, name }: Quantity, unit: string | undefined): boolean => {
  if (unit === undefined) return true
  const read = unitOrNone(unit)
  return read !== undefined && commensurable(read, of) && !(unit === '%' && NO_SHARE.test(name))
}

/** Whether a unit is a scale with an offset. */
export const isScale = (unit: string | undefined): boolean =>
  unit !== undefined && toSi(0, unitOrNone(unit) ?? PURE) !== 0

const byName = (amounts: readonly Amount[], i: number, names: Named, taken: ReadonlySet<string>) => {
  const { name, unit, loose: counted } = amounts[i] ?? {}
  const free = (it: Quantity, given: string | undefined): boolean => !taken.has(it.symbol) && fits(it, given)
  const own = name === undefined ? undefined : names.find(([, it]) => it.symbol === name && free(it, unit))?.[1]
  // `T = 1` of a price is a year to one and a second to another.
  if (own !== undefined && counted !== true && !(unit === undefined && commensurable(own.of, TIME))) return own
  // `three balls` are a count, not three kilograms; a bare number is a length only where it is written `L = 3`.
  const fitting = (it: Quantity, given: string | undefined): boolean =>
    fits(it, given) && (given !== undefined || commensurable(it.of, PURE))
  const open = (it: Quantity, given: string | undefined): boolean => !taken.has(it.symbol) && fitting(it, given)
  return placeBeside(amounts, i, names, { open, fits: fitting })
}

const isNumbered = ({ symbol }: Quantity): boolean => /\d$/.test(symbol)

/** Names of two quantities of one kind: the hotter and the colder; the earlier and the later. */
const HOT = /\b(?:hot|hotter|warm|warmer|inner|inside|indoor|high|higher|upper|source|body|object|larger)\b/iu
const COLD = /\b(?:cold|colder|cool|cooler|outer|outside|outdoor|low|lower|sink|room|ambient|surroundings?|smaller)\b/iu
const EARLIER = /\b(?:initial|start|starting|first|before|old|original|from)\b/iu
const LATER = /\b(?:final|end|ending|second|after|new|later|to)\b/iu

const kindOf = ({ name, aliases = [] }: Quantity, words: RegExp): boolean =>
  [name, ...aliases].some((it) => words.test(it))

/** Two amounts for two quantities that their names put in order: by size, or as they are said. */
const pairedOf = (alike: readonly Amount[], [a, b]: readonly Quantity[]) => {
  const [first, second] = alike
  if (a === undefined || b === undefined || first === undefined || second === undefined) return undefined
  const ordered = (one: RegExp, two: RegExp): readonly [Quantity, Quantity] | undefined => {
    if (kindOf(a, one) && kindOf(b, two) && !kindOf(a, two)) return [a, b]
    return kindOf(b, one) && kindOf(a, two) && !kindOf(b, two) ? [b, a] : undefined
  }
  const said = ordered(EARLIER, LATER)
  if (said !== undefined) return [[first, said[0]] as const, [second, said[1]] as const]
  const sized = first.unit === second.unit ? ordered(HOT, COLD) : undefined
  const [large, small] = Number(first.number) >= Number(second.number) ? [first, second] : [second, first]
  return sized === undefined ? undefined : [[large, sized[0]] as const, [small, sized[1]] as const]
}

/**
 * The variables of amounts that have no name, by their units: the only open one of its quantity, or, where there are as
 * many as open numbered ones (m1, m2), in order. A number word that counts a noun is nothing's coefficient.
 */
const byUnit = (
  left: readonly Amount[],
  open: readonly Quantity[],
  callsOther: (amount: Amount, quantity: Quantity) => boolean,
): ReadonlyMap<Amount, Quantity> => {
  const found = new Map<Amount, Quantity>()
  const free = (): readonly Quantity[] => open.filter((it) => ![...found.values()].includes(it))
  const sought = left.filter(({ loose }) => !loose)
  for (const amount of sought) {
    const apart = (it: Amount): boolean => open.every((quantity) => callsOther(it, quantity))
    const alike = sought.filter(
      (it) =>
        !apart(it) && (it.unit === undefined) === (amount.unit === undefined) && !found.has(it) && sameUnit(it, amount),
    )
    // A temperature is a difference of two only where it is called one.
    const inputs = free().filter(
      (it) =>
        fits(it, amount.unit) &&
        !callsOther(amount, it) &&
        !(it.difference === true && isScale(amount.unit)) &&
        (amount.unit !== undefined || commensurable(it.of, PURE)),
    )
    const [first] = inputs
    const pair = alike.length === 2 && inputs.length === 2 ? pairedOf(alike, inputs) : undefined
    if (pair !== undefined) for (const [it, quantity] of pair) found.set(it, quantity)
    else if (alike.length === inputs.length && inputs.length > 1 && inputs.every(isNumbered)) {
      const inOrder = inputs.toSorted((a, b) => (a.symbol < b.symbol ? -1 : 1))
      for (const [i, it] of alike.entries()) found.set(it, inOrder[i] as Quantity)
    } else if (inputs.length === 1 && first !== undefined && !found.has(amount)) found.set(amount, first)
  }
  return found
}

const sameUnit = (a: Amount, b: Amount): boolean => {
  if (a.unit === undefined || b.unit === undefined) return a.unit === b.unit
  const [x, y] = [unitOrNone(a.unit), unitOrNone(b.unit)]
  return x !== undefined && y !== undefined && commensurable(x, y)
}

let last: { readonly query: string; readonly vocabulary: Vocabulary; readonly asked: AskedFor } | undefined

/** What a query wants, read once for all rows that are tried for it. */
export const askedIn = (query: string, places: AttemptPlaces): AskedFor => {
  if (last?.query !== query || last.vocabulary !== places.vocabulary) {
    last = { query, vocabulary: places.vocabulary, asked: askedOf(query, quantityNamed(places)) }
  }
  return last.asked
}

type Unknown = Pick<Attempt, 'asked' | 'askedBy'>

/**
 * The variables that a question may ask for, the likeliest first: one that its words name; else those of the dimension
 * that it asks; else the output. What is asked for is never an input.
 */
const unknownsOf = (
  operator: Operator,
  asked: AskedFor,
  { names, given, question }: { readonly names: Named; readonly given: ReadonlySet<string>; readonly question: string },
): readonly Unknown[] => {
  const query = folded(question)
  const { quantities, output } = operator.relation()
  const free = operator.row.solves_for.flatMap((symbol) => {
    const quantity = quantities.get(symbol)
    return quantity === undefined || given.has(symbol) ? [] : [quantity]
  })
  // All was given: the pipeline says what that means.
  if (free.length === 0) return [{ asked: output, askedBy: 'nothing' } as Unknown]
  const able = names.filter(([, it]) => free.includes(it) && mayBeAsked(asked, it.of))
  const named = [4, 3, 2, 1]
    .map((rank) => able.filter(([alias]) => namedBy(asked, alias) === rank))
    .find((it) => it.length > 0)
  if (asked.phrase.trim().includes(' ') && holds(folded(operator.row.name), asked.phrase)) {
    const whole = free.find(({ symbol }) => symbol === output)
    if (whole !== undefined && mayBeAsked(asked, whole.of)) return [{ asked: output, askedBy: 'name' } as Unknown]
  }
  if (named !== undefined) {
    // The longest name of a rank; others of its length are as likely.
    const length = named[0]?.[0].length ?? 0
    const called = named.filter(([alias]) => alias.length === length || namedBy(asked, alias) === 1)
    return [...new Set(called.map(([, it]) => it.symbol))].map(
      (symbol): Unknown => ({ asked: symbol, askedBy: 'name' }),
    )
  }
  const ordered = [...free].sort((a, b) => Number(b.symbol === output) - Number(a.symbol === output))
  if (asked.units.length === 0) {
    // The one quantity that is spoken of and has no number is what is wanted.
    const said = ordered.find(
      (it) => it.symbol === output && names.some(([alias, of]) => of === it && holds(query, alias)),
    )
    return ordered.map((it): Unknown => ({ asked: it.symbol, askedBy: it === said ? 'dimension' : 'nothing' }))
  }
  const fitting = ordered.filter(({ of }) => mayBeAsked(asked, of))
  const askedBy = asked.name === undefined ? 'dimension' : 'other'
  const called = (it: Quantity): readonly string[] => names.flatMap(([alias, of]) => (of === it ? [alias] : []))
  const other = (it: Quantity): boolean => isOtherLength(question, called(it))
  if (fitting.length > 0) {
    // How wide asks for a diameter before a focal length.
    const first = fitting.toSorted(
      (a, b) => Number(isThatLength(question, called(b))) - Number(isThatLength(question, called(a))),
    )
    return first.map((it): Unknown => ({ asked: it.symbol, askedBy: other(it) ? 'other' : askedBy }))
  }
  return [{ asked: output, askedBy: 'against' } as Unknown]
}

const firstWord = (text: string): string => text.trim().split(/\s/u).slice(0, 2).join(' ')

/** Whether a number is called a radius and the quantity is a diameter, or the other way round. */
const isOtherSize = (said: string, names: readonly string[]): boolean => {
  const all = names.join(' ').toLowerCase()
  const is = (word: string): boolean => new RegExp(`\\b${word}\\b`, 'iu').test(said) && !all.includes(word)
  return (is('radius') && all.includes('diameter')) || (is('diameter') && all.includes('radius'))
}

/**
 * Whether a number is called by the name of another quantity than this one: `transmission rate 0.35` is no growth rate.
 * Names of one word are too common to say so.
 */
const callsOtherBy =
  (places: AttemptPlaces, called: (quantity: Quantity) => readonly string[], asked: AskedFor) =>
  ({ before, after }: Amount, quantity: Quantity): boolean => {
    if (isOtherSize(`${before} . ${firstWord(after)}`, called(quantity))) return true
    const words = wordsOf(before).slice(-NAME_WORDS_MAX)
    const own = called(quantity).map(folded)
    const named = quantityNamed(places)
    return words.slice(0, -1).some((_, from) => {
      const said = words.slice(from).join(' ')
      const known = named(said)
      return (
        known?.name === said &&
        known.units.some((it) => commensurable(it, quantity.of)) &&
        !holds(asked.phrase, ` ${said} `) &&
        !own.includes(` ${said} `) &&
        !/^(?:a|an|the|of|at|in|is|to|for|with) /u.test(said)
      )
    })
  }

interface Tried {
  readonly places: AttemptPlaces
  readonly question: AttemptQuestion
  readonly amounts: readonly Amount[]
}

const attemptFor = (
  { operator, names, own, given }: { operator: Operator; names: Named; own: Called; given: ReadonlySet<string> },
  { asked, askedBy }: Unknown,
  { places, question, amounts }: Tried,
): Attempt => {
  const { quantities, output } = operator.relation()
  const all = [...quantities.values()]
  const taken = new Set([...given, asked])
  const placed: { readonly amount: Amount; readonly quantity: Quantity }[] = []
  const left: Amount[] = []
  for (const [i, amount] of amounts.entries()) {
    const quantity = byName(amounts, i, names, taken)
    if (quantity === undefined) left.push(amount)
    else {
      taken.add(quantity.symbol)
      placed.push({ amount, quantity })
    }
  }
  const found = byUnit(
    // `gamma = 0.6` gives what it is called, and no other variable where that one is asked for.
    left.filter((amount) => amount.name !== asked && !isContested(amounts, amounts.indexOf(amount), names, fits)),
    all.filter(({ symbol }) => !taken.has(symbol)),
    callsOtherBy(places, (quantity) => calledOf(quantity, own), askedIn(question.query, places)),
  )
  for (const [amount, quantity] of found) placed.push({ amount, quantity })
  const valued = new Set([...given, ...placed.map(({ quantity }) => quantity.symbol)])
  const open = all.filter(({ symbol }) => !valued.has(symbol) && symbol !== asked)
  const more = supplied(open, {
    // What is left out gives nothing: `without air resistance` is of no air.
    query: question.query.replace(LEFT_OUT, ' '),
    words: places.vocabulary.operators.get(operator.row.id)?.words,
    usual: (asked === output && askedBy !== 'against') || askedBy === 'name' || askedBy === 'dimension',
    materials: places.vocabulary.materials,
    bodies: places.vocabulary.bodies,
    called: (quantity) => calledOf(quantity, own),
  })
  const rest = left.filter((amount) => !found.has(amount))
  return {
    ...{ operator, asked, askedBy, placed, amounts, own },
    supplied: more,
    unread: rest.filter(({ loose }) => !loose),
    loose: rest.filter(({ loose }) => loose),
    missing: open.filter(({ symbol }) => more.more[symbol] === undefined),
  }
}

const SPEED = parseUnit('m/s')
/** A tenth of the speed of light: from there on a law without it is another law's. */
const FAST = 29_979_245.8

/** Whether a law that knows no speed of light is given one near it. */
const isTooFast = ({ operator, placed }: Attempt): boolean =>
  !operator.row.equation.includes('@c') &&
  placed.some(({ amount, quantity }) => {
    if (amount.unit === undefined || !commensurable(quantity.of, SPEED)) return false
    return toSi(amount.number, parseUnit(withCarets(amount.unit))) >= FAST
  })

const LENGTH = parseUnit('m')
const DIAMETER_AFTER = /^\s*(?:in |of |inner |outer |inside |outside )*(?:diameter|across|bore)\b/iu
const DIAMETER_BEFORE = /\b(?:diameter|bore)(?: of| is|:)?\s*$/iu

/** Diameters as radii, for a relation that has a radius and no diameter. */
const asRadii = (amounts: readonly Amount[], quantities: readonly Quantity[], own: Called): readonly Amount[] => {
  const names = (it: Quantity): string => calledOf(it, own).join(' ').toLowerCase()
  const radii = quantities.filter((it) => /\bradius\b/u.test(names(it)))
  if (radii.length !== 1 || quantities.some((it) => /\b(?:diameter|bore|across)\b/u.test(names(it)))) return amounts
  return amounts.map((it) => {
    const length = it.unit === undefined ? undefined : unitOrNone(it.unit)
    if (length === undefined || !commensurable(length, LENGTH)) return it
    if (!DIAMETER_AFTER.test(it.after) && !DIAMETER_BEFORE.test(it.before)) return it
    return { ...it, number: String(Number(it.number) / 2), name: radii[0]?.symbol }
  })
}

/** Whether every number has a place and every variable a value. */
export const isWhole = ({ unread, missing, askedBy }: Attempt): boolean =>
  unread.length === 0 && missing.length === 0 && askedBy !== 'against'

/** How little a reading leaves over: what it lacks, what it has no place for. */
const lacking = ({ unread, missing, askedBy }: Attempt): number =>
  2 * unread.length + missing.length + (askedBy === 'against' ? 4 : 0)

/**
 * The best way to put the numbers of a question into a relation. Computes nothing.
 *
 * @throws Fault RELATION_REFUSED for a row without a value; AMBIGUOUS_INPUT where two materials or bodies fit.
 */
export const attemptOf = (places: AttemptPlaces, id: string, question: AttemptQuestion): Attempt => {
  const operator = places.registry.operator(id)
  const { quantities } = operator.relation()
  const own = places.vocabulary.operators.get(id)?.words.inputs ?? NO_NAMES
  const names = namesIn(quantities, own)
  const given = new Set<string>()
  for (const name of Object.keys(question.constants))
    for (const { quantity } of targetsOf([operator], name)) given.add(quantity.symbol)
  const asked = askedIn(question.query, places)
  const plain = notRepeated(amountsOf(question.query), question.constants)
  // `20 C` is a charge where one is wanted, and else a temperature.
  const other = plain.map((it) => (it.or === undefined ? it : { ...it, ...it.or }))
  const readings = other.some((it, i) => it !== plain[i]) ? [plain, other] : [plain]
  const sized = readings.map((amounts) => asRadii(amounts, [...quantities.values()], own))
  const tried = sized.flatMap((amounts) =>
    unknownsOf(operator, asked, { names, given, question: question.query }).map((it) =>
      attemptFor({ operator, names, own, given }, it, { places, question, amounts }),
    ),
  )
  const found = tried.reduce((least, it) => (lacking(it) < lacking(least) ? it : least))
  // A name that two of its quantities share, each of which may be the one that is asked.
  const twice = tried.some((it) => it.asked !== found.asked && it.askedBy === 'name' && lacking(it) === lacking(found))
  const best: Attempt = twice && found.askedBy === 'name' ? { ...found, askedBy: 'other' } : found
  return isTooFast(best) && best.askedBy !== 'against' ? { ...best, askedBy: 'other' } : best
}
