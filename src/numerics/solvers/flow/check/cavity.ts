import type { Reality } from '#numerics/runtime/solver.ts'
import {
  divergenceOf,
  nestedSteps,
  problemOf,
  RESIDUAL_EVERY,
  transposed,
  worst,
} from '#numerics/solvers/flow/problem.ts'
import type { CavityReading, FlowEvidence, FlowInput, FlowOutput } from '#numerics/solvers/flow/schema.ts'
import { streamFunction } from '#numerics/solvers/flow/stream.ts'
import { DIVERGENCE_MAX, echoesFlow } from './measure.ts'
import { beyond, recomputeReading } from './recompute-readings.ts'

const ECHO = 1e-9

/**
 * Extremes on the centre lines by a Chebyshev method of another kind: Botella, Peyret, Computers & Fluids 27 (1998)
 * 421, tables 4 and 9. (Ghia, Ghia, Shin 1982 give −0.21090 and −0.38289 for u: 1.5 % off both, too far to check by.)
 */
const REFERENCES: Readonly<Record<number, { readonly uMin: number; readonly vMin: number; readonly vMax: number }>> = {
  100: { uMin: -0.2140424, vMin: -0.253803, vMax: 0.1795728 },
  1000: { uMin: -0.3885698, vMin: -0.5270771, vMax: 0.3769447 },
}

/**
 * Share of the side next to the walls where the vorticity's balance is not looked at: the lid's corners are singular.
 */
const MARGIN = 0.25
/**
 * How the extremes answer to the viscosity: |d ln u / d ln Re| is 0.31 between Re 100 and 400 and falls to both sides,
 * so half is more than any of them.
 */
const SENSITIVITY = 0.5
/** The slowest decay of a departure from the steady flow, times viscosity over side² (Stokes modes of a square). */
const STOKES_DECAY = 52.3

/** First and second differences of fourth order along one direction. */
const first = (f: Float64Array, at: number, s: number): number =>
  (8 * (f[at + s] - f[at - s]) - (f[at + 2 * s] - f[at - 2 * s])) / 12
const second = (f: Float64Array, at: number, s: number): number =>
  (16 * (f[at + s] + f[at - s]) - (f[at + 2 * s] + f[at - 2 * s]) - 30 * f[at]) / 12

/**
 * The viscosity that the flow itself shows, over the one that was asked: u·∇ω = ν·∇²ω fitted over the middle of the
 * cavity, on the stream function extrapolated from both grids, by differences of fourth order. It shares nothing with
 * the momentum equations on staggered cells, and a wrong advection or a wrong viscosity moves it as much.
 */
const shownViscosity = (fine: Float64Array, coarse: Float64Array, n: number, re: number): number => {
  const m = n / 2
  const w = m + 1
  const psi = Float64Array.from({ length: w * w }, (_, at) => {
    const j = at % w
    const i = (at - j) / w
    return (4 * fine[2 * i * (n + 1) + 2 * j] - coarse[at]) / 3
  })
  const omega = new Float64Array(w * w)
  for (let i = 2; i < w - 2; i++) {
    for (let j = 2; j < w - 2; j++) omega[i * w + j] = -m * m * (second(psi, i * w + j, 1) + second(psi, i * w + j, w))
  }
  const low = Math.ceil(MARGIN * m)
  let [mixed, square] = [0, 0]
  for (let i = low; i <= m - low; i++) {
    for (let j = low; j <= m - low; j++) {
      const at = i * w + j
      const carried = m * m * (first(psi, at, 1) * first(omega, at, w) - first(psi, at, w) * first(omega, at, 1))
      const spread = m * m * (second(omega, at, 1) + second(omega, at, w))
      mixed += carried * spread
      square += spread * spread
    }
  }
  return (re * mixed) / square
}

/**
 * Root mean square of what is left of the momentum equations, and the energy that the lid gives and viscosity takes.
 */
