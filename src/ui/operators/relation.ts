import type { ResultAt } from '#api/result-of.ts'

/** A relation whole. */
export type Relation = ResultAt<'GET /api/operators/{id}'>

/** A relation as a search lists it. */
export type FoundRelation = ResultAt<'GET /api/operators/search'>['operators'][number]

/** A variable of a relation, as its row has it. */
export type Variable = Relation['variables'][string]

/** A relation's worked case. */
export type Example = NonNullable<Relation['example']>
