import type { CheckpointRow, LogPlace, LogState } from './rows/log.ts'

/** promised: signed. sealed: under a checkpoint. final: sealed for one whole tick. */
export type SealState = 'promised' | 'sealed' | 'final'

/** How sure a leaf is, and whether its checkpoint was late. */
export interface LeafState {
  readonly state: SealState
  readonly late: boolean
}

/** A durable leaf. */
export interface Leaf {
  readonly index: number
  /** The purpose string in its first line, e.g. `tickmesh/envelope/1`. */
  readonly kind: string
  readonly data: Uint8Array
}

/** Which checkpoints are read. */
export interface CheckpointPage {
  readonly above?: number | undefined
  readonly before?: number | undefined
  readonly limit: number
}

/** One append-only Merkle log (RFC 6962 tree, C2SP checkpoints). Everything it shows is durable. */
export interface SealLog {
  /** The place of its rows. */
  readonly name: LogPlace
  /** `tickmesh.log/<node id>/<genesis mesh tick>`, or `tickmesh.events/…`. */
  readonly origin: string
  /** Leaves of this log in earlier eras: a leaf's serial number is this and its index. */
  readonly base: number
  /** Whether its era is over: it is complete, and its last leaf is its succession, if it has one. */
  readonly ended: boolean
  /** Durable leaves. */
  readonly size: number
  /** Root over all durable leaves, hex. */
  readonly root: string
  /** Where it stands; its `openTick` is the tick of the oldest leaf that no tick leaf has ended, null without one. */
  readonly state: LogState
  /** The newest signed checkpoint; undefined before the first. */
  readonly checkpoint: CheckpointRow | undefined
  /** Leaf data; undefined beyond the size. */
  leaf(index: number): Promise<Uint8Array | undefined>
  /** Leaf hash, 32 bytes; undefined beyond the size. */
  leafHash(index: number): Promise<Uint8Array | undefined>
  /** Hashes of leaves, read at once, in the order asked; undefined for what is beyond the size. */
  leafHashes(indices: readonly number[]): Promise<readonly (Uint8Array | undefined)[]>
  /** Index of the leaf with this hash (hex), or undefined. */
  indexOf(hash: string): Promise<number | undefined>
  /** RFC 6962 inclusion path of a leaf in the tree of the first `size` leaves, bottom up. */
  inclusion(index: number, size: number): Promise<readonly Uint8Array[]>
  /** RFC 6962 consistency proof between two sizes, 0 < from <= to. */
  consistency(from: number, to: number): Promise<readonly Uint8Array[]>
  /** Root of the first `size` leaves. */
  rootAt(size: number): Promise<Uint8Array>
  /** The first stored checkpoint that covers the leaf, or undefined while it is only promised. */
  checkpointFor(index: number): Promise<CheckpointRow | undefined>
  /** The checkpoint of exactly this size, or undefined. */
  checkpointAt(size: number): Promise<CheckpointRow | undefined>
  /** Hashes of complete subtrees of `level`, from place `start` on: what hash tiles are cut from. */
  hashes(level: number, start: number, count: number): Promise<readonly Uint8Array[]>
  /** Leaves in a range, as they are stored; those beyond the size are not there. */
  leaves(from: number, to: number): AsyncIterable<Leaf>
  /** Stored checkpoints: those larger than `above`, smallest first; else those smaller than `before`, largest first. */
  checkpoints(page: CheckpointPage): Promise<readonly CheckpointRow[]>
  /** State of a leaf at the present tick, read from the checkpoints that exist. */
  stateOf(index: number): Promise<LeafState>
  /** The same of several leaves, in the order asked: each checkpoint that covers some of them is read once. */
  statesOf(indices: readonly number[]): Promise<readonly LeafState[]>
  /** Every leaf from `from` on, as it becomes durable, until the signal aborts. The log is the buffer. */
  tail(from: number, signal: AbortSignal): AsyncIterable<Leaf>
}
