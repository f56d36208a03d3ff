import { log10, pow } from '#numerics/math.ts'
import { journalOf, type RunOrigin, type StateReader } from '#numerics/runtime/origin.ts'
import { COARSEST_FACTOR, problemOf, RESIDUAL_EVERY } from '#numerics/solvers/flow/problem.ts'
import type { CavityReading, FlowInput } from '#numerics/solvers/flow/schema.ts'
import { streamFunction } from '#numerics/solvers/flow/stream.ts'
import { type Cavity, type Relax, refined, relaxation, restingCavity } from './cavity.ts'
import { leastOf, leastOfSurface } from './extremes.ts'

/** Cavities of n/4, n/2 and n cells a side, one after the other, each started from the one before. */
export interface Nested {
  readonly kind: 'cavity'
  readonly cavity: Cavity
  readonly relax: Relax
  readonly grids: CavityReading[]
  /** The finest but one, once it is done. */
  readonly coarser: Pick<Cavity, 'u' | 'v'> | undefined
  readonly residuals: number[]
}

/** Number of diffusion, dt·ν/h², that the shortest step of a cycle comes down to. */
const SHORTEST = 0.4

/**
 * Share of the longest time step that a step takes: 1, 10^−½, 10^−1 … and from the beginning, down to where diffusion
 * hardly reaches the next cell. Long steps carry the vortex on, short ones even out what the splitting of the
 * directions leaves of the fine detail.
 */
const shareOf = (step: number, dt: number, { n, re }: Pick<Cavity, 'n' | 're'>): number => {
  const length = Math.max(1, 1 + Math.ceil(2 * log10((dt * n * n) / re / SHORTEST)))
  const k = step % length
  return pow(10, -k / 2)
}

/** The grid that a step of the run belongs to. */
const gridOf = (step: number, steps: number): number => Math.max(0, Math.floor(step / steps) - COARSEST_FACTOR + 1)

/** What is read off a cavity, by curves through seven points and a surface through 25. */
export const readingOf = ({ n, u, v }: Pick<Cavity, 'n' | 'u' | 'v'>): CavityReading => {
  const half = n / 2 - 1
  const psi = streamFunction({ n, u })
  return {
    n,
    uMin: leastOf((j) => u[half * n + j], n),
    vMin: leastOf((i) => v[i * n + half], n),
    vMax: -leastOf((i) => -v[i * n + half], n),
    psiMin: leastOfSurface((i, j) => psi[i * (n + 1) + j], n + 1),
  }
}

/** One reading as {@link nestedState} tells it. */
const heldReading = (held: StateReader): CavityReading => {
  const [n, uMin, vMin, vMax, psiMin] = held.doubles(5) as unknown as readonly [number, number, number, number, number]
  return { n, uMin, vMin, vMax, psiMin }
}

/** The cavity at rest on the coarsest grid, or where a run stopped. */
export const startNested = (input: FlowInput, origin: RunOrigin = {}): Nested => {
  const { nx, steps } = problemOf(input)
  const coarsest = nx / 4
  const journal = journalOf(origin)
  const { held, step } = journal
  const done = step === 0 ? 0 : gridOf(step - 1, steps)
  let cavity = restingCavity(coarsest, input.re)
  for (let k = 0; k < done; k++) cavity = restingCavity(2 * cavity.n, input.re)
  const at = { kind: 'cavity', cavity } as const
  if (held === undefined) return { ...at, relax: relaxation(cavity), grids: [], coarser: undefined, residuals: [] }
  for (const field of [cavity.u, cavity.v, cavity.p]) field.set(held.doubles(field.length))
  const grids = Array.from({ length: done }, () => heldReading(held))
  const residuals = Array.from(held.doubles(Math.floor(step / RESIDUAL_EVERY)))
  const half = (cavity.n / 2) * (cavity.n / 2)
  const coarser = done === 0 ? undefined : { u: held.doubles(half), v: held.doubles(half) }
  journal.taken()
  return { ...at, relax: relaxation(cavity), grids, coarser, residuals }
}

/** Takes the steps `from` (inclusive) to `to` (exclusive). */
export const advanceNested = (
  input: FlowInput,
  state: Nested,
  {
    from,
    to,
    each,
  }: { readonly from: number; readonly to: number; readonly each: (step: number, residual: number) => void },
): Nested => {
  const { dt: seconds, steps } = problemOf(input)
  const dt = (seconds * input.speed) / input.length
  let now = state
  for (let step = from; step < to; step++) {
    if (gridOf(step, steps) > now.grids.length) {
      const cavity = refined(now.cavity)
      const grids = [...now.grids, readingOf(now.cavity)]
      now = { ...now, cavity, relax: relaxation(cavity), grids, coarser: now.cavity }
    }
    const part = dt * shareOf(step, dt, now.cavity)
    const residual = now.relax(part) / part
    if ((step + 1) % RESIDUAL_EVERY === 0) now.residuals.push(residual)
    each(step + 1, residual)
  }
  return now
}

/**
 * Every bit that the next step and the end depend on: fields, readings and residuals so far, the coarser grid's fields.
 */
export const nestedState = ({ cavity, grids, coarser, residuals }: Nested): Float64Array => {
  const readings = grids.flatMap(({ n, uMin, vMin, vMax, psiMin }) => [n, uMin, vMin, vMax, psiMin])
  const parts = [cavity.u, cavity.v, cavity.p, readings, residuals, coarser?.u ?? [], coarser?.v ?? []]
  const state = new Float64Array(parts.reduce((sum, it) => sum + it.length, 0))
  let at = 0
  for (const part of parts) {
    state.set(part, at)
    at += part.length
  }
  return state
}
