import type { Step } from './proof.ts'
import {
  assign,
  enterShort,
  ID,
  LEVELS,
  LITERALS,
  NONE,
  outward,
  place,
  SIZE,
  type State,
  undoTo,
  unwatch,
  watch,
} from './state.ts'

/** Learned clauses that join no more levels than this are kept. */
const KEEP_LEVELS = 2
/** Stands for the levels of a clause that was deleted. */
const GONE = -1

// What is known of a variable while a conflict is analysed.
const OPEN = 0
/** Its literal is in the lesson, or was resolved away. */
const SEEN = 1
/** Its literal follows from others of the lesson. */
const IMPLIED = 2
/** It does not. */
const FREE = 3
/** Its reason is among the hints. */
const HINTED = 4

/** What is noted while a conflict is analysed, in memory that is used again and again. */
export interface Notes extends Step {
  /** Literals of the lemma, the asserted one first. */
  readonly lesson: Int32Array
  lessons: number
  /** Variables whose `seen` is not open. */
  readonly touched: Int32Array
  touches: number
  /** Variables whose reasons are hints. */
  readonly resolved: Int32Array
  resolutions: number
  readonly stack: Int32Array
  readonly levelStamp: Int32Array
  stamps: number
}

/** Empty notes for so many variables. */
export const notesOf = (n: number): Notes => ({
  lesson: new Int32Array(n + 1),
  lessons: 0,
  touched: new Int32Array(n),
  touches: 0,
  resolved: new Int32Array(n),
  resolutions: 0,
  stack: new Int32Array(n),
  levelStamp: new Int32Array(n + 1),
  stamps: 0,
  literals: new Int32Array(n + 1),
  literalCount: 0,
  hints: new Int32Array(2 * n + 1),
  hintCount: 0,
})

const mark = ({ seen }: State, notes: Notes, variable: number, as: number): void => {
  if (seen[variable] === OPEN) notes.touched[notes.touches++] = variable
  seen[variable] = as
}

/** Notes the unit clause of a variable that has its value without decisions. */
const noteFact = ({ unit }: State, notes: Notes, variable: number): void => {
  notes.hints[notes.hintCount++] = unit[variable] as number
}

/** Marks the literals of a clause that a conflict goes back to. Returns how many are of the last level. */
const absorb = (state: State, notes: Notes, clause: number, skip: number): number => {
  const { depth, seen, order } = state
  const { arena, level } = state.memory
  const { lesson } = notes
  let current = 0
  const end = clause + LITERALS + (arena[clause + SIZE] as number)
  for (let k = clause + LITERALS; k < end; k++) {
    const literal = arena[k] as number
    const variable = literal >> 1
    if (variable === skip || seen[variable] !== OPEN) continue
    mark(state, notes, variable, SEEN)
    const its = level[variable]
    if (its === 0) {
      noteFact(state, notes, variable)
      continue
    }
    order.bump(variable)
    if (its === depth) current++
    else lesson[notes.lessons++] = literal
  }
  return current
}

/** Whether a variable's literal follows from the others of the lesson, through reasons of any depth. */
const implied = (state: State, notes: Notes, variable: number, levels: number): boolean => {
  const { seen } = state
  const { arena, level, reason } = state.memory
  const by = reason[variable] as number
  if (by === NONE) return false
  const end = by + LITERALS + (arena[by + SIZE] as number)
  for (let k = by + LITERALS; k < end; k++) {
    const its = (arena[k] as number) >> 1
    const known = seen[its]
    if (its === variable || known === SEEN || known === IMPLIED || level[its] === 0) continue
    // A literal of a level that the lesson does not meet cannot follow from it.
    const apart = ((1 << ((level[its] as number) & 31)) & levels) === 0
    if (known === FREE || apart || !implied(state, notes, its, levels)) {
      if (seen[its] === OPEN) mark(state, notes, its, FREE)
      return false
    }
  }
  if (seen[variable] === OPEN) mark(state, notes, variable, IMPLIED)
  return true
}

