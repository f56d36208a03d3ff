import type { Json } from '#core/canonical.ts'
import type { fleetingEvents, MeshEvent } from '#core/events.ts'
import type { Fault } from '#core/fault.ts'
import type { LastingEvent } from './event-type.ts'
import type { Channel, Outlet, Peering } from './outlet.ts'
import type { SourceView, Sync } from './sync/sync.ts'

/** Types of event that a node may announce without keeping them. */
export type FleetingEvent = (typeof fleetingEvents)[number]

/** Where a message came in. On libp2p `from` is gossipsub's signed publisher, not the peer that passed it on. */
export type Entrance =
  | { readonly kind: 'http'; readonly handshake: string | undefined }
  | { readonly kind: 'libp2p'; readonly channel: Channel; readonly from: string }

/**
 * Why a message was dropped, one counter each, in the order of the checks (protocol.md, Handshake). `lifted` is a
 * handshake that was made for another event or for another publisher; `stale_event` an event whose own tick is
 * outside the window, which an open mesh has instead of a handshake's.
 */
export const dropReasons = [
  'secret_missing',
  'too_large',
  'missing',
  'stale',
  'bad',
  'lifted',
  'malformed',
  'not_canonical',
  'bad_signature',
  'schema',
  'unknown_type',
  'stale_event',
  'refused',
] as const
export type DropReason = (typeof dropReasons)[number]

/** What became of a message. A repeat is no fault: it is answered, not applied again and not passed on. */
export type Outcome =
  | { readonly status: 'received'; readonly eventType: string; readonly id: string }
  | { readonly status: 'duplicate'; readonly eventType: string | null }
  | {
      readonly status: 'dropped'
      readonly reason: DropReason
      /** Whether whoever passed it on must have known, and loses score for it. */
      readonly blame: boolean
      readonly fault: Fault
    }

export interface Counters {
  /** Accepted and applied, per entrance. */
  readonly received: { readonly http: number; readonly libp2p: number }
  /** Told by the handshake (`replayed`) or by the event's id (`duplicate`). */
  readonly repeated: { readonly replayed: number; readonly duplicate: number }
  readonly dropped: Readonly<Record<DropReason, number>>
  /** Handed to libp2p, and not handed over because its queue was full or there was no libp2p. */
  readonly published: number
  readonly unpublished: number
}

/** `unknown`: has not answered for itself yet. `incompatible`: answered, and `reasons` says what does not fit. */
export type PeerState = 'unknown' | 'compatible' | 'incompatible'

/** A node that this one is or was in touch with. */
export interface PeerView {
  readonly node: string
  readonly connected: boolean
  readonly address: string | null
  readonly state: PeerState
  readonly reasons: readonly string[]
  readonly version: string | null
  readonly registry_version: string | null
  readonly policy: string | null
  readonly genesisTick: number | null
  /** Size of its seal log, by the note it showed last. */
  readonly head: { readonly origin: string; readonly size: number; readonly root: string } | null
  /** Its mesh tick minus ours when it answered last. */
  readonly skew_ticks: number | null
  readonly rtt_ms: number | null
  /** Mesh tick at which it was last heard of, by event, status or connection. */
  readonly last_seen: number
  /** The node whose key took the place of this one's; what it signs now counts for nothing. */
  readonly superseded_by: string | null
}

/** The newest head seen of a log. A gossiped head decides nothing and is never cosigned. */
export interface HeadView {
  readonly origin: string
  readonly node: string
  readonly size: number
  readonly root: string
  readonly note: string
  /** Mesh tick at which it arrived. */
  readonly seen: number
}

/** Two validly signed notes of one origin with equal size and unequal roots: proof against their signer. */
export interface Equivocation {
  readonly origin: string
  readonly size: number
  readonly notes: readonly [string, string]
  readonly seen: number
}

/** `GET /api/mesh/status` (interface.md, Mesh node status). */
export interface NetworkStatus {
  readonly node: string
  readonly addresses: readonly string[]
  /** True when a mesh secret is set: only its holders are heard. */
  readonly private: boolean
  readonly policy: string
  readonly tick: number
  readonly mesh_tick: number
  readonly phase: number
  /** The last real verification's coherence, or null if there was none. */
  readonly coherenceScore: number | null
  /** Events accepted in the active window of 60 ticks. */
  readonly recentGossipCount: number
  /** The same count: the name is kept from earlier versions. */
  readonly lastGossip: number
  /** Node tick of the last accepted event, or null. */
  readonly lastGossipTick: number | null
  /** This node and the ones it is connected to. */
  readonly meshSize: number
  /** This node and the ones heard of in the active window. */
  readonly activeNodes: number
  /** At most 256, the connected ones first. */
  readonly peers: readonly PeerView[]
  /** At most 256, the newest first. */
  readonly heads: readonly HeadView[]
  readonly equivocations: readonly Equivocation[]
  /** Nodes whose event logs are kept or were announced; at most 256, those that lack most first. */
  readonly sources: readonly SourceView[]
  readonly counters: Counters
}

/** The network domain, as endpoints and the composition root see it. */
export interface Network {
  readonly nodeId: string
  status(): NetworkStatus
  peers(): readonly PeerView[]
  heads(): readonly HeadView[]
  equivocations(): readonly Equivocation[]
  counters(): Counters
  /** Judges a message by the checks of protocol.md, in their order, and applies it if it passes all. Never throws. */
  receive(data: Uint8Array, entrance: Entrance): Outcome
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
  /** What the mesh calls: see {@link Peering}. */
  readonly peering: Peering
  /** Joins the network to a transport; disposing leaves it. One at a time. */
  attach(outlet: Outlet): Disposable
}
