import { assign, type Clause, type State, undoTo, watch } from './state.ts'

/** Learned clauses that join no more levels than this are kept. */
const KEEP_LEVELS = 2

/** A clause that a conflict taught, and the clauses it follows from in the order of the trail. */
interface Lesson {
  /** The asserting literal first. */
  readonly literals: number[]
  readonly hints: readonly number[]
}

interface Gathered {
  readonly lesson: number[]
  readonly marked: number[]
  /** Unit clauses of the literals that are false without decisions. */
  readonly facts: number[]
}

/** Marks the literals of a clause that a conflict goes back to. Returns how many are of the last level. */
const absorb = (state: State, { clause, skip }: { clause: Clause; skip: number }, into: Gathered): number => {
  const { seen, level, unit, order, starts } = state
  let current = 0
  for (const literal of clause.literals) {
    const variable = Math.abs(literal)
    if (variable === skip || seen[variable] === 1) continue
    seen[variable] = 1
    into.marked.push(variable)
    if (level[variable] === 0) {
      into.facts.push(unit[variable])
      continue
    }
    order.bump(variable)
    if (level[variable] === starts.length) current++
    else into.lesson.push(literal)
  }
  return current
}

/** Leaves out literals whose reason has only literals that are marked, or facts; their reasons join the proof. */
const shortened = ({ seen, level, unit, reason }: State, into: Gathered, used: number[]): readonly number[] =>
  into.lesson.filter((literal) => {
    const by = reason[Math.abs(literal)]
    if (by === undefined) return true
    if (by.literals.some((it) => seen[Math.abs(it)] === 0 && level[Math.abs(it)] > 0)) return true
    used.push(Math.abs(literal))
    for (const it of by.literals) {
      const variable = Math.abs(it)
      if (level[variable] > 0 || seen[variable] === 1) continue
      seen[variable] = 1
      into.marked.push(variable)
      into.facts.push(unit[variable])
    }
    return false
  })

/** The first unique implication point of a conflict (Marques-Silva, Sakallah, IEEE Trans. Comput. 48 (1999) 506). */
export const analyse = (state: State, conflict: Clause): Lesson => {
  const { trail, seen, reason, position } = state
  const into: Gathered = { lesson: [], marked: [], facts: [] }
  const used: number[] = []
  let open = absorb(state, { clause: conflict, skip: 0 }, into)
  let at = state.trailed - 1
  let uip = 0
  for (;;) {
    while (seen[Math.abs(trail[at] as number)] === 0) at--
    uip = trail[at--] as number
    open--
    if (open === 0) break
    const variable = Math.abs(uip)
    used.push(variable)
    open += absorb(state, { clause: reason[variable] as Clause, skip: variable }, into)
  }
  const literals = shortened(state, into, used)
  for (const variable of into.marked) seen[variable] = 0
  used.sort((a, b) => position[a] - position[b])
  const hints = [...into.facts, ...used.map((variable) => (reason[variable] as Clause).id), conflict.id]
  return { literals: [-uip, ...literals], hints }
}

/** Writes the lemma down, goes back to where it asserts its first literal, and asserts it. */
export const learn = (state: State, { literals, hints }: Lesson): void => {
  const { level, unit } = state
  const id = state.proof.lemma(literals, hints)
  const first = literals[0] as number
  if (literals.length === 1) {
    undoTo(state, 0)
    unit[Math.abs(first)] = id
    assign(state, first, undefined)
    return
  }
  const levelOf = (literal: number): number => level[Math.abs(literal)]
  let second = 1
  for (let k = 2; k < literals.length; k++) {
    if (levelOf(literals[k] as number) > levelOf(literals[second] as number)) second = k
  }
  const swapped = literals[1] as number
  literals[1] = literals[second] as number
  literals[second] = swapped
  const levels = new Set(literals.map(levelOf)).size
  const clause = { id, literals: Int32Array.from(literals), levels, deleted: false }
  undoTo(state, levelOf(literals[1] as number))
  watch(state, clause)
  state.learned.push(clause)
  assign(state, first, clause)
}

/** Deletes half of the learned clauses, those that join most levels first; reasons and the best stay. */
export const reduce = (state: State): void => {
  const locked = (clause: Clause): boolean => state.reason[Math.abs(clause.literals[0] as number)] === clause
  const ranked = state.learned.toSorted(
    (a, b) => b.levels - a.levels || b.literals.length - a.literals.length || a.id - b.id,
  )
  for (const clause of ranked.slice(0, ranked.length >> 1)) {
    if (clause.levels <= KEEP_LEVELS || locked(clause)) continue
    clause.deleted = true
    state.proof.forget(clause.id)
  }
  state.learned = state.learned.filter(({ deleted }) => !deleted)
}
