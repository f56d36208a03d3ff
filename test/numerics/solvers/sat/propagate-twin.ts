/** The kernel's unit propagation as plain loops, on clauses as arrays: the same clauses in the same order. */

/** A learned clause and another of its literals, in the list of the literal that it waits for. */
interface Waiting {
  readonly clause: number
  other: number
}

/** What propagation works on; literals as the kernel has them, clauses by number. */
export interface TwinState {
  readonly value: number[]
  readonly reason: number[]
  readonly trail: number[]
  queued: number
  /** All clauses; the first so many are original and are not reordered. */
  readonly clauses: number[][]
  readonly originals: number
  readonly lists: Waiting[][]
}

/** A state over n variables in which nothing is known. Learned clauses wait for both of their first two literals. */
export const twinOf = (n: number, originals: readonly number[][], learned: readonly number[][]): TwinState => {
  const clauses = [...originals, ...learned].map((clause) => [...clause])
  const lists: Waiting[][] = Array.from({ length: 2 * n }, () => [])
  for (const [k, [a = 0, b = 0]] of learned.entries()) {
    lists[a]?.push({ clause: originals.length + k, other: b })
    lists[b]?.push({ clause: originals.length + k, other: a })
  }
  const value = Array.from({ length: 2 * n }, () => 0)
  return { value, reason: [], trail: [], queued: 0, clauses, originals: originals.length, lists }
}

/** Makes a literal true. */
export const twinAssign = ({ value, reason, trail }: TwinState, literal: number, by: number): void => {
  value[literal] = 1
  value[literal ^ 1] = -1
  reason[literal >> 1] = by
  trail.push(literal)
}

const visitOriginals = (state: TwinState, falsified: number): number => {
  for (const [number, clause] of state.clauses.slice(0, state.originals).entries()) {
    const at = clause.indexOf(falsified)
    if (at < 0) continue
    // From the literal on, around the clause.
    const others = [...clause.slice(at + 1), ...clause.slice(0, at)]
    if (others.some((literal) => state.value[literal] === 1)) continue
    const open = others.filter((literal) => state.value[literal] === 0)
    if (open.length === 0) return number
    if (open.length === 1) twinAssign(state, open[0] as number, number)
  }
  return -1
}

const visitLearned = (state: TwinState, falsified: number): number => {
  const { value, clauses, lists } = state
  const waiting = lists[falsified] as Waiting[]
  const kept: Waiting[] = []
  let conflict = -1
  while (waiting.length > 0 && conflict === -1) {
    const it = waiting.shift() as Waiting
    if (value[it.other] === 1) {
      kept.push(it)
      continue
    }
    const literals = clauses[it.clause] as number[]
    if (literals[0] === falsified) literals.splice(0, 2, literals[1] as number, falsified)
    const first = literals[0] as number
    const free = value[first] === 1 ? -1 : literals.findIndex((literal, k) => k >= 2 && value[literal] !== -1)
    if (free >= 0) {
      const literal = literals[free] as number
      literals[1] = literal
      literals[free] = falsified
      lists[literal]?.push({ clause: it.clause, other: first })
      continue
    }
    kept.push({ clause: it.clause, other: first })
    if (value[first] === -1) conflict = it.clause
    else if (value[first] === 0) twinAssign(state, first, it.clause)
  }
  lists[falsified] = [...kept, ...waiting]
  return conflict
}

/** Follows every unit clause; the number of a clause that became false, or −1. */
export const twinPropagate = (state: TwinState): number => {
  while (state.queued < state.trail.length) {
    const falsified = (state.trail[state.queued++] as number) ^ 1
    const original = visitOriginals(state, falsified)
    if (original >= 0) return original
    const learned = visitLearned(state, falsified)
    if (learned >= 0) return learned
  }
  return -1
}
