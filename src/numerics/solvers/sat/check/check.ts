import type { Reality } from '#numerics/runtime/solver.ts'
import { drawn } from '#numerics/solvers/sat/problem.ts'
import type { SatEvidence, SatInput, SatOutput } from '#numerics/solvers/sat/schema.ts'
import { type Walked, walkProof } from './walk.ts'

interface Original {
  readonly variables: number
  readonly clauses: readonly (readonly number[])[]
}

/** The clauses as the input has them: an own text is read anew, by its numbers alone, since refusals came before. */
const originalOf = ({ dimacs, n, m, seed }: SatInput): Original => {
  if (dimacs === undefined) return drawn(n, m, seed)
  const all = dimacs.split('\n').map((line) => line.trim())
  const lines = all.includes('%') ? all.slice(0, all.indexOf('%')) : all
  const header = lines.find((line) => line.startsWith('p')) ?? ''
  const numbers = lines
    .filter((line) => !line.startsWith('c') && !line.startsWith('p'))
    .join(' ')
    .split(/\s+/)
    .filter((word) => word !== '')
    .map(Number)
  const clauses: number[][] = []
  let from = 0
  numbers.forEach((literal, at) => {
    if (literal !== 0) return
    clauses.push(numbers.slice(from, at))
    from = at + 1
  })
  return { variables: Number(header.split(/\s+/)[2]), clauses }
}

/** Clauses with 0, 1, 2, 3 different true literals, or undefined when the assignment is none. */
const tallyOf = ({ variables, clauses }: Original, assignment: ArrayLike<number>): readonly number[] | undefined => {
  if (assignment.length !== variables) return undefined
  const holds = new Set<number>()
  for (let v = 1; v <= variables; v++) {
    const literal = assignment[v - 1] as number
    if (literal !== v && literal !== -v) return undefined
    holds.add(literal)
  }
  const tally = [0, 0, 0, 0]
  for (const clause of clauses) {
    const held = [...new Set(clause)].filter((literal) => holds.has(literal)).length
    tally[held] = (tally[held] ?? 0) + 1
  }
  return tally
}

const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean =>
  a.length === b.length && Array.from(a).every((value, i) => value === b[i])

/** Whether every number about the proof is that of the walk, and every echo that of the input. */
const echoes = (input: SatInput, output: SatOutput, original: Original, walked: Walked): boolean => {
  const { variables, clauses } = original
  const { lengths, units, deletions, hints } = walked
  const sum = lengths.reduce((all, length) => all + length, 0)
  return (
    output.answer === (output.satisfiable ? 1 : 0) &&
    output.source === (input.dimacs === undefined ? 'drawn' : 'dimacs') &&
    output.variables === variables &&
    output.clauses === clauses.length &&
    output.ratio === (variables === 0 ? 0 : clauses.length / variables) &&
    output.lemmas === lengths.length &&
    output.units === units &&
    output.deletions === deletions &&
    output.hints === hints &&
    output.longestLemma === lengths.reduce((most, length) => Math.max(most, length), 0) &&
    output.meanLemma === (lengths.length === 0 ? 0 : sum / lengths.length) &&
    same(output.lemmaLengths, lengths)
  )
}

/**
 * Checks an answer: satisfiable by the assignment against every original clause, unsatisfiable by a walk over the proof
 * down to the empty clause. Lemmas are walked either way. The error is 0, or 100.
 */
export const checkSat = (input: SatInput, output: SatOutput, { proof }: SatEvidence): Reality => {
  const against = output.satisfiable ? 'every clause of the formula' : 'a walk over the proof down to the empty clause'
  const original = originalOf(input)
  const walked = walkProof(original.variables, original.clauses, proof)
  const tally = output.satisfiable ? tallyOf(original, output.assignment) : [0, 0, 0, 0]
  const decided = output.satisfiable
    ? tally?.[0] === 0 && !walked.refuted
    : walked.refuted && output.assignment.length === 0
  const right =
    walked.sound &&
    decided &&
    tally !== undefined &&
    same(output.trueLiterals, tally) &&
    echoes(input, output, original, walked)
  return {
    against,
    errorPct: right ? 0 : 100,
    figures: { proof_integers: proof.length, lemmas_walked: walked.lengths.length, false_clauses: tally?.[0] ?? -1 },
  }
}
