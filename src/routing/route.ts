import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Order } from '#numerics/operators/computation.ts'
import { computeOperators } from '#numerics/operators/compute.ts'
import { targetsOf } from '#numerics/operators/names.ts'
import type { OperatorRegistry } from '#numerics/operators/registry.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import { amountsOf } from './amounts.ts'
import { type Attempt, askedIn, attemptOf, isWhole } from './attempt.ts'
import { bindOperator, orderOf } from './bind-operator.ts'
import { bindSolver, constantsFitting } from './bind-solver.ts'
import { choicesOf, withChoices } from './choices.ts'
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
/** A lead with which fewer words need to be known. */
const LEAD_LARGE = 5
/** Operators whose inputs are tried. */
const TRIED_MAX = 40
const COMPLETE = 4
/** Nothing lacks, and it gives what is asked. */
const ANSWERS = 8
/** What it counts for that the words name what an operator gives, that it has the dimension asked, or has not. */
const ASKED = { name: 4, dimension: 2, nothing: 0, other: -2, against: -6 } as const
/** Neither does the query call it nor ask for anything that it gives. */
const UNASKED = -4
/** What that counts at most where a value is lacking. */
const ASKED_LACKING = 0.5
/** A solver that has no place for what the question says. */
const UNBOUND = -3
const CONSTANT_KNOWN = 1
const CONSTANTS_MAX = 4
const CONSTANT_UNKNOWN = -6
const UNREAD = -10
/** A value is lacking, and the query does not call it by its name: a phrase of its own is little then. */
const LACKS = -4
/** A relation without a value is meant only where nothing else is. */
const REFUSED = -3
/** Share of a question's telling words that a law must know to answer it at once, unless it is called by name. */
const KNOWN_MIN = 0.7
/** Relative difference below which two answers are one. */
const ALIKE = 1e-9
/** Share of a query's telling words that an operator must know when the query does not name it. */
const COVERED_MIN = { name: 0.3, dimension: 0.4, nothing: 0.5, other: 1, against: 1 } as const

