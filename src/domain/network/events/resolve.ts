import { resolvedSchema } from '#core/vote/documents.ts'
import { lastingType } from '#domain/network/event-type.ts'
import { keepResolution } from '#domain/network/votes/keep.ts'

/** A node says what it counted. It decides nothing elsewhere: each node counts for itself. Its newest word stands. */
export const resolve = lastingType({
  type: 'resolve',
  payload: resolvedSchema,
  atOnce: false,
  names: (_, { proposal }) => [{ kind: 'proposal', name: proposal, isIt: false }],
  check: () => undefined,
  apply: (tx, event, payload) => keepResolution(tx, event, payload),
})
