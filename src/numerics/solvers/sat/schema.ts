import Type, { type Static } from 'typebox'
import { closed, count, finite, integer, oneOf, series, text } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'

/** Characters of a formula given as text: about 60,000 clauses. */
const DIMACS_CHARS_MAX = 1_000_000
export const VARIABLES_MAX = 5_000
export const CLAUSES_MAX = 60_000

/** A formula, given or drawn; `{}` is the documented case. */
export const satInput = closed({
  n: integer({ ...within(1, VARIABLES_MAX, 150), description: 'Variables of a drawn formula.' }),
  m: integer({ ...within(0, CLAUSES_MAX, 639), description: 'Clauses of a drawn formula.' }),
  seed: integer({ minimum: 0, default: 1, description: 'Key of the drawing.' }),
  dimacs: Type.Optional(
    text(DIMACS_CHARS_MAX, {
      minLength: 1,
      description:
        'An own formula in DIMACS CNF, at most 3 different variables in a clause; n, m and seed are not read.',
    }),
  ),
  conflictsMax: Type.Optional(
    integer({
      minimum: 1,
      maximum: 5_000_000,
      description:
        'Conflicts after which the search gives up. Left out: four times those that a formula of this size is ' +
        'expected to take at its hardest.',
    }),
  ),
})

/** The answer: whether the formula can be satisfied, by what, and the shape of the proof. */
export const satOutput = closed({
  satisfiable: Type.Boolean({ description: 'Whether an assignment satisfies every clause.' }),
  answer: integer({ description: '1 when satisfiable, else 0: the sealed value.' }),
  source: oneOf(['drawn', 'dimacs'], { description: 'Where the formula came from.' }),
  variables: count({ description: 'Variables.' }),
  clauses: count({ description: 'Clauses.' }),
  ratio: finite({ description: 'Clauses per variable; random 3-SAT turns near 4.267.' }),
  lemmas: count({ description: 'Clauses that were learned, in the proof.' }),
  units: count({ description: 'Lemmas of one literal.' }),
  deletions: count({ description: 'Lemmas that were deleted again.' }),
  hints: count({ description: 'Steps of the proof: clauses that the lemmas were derived from.' }),
  longestLemma: count({ description: 'Literals of the longest lemma.' }),
  meanLemma: finite({ description: 'Mean literals of a lemma; 0 without lemmas.' }),
  assignment: series({
    unit: '1',
    shape: ['assigned'],
    axes: ['variable'],
    type: 'i32',
    description: '+v or −v for each variable v from 1, when satisfiable; else empty.',
  }),
  trueLiterals: series({
    unit: '1',
    shape: [4],
    axes: ['true literals'],
    description: 'Clauses with exactly 0, 1, 2, 3 different true literals under the assignment; zeros without one.',
  }),
  lemmaLengths: series({
    unit: '1',
    shape: ['learned'],
    axes: ['lemma'],
    description: 'Literals of each lemma, in order.',
  }),
})

/** A full input of the solver. */
export type SatInput = Static<typeof satInput>
/** What it answers. */
export type SatOutput = Static<typeof satOutput>

/** What the check works with. */
export interface SatEvidence {
  readonly proof: Int32Array
}
