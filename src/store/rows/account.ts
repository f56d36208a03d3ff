import { fromHex } from '#core/bytes.ts'
import { zidOf } from '#core/keys.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'

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

const KEY_ID_DIGITS = 16

/** Accounts and their API keys. */
export interface AccountRows {
  readonly account: AccountRow
  readonly key: KeyRow
  readonly keyByAccount: string
}

const refuse = (table: keyof AccountRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Accounts belong to their keys, and API keys are found both ways. */
const checkAccounts = async ({ database, counts, step }: Fsck<AccountRows>): Promise<void> => {
  for await (const [zid, row] of database.range('account')) {
    step('accounts')
    counts.accounts += 1
    if (row.zid !== zid || zidOf(fromHex(row.public_key)) !== zid) refuse('account', zid, 'the key has another ZID')
  }
  let keys = 0
  for await (const [hash, row] of database.range('key')) {
    step('accounts')
    keys += 1
    if (row.id !== hash.slice(0, KEY_ID_DIGITS)) refuse('key', hash, 'the id is another one')
    const at = keyOf(row.zid, row.id)
    if (database.peek('keyByAccount', at) !== hash) refuse('keyByAccount', at, 'it does not name its key')
    const hasAccount = row.kind === 'demo' || database.peek('account', row.zid) !== undefined
    if (!hasAccount) refuse('key', hash, 'its account is missing')
  }
  for await (const [at, hash] of database.range('keyByAccount')) {
    keys -= 1
    if (database.peek('key', hash) === undefined) refuse('keyByAccount', at, 'its key is missing')
  }
  if (keys !== 0) refuse('keyByAccount', '', 'there are more or fewer than keys')
}

/** Accounts, and the keys that were made for them. */
export const account = rowKind<AccountRows>({
  tables: {
    account: { prefix: 'g', form: 'json', key: 'ZID' },
    key: { prefix: 'k', form: 'json', key: 'SHA-256 of the key, hex' },
    keyByAccount: { prefix: 'ka', form: 'json', key: 'ZID / key id: SHA-256 of the key' },
  },
  since: { schema: 1, note: 'from the first release on' },
  check: checkAccounts,
})
