import { Fault } from '#core/fault.ts'
import type { Progress } from '#numerics/solver.ts'
import type { Formula, Found } from './formula.ts'
import { analyse, learn, reduce } from './learn.ts'
import { assign, type Clause, close, decide, propagate, type State, stateOf, undoTo, watch } from './state.ts'

/** Conflicts of the shortest run between two restarts; later ones follow Luby's sequence. */
const RESTART = 64
/** Learned clauses at the first reduction, and how many more each further one allows. */
const REDUCE_FIRST = 2_000
const REDUCE_STEP = 500
const PROGRESS_CONFLICTS = 500

/** Luby's sequence 1 1 2 1 1 2 4 … from place 0 (Luby, Sinclair, Zuckerman, Inf. Process. Lett. 47 (1993) 173). */
const luby = (place: number): number => {
  let [size, term, at] = [1, 1, place]
  while (size < at + 1) {
    size = 2 * size + 1
    term *= 2
  }
  while (size - 1 !== at) {
    size = (size - 1) / 2
    term /= 2
    at %= size
  }
  return term
}

/** Enters the clauses; tautologies are left out. Returns one that is false at once. */
const enter = (state: State, formula: Formula): Clause | undefined => {
  const { n, value, unit } = state
  for (const [index, given] of formula.clauses.entries()) {
    const literals = Int32Array.from(new Set(given))
    if (literals.some((literal) => literals.includes(-literal))) continue
    const clause = { id: index + 1, literals, levels: 0, deleted: false }
    if (literals.length > 1) {
      watch(state, clause)
      continue
    }
    const only = literals[0]
    if (only === undefined || value[n + only] === -1) return clause
    if (value[n + only] === 1) continue
    unit[Math.abs(only)] = clause.id
    assign(state, only, undefined)
  }
  return undefined
}

const exhausted = (conflictsMax: number): never => {
  throw new Fault('DID_NOT_CONVERGE', `No answer after ${conflictsMax} conflicts; nothing was sealed.`, {
    measured: conflictsMax + 1,
    bound: conflictsMax,
  })
}

/**
 * Conflict-driven clause learning: two watched literals, first unique implication point, local minimisation, activities
 * with decay, saved phases, Luby restarts, reduction of the learned clauses by the levels they join. Every lemma, also
 * each literal that holds without a decision, goes to the proof with the clauses it follows from.
 *
 * @throws Fault DID_NOT_CONVERGE after `conflictsMax` conflicts, or when the proof outgrows its bound.
 */
export const search = (formula: Formula, conflictsMax: number, progress: Progress): Found => {
  const state = stateOf(formula)
  const wrong = enter(state, formula)
  if (wrong !== undefined) return close(state, wrong)
  let [conflicts, restarts, reductions, restartAt] = [0, 0, 0, RESTART]
  for (;;) {
    const conflict = propagate(state)
    if (conflict !== undefined) {
      if (state.starts.length === 0) return close(state, conflict)
      conflicts++
      if (conflicts > conflictsMax) exhausted(conflictsMax)
      if (conflicts % PROGRESS_CONFLICTS === 0) progress({ step: conflicts, steps: conflictsMax })
      learn(state, analyse(state, conflict))
      state.order.decay()
      continue
    }
    if (conflicts >= restartAt) {
      restarts++
      restartAt = conflicts + RESTART * luby(restarts)
      undoTo(state, 0)
      if (state.learned.length >= REDUCE_FIRST + REDUCE_STEP * reductions) {
        reductions++
        reduce(state)
      }
    }
    if (decide(state)) continue
    const { n, value, proof } = state
    const assignment = Int32Array.from({ length: n }, (_, i) => (value[n + i + 1] === 1 ? i + 1 : -(i + 1)))
    return { assignment, proof: proof.written() }
  }
}
