// A counter stands for a place in the sequence, so that any word is at hand without those before it.
const MULTIPLIER_0 = 0xd2511f53
const MULTIPLIER_1 = 0xcd9e8d57
const WEYL_0 = 0x9e3779b9
const WEYL_1 = 0xbb67ae85
const ROUNDS = 10

/** The upper 32 bits of the product of two unsigned 32-bit numbers. */
const upper = (a: number, b: number): number => {
  const [aHigh, aLow, bHigh, bLow] = [a >>> 16, a & 0xffff, b >>> 16, b & 0xffff]
  const cross = aHigh * bLow + ((aLow * bLow) >>> 16)
  const middle = (cross & 0xffff) + aLow * bHigh
  return (aHigh * bHigh + (cross - (cross & 0xffff)) / 65_536 + Math.floor(middle / 65_536)) >>> 0
}

/**
 * Philox4x32-10 (Salmon, Moraes, Dror, Shaw, SC '11): four 32-bit words for a counter of four and a key of two.
 *
 * @returns a fresh array.
 */
export const philox = (counter: readonly number[], key: readonly number[]): Uint32Array => {
  const x = Uint32Array.from(counter)
  let [k0, k1] = [(key[0] ?? 0) >>> 0, (key[1] ?? 0) >>> 0]
  for (let round = 0; round < ROUNDS; round++) {
    const [x0, x1, x2, x3] = [x[0], x[1], x[2], x[3]]
    x[0] = upper(MULTIPLIER_1, x2) ^ x1 ^ k0
    x[1] = Math.imul(MULTIPLIER_1, x2)
    x[2] = upper(MULTIPLIER_0, x0) ^ x3 ^ k1
    x[3] = Math.imul(MULTIPLIER_0, x0)
    k0 = (k0 + WEYL_0) >>> 0
    k1 = (k1 + WEYL_1) >>> 0
  }
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
  const key = [seed % WORDS, Math.floor(seed / WORDS)]
  let at = -1
  let block: Uint32Array = new Uint32Array(4)
  const word = (place: number): number => {
    const number = Math.floor(place / 4)
    if (number !== at) {
      block = philox([number, 0, stream, 0], key)
      at = number
    }
    return block[place % 4] as number
  }
  return { word, uniform: (place) => (word(place) + 0.5) / WORDS }
}
