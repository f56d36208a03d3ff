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
import { folded, holds, LEFT_OUT } from './words.ts'

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
    'AMBIGUOUS_INPUT',
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
  const lacks = Object.entries(book.essential ?? {}).flatMap(([path, needed]) =>
    given.has(path) ? needed.filter((it) => !given.has(it)) : [],
  )
  if (lacks.length > 0) refuseLacking(lacks, would)
  const unheard = unheardBySolver({ query: beside, loose, used }, { phrases, sure: surely })
  assertNone([...new Set([...lacking, ...idleBodies(query, vocabulary, solver, binding), ...unheard])], would)
}

/** Which of several: a law that has no number for it answers for the first alone. */
const ORDINAL = new RegExp(
  [
    String.raw`\b(?:second|third|fourth|fifth|sixth|2nd|3rd|4th|5th)[\s-](?:harmonic|`,
    'overtone|order|minimum|maximum|mode|bright|dark|level|resonance|',
    String.raw`excited)\b`,
  ].join(''),
  'giu',
)

const FLUIDS = new RegExp(
  [
    String.raw`\b(?:oil|petrol|gasoline|diesel|mercury|air|helium|hydrogen|water|`,
    'seawater|sea|ocean|salt water|alcohol|ethanol|honey|syrup|glycerine?|',
    String.raw`glycerol|milk|steam|vacuum)\b`,
  ].join(''),
  'giu',
)
const kindOfFluid = (word: string): string => (/^(?:sea|ocean|salt)/iu.test(word) ? 'sea' : word.toLowerCase())

/** Fluids of which a question speaks where another one was assumed: a tank of oil is not one of water. */
const otherFluids = (query: string, { name }: OperatorRow, { usual }: OperatorBinding): readonly string[] => {
  const assumed = Object.values(usual).flatMap((meaning) => meaning.match(FLUIDS) ?? [])
  if (assumed.length === 0) return []
  const known = [...assumed, ...(name.match(FLUIDS) ?? [])].map(kindOfFluid)
  const said = (query.match(FLUIDS) ?? []).filter((it) => !known.includes(kindOfFluid(it)))
  return said.length > 0 && !(query.match(FLUIDS) ?? []).some((it) => known.includes(kindOfFluid(it))) ? said : []
}

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
  // Where all numbers were given, the body that they are of changes nothing; two of them may be what it is about.
  const assumed = Object.keys(binding.usual).length > 0
  const inSky = materialsIn(query, vocabulary.bodies).flatMap(({ word }) => (used.includes(word) ? [] : [word]))
  const idle = assumed || (inSky.length > 1 && !row.equation.includes('@G')) ? inSky : []
  const said = [LEFT_OUT, NOT_THAT, ASKED_HOW].reduce(
    (text, words) => text.replace(words, ' '),
    shown === undefined ? query : query.replace(shown, ' '),
  )
  const unheard = unheardByOperator({ query: said, loose, used }, { row, phrases, strict })
  const ordinals = [...said.matchAll(ORDINAL)].map(([text]) => text)
  assertNone([...new Set([...idle, ...otherFluids(query, row, binding), ...ordinals, ...unheard])], would)
}
