/** What is remembered of a node across restarts: where to look for it. */
export interface PeerRow {
  /** Plain TCP multiaddrs without the node id, the one that worked last first. */
  readonly addresses: readonly string[]
  /** Whether this node has reached it there; otherwise the addresses are what it said of itself, once connected. */
  readonly reached: boolean
  /** Mesh tick at which it was connected last, as far as that was written. */
  readonly seen: number
}

/** Rows there may be, and how many of them of nodes that were never reached. */
export const PEER_ROWS_MAX = 1_024
export const UNREACHED_ROWS_MAX = 256
/** Addresses of one node. */
export const PEER_ADDRESSES_MAX = 4

export interface PeerRows {
  readonly peer: PeerRow
}

/** Prefix and key of the peers that are remembered. */
export const peerTables = {
  peer: { prefix: 'w', form: 'json', key: 'node id' },
} as const
