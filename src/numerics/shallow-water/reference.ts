import { bottomOf, type Water } from './basin.ts'
import type { ClimateInput } from './schema.ts'

/** Coefficients of the central difference of eighth order for a first derivative. */
const DIFFERENCE = [4 / 5, -1 / 5, 4 / 105, -1 / 280] as const
/** Point value from cell means: 1 − δ²/24 + 3δ⁴/640 − 5δ⁶/7168, and back: 1 + δ²/24 − 17δ⁴/5760 + 367δ⁶/967680. */
const TO_POINTS = [-1 / 24, 3 / 640, -5 / 7168] as const
const TO_MEANS = [1 / 24, -17 / 5760, 367 / 967_680] as const

interface Grid {
  readonly nx: number
  readonly ny: number
}

/** Second differences of a field along an axis of the torus. */
const second = (values: Float64Array, { nx, ny }: Grid, along: 'x' | 'y'): Float64Array =>
  values.map((here, i) => {
    const column = i % nx
    const row = (i - column) / nx
    if (along === 'x')
      return values[row * nx + ((column + 1) % nx)] - 2 * here + values[row * nx + ((column + nx - 1) % nx)]
    return values[((row + 1) % ny) * nx + column] - 2 * here + values[((row + ny - 1) % ny) * nx + column]
  })

/** A series in δ² along both axes, one after the other. */
const converted = (values: Float64Array, grid: Grid, series: readonly number[]): Float64Array => {
  let field = values
  for (const along of ['x', 'y'] as const) {
    let term = field
    const sum = field.slice()
    for (const weight of series) {
      term = second(term, grid, along) as Float64Array<ArrayBuffer>
      for (let i = 0; i < sum.length; i++) sum[i] += weight * term[i]
    }
    field = sum
  }
  return field
}

/** Surface and velocities at the middle of the cells. */
interface Points {
  readonly e: Float64Array
  readonly u: Float64Array
  readonly v: Float64Array
}

/** The slopes of the advective form, in place: by central differences of eighth order. */
const slopes = (input: ClimateInput, bottom: Float64Array, { e, u, v }: Points, into: Points): void => {
  const { nx, ny, lx, ly, gravity } = input
  const f = input.mode === 'dam-break' ? 0 : input.coriolis
  const wrap = (n: number): Int32Array => Int32Array.from({ length: n + 8 }, (_, i) => (i - 4 + n) % n)
  const [columns, rows] = [wrap(nx), wrap(ny)]
  const [perX, perY] = [nx / lx, ny / ly]
  for (let row = 0; row < ny; row++) {
    for (let column = 0; column < nx; column++) {
      const i = row * nx + column
      let [ex, ux, vx, mx, ey, uy, vy, my] = [0, 0, 0, 0, 0, 0, 0, 0]
      for (let k = 1; k <= 4; k++) {
        const weight = DIFFERENCE[k - 1] as number
        const [east, west] = [row * nx + columns[column + 4 + k], row * nx + columns[column + 4 - k]]
        const [north, south] = [rows[row + 4 + k] * nx + column, rows[row + 4 - k] * nx + column]
        ex += weight * (e[east] - e[west])
        ux += weight * (u[east] - u[west])
        vx += weight * (v[east] - v[west])
        mx += weight * ((e[east] - bottom[east]) * u[east] - (e[west] - bottom[west]) * u[west])
        ey += weight * (e[north] - e[south])
        uy += weight * (u[north] - u[south])
        vy += weight * (v[north] - v[south])
        my += weight * ((e[north] - bottom[north]) * v[north] - (e[south] - bottom[south]) * v[south])
      }
      into.e[i] = -(mx * perX + my * perY)
      into.u[i] = -(u[i] * ux * perX + v[i] * uy * perY) + f * v[i] - gravity * ex * perX
      into.v[i] = -(u[i] * vx * perX + v[i] * vy * perY) - f * u[i] - gravity * ey * perY
    }
  }
}

/**
 * The water a time later from the advective form of the equations (surface and velocities at points, not depth and
 * fluxes as means) by central differences of eighth order and the classical Runge–Kutta method. It shares neither
 * fluxes, reconstruction nor steps with the run.
 */
export const reflowed = (input: ClimateInput, start: Water, { steps, dt }: { steps: number; dt: number }): Water => {
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
  for (let step = 0; step < steps; step++) {
    for (const [i, [ahead, weight]] of [
      [0, 1 / 6],
      [1 / 2, 1 / 3],
      [1 / 2, 1 / 3],
      [1, 1 / 6],
    ].entries() as Iterable<[number, [number, number]]>) {
      for (const name of ['e', 'u', 'v'] as const) {
        const [from, slope, to] = [now[name], k[name], stage[name]]
        for (let at = 0; at < to.length; at++) to[at] = i === 0 ? from[at] : from[at] + ahead * dt * slope[at]
      }
      slopes(input, bottom, stage, k)
      for (const name of ['e', 'u', 'v'] as const) {
        const [from, slope, to] = [now[name], k[name], sum[name]]
        for (let at = 0; at < to.length; at++) to[at] = (i === 0 ? from[at] : to[at]) + weight * dt * slope[at]
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
