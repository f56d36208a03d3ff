// A counter stands for a place in the sequence, so that any word is at hand without those before it.
const MULTIPLIER_0 = 0xd2511f53
const MULTIPLIER_1 = 0xcd9e8d57
const WEYL_0 = 0x9e3779b9
const WEYL_1 = 0xbb67ae85
const ROUNDS = 10

/** The upper 32 bits of the product of two unsigned 32-bit numbers. */
const upper = (a: number, b: number): number => {
  const aHigh = a >>> 16
  const aLow = a & 0xffff
  const bHigh = b >>> 16
  const bLow = b & 0xffff
  const cross = aHigh * bLow + ((aLow * bLow) >>> 16)
  const middle = (cross & 0xffff) + aLow * bHigh
  return (aHigh * bHigh + (cross - (cross & 0xffff)) / 65_536 + Math.floor(middle / 65_536)) >>> 0
}

/** Ten rounds on a counter of four words, in place. */
const rounds = (x: Uint32Array, low: number, high: number): void => {
  let [x0, x1, x2, x3] = [x[0], x[1], x[2], x[3]]
  let k0 = low
  let k1 = high
  for (let round = 0; round < ROUNDS; round++) {
    const next0 = (upper(MULTIPLIER_1, x2) ^ x1 ^ k0) >>> 0
    const next2 = (upper(MULTIPLIER_0, x0) ^ x3 ^ k1) >>> 0
    x1 = Math.imul(MULTIPLIER_1, x2) >>> 0
    x3 = Math.imul(MULTIPLIER_0, x0) >>> 0
    x0 = next0
    x2 = next2
    k0 = (k0 + WEYL_0) >>> 0
    k1 = (k1 + WEYL_1) >>> 0
  }
  x[0] = x0
  x[1] = x1
  x[2] = x2
  x[3] = x3
}

/**
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC '11): four 32-bit words for a counter of four and a key of two.
 *
 * @returns a fresh array.
 */
export const philox = (counter: readonly number[], key: readonly number[]): Uint32Array => {
  const x = Uint32Array.from(counter)
  rounds(x, (key[0] ?? 0) >>> 0, (key[1] ?? 0) >>> 0)
  return x
}

/** Words of one stream of a seed, by their place. */
export interface Stream {
  /** The 32-bit word at a place from 0 to 2^33. */
  word(place: number): number
  /** A number inside (0, 1), in steps of 2^−32 from 2^−33. */
  uniform(place: number): number
}

const WORDS = 4_294_967_296

/**
 * The random numbers of a `seed` input, an integer from 0 to 2^53 − 1: streams of one seed, and seeds, are independent.
 * Nothing is kept but the block last used: a word depends on seed, stream and place alone.
 */
export const streamOf = (seed: number, stream: number): Stream => {
  const low = seed % WORDS
  const high = Math.floor(seed / WORDS)
  let at = -1
  const block = new Uint32Array(4)
  const word = (place: number): number => {
    const number = Math.floor(place / 4)
    if (number !== at) {
      block[0] = number
      block[1] = 0
      block[2] = stream
      block[3] = 0
      rounds(block, low, high)
      at = number
    }
    return block[place % 4] as number
  }
  return { word, uniform: (place) => (word(place) + 0.5) / WORDS }
}
