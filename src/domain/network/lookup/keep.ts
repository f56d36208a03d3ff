import type { UnsignedEvent } from '#core/events.ts'
import type { AnyLastingType } from '#domain/network/event-type.ts'
import { sourceOf } from '#store/foreign.ts'
import { addIndexed, addIndexedLate } from '#store/indexed.ts'
import { indexedKey } from '#store/rows/indexed.ts'
import type { Transaction } from '#store/transaction.ts'

/** An event of an event log that is kept here. */
export interface IndexedEvent {
  readonly origin: string
  readonly event: UnsignedEvent
  /** Its leaf hash; a function where its leaf is made with the same transaction. */
  readonly id: string | (() => string)
}

/** Lets an event be found by what it names, in the commit that keeps its leaf. */
export const indexEvent = (tx: Transaction, type: AnyLastingType, { origin, event, id }: IndexedEvent): void => {
  for (const { kind, name, isIt } of type.names(event, event.payload)) {
    const keyFor = (named: string): string => indexedKey({ kind, name: named, isIt }, sourceOf(origin), event.seq)
    if (name !== null) addIndexed(tx, keyFor(name))
    else if (typeof id === 'string') addIndexed(tx, keyFor(id))
    else addIndexedLate(tx, () => keyFor(id()))
  }
}
