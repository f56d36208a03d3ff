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
import { assertEventData, type EventData, placedData } from './event-data.ts'
import { admitted, sourceOf } from './roles.ts'
import { sealMembers } from './vault.ts'
import type { RecordedView } from './views.ts'

/** What an entry is to say. `secret` members are sealed; who wrote it always is. */
export interface Saying {
  readonly type: string
  readonly open?: Readonly<Record<string, Json>>
  readonly secret?: Readonly<Record<string, Json | undefined>>
  readonly stateHash?: string
  /** Data of an event: they stand open on a public machine and sealed on a private one. */
  readonly data?: EventData
  /** Keeps the speaker out of the entry: an anchor is known by its pseudonym alone. */
  readonly unnamed?: boolean
}

/** Who says it. */
export interface Speaker {
  readonly caller: Caller
  readonly standing: Standing
}

const speaker = (caller: Caller): Record<string, Json> => {
  if (caller.kind === 'machine') return { by: `key:${caller.keyId}` }
  if (caller.kind !== 'anonymous') return { by: caller.zid }
  return { by: caller.publisher === undefined ? 'anonymous' : `key:${caller.publisher.keyId}` }
}

const present = (members: Readonly<Record<string, Json | undefined>>): Record<string, Json> =>
  Object.fromEntries(Object.entries(members).filter((it): it is [string, Json] => it[1] !== undefined))

/** How an entry is signed: who said it, in what role, and whether it counts as one of the callers'. */
interface Voice {
  readonly by: Record<string, Json>
  readonly source: string
  readonly ofNode?: boolean
}

/** What an entry is written with. */
type Pen = Pick<MachineContext, 'vault'> & { readonly hub: Pick<MachineContext['hub'], 'wake'> }

const append = (
  { vault, hub }: Pen,
  tx: Transaction,
  machine: MachineRow,
  { type, open = {}, secret = {}, data, stateHash, by, source, ofNode = false }: Saying & Voice,
): MachineEntryRow => {
  const carried = data === undefined ? { open: {}, secret: {} } : placedData(machine, data)
  const members = { ...present(secret), ...carried.secret, ...by }
  const body = { ...open, ...carried.open, source }
  // A contract on a public machine fires many times a tick and hides nothing: then nothing is sealed.
  if (ofNode && Object.keys(members).length === 0) return appendEntry(tx, machine, { type, body, ofNode }, hub.wake)
  const seq = tx.get('machineHead', machine.slug)?.size ?? 0
  const place = { id_hash: machine.id_hash, seq, type }
  const { sealed, kid } = sealMembers(tx, vault, { machine, place, members })
  if (kid !== machine.kid) {
    const now = tx.get('machine', machine.slug) ?? machine
    tx.put('machine', machine.slug, { ...now, kid })
  }
  const link = {
    type,
    body: { ...body, sealed: { ...sealed } },
    ofNode,
    ...(stateHash === undefined ? {} : { stateHash }),
  }
  return appendEntry(tx, machine, link, hub.wake)
}

/**
 * Appends what a caller says to a machine's chain: open members, the role it was said in, and the sensitive members
 * sealed, the speaker among them. A worn data key is replaced on the way.
 */
export const say = (
  context: Pen,
  tx: Transaction,
  machine: MachineRow,
  { unnamed = false, caller, standing, ...saying }: Saying & Speaker,
): MachineEntryRow => {
  const voice = { by: unnamed ? {} : speaker(caller), source: sourceOf(caller, standing) }
  return append(context, tx, machine, { ...saying, ...voice })
}

/** Appends what the node itself says, as contracts do: it uses up none of the entries that callers have in a minute. */
export const sayAsNode = (
  context: Pen,
  tx: Transaction,
  machine: MachineRow,
  saying: Omit<Saying, 'unnamed' | 'stateHash'>,
): MachineEntryRow => append(context, tx, machine, { ...saying, by: {}, source: 'node', ofNode: true })

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
  /** Kept, unlike a payload: what contracts read of it. */
  readonly data?: unknown
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
    const { type, open = {}, secret = {}, data, stateHash = null } = saying
    const input = { slug, type, open, secret: present(secret), stateHash, ...(data === undefined ? {} : { data }) }
    return once(context, { caller, scope, key, input }, (tx) => {
      const { machine, standing } = admitted(tx, { slug, caller, needed })
      assertActive(machine)
      return recordedOf(slug, say(context, tx, machine, { ...saying, caller, standing }))
    })
  }

  return {
    /** An event: the hash of its payload. @throws Fault INVALID_INPUT, MACHINE_NOT_ACTIVE, RATE_LIMITED */
    event: async (writing: Writing, { type, payload, hash, data, note }: EventOrder) => {
      if (payload !== undefined && hash !== undefined) {
        throw new Fault('INVALID_INPUT', 'Say either payload or hash: the node hashes a payload itself.')
      }
      const shown = hash ?? (payload === undefined ? null : payloadHash(payload))
      const carried = data === undefined ? {} : { data: assertEventData(data) }
      const open = { event: type, payload_hash: shown }
      return record(writing, { type: 'event', open, secret: { note }, ...carried })
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