const balances = (u: Float64Array, v: Float64Array, p: Float64Array, n: number, re: number) => {
  const U = (i: number, j: number): number =>
    i < 0 || i > n - 2 ? 0 : j < 0 ? -u[i * n] : j > n - 1 ? 2 - u[i * n + n - 1] : u[i * n + j]
  const V = (i: number, j: number): number =>
    j < 0 || j > n - 2 ? 0 : i < 0 ? -v[j] : i > n - 1 ? -v[(n - 1) * n + j] : v[i * n + j]
  const P = (i: number, j: number): number => p[i * n + j]
  const square = (x: number): number => x * x
  let [left, given, taken] = [0, 0, 0]
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < n; j++) {
      // Momentum through the four sides of each velocity's own cell: carried, pressed and rubbed.
      if (i < n - 1) {
        const flux = (a: number, b: number, through: number): number => (through * (a + b)) / 2 - ((b - a) * n) / re
        const east = flux(U(i, j), U(i + 1, j), (U(i, j) + U(i + 1, j)) / 2) + P(i + 1, j)
        const west = flux(U(i - 1, j), U(i, j), (U(i - 1, j) + U(i, j)) / 2) + P(i, j)
        const north = flux(U(i, j), U(i, j + 1), (V(i, j) + V(i + 1, j)) / 2)
        const south = flux(U(i, j - 1), U(i, j), (V(i, j - 1) + V(i + 1, j - 1)) / 2)
        left += square(n * (east - west + north - south))
      } else if (U(i, j) !== 0 || u[i * n + j] !== 0) left += Number.POSITIVE_INFINITY
      if (j < n - 1) {
        const flux = (a: number, b: number, through: number): number => (through * (a + b)) / 2 - ((b - a) * n) / re
        const north = flux(V(i, j), V(i, j + 1), (V(i, j) + V(i, j + 1)) / 2) + P(i, j + 1)
        const south = flux(V(i, j - 1), V(i, j), (V(i, j - 1) + V(i, j)) / 2) + P(i, j)
        const east = flux(V(i, j), V(i + 1, j), (U(i, j) + U(i, j + 1)) / 2)
        const west = flux(V(i - 1, j), V(i, j), (U(i - 1, j) + U(i - 1, j + 1)) / 2)
        left += square(n * (north - south + east - west))
      } else if (v[i * n + j] !== 0) left += Number.POSITIVE_INFINITY
      taken += square(U(i, j) - U(i - 1, j)) + square(V(i, j) - V(i, j - 1))
      if (j > 0) taken += square(U(i, j) - U(i, j - 1))
      if (i > 0) taken += square(V(i, j) - V(i - 1, j))
    }
    // Half a cell on each wall, where the slope is that to the wall itself.
    taken += 2 * square(U(i, 0)) + 2 * square(V(0, i)) + 2 * square(V(n - 1, i))
    if (i < n - 1) {
      given += 2 * (1 - U(i, n - 1))
      taken += 2 * square(1 - U(i, n - 1))
    }
  }
  return { residual: Math.sqrt(left / (2 * n * n)), given: given / re, taken: taken / re }
}

const AGAINST =
  'extrapolation difference of three grids, the viscosity shown by the vorticity’s balance, and the energy budget'
const AGAINST_TABLE =
  'Botella and Peyret’s extremes, the viscosity shown by the vorticity’s balance, and the energy budget'

const near = (found: number | undefined, wanted: number): boolean =>
  found !== undefined && Math.abs(found - wanted) <= ECHO * Math.abs(wanted)

const names = ['uMin', 'vMin', 'vMax', 'psiMin'] as const

/** Whether the readings follow from the fields, and the extrapolated numbers from the readings. */
const readingsHold = (input: FlowInput, output: FlowOutput, fine: CavityReading, coarse: CavityReading): boolean => {
  const { grids = [], residuals = [] } = output
  const { speed, length } = input
  const [lowest, middle, highest] = grids
  if (lowest === undefined || middle === undefined || highest === undefined || grids.length !== 3) return false
  const scales = { uMin: speed, vMin: speed, vMax: speed, psiMin: speed * length }
  return (
    lowest.n === fine.n / 4 &&
    middle.n === coarse.n &&
    highest.n === fine.n &&
    names.every((name) => near(middle[name], coarse[name]) && near(highest[name], fine[name])) &&
    names.every((name) => near(output[name], scales[name] * beyond(coarse[name], fine[name]))) &&
    residuals.length === Math.floor(nestedSteps(problemOf(input).steps) / RESIDUAL_EVERY) &&
    residuals.every((it) => it >= 0 && it < 1e6) &&
    output.times === undefined &&
    output.speeds === undefined
  )
}

