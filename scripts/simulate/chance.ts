/** Randomness of the simulator: everything that happens follows from a seed, so a failure replays bit for bit. */
export interface Chance {
  /** A number in [0, 1) with 32 random bits. */
  next(): number
  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number
  /** True so often. */
  happens(share: number): boolean
  bytes(count: number): Uint8Array
  /** One of the items, of which there is at least one. */
  pick<T>(items: readonly T[]): T
  /** So many of the items, none twice; all of them where there are fewer. */
  some<T>(items: readonly T[], count: number): T[]
}

/** Mulberry32, 32 bits of state. */
export const chanceOf = (seed: number): Chance => {
  let state = seed >>> 0
  const word = (): number => {
    state = (state + 0x6d2b79f5) >>> 0
    let bits = Math.imul(state ^ (state >>> 15), state | 1)
    bits ^= bits + Math.imul(bits ^ (bits >>> 7), bits | 61)
    return (bits ^ (bits >>> 14)) >>> 0
  }
  const next = (): number => word() / 0x1_0000_0000
  const integer = (low: number, high: number): number => low + Math.floor(next() * (high - low + 1))
  return {
    next,
    integer,
    happens: (share) => next() < share,
    bytes: (count) => Uint8Array.from({ length: count }, () => word() >>> 24),
    pick: (items) => {
      const [first] = items.slice(integer(0, items.length - 1))
      if (first === undefined) throw new RangeError('nothing to pick from')
      return first
    },
    some: (items, count) => {
      const rest = [...items]
      for (let i = 0; i < Math.min(count, rest.length); i++) {
        const j = integer(i, rest.length - 1)
        const [a, b] = [rest[i], rest[j]]
        if (a !== undefined && b !== undefined) [rest[i], rest[j]] = [b, a]
      }
      return rest.slice(0, count)
    },
  }
}
