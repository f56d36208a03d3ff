import { energiesOf, sizeOf } from '#numerics/solvers/multibody/quantities.ts'
import {
  DRIFT_PCT_MAX,
  type MultibodyEvidence,
  type MultibodyInput,
  type MultibodyOutput,
} from '#numerics/solvers/multibody/schema.ts'
import type { Motion } from './motion.ts'

/** Indices of the kept states that are returned: at most `outputs` intervals, the first and the last among them. */
const samplesOf = (kept: number, outputs: number): readonly number[] => {
  const intervals = kept - 1
  const every = Math.ceil(intervals / outputs)
  const samples = Array.from({ length: Math.floor(intervals / every) + 1 }, (_, k) => k * every)
  if (samples[samples.length - 1] === intervals) return samples
  // The last interval takes up what is left, so that there are never more than were asked for.
  return samples.length > outputs ? [...samples.slice(0, -1), intervals] : [...samples, intervals]
}

const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/** The answer of a finished run under gravity, and the states that its check needs. */
export const reportOf = (
  input: MultibodyInput,
  { schedule, records }: Motion,
): { readonly output: MultibodyOutput; readonly evidence: MultibodyEvidence } => {
  const { bodies, G, softening, order, outputs } = input
  const n = bodies.length
  const masses = bodies.map(({ mass }) => mass)
  const { steps, dt, every } = schedule
  const times = Float64Array.from(records, (_, k) => (k === records.length - 1 ? steps : k * every) * dt)
  const states = new Float64Array(records.length * 6 * n)
  for (const [k, record] of records.entries()) states.set(record, k * 6 * n)
  const energies = records.map((record) => {
    const { kinetic, potential } = energiesOf(record, { masses, G, softening })
    return kinetic + potential
  })
  const [initial = Number.NaN] = energies
  const drift = energies.reduce((most, energy) => Math.max(most, Math.abs(energy - initial)), 0)
  const samples = samplesOf(records.length, outputs)
  const trajectory = new Float64Array(samples.length * 3 * n)
  for (const [at, k] of samples.entries()) trajectory.set((records[k] as Float64Array).subarray(0, 3 * n), at * 3 * n)
  const last = records[records.length - 1] as Float64Array
  return {
    output: {
      mode: 'gravity',
      n,
      order,
      steps,
      dt,
      t_max: steps * dt,
      conservative: true,
      conservationChecked: true,
      energyDriftPct: (100 * drift) / Math.abs(initial),
      energyDriftBoundPct: DRIFT_PCT_MAX,
      initialEnergy: initial,
      finalEnergy: energies[energies.length - 1] ?? initial,
      size: sizeOf(last, masses),
      positions: asSeries(last.slice(0, 3 * n)),
      velocities: asSeries(last.slice(3 * n)),
      times: asSeries(Float64Array.from(samples, (k) => times[k])),
      trajectory: asSeries(trajectory),
      energies: asSeries(Float64Array.from(samples, (k) => energies[k] ?? Number.NaN)),
      phi: null,
      phiRate: null,
    },
    evidence: { states, times },
  }
}
