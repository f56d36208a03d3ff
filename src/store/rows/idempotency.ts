import type { Json } from '#core/canonical.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'

export interface IdempotencyRow {
  readonly input_digest: string
  readonly answer: Json
  readonly expires_mesh_tick: number
}

/** Stored answers. */
export interface IdempotencyRows {
  readonly idempotency: IdempotencyRow
  readonly idempotencyByExpiry: string
}

const refuse = (table: keyof IdempotencyRows, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Stored answers are found both ways. */
const checkAnswers = async ({ database, step }: Fsck<IdempotencyRows>): Promise<void> => {
  for await (const [name, row] of database.range('idempotency')) {
    step('accounts')
    const at = keyOf(seqKey(row.expires_mesh_tick), name)
    if (database.peek('idempotencyByExpiry', at) !== name) refuse('idempotencyByExpiry', at, 'the row is missing')
  }
  for await (const [at, name] of database.range('idempotencyByExpiry')) {
    if (database.peek('idempotency', name) === undefined) refuse('idempotencyByExpiry', at, 'its answer is missing')
  }
}

/** Answers kept for whoever sends the same call again. */
export const idempotency = rowKind<IdempotencyRows>({
  tables: {
    idempotency: { prefix: 'i', form: 'json', key: 'digest of account, endpoint and key' },
    idempotencyByExpiry: { prefix: 'ie', form: 'json', key: 'mesh tick / key of the idempotency row' },
  },
  since: { schema: 1, note: 'from the first release on' },
  check: checkAnswers,
})
