import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { NS_PER_MS } from '#core/time.ts'
import { reaches, roleOfScope, standingOfZid } from '#domain/credentials/standing.ts'
import { keyOf } from '#store/layout.ts'
import type { KeyScope, MachineKeyRow } from '#store/rows/machine.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { FreshKey } from './shown-once.ts'

/** The widest scope that a role reaches, up to the one asked for. */
const within = (scope: KeyScope, standing: Parameters<typeof reaches>[0]): KeyScope | undefined =>
  (['admin', 'write', 'read'] as const)
    .slice(['admin', 'write', 'read'].indexOf(scope))
    .find((it) => reaches(standing, roleOfScope(it)))

/** What is said of a new key. */
export type KeyOrder = Pick<
  MachineKeyRow,
  'slug' | 'name' | 'scope' | 'rate_limit_tier' | 'minter_zid' | 'expires_at' | 'expires_ms'
>

/** Stores a key of a machine; only its hash is kept. */
export const putKey = (tx: Transaction, { hash, id }: FreshKey, order: KeyOrder): MachineKeyRow => {
  const row: MachineKeyRow = { id, ...order, created_tick: tx.tick, revoked_tick: null }
  tx.put('machineKey', hash, row)
  tx.put('machineKeyOf', keyOf(row.slug, row.id), hash)
  return row
}

const refuse = (why: string): never => {
  throw new Fault('UNAUTHENTICATED', why)
}

/** @throws Fault UNAUTHENTICATED for a key that was revoked or is over. */
export const assertValid = (store: Store, { revoked_tick, expires_ms }: MachineKeyRow): void => {
  if (revoked_tick !== null) refuse('No such API key, or it was revoked.')
  if (expires_ms !== null && BigInt(expires_ms) * NS_PER_MS <= store.now().instant) refuse('The API key is over.')
}

/**
 * The caller of a machine key, by the key's hash. It acts for the machine's owner, with the lesser of its scope and
 * its maker's role.
 *
 * @throws Fault UNAUTHENTICATED for a key that is unknown, revoked, over, or whose maker lost the role.
 */
export const callerOfMachineKey = (store: Store, keyHash: string, bucket: string): Caller => {
  const row = store.peek('machineKey', keyHash)
  const machine = row === undefined ? undefined : store.peek('machine', row.slug)
  if (row === undefined || machine === undefined) return refuse('No such API key, or it was revoked.')
  assertValid(store, row)
  const scope = within(row.scope, standingOfZid({ get: store.peek }, machine, row.minter_zid))
  if (scope === undefined) return refuse('Who made this key may no longer see the machine.')
  const { owner_zid: zid, slug } = machine
  const { id: keyId, rate_limit_tier: tier } = row
  return { kind: 'machine', bucket, zid, account: zid, keyId, keyHash, shared: false, machine: { slug, scope }, tier }
}
