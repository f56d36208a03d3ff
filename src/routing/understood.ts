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
  const unheard = unheardBySolver({ query: beside, loose, used }, { phrases, sure: surely })
  assertNone([...new Set([...lacking, ...idleBodies(query, vocabulary, solver, binding), ...unheard])], would)
}

/** @throws Fault AMBIGUOUS_INPUT where the reading by an operator leaves words of the query out that matter. */
export const assertOperatorHeard = (
  row: OperatorRow,
  query: string,
  { vocabulary, binding, would }: { vocabulary: Vocabulary; binding: OperatorBinding; would: Would },
): void => {
  const { loose, used } = binding
  const usual = Object.keys(binding.usual).length > 0
  const phrases = vocabulary.operators.get(row.id)?.phrases ?? []
  // A law of gravitation speaks of bodies whose numbers were given.
  const idle = row.equation.includes('@G')
    ? []
    : materialsIn(query, vocabulary.bodies).flatMap(({ word }) => (used.includes(word) ? [] : [word]))
  const unheard = unheardByOperator({ query, loose, used }, { row, phrases, usual })
  assertNone([...new Set([...idle, ...unheard, ...(usual ? binding.unread : [])])], would)
}