/** Puts the variables of the reasons behind those on the stack with the resolved ones. */
const unfold = (state: State, notes: Notes, height: number): void => {
  const { seen } = state
  const { arena, level, reason } = state.memory
  const { stack, resolved } = notes
  for (let top = height; top > 0; ) {
    const variable = stack[--top] as number
    resolved[notes.resolutions++] = variable
    const by = reason[variable] as number
    const end = by + LITERALS + (arena[by + SIZE] as number)
    for (let k = by + LITERALS; k < end; k++) {
      const its = (arena[k] as number) >> 1
      if (seen[its] === HINTED) continue
      if (level[its] !== 0) {
        seen[its] = HINTED
        stack[top++] = its
      } else if (seen[its] === OPEN) {
        mark(state, notes, its, SEEN)
        noteFact(state, notes, its)
      }
    }
  }
}

/** Leaves out of the lesson what follows from the rest. */
const shorten = (state: State, notes: Notes): void => {
  const { seen } = state
  const { level } = state.memory
  const { lesson, stack } = notes
  let levels = 0
  for (let k = 1; k < notes.lessons; k++) levels |= 1 << ((level[(lesson[k] as number) >> 1] as number) & 31)
  let [kept, height] = [1, 0]
  for (let k = 1; k < notes.lessons; k++) {
    const literal = lesson[k] as number
    if (implied(state, notes, literal >> 1, levels)) stack[height++] = literal >> 1
    else lesson[kept++] = literal
  }
  notes.lessons = kept
  for (let k = 1; k < kept; k++) seen[(lesson[k] as number) >> 1] = HINTED
  for (let k = 0; k < height; k++) seen[stack[k] as number] = HINTED
  unfold(state, notes, height)
}

/**
 * The first unique implication point (Marques-Silva, Sakallah, IEEE Trans. Comput. 48 (1999) 506): its opposite is what
 * the lesson asserts.
 */
const resolve = (state: State, notes: Notes, conflict: number): void => {
  const { seen } = state
  const { trail, reason } = state.memory
  notes.lessons = 1
  let open = absorb(state, notes, conflict, -1)
  let at = state.trailed - 1
  for (;;) {
    while (seen[(trail[at] as number) >> 1] === OPEN) at--
    const literal = trail[at--] as number
    open--
    if (open === 0) {
      notes.lesson[0] = literal ^ 1
      return
    }
    notes.resolved[notes.resolutions++] = literal >> 1
    open += absorb(state, notes, reason[literal >> 1] as number, literal >> 1)
  }
}

/** Puts the resolved variables in the order of the trail: those of the last level stand there in the opposite one. */
const sortByTrail = ({ memory: { position } }: State, { resolved, resolutions }: Notes): void => {
  for (let low = 0, high = resolutions - 1; low < high; low++, high--) {
    const kept = resolved[low] as number
    resolved[low] = resolved[high] as number
    resolved[high] = kept
  }
  for (let k = 1; k < resolutions; k++) {
    const variable = resolved[k] as number
    const own = position[variable] as number
    let at = k - 1
    for (; at >= 0 && (position[resolved[at] as number] as number) > own; at--)
      resolved[at + 1] = resolved[at] as number
    resolved[at + 1] = variable
  }
}

/** Writes the lemma down with its hints. Returns its number. */
const write = (state: State, notes: Notes, conflict: number): number => {
  const { arena, reason } = state.memory
  sortByTrail(state, notes)
  for (let k = 0; k < notes.resolutions; k++) {
    notes.hints[notes.hintCount++] = arena[(reason[notes.resolved[k] as number] as number) + ID] as number
  }
  notes.hints[notes.hintCount++] = arena[conflict + ID] as number
  for (let k = 0; k < notes.lessons; k++) notes.literals[k] = outward(notes.lesson[k] as number)
  notes.literalCount = notes.lessons
  return state.proof.lemma(notes)
}

