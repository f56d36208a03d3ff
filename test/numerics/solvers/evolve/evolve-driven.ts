import type { EvolveEvidence } from '#numerics/solvers/evolve/schema.ts'
/** Runs of atoms by plain loops over all pairs, right or spoilt, told to the solver's own report. */

import { boxOf, startOf } from '#numerics/solvers/evolve/problem.ts'
import { type Fluid, type Sample, scheduleOf } from '#numerics/solvers/evolve/run/fluid.ts'
import { reportOf } from '#numerics/solvers/evolve/run/report.ts'
import { BINS, type EvolveInput, type EvolveOutput } from '#numerics/solvers/evolve/schema.ts'

/** How a run is spoilt. Nothing: it is right. */
export interface Spoilt {
  /** Factors of force, kick and drift. */
  readonly force?: number
  readonly repulsion?: number
  readonly time?: number
  readonly kick?: number
  /** The plain potential without a shift of the force. */
  readonly unshifted?: boolean
  /** Whether a pair acts. */
  readonly acts?: (i: number, j: number, step: number) => boolean
  /** A velocity given to one atom at a step. */
  readonly nudge?: { readonly step: number; readonly by: number }
}

const slopeAt = (r: number): number => 24 / r ** 7 - 48 / r ** 13
const energyAt = (r: number): number => 4 / r ** 12 - 4 / r ** 6

/** The run, with energies of the true potential at its states: what a run that knew nothing of the fault would say. */
export const driven = (
  input: EvolveInput,
  spoilt: Spoilt = {},
): { readonly output: EvolveOutput; readonly evidence: EvolveEvidence } => {
  const { n, cutoff, dt, steps } = input
  const box = boxOf(input)
  const schedule = scheduleOf(input)
  const state = startOf(input)
  const counts = new Float64Array(BINS)
  const each = (visit: (i: number, j: number, d: readonly number[], r: number) => void): void => {
    for (let i = 0; i < n; i++) {
      for (let j = 0; j < i; j++) {
        const d = [0, 1, 2].map((axis) => {
          const plain = state[3 * i + axis] - state[3 * j + axis]
          return plain - box * Math.round(plain / box)
        })
        const r = Math.hypot(...d)
        if (r < cutoff) visit(i, j, d, r)
      }
    }
  }
  let forces = new Float64Array(3 * n)
  const pull = (step: number): void => {
    forces = new Float64Array(3 * n)
    each((i, j, d, r) => {
      if (spoilt.acts?.(i, j, step) === false) return
      const rise = 24 / r ** 7 - ((spoilt.repulsion ?? 1) * 48) / r ** 13
      const along = -(spoilt.force ?? 1) * (rise - (spoilt.unshifted ? 0 : slopeAt(cutoff)))
      for (const [axis, c] of d.entries()) {
        forces[3 * i + axis] += (along * c) / r
        forces[3 * j + axis] -= (along * c) / r
      }
    })
  }
  const samples: Sample[] = []
  let before = state
  const note = (step: number): void => {
    if (step === schedule.repeatedFrom) before = state.slice()
    if (!schedule.sampled.includes(step)) return
    if (step === schedule.sampled[schedule.sampled.length >> 1]) counts.fill(0)
    let [potential, virial] = [0, 0]
    each((_i, _j, _d, r) => {
      potential += energyAt(r) - energyAt(cutoff) - (r - cutoff) * slopeAt(cutoff)
      virial -= r * (slopeAt(r) - slopeAt(cutoff))
      counts[Math.floor((r * BINS) / cutoff)] += 1
    })
    samples.push({ step, potential, virial, state: state.slice() })
  }
  pull(0)
  note(0)
  const h = (dt / 2) * (spoilt.time ?? 1) * (spoilt.kick ?? 1)
  for (let step = 1; step <= steps; step++) {
    for (let k = 0; k < 3 * n; k++) state[3 * n + k] += h * forces[k]
    if (spoilt.nudge?.step === step) state[3 * n] += spoilt.nudge.by
    for (let k = 0; k < 3 * n; k++) state[k] += dt * (spoilt.time ?? 1) * state[3 * n + k]
    pull(step)
    for (let k = 0; k < 3 * n; k++) state[3 * n + k] += h * forces[k]
    note(step)
  }
  const fluid: Fluid = {
    box,
    schedule,
    advance: () => undefined,
    bytes: () => new Uint8Array(0),
    formerBytes: () => new Uint8Array(0),
    samples,
    counts,
    repeated: () => before,
    forces: () => forces,
    origins: () => state.slice(0, 3 * n),
  }
  return reportOf(input, fluid)
}
