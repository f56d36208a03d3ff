import type { ResultAt } from '#api/result-of.ts'

/** A relation whole. */
export type RelationView = ResultAt<'GET /api/operators/{id}'>

/** A relation as a search lists it. */
export type FoundRelation = ResultAt<'GET /api/operators/search'>['operators'][number]

/** A variable of a relation, as its row has it. */
export type RelationVariable = RelationView['variables'][string]

/** A relation's worked case. */
export type RelationExample = NonNullable<RelationView['example']>