/**
 * Checks a cavity by a sum: the extremes against those of Botella and Peyret at Re 100 and 1,000, elsewhere how far
 * those extrapolated from n/4, n/2 and from n/2, n differ (truncation); the viscosity that the vorticity's balance
 * shows; what is left of the momentum equations, as the departure it stands for after the slowest decay; the energy
 * that the lid gives against what viscosity takes. All readings must follow from the fields, whose divergence must be
 * rounding.
 */
export const checkCavity = (input: FlowInput, output: FlowOutput, evidence: FlowEvidence | null): Reality => {
  const reference = REFERENCES[input.re]
  const against = reference === undefined ? AGAINST : AGAINST_TABLE
  const wrong = (figure: string): Reality => ({ against, errorPct: 100, figures: { [figure]: 1 } })
  const { nx: n } = problemOf(input)
  const { re, speed } = input
  if (!echoesFlow(input, output) || evidence === null || evidence.u.length !== (n * n) / 4) return wrong('echo_wrong')
  const fields = [output.u, output.v, output.pressure].map((it, k) =>
    transposed(it, n, n).map((value) => value / (k === 2 ? speed * speed : speed)),
  ) as [Float64Array, Float64Array, Float64Array]
  const [u, v, p] = fields
  if (fields.some((it) => it.some((value) => !Number.isFinite(value))))
    return { against, errorPct: Number.NaN, figures: {} }
  const [fine, coarse] = [recomputeReading(n, u, v), recomputeReading(n / 2, evidence.u, evidence.v)]
  if (!readingsHold(input, output, fine, coarse)) return wrong('readings_wrong')
  // Walls hold no pressure: its mean is nobody's, and is taken off.
  const largest = p.reduce((most, it) => Math.max(most, Math.abs(it)), 0)
  if (!(Math.abs(p.reduce((sum, it) => sum + it, 0)) <= ECHO * largest * p.length)) return wrong('pressure_wrong')
  const divergence = divergenceOf(output, { ringX: false, ringY: false }, speed)
  if (!(divergence <= DIVERGENCE_MAX)) return wrong('divergence_wrong')
  const coarsest = output.grids?.[0] as CavityReading
  const truncationPct =
    100 *
    names
      .map((name) => Math.abs(beyond(coarsest[name], coarse[name]) / beyond(coarse[name], fine[name]) - 1))
      .reduce(worst, 0)
  const shown = shownViscosity(streamFunction({ n, u }), streamFunction({ n: n / 2, u: evidence.u }), n, re)
  const viscosityPct = 100 * SENSITIVITY * Math.abs(shown - 1)
  const { residual, given, taken } = balances(u, v, p, n, re)
  const steadyPct = (100 * residual * re) / STOKES_DECAY
  const budgetPct = 100 * Math.abs(given / taken - 1)
  const referencePct =
    reference === undefined
      ? 0
      : 100 *
        (['uMin', 'vMin', 'vMax'] as const)
          .map((name) => Math.abs((output[name] ?? Number.NaN) / speed / reference[name] - 1))
          .reduce(worst, 0)
  const valuePct = reference === undefined ? truncationPct : referencePct
  const errorPct = valuePct + viscosityPct + steadyPct + budgetPct
  return {
    against,
    errorPct,
    figures: {
      truncation_pct: truncationPct,
      viscosity_pct: viscosityPct,
      steady_pct: steadyPct,
      energy_budget_pct: budgetPct,
      ...(reference !== undefined && { reference_pct: referencePct }),
      lid_work: given,
      dissipation: taken,
      divergence,
    },
  }
}
