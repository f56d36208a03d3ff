import type { Json } from './canonical.ts'
import type { AskedClaim, Question, SealedReading } from './claim.ts'
import { digest, purposes } from './digest.ts'
import { Fault } from './fault.ts'

/** Characters of a question in words. */
export const QUERY_CHARS_MAX = 500

const json = (value: object): Json => value as unknown as Json

/** The part of a reading that a claim binds: these members, whatever else is shown beside them. */
export const sealedReading = (reading: SealedReading): SealedReading => {
  const { kind, route, solver, operators, defaults, input } = reading
  return {
    ...{ kind, route, solver, operators, defaults, input },
    bound: reading.bound.map((it) => ({
      ...{ input: it.input, from: it.from, given: it.given },
      ...{ value: it.value, unit: it.unit },
    })),
    settings: reading.settings.map((it) => ({ input: it.input, value: it.value, because: it.because })),
    corrections: reading.corrections.map((it) => ({ from: it.from, to: it.to })),
  }
}

/** What a claim has under `asked.reading`. @param nonce of that claim. @throws Fault NOT_CANONICAL */
export const askedDigest = (nonce: string, { query, constants, reading }: Question): string =>
  digest(purposes.reading, json({ nonce, query, constants, reading }))

/** What a caller sends back to confirm a reading that was shown. @throws Fault NOT_CANONICAL */
export const readingDigest = ({ query, constants, reading }: Question): string =>
  digest(purposes.question, json({ query, constants, reading }))

const isObject = (value: unknown): value is Readonly<Record<string, Json>> =>
  typeof value === 'object' && value !== null

/** Whether every member of one value stands in another, at its place and equal; lists are equal as a whole. */
const standsIn = (part: Json | undefined, whole: Json | undefined): boolean => {
  if (!isObject(part)) return part === whole
  if (!isObject(whole) || Array.isArray(part) !== Array.isArray(whole)) return false
  const names = Object.keys(part)
  const sameLength = !Array.isArray(part) || names.length === Object.keys(whole).length
  return sameLength && names.every((name) => Object.hasOwn(whole, name) && standsIn(part[name], whole[name]))
}

const at = (value: Json | undefined, path: string): Json | undefined =>
  path
    .split('.')
    .reduce<Json | undefined>((it, name) => (isObject(it) && Object.hasOwn(it, name) ? it[name] : undefined), value)

/** The value of an operator's symbol, which may have the operator's id before it. */
const ofSymbol = (inputs: Json | undefined, symbol: string): readonly Json[] =>
  isObject(inputs)
    ? Object.entries(inputs).flatMap(([name, value]) => (name === symbol || name.endsWith(`.${symbol}`) ? [value] : []))
    : []

/**
 * Whether inputs, defaults filled in, are those that a reading leads to: each value at its place. What a solver is
 * called with stands in its inputs as it is; of operators the bound order has the numbers alone.
 */
export const readingFits = ({ kind, bound, settings, defaults, input }: SealedReading, inputs: Json): boolean => {
  if (kind === 'operators') {
    const symbols = at(inputs, 'inputs')
    return bound.every((it) => typeof it.value !== 'number' || ofSymbol(symbols, it.input).includes(it.value))
  }
  const placed = [...bound, ...settings].map((it) => [it.input, it.value] as const)
  // A default inside a group that was left out as a whole has no place.
  const left = Object.entries(defaults).filter(([path]) => at(inputs, path) !== undefined)
  return standsIn(input, inputs) && [...placed, ...left].every(([path, it]) => standsIn(it, at(inputs, path)))
}

/**
 * Why a question is not the one that a claim answers; undefined when it is.
 *
 * @param inputs of the claim, if they are known.
 */
export const questionFault = (claim: AskedClaim, question: Question, inputs?: Json): string | undefined => {
  try {
    if (askedDigest(claim.nonce, question) !== claim.asked.reading) {
      return 'The question and how it was read are not those of the claim.'
    }
  } catch (error) {
    if (!(error instanceof Fault)) throw error
    return `The question has no digest: ${error.message}`
  }
  const { kind, solver, operators } = question.reading
  if ((kind === 'solver' ? solver : 'compute') !== claim.kind || operators.join() !== claim.operators.join()) {
    return 'The question was read as another computation than the claim’s.'
  }
  if (inputs !== undefined && !readingFits(question.reading, inputs)) {
    return 'The values that were read are not those that were computed with.'
  }
  return undefined
}
