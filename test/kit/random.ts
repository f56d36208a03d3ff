/** Seeded randomness: the same seed gives the same numbers, and a failing run says its seed. */
export interface Random {
  /** A number in [0, 1) with 32 random bits. */
  next(): number
  /** An integer from `low` to `high`, both inclusive. */
  integer(low: number, high: number): number
  bytes(count: number): Uint8Array
  /** One of the items, of which there is at least one. */
  pick<T>(items: readonly T[]): T
}

const given = process.env['TICKMESH_TEST_SEED']

/** The seed of this process, a 32-bit unsigned integer; fast-check takes it as `{ seed }`. */
export const seed = given === undefined ? crypto.getRandomValues(new Uint32Array(1))[0]! : Number(given) >>> 0

process.on('exit', (code) => {
  if (code !== 0) console.error(`TICKMESH_TEST_SEED=${seed} repeats the random values of this run`)
})

/** Randomness from a seed. The generator is mulberry32: 32 bits of state, enough for tests and for nothing else. */
export const seeded = (from: number = seed): Random => {
  let state = from >>> 0
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
    bytes: (count) => Uint8Array.from({ length: count }, () => word() >>> 24),
    pick: (items) => {
      const [first] = items.slice(integer(0, items.length - 1))
      if (first === undefined) throw new RangeError('nothing to pick from')
      return first
    },
  }
}
