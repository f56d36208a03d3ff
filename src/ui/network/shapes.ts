/** A node as another one knows it. */
export interface PeerShape {
  readonly node: string
  readonly connected: boolean
  readonly address: string | null
  readonly state: string
  readonly reasons: readonly string[]
  readonly version: string | null
  readonly policy: string | null
  readonly head: { readonly size: number } | null
  readonly skew_ticks: number | null
  readonly rtt_ms: number | null
  /** Mesh tick. */
  readonly last_seen: number
}

/** The newest head of a log, as it was announced. */
export interface HeadShape {
  readonly origin: string
  readonly node: string
  readonly size: number
  readonly root: string
  readonly note: string
  readonly seen: number
}

/** Two notes of one log that cannot both be true. */
export interface EquivocationShape {
  readonly origin: string
  readonly size: number
  readonly notes: readonly string[]
  readonly seen: number
}

export interface CountersShape {
  readonly received: Readonly<Record<string, number>>
  readonly repeated: Readonly<Record<string, number>>
  readonly dropped: Readonly<Record<string, number>>
  readonly published: number
  readonly unpublished: number
}

/** Node and peers as `GET /api/mesh/status` shows them. */
export interface MeshShape {
  readonly node: string
  readonly addresses: readonly string[]
  readonly private: boolean
  readonly policy: string
  readonly mesh_tick: number
  readonly meshSize: number
  readonly activeNodes: number
  readonly recentGossipCount: number
  readonly peers: readonly PeerShape[]
  readonly heads: readonly HeadShape[]
  readonly equivocations: readonly EquivocationShape[]
  readonly counters: CountersShape
}
