import type { Json } from '#core/canonical.ts'
import type { Cause } from '#core/contract/cause.ts'
import type { FireReading, FireRow } from '#core/contract/fire-row.ts'
import type { ContractStanding } from '#core/contract/standing.ts'
import { type CheckedContractRows, checkContracts } from '#store/fsck/contracts.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { EnvelopeRows } from './envelope.ts'
import type { MachineRows } from './machine.ts'

export type ContractStatus = 'paused' | 'live' | 'frozen'

/** A fire that waits for the one under way, or for another try. */
export interface WaitingFire {
  readonly fire: string
  readonly cause: Cause
  readonly by: string
  readonly due: number | null
  /** Mesh tick in which its cause came. */
  readonly since: number
  /** Mesh tick before which it is not tried. */
  readonly not_before: number
  /** Tries that went before. */
  readonly attempt: number
  readonly event: { readonly name: string; readonly data: Readonly<Record<string, Json>> } | null
  /** A transition asked for by name. */
  readonly transition: string | null
  /** Mesh tick of its entry in a chain, by which it feeds windows; null where it has none. */
  readonly at: number | null
  /** Levels of calls above it. */
  readonly depth: number
}

/** What a contract is and where it stands. Its definition stands with its version. */
export interface ContractRow {
  readonly v: 1
  /** 32 hex digits. */
  readonly id: string
  /** Order in which contracts were made on this node. */
  readonly number: number
  readonly slug: string
  /** Name of the contract in digests: of id_hash of the machine and id. */
  readonly contract: string
  readonly name: string
  readonly created_by: string
  readonly created_tick: number
  readonly status: ContractStatus
  /** Who or what paused it: its author before the first start, a person, or failures in a row. */
  readonly paused_by: 'author' | 'hand' | 'failures' | null
  readonly version_no: number
  readonly version: string
  /** Digests of the tables that took the place of those that its version pins, by zone; absent where none did. */
  readonly zones?: Readonly<Record<string, string>>
  readonly standing: ContractStanding
  /** Whether it stands in a terminal state. */
  readonly done: boolean
  /** Mesh tick from which on due instants count: of the start, or the latest resumption. */
  readonly armed_tick: number
  /** The last entry of each chain that was decided. */
  readonly seqs: Readonly<Record<string, number>>
  /** Mesh tick in which it is looked at next; null where no clock moves it. */
  readonly next: number | null
  /** The due instant to be skipped. */
  readonly skip: { readonly trigger: string; readonly due: number; readonly by: string } | null
  readonly waiting: readonly WaitingFire[]
  /** The fire under way, whose intent stands in a row of its own. */
  readonly firing: string | null
  readonly fire_count: number
  readonly failures: number
  /** Rows of the audit: the next one's number. */
  readonly rows: number
  /** What was used up on a day, in days since 1970. */
  readonly spent: { readonly day: number; readonly credits: number; readonly fires: number }
  /** Node tick. */
  readonly updated_tick: number
}

/** A version: it never changes. */
export interface ContractVersionRow {
  readonly no: number
  readonly version: string
  /** The definition in its normal form. */
  readonly definition: Json
  /** Digests of the tables of the zones that it names. */
  readonly zones: Readonly<Record<string, string>>
  readonly tick: number
  readonly by: string
  /** The version that a rollback brought back. */
  readonly of: number | null
}

/** A fire that was begun: what it was decided on, so that it runs again from there. */
export interface ContractIntentRow extends WaitingFire {
  readonly version_no: number
  /** Those of its contract. */
  readonly zones?: Readonly<Record<string, string>>
  readonly readings: readonly FireReading[]
  /** What it was decided on: events that come meanwhile feed the windows of the contract, and not those of the fire. */
  readonly standing: ContractStanding
  readonly seqs: Readonly<Record<string, number>>
  readonly begun_tick: number
}

/** Something to be sent outward, until it has arrived or was given up. */
export interface ContractOutboxRow {
  readonly id: string
  readonly fire: string
  readonly index: number
  readonly url: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: Json
  readonly attempts: number
  readonly first_tick: number
}

/** A call that another contract is to decide, as a cause of its own. */
export interface ContractCallRow {
  /** The contract that is called. */
  readonly contract: string
  readonly fire: string
  readonly action: number
  readonly event: { readonly name: string; readonly data: Readonly<Record<string, Json>> }
  /** Levels of calls above what it causes. */
  readonly depth: number
}

export interface ContractRows {
  readonly contract: ContractRow
  readonly contractOf: string
  readonly contractByNumber: string
  readonly contractVersion: ContractVersionRow
  /** `left`: a table for which all contracts that went by it have another since. */
  readonly contractZone: { readonly table: Json; readonly left?: true }
  readonly contractDue: string
  readonly contractWatch: string
  readonly contractMark: number
  readonly contractFire: FireRow
  readonly contractFireNo: number
  readonly contractIntent: ContractIntentRow
  readonly contractOutbox: ContractOutboxRow
  readonly contractCall: ContractCallRow
  readonly contractSecret: string
}

/** Key of a version, of a row of the audit. */
export const numberedKey = (id: string, no: number): string => keyOf(id, seqKey(no))

/** Contracts: what happens by itself. */
export const contract = rowKind<ContractRows, CheckedContractRows & EnvelopeRows & MachineRows>({
  tables: {
    contract: { prefix: 'sa', form: 'json', key: 'contract id', kept: false },
    contractOf: { prefix: 'sb', form: 'json', key: 'slug / contract id: the same id' },
    contractByNumber: { prefix: 'sc', form: 'json', key: 'number: contract id' },
    contractVersion: { prefix: 'sd', form: 'json', key: 'contract id / number of the version' },
    contractZone: { prefix: 'se', form: 'json', key: 'digest of a table of a zone' },
    contractDue: { prefix: 'sf', form: 'json', key: 'mesh tick in which it is looked at / contract id: the same id' },
    contractWatch: { prefix: 'sg', form: 'json', key: 'slug / name of an event / contract id: the same id' },
    contractMark: { prefix: 'sh', form: 'json', key: 'slug: entries of its chain that all watchers have decided' },
    contractFire: { prefix: 'si', form: 'json', key: 'contract id / number of the row' },
    contractFireNo: { prefix: 'sj', form: 'json', key: 'contract id / fire id: number of its row' },
    contractIntent: { prefix: 'sk', form: 'json', key: 'contract id' },
    contractOutbox: { prefix: 'sl', form: 'json', key: 'mesh tick of the next attempt / fire id / index' },
    contractCall: { prefix: 'sm', form: 'json', key: 'contract id / fire id / index' },
    contractSecret: { prefix: 'sn', form: 'json', key: 'contract id / name: sealed' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkContracts,
})
