import { toHex, utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { API_KEY_BYTES, apiKey } from '#core/ids.ts'
import { randomBytes, sha256 } from '#crypto'
import type { Caller } from '#domain/identity/caller.ts'
import { keyOf } from '#store/layout.ts'
import type { KeyScope, MachineKeyRow } from '#store/machine-rows.ts'
import type { Store, Transaction } from '#store/store.ts'
import { reaches, roleOfScope, standingOfZid } from './roles.ts'

const ID_DIGITS = 16
const NS_PER_MS = 1_000_000n

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

/** A key of a machine, from the system's randomness; only its hash is stored. */
export const makeKey = (tx: Transaction, order: KeyOrder): { readonly key: string; readonly row: MachineKeyRow } => {
  const key = apiKey('machine', randomBytes(API_KEY_BYTES))
  const hash = toHex(sha256(utf8(key)))
  const row: MachineKeyRow = { id: hash.slice(0, ID_DIGITS), ...order, created_tick: tx.tick, revoked_tick: null }
  tx.put('machineKey', hash, row)
  tx.put('machineKeyOf', keyOf(row.slug, row.id), hash)
  return { key, row }
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
  if (row === undefined || machine === undefined || row.revoked_tick !== null) {
    throw new Fault('UNAUTHENTICATED', 'No such API key, or it was revoked.')
  }
  if (row.expires_ms !== null && BigInt(row.expires_ms) * NS_PER_MS <= store.now().instant) {
    throw new Fault('UNAUTHENTICATED', 'The API key is over.')
  }
  const scope = within(row.scope, standingOfZid({ get: store.peek }, machine, row.minter_zid))
  if (scope === undefined) throw new Fault('UNAUTHENTICATED', 'Who made this key may no longer see the machine.')
  const { owner_zid: zid, slug } = machine
  const { id: keyId, rate_limit_tier: tier } = row
  return { kind: 'machine', bucket, zid, account: zid, keyId, keyHash, shared: false, machine: { slug, scope }, tier }
}
