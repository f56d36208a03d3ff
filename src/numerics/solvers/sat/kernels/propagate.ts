// Unit propagation of the search for a satisfying assignment: every clause that has one literal left makes it true.
//
// The literals of variable v are 2v and, negated, 2v + 1. Original clauses, of two or three literals, lie under each of
// their literals as triples of the two others and the clause; a clause of two has the literal 2n, false for ever, as
// its third. Learned clauses wait in lists, pairs of the clause and another of its literals, for one of their first two
// literals to be false. All integers are 32 bits wide; clauses are places in the arena, counted in integers.

const NONE: i32 = -1
// A list has no room left: somebody must lengthen it and ask again.
const FULL: i32 = -2
const HEADER: usize = 12 // of a clause: its count of literals, its number, its levels
// Of a list: where in the pool it begins, how many of its integers count, and for how many there is room.
const LIST: usize = 12

// Set by `configure`: places in memory.
let value: usize = 0 // by literal one byte: 1 true, −1 false, 0 open
let level: usize = 0
let position: usize = 0
let reason: usize = 0
let trail: usize = 0
let shortStarts: usize = 0
let short: usize = 0
let lists: usize = 0
let arena: usize = 0
let pool: usize = 0

let trailed: i32 = 0
let queued: i32 = 0
let depth: i32 = 0
// Which list has no room left, and whether the literal that stands next was begun with already.
let full: i32 = 0
let begun: bool = false

export function configure(
  valueAt: usize, levelAt: usize, positionAt: usize, reasonAt: usize, trailAt: usize, startsAt: usize, shortAt: usize,
  listsAt: usize,
): void {
  value = valueAt
  level = levelAt
  position = positionAt
  reason = reasonAt
  trail = trailAt
  shortStarts = startsAt
  short = shortAt
  lists = listsAt
}

// Where the two parts that grow stand now.
export function settle(arenaAt: usize, poolAt: usize): void {
  arena = arenaAt
  pool = poolAt
}

export function trailEnd(): i32 {
  return trailed
}

export function queueEnd(): i32 {
  return queued
}

export function fullList(): i32 {
  return full
}

// @ts-ignore: decorator
@inline
function valueOf(literal: i32): i32 {
  return <i32>load<i8>(value + <usize>literal)
}

// @ts-ignore: decorator
@inline
function follow(literal: i32, by: i32): void {
  const variable = <usize>(literal >> 1) << 2
  store<i8>(value + <usize>literal, 1)
  store<i8>(value + <usize>(literal ^ 1), -1)
  store<i32>(level + variable, depth)
  store<i32>(position + variable, trailed)
  store<i32>(reason + variable, by)
  store<i32>(trail + (<usize>trailed << 2), literal)
  trailed++
}

// Looks through the original clauses with a literal that became false.
function visitShort(falsified: i32): i32 {
  const starts = shortStarts + (<usize>falsified << 2)
  const end = short + (<usize>load<i32>(starts, 4) << 2)
  for (let at = short + (<usize>load<i32>(starts) << 2); at < end; at += 12) {
    const a = load<i32>(at), b = load<i32>(at, 4)
    const first = valueOf(a)
    // Both together: open and false leave −1, two false ones −2, all else there is nothing to do.
    const both = first + valueOf(b)
    if (both > -1) continue
    if (both == -2) return load<i32>(at, 8)
    follow(first == 0 ? a : b, load<i32>(at, 8))
  }
  return NONE
}

// Looks through the learned clauses that wait for a literal which became false. Without room for one of them in the
// list that it should wait in next, it and the ones after it stay where they are.
function visit(falsified: i32): i32 {
  const head = lists + <usize>falsified * LIST
  const begin = pool + (<usize>load<i32>(head) << 2)
  const end = begin + (<usize>load<i32>(head, 4) << 2)
  let kept = begin, at = begin, answer = NONE
  while (at < end) {
    const clause = load<i32>(at), other = load<i32>(at, 4)
    if (valueOf(other) == 1) {
      store<i64>(kept, load<i64>(at))
      kept += 8
      at += 8
      continue
    }
    const base = arena + (<usize>clause << 2) + HEADER
    let first = load<i32>(base)
    if (first == falsified) {
      first = load<i32>(base, 4)
      store<i32>(base, first)
      store<i32>(base, falsified, 4)
    }
    const its = valueOf(first)
    if (first != other && its == 1) {
      store<i32>(kept, clause)
      store<i32>(kept, first, 4)
      kept += 8
      at += 8
      continue
    }
    const last = base + (<usize>load<i32>(base - HEADER) << 2)
    let next = base + 8
    while (next < last && valueOf(load<i32>(next)) == -1) next += 4
    if (next < last) {
      const literal = load<i32>(next)
      const its = lists + <usize>literal * LIST
      const count = load<i32>(its, 4)
      if (count == load<i32>(its, 8)) {
        full = literal
        answer = FULL
        break
      }
      store<i32>(base, literal, 4)
      store<i32>(next, falsified)
      const to = pool + (<usize>(load<i32>(its) + count) << 2)
      store<i32>(to, clause)
      store<i32>(to, first, 4)
      store<i32>(its, count + 2, 4)
      at += 8
      continue
    }
    store<i32>(kept, clause)
    store<i32>(kept, first, 4)
    kept += 8
    at += 8
    if (its == -1) {
      answer = clause
      break
    }
    follow(first, clause)
  }
  if (kept != at) {
    memory.copy(kept, at, end - at)
    store<i32>(head, <i32>((end - at + (kept - begin)) >> 2), 4)
  }
  return answer
}

// Follows every unit clause from the place `queuedNow` on the trail on, with so many decisions standing. Returns a
// clause that became false, −1 for none, or −2 when a list must be lengthened first.
export function propagate(trailedNow: i32, queuedNow: i32, depthNow: i32): i32 {
  trailed = trailedNow
  queued = queuedNow
  depth = depthNow
  while (queued < trailed) {
    const falsified = load<i32>(trail + (<usize>queued << 2)) ^ 1
    if (!begun) {
      const conflict = visitShort(falsified)
      if (conflict != NONE) {
        queued++
        return conflict
      }
    }
    const answer = visit(falsified)
    begun = answer == FULL
    if (begun) return FULL
    queued++
    if (answer != NONE) return answer
  }
  return NONE
}
