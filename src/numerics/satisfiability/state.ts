import type { Formula, Found } from './formula.ts'
import { type Order, orderOf } from './order.ts'
import { type ProofLog, proofLog } from './proof.ts'

/** A clause of the search. */
export interface Clause {
  readonly id: number
  /** The two watched literals stand first. */
  readonly literals: Int32Array
  /** How many levels of decisions met in it when it was learned; 0 for an original clause. */
  readonly levels: number
  deleted: boolean
}

/** Where a search stands. Arrays by literal are at n + literal, those by variable at the variable. */
export interface State {
  readonly n: number
  readonly proof: ProofLog
  readonly order: Order
  /** 1 true, −1 false, 0 open, by literal. */
  readonly value: Int8Array
  readonly watches: Clause[][]
  readonly level: Int32Array
  /** Place on the trail. */
  readonly position: Int32Array
  readonly reason: (Clause | undefined)[]
  /** Number of the unit clause that says a variable's value without decisions. */
  readonly unit: Int32Array
  readonly phase: Int8Array
  readonly seen: Uint8Array
  readonly trail: Int32Array
  /** Where on the trail each level of decisions begins. */
  readonly starts: number[]
  trailed: number
  queued: number
  learned: Clause[]
}

/** A search over a formula that has not begun. */
export const stateOf = ({ variables: n, clauses }: Formula): State => ({
  n,
  proof: proofLog(clauses.length),
  order: orderOf(n),
  value: new Int8Array(2 * n + 1),
  watches: Array.from({ length: 2 * n + 1 }, () => []),
  level: new Int32Array(n + 1),
  position: new Int32Array(n + 1),
  reason: new Array<Clause | undefined>(n + 1).fill(undefined),
  unit: new Int32Array(n + 1),
  phase: new Int8Array(n + 1).fill(-1),
  seen: new Uint8Array(n + 1),
  trail: new Int32Array(n),
  starts: [],
  trailed: 0,
  queued: 0,
  learned: [],
})

/** Clauses that watch a literal. */
export const watching = ({ n, watches }: State, literal: number): Clause[] => watches[n + literal] as Clause[]

/** Watches a clause by its first two literals. */
export const watch = (state: State, clause: Clause): void => {
  watching(state, clause.literals[0] as number).push(clause)
  watching(state, clause.literals[1] as number).push(clause)
}

/** Makes a literal true. Without decisions it follows from the formula, and becomes a unit lemma. */
export const assign = (state: State, literal: number, by: Clause | undefined): void => {
  const { n, value, level, position, reason, trail, starts, unit, proof } = state
  const variable = Math.abs(literal)
  value[n + literal] = 1
  value[n - literal] = -1
  level[variable] = starts.length
  position[variable] = state.trailed
  reason[variable] = by
  trail[state.trailed++] = literal
  if (starts.length > 0 || by === undefined) return
  const hints: number[] = []
  for (const other of by.literals) if (other !== literal) hints.push(unit[Math.abs(other)])
  hints.push(by.id)
  unit[variable] = proof.lemma([literal], hints)
}

/** Takes back every decision from a level on, 0 the first. */
export const undoTo = (state: State, depth: number): void => {
  const { n, value, phase, order, trail, starts } = state
  const from = starts[depth]
  if (from === undefined) return
  while (state.trailed > from) {
    const literal = trail[--state.trailed] as number
    const variable = Math.abs(literal)
    value[n + literal] = 0
    value[n - literal] = 0
    phase[variable] = literal > 0 ? 1 : -1
    order.add(variable)
  }
  state.queued = state.trailed
  starts.length = depth
}

/** Looks through the clauses that watch a literal which became false. Returns one that is false as a whole. */
const visit = (state: State, falsified: number): Clause | undefined => {
  const { n, value } = state
  const list = watching(state, falsified)
  let kept = 0
  let conflict: Clause | undefined
  for (const clause of list) {
    if (clause.deleted) continue
    const { literals } = clause
    if (literals[0] === falsified) {
      literals[0] = literals[1] as number
      literals[1] = falsified
    }
    const first = literals[0] as number
    if (conflict !== undefined || value[n + first] === 1) {
      list[kept++] = clause
      continue
    }
    let next = 2
    while (next < literals.length && value[n + (literals[next] as number)] === -1) next++
    if (next < literals.length) {
      literals[1] = literals[next] as number
      literals[next] = falsified
      watching(state, literals[1] as number).push(clause)
      continue
    }
    list[kept++] = clause
    if (value[n + first] === -1) conflict = clause
    else assign(state, first, clause)
  }
  list.length = kept
  return conflict
}

/** Follows every unit clause. Returns a clause that became false. */
export const propagate = (state: State): Clause | undefined => {
  while (state.queued < state.trailed) {
    const conflict = visit(state, -(state.trail[state.queued++] as number))
    if (conflict !== undefined) return conflict
  }
  return undefined
}

/** Decides the most active open variable by its last value; false when none is open. */
export const decide = (state: State): boolean => {
  const { n, value, order, phase, starts } = state
  let variable = order.take()
  while (variable !== 0 && value[n + variable] !== 0) variable = order.take()
  if (variable === 0) return false
  starts.push(state.trailed)
  assign(state, phase[variable] === 1 ? variable : -variable, undefined)
  return true
}

/** Says in the proof that nothing is left: a clause false without decisions. */
export const close = ({ proof, unit }: State, conflict: Clause): Found => {
  const hints = Array.from(conflict.literals, (literal) => unit[Math.abs(literal)] as number)
  proof.lemma([], [...hints, conflict.id])
  return { assignment: undefined, proof: proof.written() }
}
