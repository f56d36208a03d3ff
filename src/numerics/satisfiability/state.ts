import type { Formula, Found } from './formula.ts'
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
  /** 1 true, −1 false, 0 open, by literal. */
  readonly value: Int8Array
  /** All clauses, one after another; grown as needed. */
  arena: Int32Array
  used: number
  /**
   * Original clauses by literal: from `shortStarts` on triples of the two other literals and the clause. A clause of
   * two literals has one that is false for ever, 2n, in the place of the third.
   */
  short: Int32Array
  readonly shortStarts: Int32Array
  /** Learned clauses: pairs of a clause and another of its literals, by the literal that they wait for to be false. */
  readonly watches: Int32Array[]
  /** Integers of each of those lists that count. */
  readonly watched: Int32Array
  readonly level: Int32Array
  /** Place on the trail. */
  readonly position: Int32Array
  readonly reason: Int32Array
  /** Number of the unit clause that says a variable's value without decisions. */
  readonly unit: Int32Array
  readonly phase: Int8Array
  readonly seen: Uint8Array
  readonly trail: Int32Array
  /** Where on the trail each level of decisions begins. */
  readonly starts: Int32Array
  depth: number
  trailed: number
  queued: number
  /** Places of the original and of the learned clauses in the arena. */
  original: number[]
  learned: number[]
}

const WATCHES_FIRST = 64

