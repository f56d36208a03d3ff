import { Fault } from '#core/fault.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import type { Formula, Found } from '#numerics/solvers/sat/problem.ts'
import { learn, notesOf, reduce } from './learn.ts'
import {
  assign,
  close,
  decide,
  enterShort,
  ID,
  inward,
  LITERALS,
  NONE,
  place,
  propagate,
  SIZE,
  type State,
  stateOf,
  undoTo,
} from './state.ts'

/** Conflicts of the shortest run between two restarts; later ones follow Luby's sequence. */
const RESTART = 100
/** Learned clauses at the first reduction, and how many more each further one allows. */
const REDUCE_FIRST = 1_000
const REDUCE_STEP = 50
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

/** Enters the clauses; tautologies are left out. Returns the end of the search when one is false at once. */
const enter = (state: State, formula: Formula): Found | undefined => {
  const { unit } = state
  for (const [index, given] of formula.clauses.entries()) {
    const literals = [...new Set(given)].map(inward)
    if (literals.some((literal) => literals.includes(literal ^ 1))) continue
    const id = index + 1
    if (literals.length > 1) {
      state.original.push(place(state, literals, { size: literals.length, id, levels: 0 }))
      continue
    }
    const only = literals[0]
    // A clause may have moved memory.
    const { value } = state.memory
    if (only === undefined || value[only] === -1) return close(state, literals, id)
    if (value[only] === 1) continue
    unit[only >> 1] = id
    assign(state, only, NONE)
  }
  enterShort(state)
  return undefined
}

const exhausted = (conflictsMax: number): never => {
  throw new Fault('DID_NOT_CONVERGE', `No answer after ${conflictsMax} conflicts; nothing was sealed.`, {
    measured: conflictsMax + 1,
    bound: conflictsMax,
  })
}

/**
 * Conflict-driven clause learning: two watched literals, first unique implication point, minimisation through
 * reasons of any depth, activities with decay, saved phases, Luby restarts, reduction of the learned clauses by length.
 * Every lemma, also each literal that holds without a decision, goes to the proof with the clauses it follows from.
 *
 * @throws Fault DID_NOT_CONVERGE after `conflictsMax` conflicts, or when the proof outgrows its bound.
 */
export const search = (formula: Formula, conflictsMax: number, progress: Progress): Found => {
  const state = stateOf(formula)
  const ended = enter(state, formula)
  if (ended !== undefined) return ended
  const notes = notesOf(state.n)
  let [conflicts, restarts, reductions, restartAt] = [0, 0, 0, RESTART]
  for (;;) {
    const conflict = propagate(state)
    if (conflict !== NONE) {
      if (state.depth === 0) {
        const { arena } = state.memory
        const from = conflict + LITERALS
        return close(
          state,
          arena.subarray(from, from + (arena[conflict + SIZE] as number)),
          arena[conflict + ID] as number,
        )
      }
      conflicts++
      if (conflicts > conflictsMax) exhausted(conflictsMax)
      if (conflicts % PROGRESS_CONFLICTS === 0) progress({ step: conflicts, steps: conflictsMax })
      learn(state, notes, conflict)
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
    const { n, proof } = state
    const { value } = state.memory
    const assignment = Int32Array.from({ length: n }, (_, i) => (value[2 * i] === 1 ? i + 1 : -(i + 1)))
    return { assignment, proof: proof.written() }
  }
}
