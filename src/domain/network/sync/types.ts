import type { EquivocationProof } from '#core/equivocation.ts'
import type { SourceView } from '#domain/network/views.ts'
import type { Wire } from './inbox.ts'
import type { SyncRefusal } from './refused.ts'

/** What became of a sync. */
export type SyncOutcome =
  | { readonly ok: true; readonly leaves: number }
  | { readonly ok: false; readonly reason: SyncRefusal; readonly blame: boolean; readonly detail: string }

/** Brings other nodes' event logs here, and ours to them. */
export interface Sync {
  /**
   * Runs one sync on a stream whose far end is `node`, until both sides have what the other offered. Never throws.
   *
   * @param opener whether this node opened the stream.
   */
  run(node: string, wire: Wire, opener: boolean): Promise<SyncOutcome>
  /** Whom to sync with now, of the nodes that are connected. Call it once a tick. */
  due(connected: readonly string[]): readonly string[]
  /** A note of an event log was seen, signed by its source. */
  noted(origin: string, size: number): void
  sources(): readonly SourceView[]
  /** The event log of another node that is held here, the last one that came; undefined where none is. */
  logOf(node: string): string | undefined
  /** Told, from now on, of every source that is found to have signed two histories. */
  onFork(report: (proof: EquivocationProof) => void): void
  /** Told, from now on, of notes of this node's own event log that go further than the log does here. */
  onAhead(report: (note: string, from: string) => void): void
}