/** A search over a formula that has not begun. */
export const stateOf = ({ variables: n, clauses }: Formula): State => ({
  n,
  proof: proofLog(clauses.length),
  order: orderOf(n),
  value: new Int8Array(2 * n + 1).fill(-1, 2 * n),
  arena: new Int32Array(65_536),
  used: 0,
  short: new Int32Array(0),
  shortStarts: new Int32Array(2 * n + 1),
  watches: Array.from({ length: 2 * n }, () => new Int32Array(WATCHES_FIRST)),
  watched: new Int32Array(2 * n),
  level: new Int32Array(n),
  position: new Int32Array(n),
  reason: new Int32Array(n).fill(NONE),
  unit: new Int32Array(n),
  phase: new Int8Array(n),
  seen: new Uint8Array(n),
  trail: new Int32Array(n),
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
  const end = at + LITERALS + size
  if (end > state.arena.length) {
    const grown = new Int32Array(2 * end)
    grown.set(state.arena.subarray(0, at))
    state.arena = grown
  }
  const { arena } = state
  arena[at + SIZE] = size
  arena[at + ID] = id
  arena[at + LEVELS] = levels
  for (let k = 0; k < size; k++) arena[at + LITERALS + k] = literals[k] as number
  state.used = end
  return at
}

/** Enters a clause into the list of a literal, beside another of its literals. */
const wait = ({ watches, watched }: State, literal: number, clause: number, other: number): void => {
  let list = watches[literal] as Int32Array
  const count = watched[literal] as number
  if (count === list.length) {
    const grown = new Int32Array(2 * count)
    grown.set(list)
    watches[literal] = grown
    list = grown
  }
  list[count] = clause
  list[count + 1] = other
  watched[literal] = count + 2
}

/** Watches a clause by its first two literals. */
export const watch = (state: State, clause: number): void => {
  const [a, b] = [state.arena[clause + LITERALS] as number, state.arena[clause + LITERALS + 1] as number]
  wait(state, a, clause, b)
  wait(state, b, clause, a)
}

/** Writes the unit lemma of a literal that became true without decisions. */
const settle = ({ arena, unit, proof }: State, literal: number, by: number): void => {
  const hints: number[] = []
  const end = by + LITERALS + (arena[by + SIZE] as number)
  for (let k = by + LITERALS; k < end; k++)
    if (arena[k] !== literal) hints.push(unit[(arena[k] as number) >> 1] as number)
  hints.push(arena[by + ID] as number)
  unit[literal >> 1] = proof.lemma(stepOf([outward(literal)], hints))
}

/** Makes a literal true that was decided, or that a lemma or a clause of one literal says. */
export const assign = (state: State, literal: number, by: number): void => {
  const variable = literal >> 1
  state.value[literal] = 1
  state.value[literal ^ 1] = -1
  state.level[variable] = state.depth
  state.position[variable] = state.trailed
  state.reason[variable] = by
  state.trail[state.trailed++] = literal
}

/** Takes back every decision from a level on, 0 the first. */
export const undoTo = (state: State, depth: number): void => {
  if (state.depth <= depth) return
  const { value, phase, order, trail } = state
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
  const { n, arena, original, shortStarts } = state
  shortStarts.fill(0)
  const literalOf = (clause: number, k: number): number =>
    k < (arena[clause + SIZE] as number) ? (arena[clause + LITERALS + k] as number) : 2 * n
  for (const clause of original) {
    for (let k = 0; k < 3; k++) if (literalOf(clause, k) < 2 * n) shortStarts[literalOf(clause, k) + 1] += 3
  }
  for (let literal = 0; literal < 2 * n; literal++) shortStarts[literal + 1] += shortStarts[literal] as number
  const next = shortStarts.slice()
  const short = new Int32Array(shortStarts[2 * n] as number)
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
  state.short = short
}

/** Makes a literal true below a decision: nothing but the arrays, whose names are at hand. */
const follow = (state: State, literal: number, by: number): void => {
  const { value, position, trail } = state
  const variable = literal >> 1
  const at = state.trailed
  value[literal] = 1
  value[literal ^ 1] = -1
  state.level[variable] = state.depth
  position[variable] = at
  state.reason[variable] = by
  trail[at] = literal
  state.trailed = at + 1
  if (state.depth === 0) settle(state, literal, by)
}

/** Looks through the original clauses with a literal that became false. Returns one that is false as a whole. */
const visitShort = (state: State, falsified: number): number => {
  const { value, short, shortStarts } = state
  const end = shortStarts[falsified + 1] as number
  for (let at = shortStarts[falsified] as number; at < end; at += 3) {
    const a = short[at] as number
    const b = short[at + 1] as number
    // Both together: open and false leave −1, two false ones −2, all else there is nothing to do.
    const both = (value[a] as number) + (value[b] as number)
    if (both > -1) continue
    if (both === -2) return short[at + 2] as number
    follow(state, value[a] === 0 ? a : b, short[at + 2] as number)
  }
  return NONE
}

/** Looks through the learned clauses that wait for a literal which became false. Returns one that is false itself. */
const visit = (state: State, falsified: number): number => {
  const { value, arena, watches, watched } = state
  const list = watches[falsified] as Int32Array
  const count = watched[falsified] as number
  let kept = 0
  let conflict = NONE
  let at = 0
  while (at < count) {
    const clause = list[at] as number
    const other = list[at + 1] as number
    at += 2
    if (value[other] === 1) {
      list[kept] = clause
      list[kept + 1] = other
      kept += 2
      continue
    }
    const base = clause + LITERALS
    let first = arena[base] as number
    if (first === falsified) {
      first = arena[base + 1] as number
      arena[base] = first
      arena[base + 1] = falsified
    }
    if (first !== other && value[first] === 1) {
      list[kept] = clause
      list[kept + 1] = first
      kept += 2
      continue
    }
    const end = base + (arena[clause] as number)
    let next = base + 2
    while (next < end && value[arena[next] as number] === -1) next++
    if (next < end) {
      const literal = arena[next] as number
      arena[base + 1] = literal
      arena[next] = falsified
      wait(state, literal, clause, first)
      continue
    }
    list[kept] = clause
    list[kept + 1] = first
    kept += 2
    if (value[first] === -1) {
      conflict = clause
      break
    }
    follow(state, first, clause)
  }
  if (kept !== at) {
    list.copyWithin(kept, at, count)
    watched[falsified] = count - at + kept
  }
  return conflict
}

/** Follows every unit clause. Returns a clause that became false, or none. */
export const propagate = (state: State): number => {
  while (state.queued < state.trailed) {
    const falsified = (state.trail[state.queued++] as number) ^ 1
    const short = visitShort(state, falsified)
    if (short !== NONE) return short
    const conflict = visit(state, falsified)
    if (conflict !== NONE) return conflict
  }
  return NONE
}

/** Decides the most active open variable by its last value; false when none is open. */
export const decide = (state: State): boolean => {
  const { value, order, phase } = state
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
