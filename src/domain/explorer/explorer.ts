import type { Caller } from '#core/caller.ts'
import type { KernelPaths } from './kernel-note.ts'
import type { Logs } from './logs.ts'
import type { SourceArchive } from './source.ts'
import type { Tally } from './vectors.ts'
import type { ConstantView, Landauer, LogStateView, Manifest, NodeStatus, PulseView, Readiness } from './views.ts'

/** Rows of the interface document that stand here, and golden vectors that pass here. */
export interface Conformance {
  readonly rows: Tally
  readonly vectors: Tally
}

/** What the gateway derives from the endpoint array and the explorer shows. */
export interface Surfaces {
  manifest(domain?: string): Manifest
  openapi(): unknown
  readonly kernel: KernelPaths
}

/** The explorer domain: the node looking at itself. It changes nothing. */
export interface Explorer {
  pulse(): PulseView
  readiness(): Promise<Readiness>
  status(): NodeStatus
  logState(): LogStateView
  /** The node's logs, leaf by leaf and tile by tile. */
  readonly logs: Logs
  landauer(): Landauer
  constants(): readonly ConstantView[]
  constant(key: string): ConstantView | undefined
  /** Prometheus text exposition and its media type. */
  metrics(): Promise<{ readonly text: string; readonly type: string }>
  readonly surfaces: Surfaces
  /**
   * All rows of the database as an archive without key files, in one moment, for the owner's own key.
   *
   * @throws Fault SCOPE_REQUIRED
   */
  snapshot(caller: Caller, signal: AbortSignal): AsyncIterable<Uint8Array>
  /** The source of the running release. */
  source(): Promise<SourceArchive>
  /** Rows and vectors, as this node finds them. */
  conformance(): Promise<Conformance>
}
