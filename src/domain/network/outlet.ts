import type { RememberedPeer } from './remembered-peers.ts'
import type { Shard } from './shards.ts'

/**
 * Gossip runs on channels of their own: heads, which come with every tick, cannot crowd out events, and what is about
 * works goes to those whom it concerns.
 */
export type Channel = 'event' | 'head' | Shard

/** What carries gossip between nodes: connections of our own, or a Redis that the nodes share. */
export type Transport = 'libp2p' | 'redis'

/** The port through which the domain reaches the mesh: what it asks of a transport, and nothing of how. */
export interface Outlet {
  readonly transport: Transport
  /** Queues a message for gossip. @returns false when the queue is full: gossip has no memory, so it is then lost. */
  publish(channel: Channel, data: Uint8Array): boolean
  /** Listens to these shards, a few, and to no others. */
  listen(shards: readonly Shard[]): void
  /** Multiaddrs that others can reach this node at; none where nobody dials. */
  addresses(): readonly string[]
  /** Asks for a connection to a node that was announced; bounded and refused at will. */
  acquaint(node: string, addresses: readonly string[]): void
}

/** What a transport tells the domain. */
export interface Peering {
  connected(node: string, address: string): void
  disconnected(node: string): void
  /** This node reached another at a multiaddr that it may dial again by itself. */
  reached(node: string, address: string): void
  /** A connected node says where it listens: multiaddrs that this node may dial by itself. */
  told(node: string, addresses: readonly string[]): void
  /** Peers from before a restart, and where they were; none where nothing is kept. */
  remembered(): Promise<readonly RememberedPeer[]>
  /** Where one node was found before, or said that it listens. */
  placesOf(node: string): Promise<readonly string[]>
  /** Writes down whom to look for after a restart. Call it before the transport goes. */
  remember(): Promise<void>
  /** A node has begun to listen to gossip: what is published from now on reaches it. */
  listening(node: string): void
  /** The two parts of this node's status: handshake (empty in an open mesh) and canonical document. */
  ownStatus(): readonly [Uint8Array, Uint8Array]
  /** Takes a peer's status from a stream whose far end is `node`. @param rttMs of the whole exchange, if measured. */
  statusOf(node: string, parts: readonly [Uint8Array, Uint8Array], rttMs: number | undefined): void
  /** A peer that could not or would not give its status. */
  statusFailed(node: string, why: string): void
  /** What comes round with the ticks: presence, and the newest own head. Call it once a tick. */
  beat(): void
}
