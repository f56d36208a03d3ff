/** Which node a ZID's key named last (events of type `identity.assert`). */
export interface AssertionRow {
  /** Raw public key, hex: the first that proved the ZID, for ever. */
  readonly public_key: string
  readonly node: string
  /** As signed by that key. */
  readonly mesh_tick: number
}

/** ZIDs whose node is known; beyond this a new one is not taken in. */
export const ASSERTIONS_MAX = 262_144

/** A checkpoint of another node's event log, signed by that node. */
export interface ForeignNote {
  readonly size: number
  /** Root, hex. */
  readonly root: string
  /** The signed note, with the source's own signature line alone. */
  readonly note: string
}

/**
 * How far another node's event log is kept. The first `size` leaves are known to stand in a tree that the source
 * signed: they are all of `held`, or `path` proves them a beginning of `aim`.
 */
export interface ForeignLogRow {
  /** Node id of the source. */
  readonly node: string
  /** Leaves applied. */
  readonly size: number
  /** The right edge of the tree of `size` leaves, largest subtree first, hex. */
  readonly edge: readonly string[]
  /** The newest note all of whose leaves are applied; null before the first. */
  readonly held: ForeignNote | null
  /** The note under which the last range came, while it is not yet reached; null when `held` is. */
  readonly aim: (ForeignNote & { readonly path: readonly string[] }) | null
  /** The first leaf that is still kept: a multiple of {@link BUNDLE_LEAVES}. */
  readonly first: number
  /** Bytes of the bundles kept. */
  readonly bytes: number
  /** Mesh tick of the last range applied. */
  readonly mesh_tick: number
}

/** Leaves in a full bundle of a foreign log, and the level of the subtree that it is. */
export const BUNDLE_LEAVES = 256
export const BUNDLE_LEVEL = 8

export interface EventRows {
  readonly assertion: AssertionRow
  readonly assertionCount: number
  readonly foreignLog: ForeignLogRow
  readonly foreignLogs: readonly string[]
  readonly foreignBundle: Uint8Array
  readonly foreignNode: Uint8Array
}

/** Prefixes and keys of other nodes' event logs, and of what their events and our own come to. */
export const eventTables = {
  assertion: { prefix: 'va', form: 'json', key: 'ZID' },
  assertionCount: { prefix: 'vc', form: 'json', key: 'the word `all`' },
  foreignLog: { prefix: 'vl', form: 'json', key: 'source, node id and genesis mesh tick joined by a dot' },
  foreignLogs: { prefix: 'vs', form: 'json', key: 'the word `all`: every source, in the order they came' },
  foreignBundle: { prefix: 'vb', form: 'bytes', key: 'source / bundle: up to 256 leaves, each after its length, u32' },
  foreignNode: { prefix: 'vn', form: 'bytes', key: 'source / level from 8, two hex digits / index: subtree hash' },
} as const
