import { closeSchema } from '#core/work/audit.ts'
import { workEventSchema } from '#core/work/published.ts'
import { keepDisputed } from '#domain/network/disputes/keep.ts'
import { lastingType } from '#domain/network/event-type.ts'

/** A requester publishes the works of a tick: their root and count, never what they are of. */
export const works = lastingType({
  type: 'work',
  payload: workEventSchema,
  atOnce: false,
  shard: ({ sourceNodeId }) => sourceNodeId,
  names: () => [{ kind: 'work', name: null, isIt: true }],
  check: () => undefined,
  apply: () => undefined,
  keep: (put, event, at) => keepDisputed(put, event, { type: 'work', about: at.id, at }),
})

/** A requester closes a job: what it had committed to, and what it found. */
export const close = lastingType({
  type: 'close',
  payload: closeSchema,
  atOnce: false,
  shard: ({ sourceNodeId }) => sourceNodeId,
  check: ({ sourceNodeId }, { job }) =>
    job.requester === sourceNodeId ? undefined : '/payload/job/requester: only a requester closes its job.',
  apply: () => undefined,
})
