import type { ResultAt } from '#api/result-of.ts'

/** The solvers as the node lists them. */
export type Solvers = ResultAt<'GET /api/solvers'>['solvers']
