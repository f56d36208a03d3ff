import { assert } from '#core/assert.ts'
import { inverseNormal } from '#numerics/methods/normal.ts'
import type { Stream } from '#numerics/methods/random.ts'
import { directionsOf, drawsOf } from '#numerics/methods/sobol.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'

/** Points that are made at a time. */
const BLOCK_POINTS = 1_024
const WORD = 4
const DOUBLE = 8
const DIRECTIONS = 32

/** Normals of Sobol points, a block of points at a time. */
export interface Normals {
  /** Numbers of dimension d begin at d·stride: those of the block that was made last. A view, not a copy. */
  readonly values: Float64Array
  readonly stride: number
  /** Begins a scramble: its first block starts at point 0. */
  scramble(number: number): void
  /** Makes the next block of so many points, a multiple of four. */
  next(points: number): void
  /** Turns the block's first dimension into exp(base + sigma·(root·normal)), in place. */
  ends(points: number, law: { readonly base: number; readonly sigma: number; readonly root: number }): void
}

/** Points of a block when a scramble has so many. */
export const blockOf = (points: number): number => Math.min(points, BLOCK_POINTS)

/** The normals of a seed in so many dimensions, made in a kernel of their own. */
export const normalsOf = (dimensions: number, seed: number): Normals => {
  const { served } = drawsOf(dimensions, seed, 0)
  const kernel = loadKernel('quant')
  const stride = BLOCK_POINTS
  const valuesAt = KERNEL_DATA_START
  const directionsAt = valuesAt + dimensions * stride * DOUBLE
  // Tables of words, each begun at a double.
  const keysAt = directionsAt + served * DIRECTIONS * WORD
  const statesAt = keysAt + 2 * Math.ceil(served / 2) * WORD
  const bytes = statesAt + 2 * Math.ceil(served / 2) * WORD
  kernel.reserve(bytes)
  const values = kernel.f64(valuesAt, dimensions * stride)
  const words = new Uint32Array(values.buffer, directionsAt, (bytes - directionsAt) / WORD)
  for (let d = 0; d < served; d++) words.set(directionsOf(d + 1), d * DIRECTIONS)
  const { configure, fill, ends } = kernel.call
  assert(configure !== undefined && fill !== undefined && ends !== undefined, 'the quant kernel is whole')
  configure(directionsAt, keysAt, statesAt, valuesAt, stride * DOUBLE)
  let index = 0
  let rest: readonly Stream[] = []
  return {
    values,
    stride,
    scramble: (number) => {
      const draws = drawsOf(dimensions, seed, number)
      rest = draws.rest
      index = 0
      words.set(draws.keys, (keysAt - directionsAt) / WORD)
      words.fill(0, (statesAt - directionsAt) / WORD)
    },
    next: (points) => {
      assert(points % 4 === 0 && points <= BLOCK_POINTS, 'a block is of fours')
      fill(index, points, served)
      for (const [k, stream] of rest.entries()) {
        const at = (served + k) * stride
        for (let i = 0; i < points; i++) values[at + i] = inverseNormal(stream.uniform(index + i))
      }
      index += points
    },
    ends: (points, { base, sigma, root }) => {
      ends(points, base, sigma, root)
    },
  }
}
