import type { AnyEventType } from '#domain/network/event-type.ts'
import { head } from './head.ts'
import { presence } from './presence.ts'

/** Every type of mesh event that this node speaks. */
export const eventTypes: readonly AnyEventType[] = [presence, head]

/** The type of that name, or undefined for one that this release does not know. */
export const eventTypeOf = (type: string): AnyEventType | undefined => eventTypes.find((it) => it.type === type)
