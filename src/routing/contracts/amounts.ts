import type { TemplateParameter } from '#numerics/contracts/templates/parameter.ts'
import { type Amount, amountsOf } from '#routing/amounts.ts'
import { folded, wordsOf } from '#routing/words.ts'
import { amountFor } from './parameter.ts'

/** Words before and after an amount among which its parameter may be named. */
const BEFORE_MAX = 8
const AFTER_MAX = 4
/** What a phrase right beside an amount is worth, before it and after it, and how much less with each word between. */
const BEFORE = 4
const AFTER = 3.4
const EACH_WORD = 0.5
/** What fits by its unit alone, and a bare number that only one place is left for. */
const BY_UNIT = 1
const BARE = 0.4
/** The least that counts. */
const LEAST = 0.9
/** What little words are worth of that: they stand beside every amount. */
const LITTLE = 0.5
const LITTLE_WORDS = new Set('a an and at by each for from in of on or over per the then to with'.split(' '))
/** Less for each place in the order of the parameters. */
const ORDER = 0.01

/** An amount in the place of a parameter. */
export interface PlacedAmount {
  readonly name: string
  readonly value: number
  /** Unit that it was said in, where the parameter takes any. */
  readonly unit: string | undefined
  readonly text: string
  /** The phrase beside it. */
  readonly because: string | undefined
}

interface Around {
  readonly amount: Amount
  readonly before: readonly string[]
  readonly after: readonly string[]
}

const SENTENCE_END = /[;.](?:\s|$)/u

/** A count for each of a unit, as `300 a month`: a bare number where no rate is wanted. */
const isRate = ({ unit }: Amount): boolean => unit?.startsWith('1/') === true
const isBare = (it: Amount): boolean => it.unit === undefined || isRate(it)

/** Amounts with the words about them, back to the amount before and on to the next one. */
const aroundOf = (text: string): readonly Around[] => {
  let from = 0
  const places = amountsOf(text).map((amount) => {
    const at = text.indexOf(amount.text, from)
    const start = at === -1 ? from : at
    from = start + amount.text.length
    return { amount, start, end: from }
  })
  return places.map(({ amount, start, end }, i) => {
    const head =
      text
        .slice(places[i - 1]?.end ?? 0, start)
        .split(SENTENCE_END)
        .at(-1) ?? ''
    const tail = text.slice(end, places[i + 1]?.start ?? text.length).split(SENTENCE_END)[0] ?? ''
    // `4 tokens per kWh`: what is counted stands in the amount itself.
    const counted = amount.text.replace(/^[-+−\d.,]+/u, '')
    const after = wordsOf(`${isRate(amount) ? counted : ''} ${tail}`).slice(0, AFTER_MAX)
    return { amount, before: wordsOf(head).slice(-BEFORE_MAX), after }
  })
}

/** Words between a phrase and the near end of others; undefined where they do not hold it. */
const distance = (words: readonly string[], phrase: string, end: 'last' | 'first'): number | undefined => {
  const said = wordsOf(phrase)
  const starts = words.map((_, i) => i).filter((i) => said.every((word, k) => words[i + k] === word))
  const at = end === 'last' ? starts.at(-1) : starts[0]
  if (at === undefined || said.length === 0) return undefined
  return end === 'last' ? words.length - at - said.length : at
}

/** How near a parameter is named to an amount, and by which phrase; longer phrases count a little more. */
const namedBy = ({ said = [] }: TemplateParameter, { before, after }: Around): { worth: number; phrase?: string } =>
  said
    .map((phrase) => {
      const [ahead, behind] = [distance(before, phrase, 'last'), distance(after, phrase, 'first')]
      const worth = Math.max(
        ahead === undefined ? 0 : BEFORE - EACH_WORD * ahead,
        behind === undefined ? 0 : AFTER - EACH_WORD * behind,
      )
      const little = LITTLE_WORDS.has(phrase)
      return { worth: worth === 0 ? 0 : worth * (little ? LITTLE : 1) + 0.1 * wordsOf(phrase).length, phrase }
    })
    .reduce<{ worth: number; phrase?: string }>((best, it) => (it.worth > best.worth ? it : best), { worth: 0 })

