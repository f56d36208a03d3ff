import type { Formula, Found } from '#numerics/solvers/sat/problem.ts'
import { BEGIN, COUNT, LIST, type Memory, memoryOf, ROOM } from './memory.ts'
import { type Order, orderOf } from './order.ts'
import { type ProofLog, proofLog, stepOf } from './proof.ts'

/** A clause in the arena: count of literals, number in the proof, levels it joined when learned; then its literals. */
export const SIZE = 0
export const ID = 1
export const LEVELS = 2
export const LITERALS = 3
/** Stands for no clause. */
export const NONE = -1

/**
 * Where a search stands. Variables count from 0; the literals of v are 2v and, negated, 2v + 1, so that x ^ 1 is the
 * opposite of x. The arrays are as long as there are variables or literals.
 */
export interface State {
  readonly n: number
  readonly proof: ProofLog
  readonly order: Order
  /**
   * Its arena holds all clauses one after another. Value is by literal (1 true, −1 false, 0 open); level of decisions,
   * place on the trail and reason are by variable. The original clauses stand by literal, from `shortStarts` on triples
   * of the two other literals and the clause; one of two literals has in the place of the third one that is false for
   * ever, 2n. Learned clauses stand in lists, pairs of a clause and another of its literals, by the literal that they
   * wait for to be false.
   */
  readonly memory: Memory
  /** Integers of the arena that are taken. */
  used: number
  /** Number of the unit clause that says a variable's value without decisions. */
  readonly unit: Int32Array
  readonly phase: Int8Array
  readonly seen: Uint8Array
  /** Where on the trail each level of decisions begins. */
  readonly starts: Int32Array
  depth: number
  trailed: number
  queued: number
  /** Places of the original and of the learned clauses in the arena. */
  original: number[]
  learned: number[]
}

/** A search over a formula that has not begun. */
export const stateOf = ({ variables: n, clauses }: Formula): State => ({
  n,
  proof: proofLog(clauses.length),
  order: orderOf(n),
  memory: memoryOf(n, clauses.length),
  used: 0,
  unit: new Int32Array(n),
  phase: new Int8Array(n),
  seen: new Uint8Array(n),
  starts: new Int32Array(n + 1),
  depth: 0,
  trailed: 0,
  queued: 0,
  original: [],
  learned: [],
})

/** A literal as DIMACS has it. */
export const outward = (literal: number): number => ((literal & 1) === 1 ? -1 : 1) * ((literal >> 1) + 1)
/** A literal of DIMACS as it is here. */
export const inward = (literal: number): number => 2 * (Math.abs(literal) - 1) + (literal < 0 ? 1 : 0)

/** Puts a clause of the first `size` literals into the arena. Returns its place. */
export const place = (
  state: State,
  literals: ArrayLike<number>,
  { size, id, levels }: { readonly size: number; readonly id: number; readonly levels: number },
): number => {
  const at = state.used
  state.memory.roomInArena(at + LITERALS + size)
  const { arena } = state.memory
  arena[at + SIZE] = size
  arena[at + ID] = id
  arena[at + LEVELS] = levels
  for (let k = 0; k < size; k++) arena[at + LITERALS + k] = literals[k] as number
  state.used = at + LITERALS + size
  return at
}

/** Enters a clause into the list of a literal, beside another of its literals. */
const wait = (memory: Memory, literal: number, clause: number, other: number): void => {
  const at = literal * LIST
  if (memory.lists[at + COUNT] === memory.lists[at + ROOM]) memory.lengthen(literal)
  const { lists, pool } = memory
  const to = (lists[at + BEGIN] as number) + (lists[at + COUNT] as number)
  pool[to] = clause
  pool[to + 1] = other
  lists[at + COUNT] += 2
}

/** Watches a clause by its first two literals. */
export const watch = ({ memory }: State, clause: number): void => {
  const { arena } = memory
  const [a, b] = [arena[clause + LITERALS] as number, arena[clause + LITERALS + 1] as number]
  wait(memory, a, clause, b)
  wait(memory, b, clause, a)
}

