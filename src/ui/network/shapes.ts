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
  readonly standing: StandingShape
}

/** How far a log counts here, and why. */
export interface StandingShape {
  readonly counts: boolean
  readonly up_to: number | null
  readonly because: string
}

/** The event log of another node, as far as it is here. */
export interface SourceShape {
  readonly node: string
  readonly origin: string
  readonly size: number
  readonly first: number
  readonly noted: number
  readonly behind: number
}

/** One log of this node, and how far others have cosigned it. */
export interface CosignedShape {
  readonly origin: string
  readonly size: number | null
  readonly witnessed: number
  readonly quorum_size: number | null
  readonly witnesses: readonly { readonly name: string; readonly size: number }[]
}

/** Two notes of one key that no log can have grown through. */
export interface ProofShape {
  readonly origin: string
  readonly node: string
  readonly size: number
  readonly larger: number
  readonly notes: readonly string[]
}

/** This node as a witness, and its logs as others witness them. */
export interface WitnessShape {
  readonly name: string
  readonly vkey: string
  readonly logs_known: number
  readonly quorum: string
  readonly logs: readonly CosignedShape[]
  readonly evidence: readonly ProofShape[]
  readonly state: string
  readonly lost: {
    readonly origin: string
    readonly size: number
    readonly signed: number
    readonly from: string
  } | null
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
  readonly sources: readonly SourceShape[]
  readonly witness: WitnessShape
  readonly counters: CountersShape
}
