import type { ResultAt } from '#api/result-of.ts'
import type { Query } from '#ui/address.ts'
import { ApiProblem } from '#ui/server/api.ts'

/** A question as the page keeps it: its words, and values that were given beside them, by the name of their input. */
export interface BoxQuestion {
  readonly text: string
  readonly given: Readonly<Record<string, string>>
}

/** Values of an address stand behind this, so that an input may be called `q`. */
const GIVEN = 'given.'
/** Values beside a question. */
const GIVEN_MAX = 32

/** The question that an address carries. */
export const askedIn = (query: Query): BoxQuestion => ({
  text: query['q'] ?? '',
  given: Object.fromEntries(
    Object.entries(query)
      .filter(([name]) => name.startsWith(GIVEN))
      .slice(0, GIVEN_MAX)
      .map(([name, value]) => [name.slice(GIVEN.length), value]),
  ),
})

/** The same the other way. */
export const queryOf = ({ text, given }: BoxQuestion): Query => ({
  q: text,
  ...Object.fromEntries(Object.entries(given).map(([name, value]) => [GIVEN + name, value])),
})

/** A number as one; anything else, such as `5 km`, as it was typed. */
const numberOr = (text: string): string | number =>
  text.trim() !== '' && Number.isFinite(Number(text)) ? Number(text) : text.trim()

/** What the call in words takes. */
export const inputOfAsked = ({ text, given }: BoxQuestion) => {
  const constants = Object.fromEntries(
    Object.entries(given)
      .filter(([, value]) => value.trim() !== '')
      .map(([name, value]) => [name, numberOr(value)]),
  )
  return { query: text.trim(), ...(Object.keys(constants).length > 0 && { constants }) }
}

type Quote = ResultAt<'POST /api/quote'>
export type ShownReading = NonNullable<Quote['reading']>
export type BoundValue = ShownReading['bound'][number]

/** An input that has no value yet. */
export interface Missing {
  readonly symbol: string
  readonly name: string
  readonly unit: string
}

/** A call that a question may stand for. */
export interface OfferedChoice {
  readonly title: string
  readonly name: string
  readonly kind: 'solver' | 'operators'
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
  readonly reads: string
  readonly assumed: readonly string[]
  readonly leaves: readonly string[]
  readonly missing: readonly Missing[]
}

/** What a question was read as whose values are refused. */
export interface RefusedReading {
  readonly kind: 'solver' | 'operators'
  readonly name: string
  readonly title: string
  readonly bound: readonly BoundValue[]
}

interface Named {
  readonly kind: string
  readonly name: string
  readonly title: string
}

/** What the node made of a question. */
export type Read =
  | { readonly kind: 'nothing' }
  | { readonly kind: 'busy' }
  /** It is sure, and can be run. */
  | { readonly kind: 'read'; readonly reading: ShownReading; readonly digest: string; readonly quote: Quote }
  /** It asks back. */
  | {
      readonly kind: 'asks'
      readonly why: string
      readonly choices: readonly OfferedChoice[]
      readonly missing: readonly Missing[]
      readonly near: readonly Named[]
    }
  /** It is refused, and why. */
  | { readonly kind: 'refused'; readonly problem: Error; readonly readAs?: RefusedReading }

const listOf = <T>(value: unknown): readonly T[] => (Array.isArray(value) ? (value as T[]) : [])

interface Would {
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What the question would be without the words that were not understood, as a choice. */
const choiceOfWould = (would: unknown, unread: readonly string[], near: readonly Named[]): readonly OfferedChoice[] => {
  if (typeof would !== 'object' || would === null) return []
  const { route, input } = would as Would
  const name = route.slice(route.lastIndexOf('/') + 1)
  const [id = name] = listOf<string>(input['operators'])
  const kind = name === 'compute' ? 'operators' : 'solver'
  const title = near.find((it) => it.name === id)?.title ?? id
  const values = Object.entries(kind === 'solver' ? input : ((input['inputs'] ?? {}) as object))
  const reads = values.map(([symbol, value]) => `${symbol} = ${typeof value === 'object' ? '…' : value}`).join(', ')
  return [{ title, name: id, kind, route, input, reads, assumed: [], leaves: unread, missing: [] }]
}

/** Refusals that ask rather than refuse. */
const ASKS = new Set(['AMBIGUOUS_INPUT', 'MISSING_INPUTS'])
/** A sentence of a refusal that lists what the page shows as buttons. */
const LISTED = /\s*(?:Which is meant|Near are): .*$/s

const lacksText = (lacks: readonly Missing[]): string =>
  `Still to be said: ${lacks.map(({ name }) => name).join('; ')}.`

/** What a refusal of a quote says of a question. */
export const readOfProblem = (problem: Error): Read => {
  if (!(problem instanceof ApiProblem)) return { kind: 'refused', problem }
  if (!ASKS.has(problem.code)) {
    const readAs = problem.members['read_as'] as RefusedReading | undefined
    return { kind: 'refused', problem, ...(readAs !== undefined && { readAs }) }
  }
  const { choices, missing, alternatives, unread, would } = problem.members
  const near = listOf<Named>(alternatives)
  const ready = listOf<OfferedChoice>(choices)
  const lacks = listOf<Missing>(missing)
  return {
    kind: 'asks',
    why: lacks.length > 0 ? lacksText(lacks) : problem.message.replace(LISTED, ''),
    choices: ready.length > 0 ? ready : choiceOfWould(would, listOf<string>(unread), near),
    // A choice says what it lacks itself; what it lacks can be filled in there.
    missing: ready.length > 0 ? [] : lacks,
    near,
  }
}

/** What a quote says of a question. */
export const readOfQuote = (quote: Quote): Read =>
  quote.reading === undefined || quote.reading_digest === undefined
    ? { kind: 'nothing' }
    : { kind: 'read', reading: quote.reading, digest: quote.reading_digest, quote }

/** A question with a value in place of one that it says; undefined where it says that in other words. */
export const replaced = (
  { text, given }: BoxQuestion,
  { given: said, from, input }: BoundValue,
  value: string,
): BoxQuestion | undefined => {
  if (from !== 'query') return { text, given: { ...given, [input]: value } }
  const words = typeof said === 'string' ? said : String(said)
  const at = text.indexOf(words)
  if (at === -1) return undefined
  return { text: text.slice(0, at) + value + text.slice(at + words.length), given }
}
