import type { ResultAt } from '#api/result-of.ts'

/** This node and its peers. */
export type MeshStatus = ResultAt<'GET /api/mesh/status'>
