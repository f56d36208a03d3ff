import { assert } from '#core/assert.ts'
import { exp, PI, sin } from '#numerics/math.ts'
import { spectrumOf } from '#numerics/methods/linear/spectrum.ts'
import type { ByDistance, Element } from '#numerics/methods/linear/symmetric-eigen.ts'

type Distances = Pick<ByDistance, 'differences' | 'sums'>

/** A discrete variable representation of −d²/dξ² + v(ξ): v is diagonal at the points. */
export interface Mesh {
  readonly points: Float64Array
  /** Square of a wave function's coefficient per square of its value: the quadrature weight of each point. */
  readonly weights: Float64Array
  /** Element (i, j) of −d²/dξ², i >= j; of even points what i − j and what i + j give to it. */
  readonly kinetic: Element | Distances
}

/** +1 for an even number, −1 for an odd one. */
const sign = (n: number): number => ((n & 1) === 0 ? 1 : -1)

/**
 * n points evenly inside (low, high), the edges left out; counted from the middle, so that about 0 they are mirror
 * images to the last bit.
 */
const even = (low: number, high: number, n: number): { readonly h: number; readonly points: Float64Array } => {
  const h = (high - low) / (n + 1)
  const middle = (low + high) / 2
  return { h, points: Float64Array.from({ length: n }, (_, i) => middle + (i - (n - 1) / 2) * h) }
}

/** Sinc functions on an open line (Colbert, Miller, J. Chem. Phys. 96 (1992) 1982, eq. A7). */
export const sincMesh = (low: number, high: number, n: number): Mesh => {
  const { h, points } = even(low, high, n)
  const differences = Float64Array.from({ length: n }, (_, k) =>
    k === 0 ? (PI * PI) / (3 * h * h) : (2 * sign(k)) / (h * h * k * k),
  )
  return { points, weights: new Float64Array(n).fill(h), kinetic: { differences, sums: new Float64Array(2 * n - 1) } }
}

/** Sines between two walls (Colbert, Miller, eq. A6). */
export const sineMesh = (low: number, high: number, n: number): Mesh => {
  const { h, points } = even(low, high, n)
  const length = high - low
  const scale = (PI * PI) / (2 * length * length)
  const squares = Float64Array.from({ length: 2 * n + 1 }, (_, k) => {
    const s = sin((PI * k) / (2 * (n + 1)))
    return (scale * sign(k)) / (s * s)
  })
  const differences = squares.slice(0, n)
  differences[0] = (scale * (2 * (n + 1) * (n + 1) + 1)) / 3
  // The image behind the wall turns the sign.
  const sums = squares.subarray(2).map((square) => -square)
  return { points, weights: new Float64Array(n).fill(h), kinetic: { differences, sums } }
}

/** exp(−x/2)·L_n(x) for n and n − 1, by the three-term recurrence. */
const laguerre = (n: number, x: number): readonly [number, number] => {
  let before = 0
  let here = exp(-x / 2)
  for (let k = 0; k < n; k++) {
    const next = ((2 * k + 1 - x) * here - k * before) / (k + 1)
    before = here
    here = next
  }
  return [here, before]
}

/** Newton steps that finish a zero of the polynomial which the tridiagonal matrix gave. */
const POLISH_STEPS = 3

/**
 * Laguerre functions on the half line, regularised at its origin: zeros x_i of L_n, scaled. The elements are those of
 * Gauss quadrature (Baye, Phys. Rep. 565 (2015) 1, section 3.4.5), with which the states of the Coulomb potential of
 * decay exp(−ξ/(2·scale)) are exact.
 */
export const laguerreMesh = (scale: number, n: number): Mesh => {
  const jacobi = {
    diagonal: Float64Array.from({ length: n }, (_, k) => 2 * k + 1),
    beside: Float64Array.from({ length: n }, (_, k) => k + 1),
  }
  const zeros = spectrumOf(jacobi, n)?.values
  assert(zeros !== undefined, 'the matrix of a Laguerre polynomial is finite')
  const weights = new Float64Array(n)
  zeros.forEach((zero, i) => {
    let x = zero
    for (let step = 0; step < POLISH_STEPS; step++) {
      const [value, before] = laguerre(n, x)
      x -= value / ((n * (value - before)) / x)
    }
    const [, before] = laguerre(n, x)
    zeros[i] = x
    weights[i] = (scale * x) / (n * n * before * before)
  })
  const kinetic = (i: number, j: number): number => {
    const [x, y] = [zeros[i], zeros[j]]
    if (i === j) return (4 + (4 * n + 2) * x - x * x) / (12 * x * x * scale * scale)
    return (sign(i - j) * (x + y)) / (Math.sqrt(x * y) * (x - y) * (x - y) * scale * scale)
  }
  return { points: zeros.map((x) => x * scale), weights, kinetic }
}