/** Takes every clause out of its lists. */
export const unwatch = ({ memory: { lists } }: State): void => {
  for (let at = COUNT; at < lists.length; at += LIST) lists[at] = 0
}

/** Writes the unit lemma of a literal that became true without decisions. */
const settle = ({ memory: { arena }, unit, proof }: State, literal: number, by: number): void => {
  const hints: number[] = []
  const end = by + LITERALS + (arena[by + SIZE] as number)
  for (let k = by + LITERALS; k < end; k++)
    if (arena[k] !== literal) hints.push(unit[(arena[k] as number) >> 1] as number)
  hints.push(arena[by + ID] as number)
  unit[literal >> 1] = proof.lemma(stepOf([outward(literal)], hints))
}

/** Makes a literal true that was decided, or that a lemma or a clause of one literal says. */
export const assign = (state: State, literal: number, by: number): void => {
  const { value, level, position, reason, trail } = state.memory
  const variable = literal >> 1
  value[literal] = 1
  value[literal ^ 1] = -1
  level[variable] = state.depth
  position[variable] = state.trailed
  reason[variable] = by
  trail[state.trailed++] = literal
}

/** Takes back every decision from a level on, 0 the first. */
export const undoTo = (state: State, depth: number): void => {
  if (state.depth <= depth) return
  const { phase, order } = state
  const { value, trail } = state.memory
  const from = state.starts[depth] as number
  for (let at = state.trailed - 1; at >= from; at--) {
    const literal = trail[at] as number
    value[literal] = 0
    value[literal ^ 1] = 0
    phase[literal >> 1] = (literal & 1) === 0 ? 1 : 0
    order.add(literal >> 1)
  }
  state.trailed = from
  state.queued = from
  state.depth = depth
}

/** Enters the original clauses, of two or three literals, under each of them. */
export const enterShort = (state: State): void => {
  const { n, original } = state
  const { arena, shortStarts, short } = state.memory
  shortStarts.fill(0)
  const literalOf = (clause: number, k: number): number =>
    k < (arena[clause + SIZE] as number) ? (arena[clause + LITERALS + k] as number) : 2 * n
  for (const clause of original) {
    for (let k = 0; k < 3; k++) if (literalOf(clause, k) < 2 * n) shortStarts[literalOf(clause, k) + 1] += 3
  }
  for (let literal = 0; literal < 2 * n; literal++) shortStarts[literal + 1] += shortStarts[literal] as number
  const next = shortStarts.slice()
  for (const clause of original) {
    for (let k = 0; k < 3; k++) {
      const literal = literalOf(clause, k)
      if (literal === 2 * n) continue
      const at = next[literal] as number
      short[at] = literalOf(clause, (k + 1) % 3)
      short[at + 1] = literalOf(clause, (k + 2) % 3)
      short[at + 2] = clause
      next[literal] = at + 3
    }
  }
}

/** Follows every unit clause. Returns a clause that became false, or none. */
export const propagate = (state: State): number => {
  const from = state.trailed
  const { conflict, trailed, queued } = state.memory.propagate(state)
  state.trailed = trailed
  state.queued = queued
  if (state.depth > 0) return conflict
  const { trail, reason } = state.memory
  for (let at = from; at < trailed; at++) {
    const literal = trail[at] as number
    settle(state, literal, reason[literal >> 1] as number)
  }
  return conflict
}

/** Decides the most active open variable by its last value; false when none is open. */
export const decide = (state: State): boolean => {
  const { order, phase } = state
  const { value } = state.memory
  let variable = order.take()
  while (variable >= 0 && value[2 * variable] !== 0) variable = order.take()
  if (variable < 0) return false
  state.starts[state.depth++] = state.trailed
  assign(state, 2 * variable + (phase[variable] === 1 ? 0 : 1), NONE)
  return true
}

/** Says in the proof that nothing is left: literals, all false without decisions, of a clause of this number. */
export const close = ({ proof, unit }: State, literals: ArrayLike<number>, id: number): Found => {
  const hints = Array.from(literals, (literal) => unit[literal >> 1] as number)
  proof.lemma(stepOf([], [...hints, id]))
  return { assignment: undefined, proof: proof.written() }
}
