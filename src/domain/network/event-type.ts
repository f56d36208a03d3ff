import type { Static, TSchema } from 'typebox'
import type { lastingEvents, MeshEvent, UnsignedEvent } from '#core/events.ts'
import type { IndexedName } from '#store/rows/indexed.ts'
import type { Store } from '#store/store.ts'
import type { Put, Transaction } from '#store/transaction.ts'
import type { HeadVerdict } from './heads.ts'
import type { Channel } from './outlet.ts'
import type { Peers } from './peers.ts'
import type { DropReason } from './views.ts'

/** What an event may change: memory with bounds. Nothing that gossip alone brings decides anything. */
export interface Memory {
  readonly peers: Peers
  /** Now. */
  readonly meshTick: number
  /** Compares a head and remembers it with its node. @throws Fault BAD_SIGNATURE unless the note is that node's. */
  takeHead(node: string, note: string): HeadVerdict
  /** Asks the transport for a connection. */
  acquaint(node: string, addresses: readonly string[]): void
}

/** Reads what is kept here. */
export type Peek = Store['peek']

/** What an event is found by; without a name by its own id. */
export type NamedBy = Omit<IndexedName, 'name'> & { readonly name: string | null }

/** Where an event stands, and its name: its leaf hash. */
export interface EventIdentity {
  readonly id: string
  readonly origin: string
}

/** Why an event that passed all checks of its form was not applied. */
export interface Refusal {
  readonly reason: DropReason
  readonly detail: string
}

/** Types of event that stand as leaves in their source's event log. */
export type LastingEvent = (typeof lastingEvents)[number]

/** One type of event that is gossip only, whole: payload, channel, age, effect. */
export interface EventType<P extends TSchema = TSchema> {
  readonly type: string
  readonly channel: Channel
  readonly payload: P
  /** How far its own tick may lie from now, either way. */
  readonly ticksOldMax: number
  /** Applies the event or says why not; a refused one must have changed nothing. */
  apply(memory: Memory, event: MeshEvent, payload: Static<P>): Refusal | undefined
}

/** An event type whose payload is not known any more, as the registry holds it. */
export type AnyEventType = Omit<EventType, 'apply'> & {
  apply(memory: Memory, event: MeshEvent, payload: unknown): Refusal | undefined
}

/** The registry checks a payload against the schema before it calls `apply`, which is what makes the cast true. */
export const eventType = <P extends TSchema>(definition: EventType<P>): AnyEventType => ({
  ...definition,
  apply: (memory, event, payload) => definition.apply(memory, event, payload as Static<P>),
})

/**
 * One lasting type of event, whole. Its effect is a union, or a rule per source: whatever order events of several
 * sources arrive in, and however often one does, the rows are the same afterwards.
 */
export interface LastingType<P extends TSchema = TSchema> {
  readonly type: LastingEvent
  readonly payload: P
  /**
   * Whether a gossiped event has its effect when it is heard. Only for what proves itself, whoever says it; otherwise
   * gossip is a hint, and the effect comes with the leaf in a range that the source signed.
   */
  readonly atOnce: boolean
  /**
   * Whose shard it is gossiped on, as far as that is known here; `nowhere`: not at all. Without it, with all events.
   * The payload's form has been checked.
   */
  readonly shard?: 'nowhere' | ((event: MeshEvent, payload: Static<P>, peek: Peek) => string | undefined)
  /** Whether witnesses are shown it at once, also those outside the mesh: a window or a draw hangs on when it was. */
  readonly pushed?: true
  /**
   * The author's rule and whatever must verify inside the payload, as a pure function of the event: why it counts for
   * nothing, or undefined. Such an event is refused by gossip; as a leaf it is kept, for the root needs it, and not
   * applied. The event's own signature and the payload's form have been checked.
   */
  check(event: UnsignedEvent, payload: Static<P>): string | undefined
  /**
   * The effect, in the commit that keeps the leaf (or, `atOnce`, in one of its own). It must not throw, may run again
   * for the same event, and bounds what it writes.
   */
  apply(tx: Transaction, event: UnsignedEvent, payload: Static<P>): void
  /** What others find it by that keep no such log (`/tickmesh/index/1`): nothing unless given. */
  names?(event: UnsignedEvent, payload: Static<P>): readonly NamedBy[]
  /** Rows of the event itself, under its own name, which only the signed leaf has: in the same batch. */
  keep?(put: Put, event: MeshEvent, at: EventIdentity, payload: Static<P>): void
}

/** A lasting type as the registry holds it. */
export type AnyLastingType = Omit<LastingType, 'check' | 'apply' | 'keep' | 'shard' | 'names'> & {
  readonly shard?: 'nowhere' | ((event: MeshEvent, payload: unknown, peek: Peek) => string | undefined)
  check(event: UnsignedEvent, payload: unknown): string | undefined
  apply(tx: Transaction, event: UnsignedEvent, payload: unknown): void
  keep(put: Put, event: MeshEvent, at: EventIdentity, payload: unknown): void
  names(event: UnsignedEvent, payload: unknown): readonly NamedBy[]
}

/** As {@link eventType}, for one that lasts. */
export const lastingType = <P extends TSchema>({ shard, ...definition }: LastingType<P>): AnyLastingType => ({
  ...definition,
  ...(shard === undefined
    ? {}
    : {
        shard: typeof shard === 'function' ? (event, payload, peek) => shard(event, payload as Static<P>, peek) : shard,
      }),
  check: (event, payload) => definition.check(event, payload as Static<P>),
  apply: (tx, event, payload) => definition.apply(tx, event, payload as Static<P>),
  keep: (put, event, at, payload) => definition.keep?.(put, event, at, payload as Static<P>),
  names: (event, payload) => definition.names?.(event, payload as Static<P>) ?? [],
})
