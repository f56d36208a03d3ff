import type { Json } from '#core/canonical.ts'
import type { fleetingEvents, MeshEvent } from '#core/events.ts'
import type { Fault } from '#core/fault.ts'
import type { Cosigned } from './cosigned/types.ts'
import type { LastingEvent } from './event-type.ts'
import type { Lookup } from './lookup/types.ts'
import type { Channel, Outlet, Peering } from './outlet.ts'
import type { Sync } from './sync/types.ts'
import type { Counters, DropReason, Equivocation, HeadView, NetworkStatus, PeerView, RedisStatus } from './views.ts'
import type { WhenOf } from './when.ts'

/** Types of event that a node may announce without keeping them. */
export type FleetingEvent = (typeof fleetingEvents)[number]

/**
 * Where a message came in. On libp2p `from` is gossipsub's signed publisher, not the peer that passed it on; Redis
 * names no publisher.
 */
export type Entrance =
  | { readonly kind: 'http'; readonly handshake: string | undefined }
  | { readonly kind: 'libp2p'; readonly channel: Channel; readonly from: string }
  | { readonly kind: 'redis'; readonly channel: Channel }

/** What became of a message. A repeat is no fault: it is answered, not applied again and not passed on. */
export type MessageOutcome =
  | { readonly status: 'received'; readonly eventType: string; readonly id: string }
  | { readonly status: 'duplicate'; readonly eventType: string | null }
  | {
      readonly status: 'dropped'
      readonly reason: DropReason
      /** Whether whoever passed it on must have known, and loses score for it. */
      readonly blame: boolean
      readonly fault: Fault
    }

/** The network domain, as endpoints and the composition root see it. */
export interface Network {
  readonly nodeId: string
  status(): NetworkStatus
  /** How the entrance over Redis stands. */
  redis(): RedisStatus
  peers(): readonly PeerView[]
  /** Node ids of the peers connected. */
  connected(): readonly string[]
  heads(): readonly HeadView[]
  equivocations(): readonly Equivocation[]
  counters(): Counters
  /** Checks a message by the checks of protocol.md, in their order, and applies it if it passes all. Never throws. */
  receive(data: Uint8Array, entrance: Entrance): MessageOutcome
  /** Signs an event of this node's that is gossip only, and publishes it. @returns its id. */
  announce(type: FleetingEvent, payload: Json): Promise<string>
  /**
   * Signs a lasting event with the index that the single writer gives it, appends it to the own event log with its
   * effect, and gossips it once it is durable.
   *
   * @throws Fault INVALID_INPUT for a payload that its type refuses; CLOCK_BEHIND, NODE_BUSY, NODE_STOPPING.
   */
  record(type: LastingEvent, payload: Json): Promise<MeshEvent>
  /** Brings event logs here and ours to others; undefined where nothing is kept. */
  readonly sync: Sync | undefined
  /** When witnesses signed event logs; undefined where nothing is kept. */
  readonly cosigned: Cosigned | undefined
  /** Finds events whose logs are not kept here; undefined where nothing is kept. */
  readonly lookup: Lookup | undefined
  /** When a lasting event happened, by the policy's witnesses. */
  readonly whenOf: WhenOf
  /** What the mesh calls: see {@link Peering}. */
  readonly peering: Peering
  /** Joins the network to a transport; disposing leaves it. One of each kind at a time. */
  attach(outlet: Outlet): Disposable
}
