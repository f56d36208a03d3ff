import { solvers } from '#numerics/solvers/index.ts'

/** A problem whose check is held against its solve. */
export interface Problem {
  readonly solver: string
  readonly inputs: object
}

const of = (solver: string, ...all: readonly object[]): readonly Problem[] => all.map((inputs) => ({ solver, inputs }))

/** A square matrix with one number on its diagonal and another beside it. */
const matrix = (n: number, on: number, beside: number): readonly number[] =>
  Array.from({ length: n * n }, (_, i) => (i % (n + 1) === 0 ? on : beside))

const full = { nx: 512, ny: 512 }
/** Primes of a size, and the grid whose transforms are longest: twice a length just passes a power of two. */
const odd = { nx: 509, ny: 509 }
const padded = { nx: 513, ny: 511 }
const spheroid = { dim: 2, ...full, initial: { kind: 'gaussian', sigma: 0.1 }, walls: 'closed' }

/** As many segments as there may be, no two neighbours alike. */
const segments = Array.from({ length: 64 }, (_, k) => ({ length: 3 / 64, I: (1 + (k % 5)) * 1e-6 }))
const states = {
  ...{ model: 'matrices', states: 32, observations: 32, steps: 5_000 },
  ...{ A: matrix(32, 0.5, 0.01), C: matrix(32, 1, 0), Q: matrix(32, 1, 0), R: matrix(32, 1, 0) },
}

/** Where a check is dearest beside its solve: large grids, few steps, many outputs, odd lengths of transforms. */
const extremes: readonly Problem[] = [
  ...of('acoustic', { modes: 64, elements: 2_000, section: { kind: 'exponential' } }),
  ...of('action', { system: 'pendulum', outputs: 4_000, periods: 400, stepsPerPeriod: 40, order: 4 }),
  ...of('blackhole', { mode: 'orbit', orbit: { turns: 100 } }),
  ...of('buckling', { elements: 2_000, lower: 'fixed', upper: 'free', segments }),
  ...of('climate', { mode: 'general', ...full, t_max: 1 }, { mode: 'general', nx: 8_192, ny: 32, t_max: 1 }),
  ...of('device', full, { dim: 1, junction: { points: 100_000 } }),
  ...of('dock', { starts: 1 }, { starts: 8 }),
  ...of('epi', { model: 'SEIR', E0: 10, outputs: 4_096 }),
  ...of('evolve', { n: 32_000, steps: 1 }, { n: 4_000, steps: 1, cutoff: 5 }, { n: 2_000, steps: 1, cutoff: 6 }),
  ...of('fea', { nx: 4_096, ny: 1, L: 40 }),
  ...of('flow', { ...full, steps: 1 }, { case: 'channel', nx: 64, ny: 1_024, steps: 1 }),
  ...of('fracture', { nx: 100, ny: 100, time: 1e-7, horizon: 4.05 }, { nx: 50, ny: 50, time: 1e-6 }),
  ...of('grid', { case: 'ieee118', contingencies: true }),
  ...of('heat', { ...full, steps: 1 }, { ...padded, steps: 1 }, { ...odd, steps: 1, boundary: { kind: 'periodic' } }),
  ...of('kalman', states, { ...states, steps: 32 }),
  ...of('lattice', { nodeCount: 16 }),
  ...of('lorenz', { t_max: 1, outputs: 20_000 }, { t_max: 20, outputs: 1, batches: 20 }),
  ...of('lotka', { t_max: 10_000, outputs: 4_096 }),
  ...of('react', { n: 512, steps: 1 }, { n: 512, steps: 10 }, { n: 512, steps: 40 }, { n: 512, steps: 100 }),
  ...of('react', { n: 512, steps: 40, model: 'fitzhugh-nagumo' }),
  ...of('tumor', { ...spheroid, steps: 1 }, { ...spheroid, steps: 10 }),
  ...of('wave', { ...full, c: 1e-9 }, { ...padded, c: 1e-9 }, { ...odd, c: 1e-9, boundary: 'periodic' }),
]

/** Every solver at its default, and the extremes. */
export const problems: readonly Problem[] = solvers.flatMap(({ name }) => [
  { solver: name, inputs: {} },
  ...extremes.filter(({ solver }) => solver === name),
])
