import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'

/** `seal`: envelopes, token operations, ledger leaves (private). `events`: the mesh events of this node (public). */
export type LogName = 'seal' | 'events'
export const logNames: readonly LogName[] = ['seal', 'events']

/** Where the rows of a log stand: under its name in the first era, later under that and the era's number. */
export type LogPlace = LogName | `${LogName}.${number}`
/** The place of a log in an era, counted from 0. */
export const placeOf = (name: LogName, era: number): LogPlace => (era === 0 ? name : `${name}.${era}`)

/** Where a log stands: part of the writer's row, advanced in the batch that appends. */
export interface LogState {
  readonly size: number
  /** Root over all leaves, hex. */
  readonly root: string
  /** Node tick of the leaves after the last tick leaf; null when there are none. */
  readonly openTick: number | null
}

export interface CheckpointRow {
  readonly size: number
  /** Hex. */
  readonly root: string
  /** C2SP signed note, as published. */
  readonly note: string
  /** Node tick that its last leaf, a tick leaf, closes. */
  readonly tick: number
  /** Node tick in which it was made: `tick + 1`, or more when the node was down or slow. */
  readonly madeTick: number
  readonly late: boolean
}

const LEVEL_DIGITS = 2

/** Key of a leaf. */
export const leafKey = (log: LogPlace, index: number): string => keyOf(log, seqKey(index))
/** Key of the hash of a complete subtree; level 0 is the leaves. */
export const nodeKey = (log: LogPlace, level: number, index: number): string =>
  keyOf(log, level.toString(16).padStart(LEVEL_DIGITS, '0'), seqKey(index))
/** Key of the index of a leaf hash. */
export const leafHashKey = (log: LogPlace, hash: string): string => keyOf(log, hash)
/** Key of a checkpoint. */
export const checkpointKey = (log: LogPlace, size: number): string => keyOf(log, seqKey(size))

/** Rows of the logs, and of what waits for them. */
export interface LogRows {
  readonly leaf: Uint8Array
  readonly node: Uint8Array
  readonly leafByHash: number
  readonly checkpoint: CheckpointRow
  readonly due: Uint8Array
}

/** Leaves, trees and checkpoints of this node: all of it is what `fsck` walks over. */
export const log = rowKind<LogRows>({
  tables: {
    leaf: { prefix: 'l', form: 'bytes', key: 'log / index' },
    node: { prefix: 'n', form: 'bytes', key: 'log / level, two hex digits / index in the level' },
    leafByHash: { prefix: 'h', form: 'json', key: 'log / leaf hash, hex' },
    checkpoint: { prefix: 'p', form: 'json', key: 'log / size' },
    due: { prefix: 'd', form: 'bytes', key: 'what the leaf is about: data of a leaf that the end of the tick appends' },
  },
  since: { schema: 1, note: '`due` came with schema 2: leaves that the end of a tick appends' },
})
