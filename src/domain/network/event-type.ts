import type { Static, TSchema } from 'typebox'
import type { MeshEvent } from '#core/events.ts'
import type { HeadVerdict } from './heads.ts'
import type { DropReason } from './network.ts'
import type { Channel } from './outlet.ts'
import type { Peers } from './peers.ts'

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

/** Why an event that passed all checks of its form was not applied. */
export interface Refusal {
  readonly reason: DropReason
  readonly detail: string
}

/** One type of mesh event, whole: payload, channel, age, effect. */
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
