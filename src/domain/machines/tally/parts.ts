import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import type { Standing } from '#domain/credentials/standing.ts'
import type { MachineContext, MachineRequest } from '#domain/machines/context.ts'
import { admitted } from '#domain/machines/roles.ts'
import { openMembers, sealedOf } from '#domain/machines/vault.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import type { MachineEntryRow, MachineRow } from '#store/rows/machine.ts'
import { entryRef, type MachineTokenRow, tokenAsset, tokenDigits } from '#store/rows/machine-token.ts'
import type { TokenStandingRow } from '#store/rows/machine-token-range.ts'
import type { Transaction } from '#store/transaction.ts'

/** Members that everyone may read on a public machine, and the owner alone on a private one. */
export const shownOn = ({ is_public }: MachineRow, members: Readonly<Record<string, Json>>) =>
  is_public ? { open: members, secret: {} } : { open: {}, secret: members }

/** A machine's token, if it has one. */
export const tokenOf = (reader: Pick<Transaction, 'get'>, machine: MachineRow): MachineTokenRow | undefined => {
  const row = reader.get('machineToken', tokenDigits(machine.id_hash))
  return row?.slug === machine.slug ? row : undefined
}

/** A token with all that is asked about it. */
export interface TokenFound {
  readonly machine: MachineRow
  readonly standing: Standing
  readonly token: MachineTokenRow
  readonly digits: string
  readonly asset: string
  readonly now: TokenStandingRow
}

/** The token of a machine, for a caller who reaches `needed`. @throws Fault NOT_FOUND also without token. */
export const tokenFor = (
  reader: Pick<Transaction, 'get'>,
  { caller, slug }: MachineRequest,
  needed: Standing,
): TokenFound => {
  const { machine, standing } = admitted(reader, { slug, caller, needed })
  const token = tokenOf(reader, machine)
  const digits = tokenDigits(machine.id_hash)
  const now = token === undefined ? undefined : reader.get('tokenStanding', digits)
  if (token === undefined || now === undefined) throw new Fault('NOT_FOUND', 'The machine has no token.')
  return { machine, standing, token, digits, asset: tokenAsset(machine.id_hash), now }
}

/** Notes units that an entry issued: they take the next numbers. */
export const issueIn = (tx: Transaction, machine: MachineRow, said: MachineEntryRow, amount: number): void => {
  const digits = tokenDigits(machine.id_hash)
  const now = tx.get('tokenStanding', digits)
  if (now === undefined || amount === 0) return
  const { seq, tick } = said.entry
  const last = now.issued + amount
  tx.put('tokenIssue', keyOf(digits, seqKey(now.issued + 1)), { last, seq, tick })
  tx.put('tokenStanding', digits, { ...now, issued: last })
}

/** Notes units that an entry moved from the machine's owner: the lowest numbers that the owner has. */
export const moveIn = (
  tx: Transaction,
  machine: MachineRow,
  said: MachineEntryRow,
  { to: owner, amount, open }: { readonly to: string; readonly amount: number; readonly open: boolean },
): void => {
  const digits = tokenDigits(machine.id_hash)
  const now = tx.get('tokenStanding', digits)
  if (now === undefined) return
  const { seq, tick } = said.entry
  const first = seqKey(now.moved + 1)
  const last = now.moved + amount
  tx.put('tokenRange', keyOf(digits, first), { last, owner, seq, tick, open })
  tx.put('tokenRangeOf', keyOf(digits, owner, first), last)
  tx.put('tokenStanding', digits, { ...now, moved: last, sealed: now.sealed + (open ? 0 : 1) })
}

/** Opens what an entry of a machine has sealed; undefined where nothing is, or its key is gone. */
export const openedOf = (
  { store, vault }: Pick<MachineContext, 'store' | 'vault'>,
  { slug, id_hash }: MachineRow,
  { entry }: MachineEntryRow,
): Json | undefined => {
  const sealed = sealedOf(entry.body)
  if (sealed === undefined) return undefined
  const place = { id_hash, seq: entry.seq, type: entry.type }
  return openMembers(vault, store.peek('machineDataKey', keyOf(slug, sealed.kid)), { sealed, place })
}

/** Rows of a chain from a number on, as far as it goes now. */
export async function* chainRows(
  { store }: Pick<MachineContext, 'store'>,
  slug: string,
  from: number,
): AsyncGenerator<MachineEntryRow> {
  const range = { gte: entryRef(slug, from), lt: under(slug).lt }
  for await (const [, row] of store.range('machineEntry', range)) yield row
}
