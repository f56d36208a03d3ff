import Type, { type Static } from 'typebox'
import { closed, count, finite, hex64, nodeId, orNull, text } from '#core/schema.ts'
import { STATES_MAX } from './segments.ts'

/** Attempts at one job. */
const ATTEMPTS_MAX = 64

/** Form of the name of a job: its requester, and 16 random bytes that make it the only one. */
export const jobSchema = closed(
  {
    requester: nodeId({ description: 'Node id of whoever asks for the job.' }),
    random: Type.String({ pattern: '^[0-9a-f]{32}$', description: '16 random bytes, hex.' }),
  },
  { title: 'JobName' },
)
export type JobName = Static<typeof jobSchema>

/** One line for a job, to find it by. */
export const jobKey = ({ requester, random }: JobName): string => `${requester}/${random}`

/** Which try at the job it is, from 0. */
export const attemptSchema = () => count({ maximum: ATTEMPTS_MAX - 1, description: 'Which try at the job, from 0.' })

/** Form of the tree over the states of a run that steps, as claims have it. */
export const stepsSchema = orNull(
  closed({
    root: hex64({ description: 'RFC 6962 root over the leaves of the states.' }),
    every: count({ minimum: 1, description: 'Steps between two states.' }),
    count: count({ minimum: 2, maximum: STATES_MAX, description: 'States.' }),
  }),
)

/** Form of what a solver's own check found, as claims have it. */
export const checkSchema = closed({
  against: text(1_024, { minLength: 1 }),
  measured: finite({ minimum: 0 }),
  bound: finite({ minimum: 0 }),
})
