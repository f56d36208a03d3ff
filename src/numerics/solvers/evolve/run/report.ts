import { PI } from '#numerics/math.ts'
import { BINS, type EvolveEvidence, type EvolveInput, type EvolveOutput } from '#numerics/solvers/evolve/schema.ts'
import type { Fluid, Sample } from './fluid.ts'

/** Kinetic energy in the frame of the laboratory, and in that of the centre of mass. */
export const kineticOf = (state: Float64Array): { readonly whole: number; readonly within: number } => {
  const n = state.length / 6
  let twice = 0
  const sum = [0, 0, 0]
  for (let k = 3 * n; k < 6 * n; k++) {
    twice += state[k] * state[k]
    sum[k % 3] = (sum[k % 3] ?? 0) + state[k]
  }
  const common = sum.reduce((all, p) => all + p * p, 0) / n
  return { whole: twice / 2, within: (twice - common) / 2 }
}

/** Pairs that an ideal gas would have in an interval of g(r), over this many frames. */
export const idealPairs = (
  bin: number,
  frames: number,
  { n, box, cutoff }: { readonly n: number; readonly box: number; readonly cutoff: number },
): number => {
  const width = cutoff / BINS
  const [inner, outer] = [bin * width, (bin + 1) * width]
  const shell = (4 / 3) * PI * (outer * outer * outer - inner * inner * inner)
  return (frames * n * (n - 1) * shell) / (2 * box * box * box)
}

const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

const mean = (values: Float64Array): number => values.reduce((sum, it) => sum + it, 0) / values.length

/** The answer of a finished run, and what its check needs. */
export const reportOf = (
  input: EvolveInput,
  fluid: Fluid,
): { readonly output: EvolveOutput; readonly evidence: EvolveEvidence } => {
  const { n, dt, steps, cutoff } = input
  const { box, samples, schedule } = fluid
  const volume = box * box * box
  const over = (of: (it: Sample) => number): Float64Array => Float64Array.from(samples, of)
  const totals = over(({ potential, state }) => (kineticOf(state).whole + potential) / n)
  const temperatures = over(({ state }) => (2 * kineticOf(state).within) / (3 * (n - 1)))
  const pressures = over(({ virial, state }) => (2 * kineticOf(state).within + virial) / (3 * volume))
  const [initial] = samples as readonly [Sample]
  const last = samples[samples.length - 1] as Sample
  const E0 = totals[0]
  const drift = totals.reduce((most, E) => Math.max(most, Math.abs(E - E0)), 0)
  const later = samples.length - (samples.length >> 1)
  const counts = fluid.counts
  const frames = new Float64Array(samples.length * 6 * n)
  for (const [k, { state }] of samples.entries()) frames.set(state, k * 6 * n)
  return {
    output: {
      n,
      steps,
      dt,
      time: steps * dt,
      box,
      energyPerAtom: totals[totals.length - 1] as number,
      energyDriftPct: (100 * drift * n) / kineticOf(initial.state).within,
      relativeDriftPct: (100 * drift) / Math.abs(E0),
      temperature: temperatures[temperatures.length - 1] as number,
      pressure: pressures[pressures.length - 1] as number,
      meanTemperature: mean(temperatures.subarray(-later)),
      meanPressure: mean(pressures.subarray(-later)),
      times: asSeries(over(({ step }) => step * dt)),
      totals: asSeries(totals),
      potentials: asSeries(over(({ potential }) => potential / n)),
      temperatures: asSeries(temperatures),
      pressures: asSeries(pressures),
      radii: asSeries(Float64Array.from({ length: BINS }, (_, bin) => ((bin + 0.5) * cutoff) / BINS)),
      rdf: asSeries(counts.map((count, bin) => count / idealPairs(bin, later, { n, box, cutoff }))),
      positions: asSeries(last.state.slice(0, 3 * n)),
      velocities: asSeries(last.state.slice(3 * n)),
    },
    evidence: {
      frames,
      forces: fluid.forces(),
      origins: fluid.origins(),
      before: fluid.repeated(),
      stepsAfter: steps - schedule.repeatedFrom,
    },
  }
}
