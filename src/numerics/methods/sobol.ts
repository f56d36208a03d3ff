import { assert } from '#core/assert.ts'
import { type Stream, streamOf } from './random.ts'

/**
 * Degree, inner coefficients and initial numbers of the primitive polynomials of dimensions 2 to 37: the first rows of
 * new-joe-kuo-6.21201 (Joe, Kuo, SIAM J. Sci. Comput. 30 (2008) 2635). Dimension 1 is van der Corput's.
 */
const TABLE: readonly (readonly number[])[] = [
  [1, 0, 1],
  [2, 1, 1, 3],
  [3, 1, 1, 3, 1],
  [3, 2, 1, 1, 1],
  [4, 1, 1, 1, 3, 3],
  [4, 4, 1, 3, 5, 13],
  [5, 2, 1, 1, 5, 5, 17],
  [5, 4, 1, 1, 5, 5, 5],
  [5, 7, 1, 1, 7, 11, 19],
  [5, 11, 1, 1, 5, 1, 1],
  [5, 13, 1, 1, 1, 3, 11],
  [5, 14, 1, 3, 5, 5, 31],
  [6, 1, 1, 3, 3, 9, 7, 49],
  [6, 13, 1, 1, 1, 15, 21, 21],
  [6, 16, 1, 3, 1, 13, 27, 49],
  [6, 19, 1, 1, 1, 15, 7, 5],
  [6, 22, 1, 3, 1, 15, 13, 25],
  [6, 25, 1, 1, 5, 5, 19, 61],
  [7, 1, 1, 3, 7, 11, 23, 15, 103],
  [7, 4, 1, 3, 7, 13, 13, 15, 69],
  [7, 7, 1, 1, 3, 13, 7, 35, 63],
  [7, 8, 1, 3, 5, 9, 1, 25, 53],
  [7, 14, 1, 3, 1, 13, 9, 35, 107],
  [7, 19, 1, 3, 1, 5, 27, 61, 31],
  [7, 21, 1, 1, 5, 11, 19, 41, 61],
  [7, 28, 1, 3, 5, 3, 3, 13, 69],
  [7, 31, 1, 1, 7, 13, 1, 19, 1],
  [7, 32, 1, 3, 7, 5, 13, 19, 59],
  [7, 37, 1, 1, 3, 9, 25, 29, 41],
  [7, 41, 1, 3, 5, 13, 23, 1, 55],
  [7, 42, 1, 3, 7, 3, 13, 59, 17],
  [7, 50, 1, 3, 1, 3, 5, 53, 69],
  [7, 55, 1, 1, 5, 5, 23, 33, 13],
  [7, 56, 1, 1, 7, 7, 1, 61, 123],
  [7, 59, 1, 1, 7, 9, 13, 61, 49],
  [7, 62, 1, 3, 3, 5, 3, 55, 33],
]

/** Dimensions the table serves; further ones of a point come from the generator. */
export const SOBOL_DIMENSIONS = TABLE.length + 1

const BITS = 32
const WORDS = 4_294_967_296

/** The 32 direction numbers of a dimension, from 1 (Bratley, Fox, ACM TOMS 14 (1988) 88). */
export const directionsOf = (dimension: number): Uint32Array => {
  const v = new Uint32Array(BITS)
  if (dimension === 1) return v.map((_, k) => 0x80000000 >>> k)
  const row = TABLE[dimension - 2]
  assert(row !== undefined, `there are ${SOBOL_DIMENSIONS} dimensions`)
  const [degree = 0, inner = 0, ...first] = row
  for (let k = 0; k < BITS; k++) {
    if (k < degree) {
      v[k] = (first[k] as number) << (31 - k)
      continue
    }
    let value = v[k - degree] ^ (v[k - degree] >>> degree)
    for (let j = 1; j < degree; j++) if (((inner >>> (degree - 1 - j)) & 1) === 1) value ^= v[k - j]
    v[k] = value
  }
  return v
}

const reversed = (word: number): number => {
  let x = word
  x = ((x >>> 1) & 0x55555555) | ((x & 0x55555555) << 1)
  x = ((x >>> 2) & 0x33333333) | ((x & 0x33333333) << 2)
  x = ((x >>> 4) & 0x0f0f0f0f) | ((x & 0x0f0f0f0f) << 4)
  x = ((x >>> 8) & 0x00ff00ff) | ((x & 0x00ff00ff) << 8)
  return ((x >>> 16) | (x << 16)) >>> 0
}

/**
 * Owen's nested uniform scrambling by a hash in which a bit depends on those above it alone (Laine, Karras, EGSR 2011;
 * Burley, JCGT 9 (2020) 1): the points stay a net, and point 0 moves away from the corner.
 */
export const scrambled = (word: number, key: number): number => {
  let x = reversed(word)
  x ^= Math.imul(x, 0x3d20adea)
  x = (x + key) | 0
  x = Math.imul(x, (key >>> 16) | 1)
  x ^= Math.imul(x, 0x05526c56)
  x ^= Math.imul(x, 0x53a22864)
  return reversed(x)
}

/** The points of one scramble, one after another. */
export interface Points {
  /** Writes the next point, every coordinate inside (0, 1). */
  next(into: Float64Array): void
}

/** Streams of a seed that one scramble takes: its keys, then one for each dimension beyond the table. */
const STREAMS_PER_SCRAMBLE = 1_024

/** What one scramble of a seed draws besides its points: a key for each dimension of the table, streams beyond it. */
export const drawsOf = (dimensions: number, seed: number, scramble: number) => {
  const served = Math.min(dimensions, SOBOL_DIMENSIONS)
  const first = scramble * STREAMS_PER_SCRAMBLE
  const words = streamOf(seed, first)
  const keys = Uint32Array.from({ length: served }, (_, d) => words.word(d))
  const rest = Array.from({ length: dimensions - served }, (_, d): Stream => streamOf(seed, first + 1 + d))
  return { served, keys, rest }
}

/** One scramble of a seed: scrambled Sobol points, beyond the table's dimensions counter-based numbers. */
export const pointsOf = (dimensions: number, seed: number, scramble: number): Points => {
  const { served, keys, rest } = drawsOf(dimensions, seed, scramble)
  const directions = Array.from({ length: served }, (_, d) => directionsOf(d + 1))
  const state = new Uint32Array(served)
  let index = 0
  return {
    next: (into) => {
      for (let d = 0; d < served; d++) into[d] = (scrambled(state[d], keys[d]) + 0.5) / WORDS
      rest.forEach((stream, d) => {
        into[served + d] = stream.uniform(index)
      })
      // Gray-code order: the next point differs in the direction of the lowest bit that is not set.
      const lowest = 31 - Math.clz32(~index & (index + 1))
      index++
      for (let d = 0; d < served; d++) state[d] ^= (directions[d] as Uint32Array)[lowest] as number
    },
  }
}
