import type { Clock } from '#core/clock.ts'
import type { Network } from '#domain/network/network.ts'

/** Where the host listens and whom it knows from the start. */
export interface MeshConfig {
  /** IP address to listen on; loopback unless the owner opens it. */
  readonly host: string
  /** TCP port; 0 takes any that is free. */
  readonly port: number
  /** Multiaddrs of nodes to join by, with or without `/p2p/<node id>`. */
  readonly bootstrap: readonly string[]
  /** Multiaddrs to tell others instead of those listened on. */
  readonly announce: readonly string[]
}

/** One line of the log: an event's name and its fields, never a sentence, never a secret. */
export type MeshLog = (event: string, fields: Readonly<Record<string, unknown>>) => void

export interface MeshOptions {
  /** The node's 32-byte Ed25519 seed: the peer id made of it is the node id. */
  readonly seed: Uint8Array
  readonly config: MeshConfig
  readonly network: Network
  readonly clock: Clock
  readonly log: MeshLog
}

/** A running libp2p host, joined to the network domain. Disposing it closes every connection and timer. */
export interface Mesh extends AsyncDisposable {
  readonly nodeId: string
  /** Multiaddrs with `/p2p/<node id>`, as bound. */
  addresses(): readonly string[]
  /** Node ids that are connected now. */
  peers(): readonly string[]
  /** Connects to a multiaddr. @returns the node id found there. */
  dial(address: string, signal: AbortSignal): Promise<string>
}

/** Builds and starts the host. The body follows with the libp2p assembly. */
export type CreateMesh = (options: MeshOptions) => Promise<Mesh>
