/** The kernel that goes the way of shallow water again, as plain loops: the same numbers in the same order. */

import { bottomOf, type Water } from '#numerics/solvers/climate/problem.ts'
import type { ClimateInput } from '#numerics/solvers/climate/schema.ts'

/** Coefficients of the central difference of eighth order for a first derivative. */
const DIFFERENCE = Float64Array.of(4 / 5, -1 / 5, 4 / 105, -1 / 280)
/** Point value from cell means: 1 − δ²/24 + 3δ⁴/640 − 5δ⁶/7168, and back: 1 + δ²/24 − 17δ⁴/5760 + 367δ⁶/967680. */
const TO_POINTS = [-1 / 24, 3 / 640, -5 / 7168] as const
const TO_MEANS = [1 / 24, -17 / 5760, 367 / 967_680] as const

interface Grid {
  readonly nx: number
  readonly ny: number
}

/** Places of the seven cells around one along an axis of the torus, three to either side. */
const around = (at: number, count: number): readonly number[] =>
  [-3, -2, -1, 0, 1, 2, 3].map((off) => (((at + off) % count) + count) % count)

/** Weights of a symmetric sum over seven cells that is the series 1 + a·δ² + b·δ⁴ + c·δ⁶. */
const weightsOf = ([a = 0, b = 0, c = 0]: readonly number[]): readonly [number, number, number, number] => [
  1 - 2 * a + 6 * b - 20 * c,
  a - 4 * b + 15 * c,
  b - 6 * c,
  c,
]

/** A series in δ² along both axes, one after the other. */
const converted = (values: Float64Array, { nx, ny }: Grid, series: readonly number[]): Float64Array => {
  const [w0, w1, w2, w3] = weightsOf(series)
  const across = new Float64Array(values.length)
  const columns = Int32Array.from({ length: nx + 6 }, (_, i) => (((i - 3) % nx) + nx) % nx)
  for (let row = 0; row < ny; row++) {
    const here = row * nx
    for (let column = 0; column < nx; column++) {
      const one = values[here + columns[column + 2]] + values[here + columns[column + 4]]
      const two = values[here + columns[column + 1]] + values[here + columns[column + 5]]
      const three = values[here + columns[column]] + values[here + columns[column + 6]]
      across[here + column] = w0 * values[here + column] + w1 * one + w2 * two + w3 * three
    }
  }
  const field = new Float64Array(values.length)
  for (let row = 0; row < ny; row++) {
    const [a = 0, b = 0, c = 0, here = 0, d = 0, e = 0, f = 0] = around(row, ny).map((it) => it * nx)
    for (let column = 0; column < nx; column++) {
      const one = across[c + column] + across[d + column]
      const two = across[b + column] + across[e + column]
      const three = across[a + column] + across[f + column]
      field[here + column] = w0 * across[here + column] + w1 * one + w2 * two + w3 * three
    }
  }
  return field
}

/** Surface and velocities at the middle of the cells. */
interface Points {
  readonly e: Float64Array
  readonly u: Float64Array
  readonly v: Float64Array
}

/** Depth times velocity along both axes, of points. */
interface Pushes {
  readonly x: Float64Array
  readonly y: Float64Array
}

/** The slopes of the advective form, in place: by central differences of eighth order. */
const slopes = (
  input: ClimateInput,
  bottom: Float64Array,
  { e, u, v }: Points,
  { into, push }: { readonly into: Points; readonly push: Pushes },
): void => {
  const { nx, ny, lx, ly, gravity } = input
  const f = input.mode === 'dam-break' ? 0 : input.coriolis
  const columns = Int32Array.from({ length: nx + 8 }, (_, i) => (((i - 4) % nx) + nx) % nx)
  const [perX, perY] = [nx / lx, ny / ly]
  const [px, py] = [push.x, push.y]
  for (let i = 0; i < e.length; i++) {
    const h = e[i] - bottom[i]
    px[i] = h * u[i]
    py[i] = h * v[i]
  }
  const [intoE, intoU, intoV] = [into.e, into.u, into.v]
  for (let row = 0; row < ny; row++) {
    const here = row * nx
    for (let column = 0; column < nx; column++) {
      const i = here + column
      let ex = 0
      let ux = 0
      let vx = 0
      let mx = 0
      let ey = 0
      let uy = 0
      let vy = 0
      let my = 0
      for (let k = 1; k <= 4; k++) {
        const weight = DIFFERENCE[k - 1]
        const east = here + columns[column + 4 + k]
        const west = here + columns[column + 4 - k]
        const north = ((row + k) % ny) * nx + column
        const south = ((row - k + 4 * ny) % ny) * nx + column
        ex += weight * (e[east] - e[west])
        ux += weight * (u[east] - u[west])
        vx += weight * (v[east] - v[west])
        mx += weight * (px[east] - px[west])
        ey += weight * (e[north] - e[south])
        uy += weight * (u[north] - u[south])
        vy += weight * (v[north] - v[south])
        my += weight * (py[north] - py[south])
      }
      intoE[i] = -(mx * perX + my * perY)
      intoU[i] = -(u[i] * ux * perX + v[i] * uy * perY) + f * v[i] - gravity * ex * perX
      intoV[i] = -(u[i] * vx * perX + v[i] * vy * perY) - f * u[i] - gravity * ey * perY
    }
  }
}

/** to = from + t·slope. */
const along = (to: Float64Array, from: Float64Array, slope: Float64Array, t: number): void => {
  for (let at = 0; at < to.length; at++) to[at] = from[at] + t * slope[at]
}

/** The water some steps later. */
export const twinReflowed = (
  input: ClimateInput,
  start: Water,
  { steps, dt }: { steps: number; dt: number },
): Water => {
  const bottom = converted(bottomOf(input), input, TO_POINTS)
  const [h, p, q] = [start.h, start.p, start.q].map((field) => converted(field, input, TO_POINTS)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const now: Points = {
    e: h.map((it, i) => it + bottom[i]),
    u: p.map((it, i) => it / h[i]),
    v: q.map((it, i) => it / h[i]),
  }
  const fresh = (): Points => ({
    e: new Float64Array(h.length),
    u: new Float64Array(h.length),
    v: new Float64Array(h.length),
  })
  const [stage, sum, k] = [fresh(), fresh(), fresh()]
  const push: Pushes = { x: new Float64Array(h.length), y: new Float64Array(h.length) }
  for (let step = 0; step < steps; step++) {
    for (const [i, [ahead, weight]] of [
      [0, 1 / 6],
      [1 / 2, 1 / 3],
      [1 / 2, 1 / 3],
      [1, 1 / 6],
    ].entries() as Iterable<[number, [number, number]]>) {
      for (const name of ['e', 'u', 'v'] as const) {
        along(stage[name], now[name], k[name], ahead * dt)
      }
      slopes(input, bottom, stage, { into: k, push })
      for (const name of ['e', 'u', 'v'] as const) {
        along(sum[name], i === 0 ? now[name] : sum[name], k[name], weight * dt)
      }
    }
    for (const name of ['e', 'u', 'v'] as const) now[name].set(sum[name])
  }
  const depth = now.e.map((it, i) => it - bottom[i])
  return {
    h: converted(depth, input, TO_MEANS),
    p: converted(
      depth.map((it, i) => it * now.u[i]),
      input,
      TO_MEANS,
    ),
    q: converted(
      depth.map((it, i) => it * now.v[i]),
      input,
      TO_MEANS,
    ),
  }
}
