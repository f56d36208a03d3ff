import type { SourceArchive } from './source.ts'
import type { Tally } from './vectors.ts'

/** Rows of the interface document that stand here, and golden vectors that pass here. */
export interface Conformance {
  readonly rows: Tally
  readonly vectors: Tally
}

/** The prompt-like block that every pulse carries: what a caller must know to compute here. */
export interface KernelNote {
  readonly notice: string
  readonly url: string
  readonly prompt: string
  readonly markdown: string
  readonly version: string
  /** The seven protocol strings of the interface document. */
  readonly protocol: readonly string[]
}

/** The pulse payload, with the names the interface document gives. */
export interface Pulse {
  readonly protocol: string
  readonly doctrine: string
  /** ISO 8601. */
  readonly genesisAt: string
  readonly sinceGenesis: number
  readonly tick: number
  /** In [0, 1). */
  readonly phase: number
  /** Mesh tick of the node's genesis. */
  readonly genesisTick: number
  readonly genesisUnixMs: number
  readonly clockSource: string
  readonly R_t: number
  /** R_t − S: how far the modulation stands from its mean at this phase. */
  readonly fieldStrength: number
  /** Seconds. */
  readonly timeToNextTick: number
  readonly pulseHz: number
  readonly tickSec: number
  readonly alpha: number
  /** The precision bound in percent. */
  readonly precision: number
  /** ISO 8601. */
  readonly timestamp: string
  readonly modulation: string
  /** Exact fields beside the captions. */
  readonly tick_ns: number
  readonly mesh_tick: number
  readonly _kernel: KernelNote
}

/** One check of readiness. */
export interface Check {
  readonly name: string
  readonly ok: boolean
  readonly detail: string
}

export interface Readiness {
  readonly ok: boolean
  readonly checks: readonly Check[]
}

/** A forward step of the wall clock that was followed: ticks in between are missing for ever. */
export interface ClockJumpView {
  /** Node tick before it. */
  readonly tick: number
  /** Nanoseconds, decimal. */
  readonly step_ns: string
}

/** What the node is and does, for people and monitors. */
export interface NodeStatus {
  readonly node: string
  readonly version: string
  readonly build: string
  readonly kernel_version: string
  readonly registry_version: string
  readonly state: 'starting' | 'running' | 'stopping'
  readonly tick: number
  readonly mesh_tick: number
  readonly phase: number
  readonly uptime_seconds: number
  readonly node_version: string
  readonly platform: string
  readonly rss_bytes: number
  readonly clock_jumps: readonly ClockJumpView[]
  readonly peers: number
  readonly endpoints: number
  readonly log: LogState
}

/** The seal log as it stands. */
export interface LogState {
  readonly origin: string
  readonly leaves: number
  /** Newest checkpoint, or null before the first. */
  readonly checkpoint: Checkpoint | null
}

export interface Checkpoint {
  readonly size: number
  /** Hex. */
  readonly root: string
  /** Node tick that it was signed for. */
  readonly tick: number
  /** Cosignatures of witnesses. */
  readonly cosignatures: number
  /** C2SP signed note. */
  readonly note: string
}

/** Landauer's bound for what this node erased, beside what the machine measured. */
export interface Landauer {
  readonly bits_erased: number
  readonly temperature_kelvin: number
  readonly joules_per_bit: number
  readonly bound_joules: number
  /** Energy of the processor packages since start, where the machine shows it. */
  readonly measured_joules: number | null
  readonly measured_from: string | null
  readonly since: string
}

/** A physical or service constant. */
export interface Constant {
  readonly key: string
  readonly value: number
  readonly unit: string
  readonly name: string
  readonly source: string
  /** True where the value is exact by definition. */
  readonly exact: boolean
  /** Standard uncertainty in the same unit; 0 for exact ones. */
  readonly uncertainty: number
}

/** What the gateway derives from the endpoint array and the explorer shows. */
export interface Surfaces {
  manifest(domain?: string): Manifest
  openapi(): unknown
}

export interface Manifest {
  readonly version: string
  readonly count: number
  readonly domains: readonly { readonly slug: string; readonly count: number }[]
  readonly tiers: { readonly computation: number; readonly 'machine-control': number }
  readonly endpoints: readonly ManifestRow[]
}

export interface ManifestRow {
  readonly id: string
  readonly method: string
  readonly path: string
  readonly domain: string
  readonly tier: 'computation' | 'machine-control'
  readonly auth: 'none' | 'optional' | 'bearer' | 'handshake'
  readonly summary: string
  /** The operation's own route, when this row is a legacy twin. */
  readonly alias_of: string | null
}

/** The explorer domain: the node looking at itself. It changes nothing. */
export interface Explorer {
  pulse(): Pulse
  readiness(): Promise<Readiness>
  status(): NodeStatus
  logState(): LogState
  landauer(): Landauer
  constants(): readonly Constant[]
  constant(key: string): Constant | undefined
  /** The kernel prompt in Markdown. */
  prompt(): string
  /** Prometheus text exposition and its media type. */
  metrics(): Promise<{ readonly text: string; readonly type: string }>
  readonly surfaces: Surfaces
  /** The source of the running release. */
  source(): Promise<SourceArchive>
  /** Rows and vectors, as this node finds them. */
  conformance(): Promise<Conformance>
}
