import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { budgetOf, type Formula, formulaOf } from '#numerics/solvers/sat/problem.ts'
import type { SatEvidence, SatInput, SatOutput } from '#numerics/solvers/sat/schema.ts'
import { search } from './search.ts'

/** Different true literals under an assignment, in counts of clauses with 0, 1, 2, 3 of them. */
const trueLiteralsOf = ({ clauses }: Formula, assignment: Int32Array): Float64Array => {
  const counts = new Float64Array(4)
  for (const clause of clauses) {
    const held = new Set(clause.filter((literal) => assignment[Math.abs(literal) - 1] === literal)).size
    counts[held] += 1
  }
  return counts
}

/** Lengths of the lemmas of a proof, and how much else stands in it. */
const shapeOf = (proof: Int32Array) => {
  const lengths: number[] = []
  const counts = { units: 0, deletions: 0, hints: 0 }
  let at = 0
  while (at < proof.length) {
    if ((proof[at++] as number) < 0) {
      counts.deletions++
      continue
    }
    const literals = proof[at] as number
    const hints = proof[at + 1 + literals] as number
    at += literals + hints + 2
    lengths.push(literals)
    counts.hints += hints
    if (literals === 1) counts.units++
  }
  return { lengths, ...counts }
}

/** Decides a formula. @throws Fault DID_NOT_CONVERGE at the limit of conflicts. */
export const solveSat = (input: SatInput, progress: Progress): Outcome<SatOutput, SatEvidence> => {
  const formula = formulaOf(input)
  const budget = budgetOf(input)
  const { assignment, proof } = search(formula, budget, progress)
  progress({ step: budget, steps: budget })
  const { lengths, units, deletions, hints } = shapeOf(proof)
  const total = lengths.reduce((sum, length) => sum + length, 0)
  const trueLiterals = assignment === undefined ? new Float64Array(4) : trueLiteralsOf(formula, assignment)
  return {
    output: {
      satisfiable: assignment !== undefined,
      answer: assignment === undefined ? 0 : 1,
      source: input.dimacs === undefined ? 'drawn' : 'dimacs',
      variables: formula.variables,
      clauses: formula.clauses.length,
      ratio: formula.variables === 0 ? 0 : formula.clauses.length / formula.variables,
      lemmas: lengths.length,
      units,
      deletions,
      hints,
      longestLemma: lengths.reduce((most, length) => Math.max(most, length), 0),
      meanLemma: lengths.length === 0 ? 0 : total / lengths.length,
      assignment: (assignment ?? new Int32Array(0)) as unknown as readonly number[],
      trueLiterals: trueLiterals as unknown as readonly number[],
      lemmaLengths: Float64Array.from(lengths) as unknown as readonly number[],
    },
    evidence: { proof },
  }
}
