import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { isWhole } from './attempt.ts'
import { orderOf } from './bind-operator.ts'
import type { Candidate } from './rank.ts'

/** A call that a question may stand for: ready to run where nothing is missing. */
export interface Choice {
  readonly kind: 'solver' | 'operators'
  readonly name: string
  readonly title: string
  /** The call, and what it would be called with. */
  readonly route: string
  readonly input: Json
  /** What it says with the values where they would go: `t = sqrt(2*h/g) with h = 45 m`. */
  readonly reads: string
  /** What is assumed where the question says nothing. */
  readonly assumed: readonly string[]
  /** Numbers of the question that it leaves out. */
  readonly leaves: readonly string[]
  /** Inputs that have no value yet. */
  readonly missing: readonly { readonly symbol: string; readonly name: string; readonly unit: string }[]
}

/** Choices beside a question that is asked back. */
export const CHOICES_MAX = 3
/** Inputs that a choice may lack: with more it is no help. */
const MISSING_MAX = 2
/** Numbers that it may leave out. */
const LEAVES_MAX = 1

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const ofOperator = (it: Candidate, route: string, constants: Readonly<Record<string, unknown>>): readonly Choice[] => {
  const { attempt } = it
  if (attempt === undefined || attempt.unread.length > LEAVES_MAX || attempt.missing.length > MISSING_MAX) return []
  if (attempt.askedBy === 'against' || (isWhole(attempt) && it.answer === undefined)) return []
  const { row } = attempt.operator
  const values = attempt.placed.map(({ amount, quantity }) => `${quantity.symbol} = ${amount.text}`)
  const target = row.variables[attempt.asked]
  const by = values.length > 0 ? ` with ${values.join(', ')}` : ''
  const reads = `${target?.name ?? attempt.asked} by ${row.equation}${by}`
  const missing = attempt.missing.map(({ symbol, name, unit }) => ({ symbol, name, unit }))
  const assumed = Object.entries(attempt.supplied.usual).map(([symbol, meaning]) => `${symbol} = ${meaning}`)
  const leaves = attempt.unread.map(({ text }) => text)
  const input = asJson(orderOf(attempt, constants))
  return [{ kind: 'operators', name: it.name, title: it.title, route, input, reads, assumed, leaves, missing }]
}

/** The nearest candidates as calls, those that lack nothing first. */
export const choicesOf = (
  candidates: readonly Candidate[],
  { route, constants }: { readonly route: string; readonly constants: Readonly<Record<string, unknown>> },
): readonly Choice[] => {
  const all = candidates
    .filter(({ score }) => score > 0)
    .flatMap((it) => (it.kind === 'operators' ? ofOperator(it, route, constants) : []))
  const lack = ({ missing, leaves }: Choice): number => 2 * missing.length + leaves.length
  return all.toSorted((a, b) => lack(a) - lack(b)).slice(0, CHOICES_MAX)
}

/** A refusal that asks, with the choices beside it. */
export const withChoices = (cause: Fault, choices: readonly Choice[]): Fault =>
  choices.length === 0 ? cause : new Fault(cause.code, cause.message, { ...cause.details, choices: [...choices] })
