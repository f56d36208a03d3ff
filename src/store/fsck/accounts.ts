import { fromHex } from '#core/bytes.ts'
import { zidOf } from '#core/keys.ts'
import { keyOf, seqKey, type TableName } from '#store/layout.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

const KEY_ID_DIGITS = 16

const refuse = (table: TableName, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Accounts belong to their keys, API keys and stored answers are found both ways. */
export const checkAccounts = async ({ database, counts, step }: Fsck): Promise<void> => {
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
  for await (const [name, row] of database.range('idempotency')) {
    step('accounts')
    const at = keyOf(seqKey(row.expires_mesh_tick), name)
    if (database.peek('idempotencyByExpiry', at) !== name) refuse('idempotencyByExpiry', at, 'the row is missing')
  }
  for await (const [at, name] of database.range('idempotencyByExpiry')) {
    if (database.peek('idempotency', name) === undefined) refuse('idempotencyByExpiry', at, 'its answer is missing')
  }
}
