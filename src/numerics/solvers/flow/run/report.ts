import type { Outcome } from '#numerics/runtime/solver.ts'
import { problemOf, transposed } from '#numerics/solvers/flow/problem.ts'
import type { CavityReading, FlowEvidence, FlowInput, FlowOutput } from '#numerics/solvers/flow/schema.ts'
import type { March } from './march.ts'
import { type Nested, readingOf } from './nested.ts'

/** Mean of half the squares. */
export const kineticEnergyOf = (u: ArrayLike<number>, v: ArrayLike<number>): number => {
  let sum = 0
  for (let at = 0; at < u.length; at++) {
    sum += (u[at] as number) * (u[at] as number) + (v[at] as number) * (v[at] as number)
  }
  return sum / (2 * u.length)
}

const withoutMean = (p: Float64Array): Float64Array => {
  let sum = 0
  for (const value of p) sum += value
  const mean = sum / p.length
  return p.map((value) => value - mean)
}

const numbers = (it: Float64Array): readonly number[] => it as unknown as readonly number[]

/** What every case answers; fields with y fastest, in SI. */
const common = (
  input: FlowInput,
  fields: { readonly u: Float64Array; readonly v: Float64Array; readonly p: Float64Array },
) => {
  const { nx, ny, dx, dy, dt, steps, viscosity } = problemOf(input)
  const [u, v, p] = [fields.u, fields.v, withoutMean(fields.p)].map((it) => transposed(it, nx, ny)) as [
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  return {
    case: input.case,
    nx,
    ny,
    dx,
    dy,
    dt,
    steps,
    time: input.case === 'cavity' ? 0 : dt * steps,
    viscosity,
    u: numbers(u),
    v: numbers(v),
    pressure: numbers(p),
  }
}

/** The answer of a run in time. */
export const marchReport = (input: FlowInput, { mac, samples }: March): Outcome<FlowOutput, FlowEvidence | null> => {
  mac.pressure()
  const last = samples[samples.length - 1] as number
  const [u, v] = [mac.read('u'), mac.read('v')]
  const every = (offset: number): Float64Array => Float64Array.from(samples.filter((_, k) => k % 2 === offset))
  return {
    output: {
      ...common(input, { u, v, p: mac.read('p') }),
      kineticEnergy: kineticEnergyOf(u, v),
      ...(input.case === 'channel' ? { bulkSpeed: last } : { vortexSpeed: last }),
      times: numbers(every(0)),
      speeds: numbers(every(1)),
    },
    evidence: null,
  }
}

/** Extrapolated from a grid and that of half its cells: the error's second power of the cell is gone (Richardson). */
export const extrapolated = (
  coarse: CavityReading,
  fine: CavityReading,
  name: 'uMin' | 'vMin' | 'vMax' | 'psiMin',
): number => (4 * fine[name] - coarse[name]) / 3

/** The answer of a cavity. */
export const cavityReport = (input: FlowInput, state: Nested): Outcome<FlowOutput, FlowEvidence | null> => {
  const { speed, length } = input
  const { cavity, coarser, residuals } = state
  const fine = readingOf(cavity)
  const grids = [...state.grids, fine]
  const coarse = grids[grids.length - 2] as CavityReading
  const scaled = (it: Float64Array, factor: number): Float64Array => it.map((value) => value * factor)
  return {
    output: {
      ...common(input, { u: scaled(cavity.u, speed), v: scaled(cavity.v, speed), p: scaled(cavity.p, speed * speed) }),
      uMin: speed * extrapolated(coarse, fine, 'uMin'),
      vMin: speed * extrapolated(coarse, fine, 'vMin'),
      vMax: speed * extrapolated(coarse, fine, 'vMax'),
      psiMin: speed * length * extrapolated(coarse, fine, 'psiMin'),
      grids,
      residuals,
    },
    evidence: coarser === undefined ? null : { u: coarser.u, v: coarser.v },
  }
}
