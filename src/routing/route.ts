import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { targetsOf } from '#numerics/operators/names.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { amountsOf } from './amounts.ts'
import { bindOperator, type OperatorBinding } from './bind-operator.ts'
import { bindSolver, constantsFitting } from './bind-solver.ts'
import { type Candidate, rankOperators, rankSolvers } from './rank.ts'
import { ALTERNATIVES_MAX, type Reading, shown } from './reading.ts'
import { respelled } from './spelling.ts'
import { assertOperatorHeard, assertSolverHeard } from './understood.ts'
import type { SolverWords, Vocabulary } from './vocabulary.ts'
import { folded, holds } from './words.ts'

/** A question in words and the values that go with it. */
export interface RoutingQuery {
  readonly query: string
  readonly constants: Readonly<Record<string, unknown>>
  readonly calls: Calls
}

/** What the calls are named that a question may stand for; `{name}` is the solver's. */
export interface Calls {
  readonly operators: string
  readonly solver: string
}

/** What is here to be routed to. */
export interface RoutingTable {
  readonly vocabulary: Vocabulary
  readonly registry: OperatorRegistry
  readonly solvers: readonly Solver[]
}

/** A question read: the call that it stands for. */
export type Routed =
  | { readonly kind: 'solver'; readonly name: string; readonly input: Json; readonly reading: Reading }
  | { readonly kind: 'operators'; readonly order: Order; readonly reading: Reading }

/** Score below which nothing is meant, and by how much the best must lead. */
const SCORE_MIN = 4.5
const LEAD_MIN = 1.5
/** Operators whose inputs are tried. */
const TRIED_MAX = 8
const COMPLETE = 4
const CONSTANT_KNOWN = 1
const CONSTANTS_MAX = 4
const CONSTANT_UNKNOWN = -6
const UNREAD = -2
/** A relation without a value is meant only where nothing else is. */
const REFUSED = -3
/** Share of a query's telling words that an operator must know when the query does not name it. */
const COVERED_MIN = 0.5

/** The binding of an operator if everything that it needs is there and nothing is left over. */
const complete = (places: RoutingTable, id: string, question: RoutingQuery): OperatorBinding | Fault => {
  try {
    return bindOperator(places, id, question)
  } catch (cause) {
    if (cause instanceof Fault) return cause
    throw cause
  }
}

/** An operator's score with what the values say of it. */
const weighed = (places: RoutingTable, it: Candidate, question: RoutingQuery): Candidate => {
  const { registry } = places
  if (registry.operator(it.name).row.refused !== undefined) return { ...it, score: it.score + REFUSED }
  const names = Object.keys(question.constants)
  const operator = registry.operator(it.name)
  const unknown = names.filter((name) => targetsOf([operator], name).length === 0).length
  if (unknown > 0) return { ...it, score: it.score + CONSTANT_UNKNOWN }
  const known = Math.min(CONSTANTS_MAX, names.length * CONSTANT_KNOWN)
  const found = complete(places, it.name, question)
  const fits = !(found instanceof Fault && found.details['unread'] !== undefined)
  const whole = found instanceof Fault ? (fits ? 0 : UNREAD) : COMPLETE
  return { ...it, score: it.score + known + whole, fits }
}

const wordsFor = ({ books }: Vocabulary, name: string): SolverWords | undefined => books.get(name)?.words

const weighedSolver = (
  it: Candidate,
  { solvers, vocabulary }: RoutingTable,
  { constants }: RoutingQuery,
): Candidate => {
  const solver = solvers.find(({ name }) => name === it.name)
  if (solver === undefined) return it
  const { known, unknown } = constantsFitting(solver, wordsFor(vocabulary, solver.name), constants)
  return { ...it, score: it.score + Math.min(CONSTANTS_MAX, known * CONSTANT_KNOWN) + unknown * CONSTANT_UNKNOWN }
}

/** Everything that a question may mean, best first. */
export const candidatesOf = (places: RoutingTable, question: RoutingQuery): readonly Candidate[] => {
  const { registry, solvers, vocabulary } = places
  const ranked = rankOperators(vocabulary, registry, question.query).slice(0, TRIED_MAX)
  const all = [
    ...rankSolvers(vocabulary, question.query, solvers).map((it) => weighedSolver(it, places, question)),
    ...ranked.map((it) => weighed(places, it, question)),
  ]
  return all.sort((a, b) => b.score - a.score || (a.name < b.name ? -1 : 1))
}

const nameOf = ({ name, title }: Candidate): string => (name === title ? name : `${name} (${title})`)

const ask = (candidates: readonly Candidate[], question: RoutingQuery): never => {
  const [first] = candidates
  const list = shown(candidates)
  const nothing = first === undefined || first.score < SCORE_MIN
  const names = candidates.slice(0, ALTERNATIVES_MAX).map(nameOf).join('; ')
  const amounts = amountsOf(question.query).map(({ text }) => text)
  const detail = nothing
    ? `Nothing here fits this surely. What is to be computed?${names === '' ? '' : ` Near are: ${names}.`}`
    : `This can be read in several ways. Which is meant: ${names}?`
  throw new Fault('AMBIGUOUS_INPUT', detail, { alternatives: list, amounts })
}

