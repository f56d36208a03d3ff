import type { Entry } from '#core/machine.ts'
import { rowKind } from '#store/row-kind.ts'

export type MachineStatus = 'active' | 'paused' | 'archived'
export type MachineRole = 'viewer' | 'operator' | 'admin' | 'owner'
export type KeyScope = 'read' | 'write' | 'admin'

/** Who may put heads into a machine's chain: nobody, its own writers, or everyone who may see it. */
export type AnchorPolicy = 'nobody' | 'members' | 'anyone'

/** What a machine is; where it stands is in {@link MachineHeadRow}. */
export interface MachineRow {
  /** UUID. */
  readonly id: string
  readonly slug: string
  readonly nonce: string
  readonly genesis_hash: string
  readonly id_hash: string
  readonly owner_zid: string
  readonly genesis_tick: number
  readonly parent_origin: string
  readonly is_public: boolean
  readonly status: MachineStatus
  readonly display_name: string | null
  readonly purpose: string | null
  readonly updated_tick: number
  /** SHA-256 of the share token, hex; null while nothing is shared. */
  readonly share_hash: string | null
  readonly anchor: {
    readonly mother: string | null
    readonly accepts: AnchorPolicy
    /** The key that makes this machine's pseudonyms, sealed by the vault key. */
    readonly sealed_key: string
    readonly key_id: string
  }
  /** The data key that new audit members are sealed under. */
  readonly kid: string
  /** Whether fires of its contracts mint its token: each asks, so it stands here. */
  readonly mints?: true
}

/** Where a chain stands, and the right edge of its tree: all that appending needs. */
export interface MachineHeadRow {
  readonly size: number
  readonly hash: string
  readonly root: string
  readonly tick: number
  /** Hashes of the complete subtrees on the right edge, largest first, hex. */
  readonly edge: readonly string[]
  /** The latest `state` entry's hash of the machine's state. */
  readonly state_hash: string | null
  /** Writes since the tick in which the present minute of ticks began. */
  readonly minute: { readonly tick: number; readonly writes: number }
}

export interface MachineEntryRow {
  readonly entry: Entry
  readonly hash: string
  /** State hash and status as they were after this entry. */
  readonly state_hash: string | null
  readonly status: MachineStatus
}

/** One line of the feed over all machines; who may read it is decided when it is read. */
export interface MachineFeedRow {
  readonly slug: string
  readonly seq: number
  readonly tick: number
  readonly type: string
}

/** Counts over the whole node, kept with every change. */
export interface MachineTotalRow {
  /** Lines of the feed ever written: the next one's number. */
  readonly entries: number
  readonly machines: number
  readonly public: Readonly<Record<MachineStatus, number>>
}

export interface MachineMemberRow {
  readonly role: Exclude<MachineRole, 'owner'>
  readonly added_tick: number
  /** The share (by its hash) that let this member in; it falls with it. Null for one that an admin added. */
  readonly share_hash: string | null
}

export interface MachineKeyRow {
  /** First 16 digits of the key's SHA-256. */
  readonly id: string
  readonly slug: string
  readonly name: string
  readonly scope: KeyScope
  readonly rate_limit_tier: 'standard' | 'low'
  /** Who made it: the key reaches no further than this ZID's role. */
  readonly minter_zid: string
  readonly created_tick: number
  readonly expires_at: string | null
  /** Unix milliseconds. */
  readonly expires_ms: number | null
  readonly revoked_tick: number | null
}

/** A data key of a machine, sealed by the vault key. */
export interface MachineDataKeyRow {
  readonly sealed: string
  readonly created_tick: number
  /** Values sealed under it. */
  readonly uses: number
}

export interface MachineAnchorRow {
  readonly pseudonym: string
  readonly tick: number
  /** Digest of the anchored head. */
  readonly head: string
}

export interface MachineRows {
  readonly machine: MachineRow
  readonly machineHead: MachineHeadRow
  readonly machineEntry: MachineEntryRow
  readonly machineNode: Uint8Array
  readonly machineTick: number
  readonly machineFeed: MachineFeedRow
  readonly machineTotal: MachineTotalRow
  readonly machineByGenesis: string
  readonly machineByZid: string
  readonly machineMember: MachineMemberRow
  readonly machineKey: MachineKeyRow
  readonly machineKeyOf: string
  readonly machineDataKey: MachineDataKeyRow
  readonly machineAnchor: MachineAnchorRow
}

/** Key of the hash of a complete subtree of a machine's tree; level 0 is its entries. */
export const machineNodeKey = (slug: string, level: number, index: number): string =>
  `${slug}/${level.toString(16).padStart(2, '0')}/${index.toString(16).padStart(14, '0')}`

/** Machines: `fsck` hashes their chains again before it walks over the logs, which must hold their heads. */
export const machine = rowKind<MachineRows>({
  tables: {
    machine: { prefix: 'm', form: 'json', key: 'slug' },
    machineHead: { prefix: 'mh', form: 'json', key: 'slug' },
    machineEntry: { prefix: 'me', form: 'json', key: 'slug / seq' },
    machineNode: { prefix: 'mn', form: 'bytes', key: 'slug / level, two hex digits / index in the level' },
    machineTick: { prefix: 'mt', form: 'json', key: 'slug / tick: the last seq in it' },
    machineFeed: { prefix: 'mf', form: 'json', key: 'number' },
    machineTotal: { prefix: 'ms', form: 'json', key: 'the word `all`' },
    machineByGenesis: { prefix: 'mg', form: 'json', key: 'genesis tick / slug' },
    machineByZid: { prefix: 'mz', form: 'json', key: 'ZID of an owner or member / slug' },
    machineMember: { prefix: 'mm', form: 'json', key: 'slug / ZID' },
    machineKey: { prefix: 'mk', form: 'json', key: 'SHA-256 of the key, hex' },
    machineKeyOf: { prefix: 'mo', form: 'json', key: 'slug / key id: SHA-256 of the key' },
    machineDataKey: { prefix: 'md', form: 'json', key: 'slug / kid' },
    machineAnchor: { prefix: 'ma', form: 'json', key: 'slug of the mother / seq' },
  },
  since: { schema: 1, note: 'a store of before has none' },
})
