import { toHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { transitionIdOf } from '#core/machine.ts'
import { sha256 } from '#crypto'
import type { Standing } from '#domain/credentials/standing.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import type { Transaction } from '#store/transaction.ts'
import { appendEntry } from './chain.ts'
import { type MachineContext, type MachineRequest, once, type Replayable } from './context.ts'
import { admitted, sourceOf } from './roles.ts'
import { sealMembers } from './vault.ts'
import type { RecordedView } from './views.ts'

/** What an entry is to say. `secret` members are sealed; who wrote it always is. */
export interface Saying {
  readonly type: string
  readonly open?: Readonly<Record<string, Json>>
  readonly secret?: Readonly<Record<string, Json | undefined>>
  readonly stateHash?: string
  /** Keeps the speaker out of the entry: an anchor is known by its pseudonym alone. */
  readonly unnamed?: boolean
}

/** Who says it. */
export interface Speaker {
  readonly caller: Caller
  readonly standing: Standing
}

const speaker = (caller: Caller): Record<string, Json> =>
  caller.kind === 'machine' || caller.kind === 'anonymous'
    ? { by: caller.kind === 'machine' ? `key:${caller.keyId}` : 'anonymous' }
    : { by: caller.zid }

const present = (members: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(Object.entries(members).filter((it): it is [string, Json] => it[1] !== undefined))

/**
 * Appends what a caller says to a machine's chain: open members, the role it was said in, and the sensitive members
 * sealed, the speaker among them. A worn data key is replaced on the way.
 */
export const say = (
  { vault, hub }: MachineContext,
  tx: Transaction,
  machine: MachineRow,
  { type, open = {}, secret = {}, stateHash, unnamed = false, caller, standing }: Saying & Speaker,
): MachineEntryRow => {
  const seq = tx.get('machineHead', machine.slug)?.size ?? 0
  const place = { id_hash: machine.id_hash, seq, type }
  const members = { ...present(secret), ...(unnamed ? {} : speaker(caller)) }
  const { sealed, kid } = sealMembers(tx, vault, { machine, place, members })
  if (kid !== machine.kid) {
    const now = tx.get('machine', machine.slug) ?? machine
    tx.put('machine', machine.slug, { ...now, kid })
  }
  const body = { ...open, source: sourceOf(caller, standing), sealed: { ...sealed } }
  const link = { type, body, ...(stateHash === undefined ? {} : { stateHash }) }
  return appendEntry(tx, machine, link, hub.wake)
}

/** @throws Fault MACHINE_NOT_ACTIVE */
export const assertActive = ({ status }: MachineRow): void => {
  if (status !== 'active')
    throw new Fault('MACHINE_NOT_ACTIVE', `The machine is ${status}.`, { machine_status: status })
}

/** What a writer is told of an entry. */
export const recordedOf = (slug: string, { entry, hash }: MachineEntryRow): RecordedView => ({
  slug,
  seq: entry.seq,
  tickNumber: entry.tick,
  transitionId: transitionIdOf(hash),
  transitionType: entry.type,
  hash,
  prevHash: entry.previous,
})

/** An asking that may be repeated. */
export interface Writing extends MachineRequest {
  /** What the key is one within. */
  readonly scope: string
  readonly idempotencyKey: string | undefined
}

export interface EventOrder {
  readonly type: string
  /** Hashed, never stored. */
  readonly payload?: unknown
  readonly hash?: string
  readonly note?: string
}

export interface ConnectionOrder {
  readonly direction: 'inbound' | 'outbound'
  readonly address?: string
  readonly agent?: string
  readonly note?: string
}

export interface FileOrder {
  readonly hash: string
  readonly bytes?: number
  readonly media_type?: string
  readonly name?: string
}

/** SHA-256 of a payload's canonical bytes, hex. @throws Fault NOT_CANONICAL */
const payloadHash = (payload: unknown): string => toHex(sha256(canonicalBytes(payload as Json)))

/** Entries that a machine's writers make. */
export const createRecord = (context: MachineContext) => {
  const record = async (writing: Writing, saying: Saying): Promise<Replayable<RecordedView>> => {
    const { caller, slug, scope, idempotencyKey: key } = writing
    const needed = 'operator'
    admitted({ get: context.store.peek }, { slug, caller, needed })
    const { type, open = {}, secret = {}, stateHash = null } = saying
    const input = { slug, type, open, secret: present(secret), stateHash }
    return once(context, { caller, scope, key, input }, (tx) => {
      const { machine, standing } = admitted(tx, { slug, caller, needed })
      assertActive(machine)
      return recordedOf(slug, say(context, tx, machine, { ...saying, caller, standing }))
    })
  }

  return {
    /** An event: the hash of its payload. @throws Fault INVALID_INPUT, MACHINE_NOT_ACTIVE, RATE_LIMITED */
    event: async (writing: Writing, { type, payload, hash, note }: EventOrder) => {
      if (payload !== undefined && hash !== undefined) {
        throw new Fault('INVALID_INPUT', 'Say either payload or hash: the node hashes a payload itself.')
      }
      const shown = hash ?? (payload === undefined ? null : payloadHash(payload))
      return record(writing, { type: 'event', open: { event: type, payload_hash: shown }, secret: { note } })
    },
    /** A snapshot of the machine's state, by its hash. */
    recordState: (writing: Writing, stateHash: string) =>
      record(writing, { type: 'state', open: { state_hash: stateHash }, stateHash }),
    /** A file, by its hash; its name is sealed. */
    file: (writing: Writing, { hash, bytes, media_type, name }: FileOrder) =>
      record(writing, {
        type: 'file',
        open: { file_hash: hash, bytes: bytes ?? null, media_type: media_type ?? null },
        secret: { name },
      }),
    /** A connection; with whom is sealed. */
    connection: (writing: Writing, { direction, address, agent, note }: ConnectionOrder) =>
      record(writing, { type: 'connection', open: { direction }, secret: { address, agent, note } }),
    /** A refusal that a client met elsewhere and wants on the record. */
    rejection: (
      writing: Writing,
      { code, hash, reason }: { readonly code: string; readonly hash?: string; readonly reason?: string },
    ) => record(writing, { type: 'rejection', open: { code, payload_hash: hash ?? null }, secret: { reason } }),
  }
}
