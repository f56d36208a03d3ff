import type { ResultAt } from '#api/result-of.ts'

/** This node and its peers. */
export type Mesh = ResultAt<'GET /api/mesh/status'>