/**
 * Operators that the same words mean as well and that the values fit as well: where the query does not say which, that
 * one of them needs no more values is no reason to take it. The speed of sound at 30 °C is not that in water.
 */
const rivalsOf = (first: Candidate, candidates: readonly Candidate[]): readonly Candidate[] =>
  first.loose === true
    ? candidates.filter((it) => it !== first && it.fits && first.because.every((word) => it.because.includes(word)))
    : []

/** The one candidate that is meant. @throws Fault AMBIGUOUS_INPUT that asks, with the nearest ones. */
const chosen = (candidates: readonly Candidate[], question: RoutingQuery): Candidate => {
  const [first, second] = candidates
  if (first === undefined || first.score < SCORE_MIN) return ask(candidates, question)
  const rivals = rivalsOf(first, candidates)
  if (rivals.length > 0) return ask([first, ...rivals], question)
  if (first.loose === true && (first.covered ?? 1) < COVERED_MIN) return ask(candidates, question)
  return second !== undefined && second.score > first.score - LEAD_MIN ? ask(candidates, question) : first
}

/** @throws Fault AMBIGUOUS_INPUT for a question that a solver is near to and does not answer. */
const assertAnswered = (
  { solver, unanswered }: SolverWords,
  { query }: RoutingQuery,
  alternatives: ReturnType<typeof shown>,
): void => {
  const asked = folded(query)
  if (unanswered === undefined || !unanswered.phrases.some((it) => holds(asked, folded(it)))) return
  throw new Fault('AMBIGUOUS_INPUT', `Near is ${solver}, but ${unanswered.instead}`, { solver, alternatives })
}

const asJson = (value: unknown): Json => JSON.parse(JSON.stringify(value)) as Json

const routeAsSpelled = (places: RoutingTable, question: RoutingQuery, corrections: Reading['corrections']): Routed => {
  const candidates = candidatesOf(places, question)
  const it = chosen(candidates, question)
  const others = shown(candidates.filter((other) => other !== it && other.score > 0))
  const common = { title: it.title, because: it.because, alternatives: others, corrections }
  if (it.kind === 'operators') {
    const binding = bindOperator(places, it.name, question)
    const { order, bound, computation, usual, unread } = binding
    const reading: Reading = {
      kind: 'operators',
      route: question.calls.operators,
      solver: null,
      operators: computation.operators,
      ...common,
      bound,
      settings: [],
      defaults: usual,
      unread,
      input: asJson(order),
    }
    assertOperatorHeard(places.registry.operator(it.name).row, question.query, {
      vocabulary: places.vocabulary,
      binding,
      would: { name: it.name, route: reading.route, input: reading.input, alternatives: others },
    })
    return { kind: 'operators', order, reading }
  }
  const solver = places.solvers.find(({ name }) => name === it.name)
  if (solver === undefined) {
    throw new Fault('NOT_FOUND', `This asks for ${it.name}, which does not run here.`, {
      solver: it.name,
      alternatives: others,
    })
  }
  const words = wordsFor(places.vocabulary, it.name)
  if (words !== undefined) assertAnswered(words, question, others)
  const binding = bindSolver(solver, words, question, places.vocabulary)
  const { input, bound, settings, defaults, unread } = binding
  const route = question.calls.solver.replace('{name}', it.name)
  assertSolverHeard(solver, question.query, {
    vocabulary: places.vocabulary,
    binding,
    would: { name: it.name, route, input, alternatives: others },
  })
  const reading: Reading = {
    kind: 'solver',
    route,
    solver: it.name,
    operators: [],
    ...common,
    bound,
    settings,
    defaults,
    unread,
    input,
  }
  return { kind: 'solver', name: it.name, input, reading }
}

/**
 * Reads a question: which solver or operator it means, and which of its values goes where. The same words give the same
 * reading on every node of one release; there is no model behind it. Where it would ask, slips of the keys are put
 * right and it is read once more.
 *
 * @throws Fault AMBIGUOUS_INPUT that asks when several routes or none fit, or a value has no place; NOT_FOUND for a
 *   solver that this node does not have; the refusals of the route's own inputs.
 */
export const routeQuestion = (places: RoutingTable, question: RoutingQuery): Routed => {
  try {
    return routeAsSpelled(places, question, [])
  } catch (cause) {
    if (!(cause instanceof Fault) || cause.code !== 'AMBIGUOUS_INPUT') throw cause
    const { query, corrections } = respelled(question.query, places)
    if (corrections.length === 0) throw cause
    return routeAsSpelled(places, { ...question, query }, corrections)
  }
}
