import type { Json } from '#core/canonical.ts'
import type { Funding } from '#core/claim.ts'
import { type ContactRows, contactTables } from './contact-rows.ts'
import { type EraRows, eraTables } from './era-rows.ts'
import { type EventRows, eventTables } from './event-rows.ts'
import { type IssueRows, issueTables } from './issue-rows.ts'
import { type MachineRows, machineTables } from './machine-rows.ts'
import { type PeerRows, peerTables } from './peer-rows.ts'
import { type ReactorRows, reactorTables } from './reactor-rows.ts'
import { type WitnessRows, witnessTables } from './witness-rows.ts'

export type { ContactRow } from './contact-rows.ts'

/**
 * Raised with every change that an older release could misread; newer data are refused, older ones brought up by the
 * steps of `migrations`. 2: leaves that are due at the end of a tick, and the tables of events, witnesses and eras.
 */
export const SCHEMA = 2

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

/** Who this node is, and since when. */
export interface GenesisRow {
  /** Mesh tick of the first start here: node ticks count from it, in every era. */
  readonly mesh_tick: number
  /** Node id of the present identity key. */
  readonly node: string
  /** The number in the names of the present logs, where it is not `mesh_tick`. */
  readonly founded?: number
}

/** The writer's own row, rewritten by every batch. */
export interface WriterRow {
  /** Largest node tick in which anything was appended. */
  readonly lastTick: number
  /** Transfers ever posted: the next one's number. */
  readonly transfers: number
  readonly logs: Readonly<Record<LogName, LogState>>
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

/** One movement between two accounts of one asset: double entry, integers, never edited. */
export interface Transfer {
  /** `free`, `paid`, `coin`. */
  readonly asset: string
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly reason: string
  /** What caused it: a token id, a key id, a claim day. */
  readonly ref: string
}

export interface TransferRow extends Transfer {
  readonly tick: number
}

/** One immovable tie of an envelope (protocol.md, Moving envelopes). */
export interface EnvelopeLock {
  readonly kind: 'vote' | 'bond' | 'bearer'
  readonly ref: string
  readonly until: number | null
}

/** The key that had an envelope sealed. */
export interface SealedBy {
  /** Its id, or that of the session. */
  readonly key: string
  /** The machine under which it was made; null for any other key. */
  readonly slug: string | null
}

export interface EnvelopeRow {
  readonly token_id: string
  /** Serial number of its leaf, counted on through the seal logs of all eras; in the first it is the claim's index. */
  readonly index: number
  /** `compute`, or the solver's name. */
  readonly kind: string
  readonly operators: readonly string[]
  readonly tick: number
  readonly phase: number
  /** Face value in credits: what was burned for it. */
  readonly face: number
  readonly funding: Funding
  /** Owner: a ZID, or `house`. */
  readonly issued_to: string
  /** Whose list it stands in: a ZID, `demo:<key id>`, or `house`. */
  readonly listed_under: string
  /**
   * The key that sealed it: a machine's keys are shown what keys of that machine sealed, and nothing else of its owner.
   * Absent where no key did, and in rows of releases that did not keep it. Nothing else of a row names a machine, so
   * such an envelope is its owner's alone.
   */
  readonly sealed_by?: SealedBy
  readonly soulbound: boolean
  /** Who holds the coin when it is not the owner. */
  readonly backs: string | null
  readonly precision_actual: number
  readonly folder: string
  readonly lock: EnvelopeLock | null
  readonly spend_seq: number
  readonly published: boolean
  /** Blob of what the bundle carries beside claim and signature: tick receipt and equations. */
  readonly receipt: string
  /** Blobs of the canonical inputs and of the output as sent; null when they were not kept. */
  readonly inputs: string | null
  readonly result: string | null
}

export interface AccountRow {
  readonly zid: string
  /** Raw Ed25519 public key, hex. */
  readonly public_key: string
  readonly custody: 'node' | 'self'
  /** Under node custody: the seed, sealed by the vault key. */
  readonly sealed_seed: string | null
  readonly created_tick: number
  readonly owner: boolean
  /** Whether new envelopes are shown in the public record. */
  readonly publish_default: boolean
}

export interface KeyRow {
  /** First 16 hex digits of the key's SHA-256. */
  readonly id: string
  readonly kind: 'owner' | 'account' | 'demo'
  /** ZID of the account; `house` for demo keys. */
  readonly zid: string
  readonly name: string
  readonly created_tick: number
  /** Mesh tick from which it is refused; null for never. */
  readonly expires_mesh_tick: number | null
  readonly revoked_tick: number | null
}

export interface IdempotencyRow {
  readonly input_digest: string
  readonly answer: Json
  readonly expires_mesh_tick: number
}

export interface UsageRow {
  readonly credits: number
  readonly envelopes: number
}

/** The rows of every table. A bytes table holds its values as they are; all others hold JSON. */
export interface Rows
  extends MachineRows,
    ContactRows,
    EraRows,
    EventRows,
    IssueRows,
    PeerRows,
    ReactorRows,
    WitnessRows {
  readonly schema: number
  readonly genesis: GenesisRow
  readonly writer: WriterRow
  readonly leaf: Uint8Array
  readonly node: Uint8Array
  readonly leafByHash: number
  readonly checkpoint: CheckpointRow
  readonly transfer: TransferRow
  readonly balance: number
  readonly blob: Uint8Array
  readonly envelope: EnvelopeRow
  readonly envelopeByOwner: string
  readonly envelopeByFolder: string
  readonly envelopePublished: string
  readonly folder: number
  readonly account: AccountRow
  readonly key: KeyRow
  readonly keyByAccount: string
  readonly idempotency: IdempotencyRow
  readonly idempotencyByExpiry: string
  readonly usage: UsageRow
  readonly quota: number
  readonly job: Json
  readonly due: Uint8Array
}

export type TableName = keyof Rows
export type Row<N extends TableName> = Rows[N]

export interface Table {
  /** One or two letters; a prefix is never used again for something else. */
  readonly prefix: string
  readonly form: 'json' | 'bytes'
  /** What the key is made of, in order. Numbers are written by {@link seqKey}. */
  readonly key: string
}

/** Every key prefix of the database. A table that goes moves to {@link retired}; its prefix is never given again. */
export const tables: { readonly [N in TableName]: Table } = {
  schema: { prefix: 'a', form: 'json', key: 'the word `version`' },
  genesis: { prefix: 'b', form: 'json', key: 'the word `genesis`' },
  writer: { prefix: 'c', form: 'json', key: 'the word `state`' },
  leaf: { prefix: 'l', form: 'bytes', key: 'log / index' },
  node: { prefix: 'n', form: 'bytes', key: 'log / level, two hex digits / index in the level' },
  leafByHash: { prefix: 'h', form: 'json', key: 'log / leaf hash, hex' },
  checkpoint: { prefix: 'p', form: 'json', key: 'log / size' },
  transfer: { prefix: 'x', form: 'json', key: 'number' },
  balance: { prefix: 'y', form: 'json', key: 'asset / account' },
  blob: { prefix: 'z', form: 'bytes', key: 'SHA-256, hex' },
  envelope: { prefix: 'e', form: 'json', key: 'token id' },
  envelopeByOwner: { prefix: 'eo', form: 'json', key: 'list / index' },
  envelopeByFolder: { prefix: 'ef', form: 'json', key: 'list / folder, percent-encoded / index' },
  envelopePublished: { prefix: 'ep', form: 'json', key: 'index' },
  folder: { prefix: 'f', form: 'json', key: 'list, or `published` / folder, percent-encoded: how many envelopes' },
  account: { prefix: 'g', form: 'json', key: 'ZID' },
  key: { prefix: 'k', form: 'json', key: 'SHA-256 of the key, hex' },
  keyByAccount: { prefix: 'ka', form: 'json', key: 'ZID / key id: SHA-256 of the key' },
  idempotency: { prefix: 'i', form: 'json', key: 'digest of account, endpoint and key' },
  idempotencyByExpiry: { prefix: 'ie', form: 'json', key: 'mesh tick / key of the idempotency row' },
  usage: { prefix: 'u', form: 'json', key: 'account / month, yyyy-mm' },
  quota: { prefix: 'q', form: 'json', key: 'mesh tick in which it lapses / kind / who, percent-encoded' },
  job: { prefix: 'j', form: 'json', key: 'job id' },
  due: { prefix: 'd', form: 'bytes', key: 'what the leaf is about: data of a leaf that the end of the tick appends' },
  ...contactTables,
  ...eraTables,
  ...peerTables,
  ...eventTables,
  ...issueTables,
  ...machineTables,
  ...reactorTables,
  ...witnessTables,
}

/** Prefixes of tables that are gone, with what they held. */
export const retired: Readonly<Record<string, string>> = {
  v: 'mesh events by id: never written, since an event is a leaf of its log',
}

const SEQ_DIGITS = 14

/** A number from 0 to 2^53 − 1 as a key part whose order is the numbers' order: 14 hex digits. */
export const seqKey = (n: number): string => n.toString(16).padStart(SEQ_DIGITS, '0')
/** The number of a key part. */
export const seqOf = (part: string): number => Number.parseInt(part, 16)

/** Between prefix and key, and between the parts of a key; no part contains it. */
export const SEPARATOR = '/'
/** Sorts behind every key of a prefix: the character after the separator. */
export const AFTER = '0'

/** Parts joined to a key. */
export const keyOf = (...parts: readonly string[]): string => parts.join(SEPARATOR)
/** A folder's name as a key part: no separator in it, and one spelling. */
export const folderPart = (folder: string): string => encodeURIComponent(folder)
/** Bounds of all keys that begin with the given parts. */
export const under = (...parts: readonly string[]): { readonly gte: string; readonly lt: string } => ({
  gte: `${keyOf(...parts)}${SEPARATOR}`,
  lt: `${keyOf(...parts)}${AFTER}`,
})
