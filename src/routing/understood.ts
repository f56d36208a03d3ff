import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import type { Solver } from '#numerics/runtime/solver.ts'
import type { OperatorBinding } from './bind-operator.ts'
import type { SolverBinding } from './bind-solver.ts'
import { unheardByOperator, unheardBySolver } from './coverage.ts'
import { materialsIn } from './materials.ts'
import type { Reading } from './reading.ts'
import type { Vocabulary } from './vocabulary.ts'
import { folded, holds } from './words.ts'

/** What a question would have computed if the words that were not understood were left out. */
interface Would {
  readonly name: string
  readonly route: string
  readonly input: Json
  readonly alternatives: Reading['alternatives']
}

/** @throws Fault AMBIGUOUS_INPUT that names the words that were not understood, if there are any. */
const assertNone = (unread: readonly string[], { name, route, input, alternatives }: Would): void => {
  if (unread.length === 0) return
  const words = unread.map((it) => `“${it}”`).join(', ')
  const empty = JSON.stringify(input) === '{}'
  const call = empty ? `${route} in its default case` : `${route} with ${JSON.stringify(input)}`
  throw new Fault(
    'AMBIGUOUS_INPUT',
    `Read as ${name}, but this was not understood: ${words}. It would compute ${call}: say it without, or give values.`,
    { unread: [...unread], would: { route, input }, alternatives: [...alternatives] },
  )
}

/** @throws Fault MISSING_INPUTS for a question that gives some numbers and not those that its answer hangs on. */
const refuseLacking = (lacks: readonly string[], { name, route, input, alternatives }: Would): never => {
  throw new Fault(
    'MISSING_INPUTS',
    `Read as ${name}, but without ${lacks.join(', ')} there is no answer. Give it too.`,
    {
      missing: lacks.map((symbol) => ({ operator: name, symbol })),
      would: { route, input },
      alternatives: [...alternatives],
    },
  )
}

/** Bodies of the sky that a query names and of which nothing was taken: neither a value, nor the place of a fall. */
const idleBodies = (query: string, { bodies, books }: Vocabulary, solver: Solver, binding: SolverBinding) => {
  const text = folded(query)
  const chosen = [...binding.settings.map(({ value }) => value), ...Object.values(binding.defaults)]
  const named = (books.get(solver.name)?.sure ?? []).filter((it) => holds(text, it.folded))
  return materialsIn(query, bodies)
    .map(({ word }) => word)
    .filter((word) => !chosen.includes(word) && !named.some((it) => holds(it.folded, folded(word))))
}

/** @throws Fault AMBIGUOUS_INPUT where the reading by a solver leaves words of the query out. */
export const assertSolverHeard = (
  solver: Solver,
  query: string,
  { vocabulary, binding, would }: { vocabulary: Vocabulary; binding: SolverBinding; would: Would },
): void => {
  const { words: book, sure: surely = [] } = vocabulary.books.get(solver.name) ?? {}
  if (book === undefined) return
  const { sure, likely, hint, inputs, also = [], settings, needs = [] } = book
  const phrases = [
    ...[...sure, ...likely, ...hint, ...also, ...Object.values(inputs).flat()],
    ...[...settings.map(([phrase]) => phrase), ...(book.derived ?? []).flatMap(({ names }) => names)],
    ...[solver.name, solver.title, solver.summary],
  ]
  const { beside, loose, used, bound, settings: chosen } = binding
  const given = new Set([...bound, ...chosen].map(({ input }) => input))
  const lacking = needs.flatMap(([phrase, paths]) =>
    holds(folded(query), folded(phrase)) && !paths.some((path) => given.has(path)) ? [phrase] : [],
  )
  const lacks = bound.length === 0 ? [] : (book.essential ?? []).filter((path) => !given.has(path))
  if (lacks.length > 0) refuseLacking(lacks, would)
  const unheard = unheardBySolver({ query: beside, loose, used }, { phrases, sure: surely })
  assertNone([...new Set([...lacking, ...idleBodies(query, vocabulary, solver, binding), ...unheard])], would)
}

/** `no losses`, `ignoring friction`: what a law without it leaves out anyway. */
const LEFT_OUT =
  /\b(?:no|without|ignor\w+|neglect\w+|disregard\w+|assum\w+ no|zero)\s+(?:any |the |its |all )?(?!current|load)[\p{L}]+(?:\s(?:resistance|losses|loss|weight|effects?|drag|friction|dividends?))?/giu

/** What is said not to be asked. */
const NOT_THAT = /\b(?:not (?:counting|including|the)|excluding|apart from|forget(?:ting)? about)\b[^,.;?)]*/giu
/** The form of a question, which says what is asked and nothing of what is given. */
const ASKED_HOW = /\bhow (?:long|far|high|tall|deep|wide|thick|hot|cold|old|fast|heavy|large|big)\b/giu

/** @throws Fault AMBIGUOUS_INPUT where the reading by an operator leaves words of the query out that matter. */
export const assertOperatorHeard = (
  row: OperatorRow,
  query: string,
  {
    vocabulary,
    binding,
    shown,
    would,
  }: {
    readonly vocabulary: Vocabulary
    readonly binding: OperatorBinding
    /** Words that say in which unit the answer is wanted. */
    readonly shown: string | undefined
    readonly would: Would
  },
): void => {
  const { loose, used } = binding
  const { phrases = [], words } = vocabulary.operators.get(row.id) ?? {}
  const strict = words?.strict === true
  // Where all numbers were given, the bodies that they are of change nothing.
  const assumed = Object.keys(binding.usual).length > 0
  const idle = assumed
    ? materialsIn(query, vocabulary.bodies).flatMap(({ word }) => (used.includes(word) ? [] : [word]))
    : []
  const said = [LEFT_OUT, NOT_THAT, ASKED_HOW].reduce(
    (text, words) => text.replace(words, ' '),
    shown === undefined ? query : query.replace(shown, ' '),
  )
  const unheard = unheardByOperator({ query: said, loose, used }, { row, phrases, strict })
  assertNone([...new Set([...idle, ...unheard])], would)
}
