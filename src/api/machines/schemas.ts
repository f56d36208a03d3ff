import Type from 'typebox'
import { codesOf } from '#core/fault.ts'
import { count, integer, PAGE_ROWS_DEFAULT, PAGE_ROWS_MAX, preset, slug as slugSchema, text } from '#core/schema.ts'

/** The machine that a path names. */
export const slug = () => slugSchema({ title: 'MachineSlug', description: 'Slug of the machine.' })

/** What every endpoint about one machine may refuse. */
export const seen = ['NOT_FOUND'] as const
/** And one that asks for a role. */
export const guarded = ['NOT_FOUND', 'SCOPE_REQUIRED'] as const
/** And one that changes something. */
export const changing = ['NOT_FOUND', 'SCOPE_REQUIRED', 'RATE_LIMITED', ...codesOf('commit'), 'NODE_BUSY'] as const
/** And one that appends on a writer's behalf. */
export const writing = [...changing, 'MACHINE_NOT_ACTIVE', 'NOT_CANONICAL'] as const

/** A node tick of a query. */
export const atTick = (description: string) => integer({ minimum: 0, description })

/** `limit` of a list. */
export const limit = (most: number = PAGE_ROWS_MAX) =>
  preset(
    integer({ minimum: 1, maximum: most, default: PAGE_ROWS_DEFAULT, description: 'Rows at most; 50 unless said.' }),
  )
/** `after` of a chain's page. */
export const afterSeq = () => Type.Optional(count({ description: 'Number of the last entry that the caller has.' }))
/** The filter by name. */
export const eventName = () =>
  Type.Optional(text(64, { minLength: 1, description: 'Only events of this name, or entries of this type.' }))