/** The value that an amount is for a parameter, as it is or as the other unit that its letters may be. */
const valueFor = (
  it: TemplateParameter,
  { or, ...amount }: Amount,
): { value: number; unit: string | undefined } | undefined => {
  const free = it.unit_by !== undefined && it.type === 'number'
  for (const said of or === undefined ? [amount] : [or, amount]) {
    if (free) return { value: Number(said.number), unit: said.unit }
    const value = amountFor(it, said)
    if (value !== undefined && (it.type !== 'integer' || Number.isSafeInteger(value))) return { value, unit: said.unit }
  }
  return undefined
}

const within = ({ min = -Infinity, max = Infinity }: TemplateParameter, value: number): boolean =>
  value >= min && value <= max

interface Pair extends PlacedAmount {
  readonly worth: number
  readonly amount: Amount
}

const TIMES: ReadonlySet<string> = new Set(
  's sec secs second seconds min mins minute minutes h hr hrs hour hours d day days week weeks month months'.split(' '),
)
const isTime = ({ unit }: Amount): boolean => unit !== undefined && TIMES.has(unit)

const pairOf = (
  [name, it]: readonly [string, TemplateParameter],
  place: number,
  { around, alone }: { around: Around; alone: boolean },
): Pair | undefined => {
  const { amount } = around
  const found = valueFor(it, amount)
  if (found === undefined || !within(it, found.value)) return undefined
  const free = it.unit_by !== undefined
  if (free && isTime(amount)) return undefined
  const { worth, phrase } = namedBy(it, around)
  const bare = isBare(amount)
  // A count in words (`two people`) is no amount unless a phrase says so.
  if (bare && worth === 0 && (amount.loose || !alone)) return undefined
  const unit = bare ? BARE : BY_UNIT
  const fits = free || bare === (it.unit === undefined && it.type !== 'duration') || isRate(amount)
  return {
    name,
    value: found.value,
    unit: free ? found.unit : undefined,
    text: amount.text,
    because: phrase,
    worth: worth + unit + (fits ? 0 : -0.5) + (bare && worth === 0 ? LEAST - BARE : 0) - ORDER * place,
    amount,
  }
}

const isNumeric = ({ type }: TemplateParameter): boolean =>
  type === 'number' || type === 'integer' || type === 'duration'

/**
 * Puts the amounts of a sentence into parameters: by unit, and by the phrases that name a parameter beside them; the
 * surest first, each once.
 *
 * @param text with digits for numbers, and without what is something by its form.
 */
export const placeAmounts = (
  parameters: readonly (readonly [string, TemplateParameter])[],
  text: string,
): { readonly placed: readonly PlacedAmount[]; readonly unread: readonly string[] } => {
  const numeric = parameters.filter(([, it]) => isNumeric(it))
  const places = aroundOf(text)
  const bare = places.filter(({ amount }) => isBare(amount) && !amount.loose)
  const plain = numeric.filter(([, it]) => it.type !== 'duration' && it.unit === undefined)
  const alone = bare.length === 1 && plain.length === 1
  const pairs = places
    .flatMap((around) => numeric.map((it, place) => pairOf(it, place, { around, alone })))
    .filter((it) => it !== undefined)
    .filter(({ worth }) => worth >= LEAST)
    .sort((a, b) => b.worth - a.worth)
  const placed = new Map<string, Pair>()
  const used = new Set<Amount>()
  for (const pair of pairs) {
    if (placed.has(pair.name) || used.has(pair.amount)) continue
    placed.set(pair.name, pair)
    used.add(pair.amount)
  }
  const unread = places.filter(({ amount }) => !used.has(amount) && !amount.loose).map(({ amount }) => amount.text)
  return { placed: [...placed.values()], unread }
}

/** Whether a text holds a phrase. */
export const says = (text: string, phrase: string): boolean => folded(text).includes(folded(phrase))
