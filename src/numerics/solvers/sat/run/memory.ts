import { assert } from '#core/assert.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'

/** A list of learned clauses as it is described: where in the pool it begins, integers that count, and room for. */
export const LIST = 3
/** Places in that description. */
export const BEGIN = 0
export const COUNT = 1
export const ROOM = 2

const LIST_FIRST = 64
const ARENA_FIRST = 65_536
const INTEGER = 4
const NO_ROOM = -2

/**
 * What propagation works on, in the memory of a kernel of its own; {@link State} says what the arrays hold. They are
 * other views after {@link Memory.roomInArena} and {@link Memory.lengthen}: nobody may keep one across those.
 */
export interface Memory {
  value: Int8Array
  level: Int32Array
  position: Int32Array
  reason: Int32Array
  trail: Int32Array
  shortStarts: Int32Array
  short: Int32Array
  /** Begin, count and room of every literal's list. */
  lists: Int32Array
  arena: Int32Array
  /** The lists themselves. */
  pool: Int32Array
  /** Makes the arena at least this long. */
  roomInArena(integers: number): void
  /** Doubles the room of a literal's list. */
  lengthen(literal: number): void
  /**
   * Follows unit clauses from a place on the trail on. Returns a clause that became false, or −1, and how far trail and
   * queue then reach.
   */
  propagate(from: { readonly trailed: number; readonly queued: number; readonly depth: number }): {
    readonly conflict: number
    readonly trailed: number
    readonly queued: number
  }
}

/** Lays memory out for a formula of n variables. */
export const memoryOf = (n: number, clauses: number): Memory => {
  const kernel = loadKernel('propagate')
  const { configure, settle, propagate, trailEnd, queueEnd, fullList } = kernel.call
  assert(configure !== undefined && settle !== undefined && propagate !== undefined, 'the kernel is whole')
  assert(trailEnd !== undefined && queueEnd !== undefined && fullList !== undefined, 'the kernel is whole')
  let end = KERNEL_DATA_START
  const take = (integers: number): number => {
    const at = end
    end += integers * INTEGER
    return at
  }
  const valueAt = take(Math.ceil((2 * n + 1) / INTEGER))
  const [levelAt, positionAt, reasonAt, trailAt] = [take(n), take(n), take(n), take(n)]
  const [startsAt, shortAt, listsAt] = [take(2 * n + 1), take(9 * clauses), take(2 * n * LIST)]
  // Pairs are moved as one.
  end = Math.ceil(end / 8) * 8
  const arenaAt = end
  let [arenaRoom, poolRoom] = [ARENA_FIRST, 2 * n * LIST_FIRST]
  let pooled = poolRoom
  const poolAt = (): number => arenaAt + arenaRoom * INTEGER
  const integers = (at: number, length: number): Int32Array =>
    new Int32Array(kernel.f64(KERNEL_DATA_START, 0).buffer, at, length)
  const views = () => {
    kernel.reserve(poolAt() + poolRoom * INTEGER)
    settle(arenaAt, poolAt())
    return {
      value: new Int8Array(kernel.f64(KERNEL_DATA_START, 0).buffer, valueAt, 2 * n + 1),
      level: integers(levelAt, n),
      position: integers(positionAt, n),
      reason: integers(reasonAt, n),
      trail: integers(trailAt, n),
      shortStarts: integers(startsAt, 2 * n + 1),
      short: integers(shortAt, 9 * clauses),
      lists: integers(listsAt, 2 * n * LIST),
      arena: integers(arenaAt, arenaRoom),
      pool: integers(poolAt(), poolRoom),
    }
  }
  configure(valueAt, levelAt, positionAt, reasonAt, trailAt, startsAt, shortAt, listsAt)
  const memory: Memory = {
    ...views(),
    roomInArena: (length) => {
      if (length <= arenaRoom) return
      const old = poolAt()
      arenaRoom = 2 * length
      Object.assign(memory, views())
      new Uint8Array(memory.pool.buffer).copyWithin(poolAt(), old, old + poolRoom * INTEGER)
    },
    lengthen: (literal) => {
      const at = literal * LIST
      const [begin, count, room] = [memory.lists[at + BEGIN], memory.lists[at + COUNT], memory.lists[at + ROOM]]
      if (pooled + 2 * room > poolRoom) {
        poolRoom = 2 * (pooled + 2 * room)
        Object.assign(memory, views())
      }
      memory.pool.copyWithin(pooled, begin, begin + count)
      memory.lists[at + BEGIN] = pooled
      memory.lists[at + ROOM] = 2 * room
      pooled += 2 * room
    },
    propagate: ({ trailed, queued, depth }) => {
      let conflict = propagate(trailed, queued, depth)
      for (; conflict === NO_ROOM; conflict = propagate(trailEnd(), queueEnd(), depth)) memory.lengthen(fullList())
      return { conflict, trailed: trailEnd(), queued: queueEnd() }
    },
  }
  for (let literal = 0; literal < 2 * n; literal++) {
    memory.lists[literal * LIST + BEGIN] = literal * LIST_FIRST
    memory.lists[literal * LIST + ROOM] = LIST_FIRST
  }
  memory.value[2 * n] = -1
  return memory
}
