import { canonicalBytes, type Json } from '#core/canonical.ts'
import { digest, purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { keyOf } from '#store/layout.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import type { MachineContext } from './context.ts'
import { openMembers, sealedOf } from './vault.ts'

/** Bytes of the canonical form of an event's data. */
export const EVENT_DATA_BYTES_MAX = 4_096

/** What an event says, by name: contracts read it. */
export type EventData = Readonly<Record<string, Json>>

/** An event that carries data: the only kind that contracts see. */
export interface CarriedEvent {
  readonly name: string
  readonly data: EventData
}

/** @throws Fault INVALID_INPUT when it is too large, NOT_CANONICAL when it has no canonical form. */
export const assertEventData = (data: unknown): EventData => {
  const bytes = canonicalBytes(data as Json).length
  if (bytes <= EVENT_DATA_BYTES_MAX) return data as EventData
  const message = `has ${bytes} bytes in canonical form, and ${EVENT_DATA_BYTES_MAX} are the most`
  throw new Fault('INVALID_INPUT', `The data ${message}.`, { errors: [{ path: '/data', message }] })
}

/** Where an event's data stand: open on a public machine, sealed on a private one; their digest is open on both. */
export const placedData = ({ is_public }: MachineRow, data: EventData) => {
  const open = { data_digest: digest(purposes.eventData, data) }
  return is_public ? { open: { ...open, data }, secret: {} } : { open, secret: { data } }
}

const openedData = (
  { vault, store }: Pick<MachineContext, 'store' | 'vault'>,
  slug: string,
  { entry }: MachineEntryRow,
): EventData | undefined => {
  const sealed = sealedOf(entry.body)
  const machine = store.peek('machine', slug)
  if (sealed === undefined || machine === undefined) return undefined
  const place = { id_hash: machine.id_hash, seq: entry.seq, type: entry.type }
  const members = openMembers(vault, store.peek('machineDataKey', keyOf(slug, sealed.kid)), { sealed, place })
  return (members as { readonly data?: EventData } | undefined)?.data
}

/**
 * The name and the data of an entry, or undefined when it is no event with data, or when the key of its sealed members
 * was destroyed. Sealed data are opened inside the node, whoever asked; what becomes of them is for the reader to heed.
 */
export const eventOf = (
  context: Pick<MachineContext, 'store' | 'vault'>,
  slug: string,
  row: MachineEntryRow,
): CarriedEvent | undefined => {
  const { type, body } = row.entry
  if (type !== 'event') return undefined
  const { event: name, data, data_digest } = body as Readonly<Record<string, Json | undefined>>
  if (typeof name !== 'string' || data_digest === undefined) return undefined
  const carried = (data as EventData | undefined) ?? openedData(context, slug, row)
  return carried === undefined ? undefined : { name, data: carried }
}