/** Where an operator would put the question's numbers; undefined where that cannot be said. */
const attempted = (places: RoutingTable, id: string, question: RoutingQuery): Attempt | undefined => {
  try {
    return attemptOf(places, id, question)
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** What an operator would answer, if it does. */
const computed = (places: RoutingTable, attempt: Attempt, { constants }: RoutingQuery) => {
  if (!isWhole(attempt)) return undefined
  try {
    const { value, unit } = computeOperators(places.registry, orderOf(attempt, constants))
    return { value, unit }
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** Pairs that exclude each other: a row of the one does not answer a question of the other. */
const OPPOSITES: readonly (readonly [RegExp, RegExp])[] = [
  [/\b(?:wom[ae]n|female|girl|she|her)\b/iu, /\b(?:m[ae]n|male|boy|he|his)\b/iu],
  [/\b(?:approach\w*|towards?|comes? at|coming at|nearing)\b/iu, /\b(?:reced\w*|away|leav\w*|passed)\b/iu],
  [/\bseries\b/iu, /\bparallel\b/iu],
  [/\b(?:sea)?water\b/iu, /\bair\b/iu],
  [/\b(?:charg(?:es?|ing|ed) (?!with))/iu, /\bdischarg\w*\b/iu],
  [/\b(?:three|3)[\s-]phase\b/iu, /\b(?:single|one|1)[\s-]phase\b/iu],
  [/\b(?:up|upwards?|ascend\w*|rising)\b/iu, /\b(?:down|downwards?|descend\w*|sinking)\b/iu],
  [/\b(?:call)\b/iu, /\b(?:put)\b/iu],
  [/\b(?:elastic)\b/iu, /\b(?:inelastic\w*|stick\w*|stuck|couple\w*)\b/iu],
  [/\b(?:first|one) order\b/iu, /\bsecond order\b/iu],
  [/\b(?:simply supported|simple supports?)\b/iu, /\bcantilever\w*\b/iu],
]
const OPPOSED = -100

/** Whether a row's name is of the opposite of what a question says. */
const isOpposed = (name: string, query: string): boolean =>
  OPPOSITES.some(([a, b]) => {
    const [left, right] = [a.test(query), b.test(query)]
    return left !== right && (left ? b.test(name) && !a.test(name) : a.test(name) && !b.test(name))
  })

const isExcluded = ({ vocabulary }: RoutingTable, id: string, query: string): boolean =>
  vocabulary.operators.get(id)?.words.not?.some((it) => holds(folded(query), folded(it))) === true

/** Words of a run over time: no single value is asked. */
const RUNNING = new RegExp(
  [
    String.raw`\b(?:trajector(?:y|ies)|simulat\w*|integrat(?:e|ed|ion|or)|evolution|`,
    String.raw`time series|phase portrait|solver|scheme)\b|\bwhere (?:is|are|`,
    String.raw`will|does)\b|\b(?:frequencies|resonances|eigen\w+|spectrum|energies)\b`,
  ].join(''),
  'iu',
)
const RUN = -8

/** An operator's score with what the values say of it, and with what is asked. */
const weighed = (places: RoutingTable, it: Candidate, question: RoutingQuery): Candidate => {
  const { registry } = places
  const operator = registry.operator(it.name)
  if (operator.row.refused !== undefined) return { ...it, score: it.score + REFUSED }
  const names = Object.keys(question.constants)
  const unknown = names.filter((name) => targetsOf([operator], name).length === 0).length
  if (unknown > 0) return { ...it, score: it.score + CONSTANT_UNKNOWN }
  const known = Math.min(CONSTANTS_MAX, names.length * CONSTANT_KNOWN)
  const attempt = attempted(places, it.name, question)
  if (attempt === undefined) return { ...it, score: it.score + known }
  const answer = computed(places, attempt, question)
  const fits = attempt.unread.length === 0 && attempt.askedBy !== 'against'
  const answers = attempt.askedBy === 'name' || attempt.askedBy === 'dimension'
  const whole =
    answer !== undefined
      ? answers
        ? ANSWERS
        : it.called === true || it.loose === false
          ? COMPLETE
          : 0
      : fits
        ? it.called === true
          ? 0
          : LACKS * attempt.missing.length
        : UNREAD
  return {
    ...it,
    score:
      it.score +
      known +
      whole +
      (answer === undefined ? Math.min(ASKED[attempt.askedBy], ASKED_LACKING) : ASKED[attempt.askedBy]) +
      (RUNNING.test(question.query) ? RUN : 0) +
      (attempt.askedBy === 'nothing' && it.called !== true ? UNASKED : 0) +
      (isOpposed(operator.row.name, question.query) || isExcluded(places, it.name, question.query) ? OPPOSED : 0),
    fits,
    attempt,
    answer,
  }
}

const wordsFor = ({ books }: Vocabulary, name: string): SolverWords | undefined => books.get(name)?.words

const bindsSolver = (...given: Parameters<typeof bindSolver>): boolean => {
  try {
    bindSolver(...given)
    return true
  } catch (cause) {
    // What it refuses for another reason is said by itself.
    if (cause instanceof Fault) return cause.code !== 'AMBIGUOUS_INPUT'
    throw cause
  }
}

const weighedSolver = (it: Candidate, { solvers, vocabulary }: RoutingTable, question: RoutingQuery): Candidate => {
  const { constants } = question
  const solver = solvers.find(({ name }) => name === it.name)
  if (solver === undefined) return it
  const words = wordsFor(vocabulary, solver.name)
  const { known, unknown } = constantsFitting(solver, words, constants)
  const score = it.score + Math.min(CONSTANTS_MAX, known * CONSTANT_KNOWN) + unknown * CONSTANT_UNKNOWN
  return {
    ...it,
    score:
      score + (Object.keys(constants).length > 0 || bindsSolver(solver, words, question, vocabulary) ? 0 : UNBOUND),
  }
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
  const unread = first?.attempt?.unread.map(({ text }) => text) ?? []
  throw new Fault('AMBIGUOUS_INPUT', detail, { alternatives: list, amounts, unread })
}

/**
 * Operators that the same words mean as well and that the values fit as well: where the query does not say which, that
 * one of them needs no more values is no reason to take it. The speed of sound at 30 °C is not that in water.
 */
const rivalsOf = (first: Candidate, candidates: readonly Candidate[]): readonly Candidate[] =>
  first.loose === true
    ? candidates.filter((it) => it !== first && it.fits && first.because.every((word) => it.because.includes(word)))
    : []

/** Whether two operators answer alike: then it is no matter which is meant. */
const alike = (a: Candidate, b: Candidate): boolean => {
  const [x, y] = [a.answer?.value, b.answer?.value]
  if (x === undefined || x === null || y === undefined || y === null || a.answer?.unit !== b.answer?.unit) return false
  return Math.abs(x - y) <= ALIKE * Math.abs(x)
}

/** The one candidate that is meant. @throws Fault AMBIGUOUS_INPUT that asks, with the nearest ones. */
const chosen = (candidates: readonly Candidate[], question: RoutingQuery): Candidate => {
  const [first] = candidates
  if (first === undefined || first.score < SCORE_MIN) return ask(candidates, question)
  const second = candidates.find((it) => it !== first && !alike(first, it))
  const rivals = rivalsOf(first, candidates).filter((it) => !alike(first, it))
  if (rivals.length > 0) return ask([first, ...rivals], question)
  if (first.attempt?.askedBy === 'other') return ask(candidates, question)
  if (first.kind === 'operators' && first.called !== true && (first.covered ?? 1) < KNOWN_MIN)
    return ask(candidates, question)
  const lead = first.score - (second?.score ?? 0)
  const phrased = first.loose === false && lead > LEAD_LARGE
  if (first.attempt?.askedBy === 'nothing' && first.called !== true && !phrased) return ask(candidates, question)
  const least =
    COVERED_MIN[first.attempt?.askedBy ?? 'nothing'] * (lead > LEAD_LARGE && first.answer !== undefined ? 0.6 : 1)
  if (first.loose === true && (first.covered ?? 1) < least) return ask(candidates, question)
  // One value is what a relation is for: a solver that would do as well yields.
  const needed = second?.kind === 'solver' && first.answer !== undefined ? 0 : LEAD_MIN
  return second !== undefined && lead < needed ? ask(candidates, question) : first
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
  try {
    return routeAmong(candidates, { places, question, corrections })
  } catch (cause) {
    if (!(cause instanceof Fault)) throw cause
    const { calls, constants } = question
    throw withChoices(cause, choicesOf(candidates, { route: calls.operators, constants }))
  }
}

const routeAmong = (
  candidates: readonly Candidate[],
  {
    places,
    question,
    corrections,
  }: {
    readonly places: RoutingTable
    readonly question: RoutingQuery
    readonly corrections: Reading['corrections']
  },
): Routed => {
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
      shown: askedIn(question.query, places).shownIn?.text,
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
