import type { MeshEvent } from '#core/events.ts'
import type { EventIdentity } from '#domain/network/event-type.ts'
import type { DisputeEventType } from '#store/disputes.ts'
import { keyOf } from '#store/key-parts.ts'
import type { Put } from '#store/transaction.ts'

/** Key of an event of a dispute. @param about what it names: a work, a challenge; itself, for one that publishes. */
export const disputedKey = (type: DisputeEventType, about: string, id: string): string => keyOf(type, about, id)

/** Key of the event that published works, by its own id. */
export const publishedKey = (event: string): string => disputedKey('work', event, event)

/** Keeps an event that disputes follow from, with the leaf that holds it. */
export const keepDisputed = (
  put: Put,
  { sourceNodeId: author, seq, tick, payload }: MeshEvent,
  { type, about, at: { id, origin } }: { type: DisputeEventType; about: string; at: EventIdentity },
): void => {
  put('disputed', disputedKey(type, about, id), { type, origin, seq, tick, author, payload })
  put('disputedNews', 'all', id)
}
