import { solver } from '#numerics/runtime/solver.ts'
import { checkSat } from './check/check.ts'
import { satGuide } from './guide.ts'
import { plotsOf } from './plots.ts'
import { expectedOf, formulaOf } from './problem.ts'
import { solveSat } from './run/report.ts'
import { type SatEvidence, type SatInput, satInput, satOutput } from './schema.ts'

/** Operations of a conflict: propagation and analysis, and what grows with the clauses. */
const CONFLICT_OPERATIONS = 20_000
const CLAUSE_OPERATIONS = 20
/** Characters of a clause as text, about. */
const CLAUSE_CHARS = 14

/** What it is expected to take, or the conflicts asked for; of a small formula its assignments. */
const workOf = (input: SatInput): number => {
  const { n, m, dimacs } = input
  const clauses = dimacs === undefined ? m : dimacs.length / CLAUSE_CHARS
  const expected = expectedOf(input)
  const conflicts = dimacs === undefined && n < 16 ? Math.min(expected, 1 << n) : expected
  return (conflicts * (CONFLICT_OPERATIONS + CLAUSE_OPERATIONS * clauses)) / 1e6
}

/** Satisfiability of clauses of up to three literals. */
export const sat = solver<typeof satInput, typeof satOutput, SatEvidence>({
  name: 'sat',
  revision: 3,
  title: 'Satisfiability',
  summary: '3-SAT from DIMACS or drawn by seed: an assignment, or a proof that there is none.',
  domain: 'logic',
  method: 'conflict-driven clause learning with watched literals, restarts and deletion; every lemma with its hints',
  operators: ['EXPECTED_MODELS_3SAT'],
  unit: '1',
  kernels: ['math', 'propagate'],
  input: satInput,
  output: satOutput,
  guide: satGuide,
  work: workOf,
  refuse: (input) => {
    formulaOf(input)
  },
  run: { kind: 'whole', solve: solveSat },
  check: (input, { output, evidence }) => checkSat(input, output, evidence),
  value: ({ answer }) => answer,
  plots: (_, output) => plotsOf(output),
})