/** Levels of decisions that meet in the lesson. */
const levelsOf = ({ memory: { level } }: State, notes: Notes): number => {
  const { lesson, levelStamp } = notes
  notes.stamps++
  let count = 0
  for (let k = 0; k < notes.lessons; k++) {
    const its = level[(lesson[k] as number) >> 1] as number
    if (levelStamp[its] === notes.stamps) continue
    levelStamp[its] = notes.stamps
    count++
  }
  return count
}

/** Puts the literal of the highest level but the first second, and returns that level. */
const backLevel = ({ memory: { level } }: State, { lesson, lessons }: Notes): number => {
  let [second, most] = [1, -1]
  for (let k = 1; k < lessons; k++) {
    const its = level[(lesson[k] as number) >> 1] as number
    if (its <= most) continue
    most = its
    second = k
  }
  const swapped = lesson[1] as number
  lesson[1] = lesson[second] as number
  lesson[second] = swapped
  return most
}

/** Learns from a false clause, goes back to where the lemma asserts its first literal, and asserts it. */
export const learn = (state: State, notes: Notes, conflict: number): void => {
  const { seen } = state
  notes.touches = 0
  notes.resolutions = 0
  notes.hintCount = 0
  resolve(state, notes, conflict)
  shorten(state, notes)
  const id = write(state, notes, conflict)
  for (let k = 0; k < notes.touches; k++) seen[notes.touched[k] as number] = OPEN
  const asserted = notes.lesson[0] as number
  if (notes.lessons === 1) {
    undoTo(state, 0)
    state.unit[asserted >> 1] = id
    assign(state, asserted, NONE)
    return
  }
  const levels = levelsOf(state, notes)
  undoTo(state, backLevel(state, notes))
  const clause = place(state, notes.lesson, { size: notes.lessons, id, levels })
  watch(state, clause)
  state.learned.push(clause)
  assign(state, asserted, clause)
}

/** The learned clauses, the longest first and of equal ones the oldest, as they stand in the list. */
const longestFirst = ({ n, learned, memory: { arena } }: State): Int32Array => {
  const starts = new Int32Array(n + 2)
  for (const clause of learned) starts[n - (arena[clause + SIZE] as number) + 1]++
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1] as number
  const sorted = new Int32Array(learned.length)
  for (const clause of learned) sorted[starts[n - (arena[clause + SIZE] as number)]++] = clause
  return sorted
}

/** Moves clauses down to the end of what is taken, without those that are gone or hold without decisions. */
const closeUp = (state: State, clauses: readonly number[]): number[] => {
  const { arena, value } = state.memory
  const kept: number[] = []
  for (const clause of clauses) {
    if (arena[clause + LEVELS] === GONE) continue
    const end = clause + LITERALS + (arena[clause + SIZE] as number)
    let at = clause + LITERALS
    while (at < end && value[arena[at] as number] !== 1) at++
    if (at < end) continue
    arena.copyWithin(state.used, clause, end)
    kept.push(state.used)
    state.used += end - clause
  }
  return kept
}

/**
 * Deletes half of the learned clauses, the longest first and of equal ones the oldest, and moves the rest together,
 * without those that hold without decisions. Called when no decision stands: no clause is a reason then.
 */
export const reduce = (state: State): void => {
  const { proof, learned, original } = state
  const { arena } = state.memory
  for (const clause of longestFirst(state).subarray(0, learned.length >> 1)) {
    if ((arena[clause + LEVELS] as number) <= KEEP_LEVELS) continue
    proof.forget(arena[clause + ID] as number)
    arena[clause + LEVELS] = GONE
  }
  state.used = 0
  state.original = closeUp(state, original)
  state.learned = closeUp(state, learned)
  // The original clauses come first: where none went, all of them stand where they stood.
  if (state.original.length < original.length) enterShort(state)
  unwatch(state)
  for (const clause of state.learned) watch(state, clause)
}
