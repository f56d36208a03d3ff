import { solvers } from '#numerics/solvers/index.ts'

/** A problem whose check is held against its solve. */
export interface Problem {
  readonly solver: string
  readonly inputs: object
}

const of = (solver: string, ...all: readonly object[]): readonly Problem[] => all.map((inputs) => ({ solver, inputs }))

/** Where a check is dearest beside its solve: large grids, few steps, odd lengths of transforms. */
const extremes: readonly Problem[] = [
  ...of('react', { n: 512, steps: 10 }, { n: 512, steps: 40 }, { n: 512, steps: 100 }),
  ...of('react', { n: 512, steps: 40, model: 'fitzhugh-nagumo' }),
  ...of('evolve', { n: 32_000, steps: 1 }, { n: 32_000, steps: 10 }, { n: 4_000, steps: 1 }),
  ...of('climate', { mode: 'general', nx: 512, ny: 512, t_max: 60 }, { mode: 'general', nx: 512, ny: 512, t_max: 600 }),
  ...of('wave', { nx: 512, ny: 512, c: 1e-9 }, { nx: 511, ny: 511, c: 1e-9 }, { nx: 509, ny: 509 }),
  ...of('tumor', { dim: 2, nx: 512, ny: 512, steps: 4 }),
]

/** Every solver at its default, and the extremes. */
export const problems: readonly Problem[] = solvers.flatMap(({ name }) => [
  { solver: name, inputs: {} },
  ...extremes.filter(({ solver }) => solver === name),
])
