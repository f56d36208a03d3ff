import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { MachineRows } from './machine.ts'

/** A nonce that a signer used in a machine. It lapses with the window in which its transaction could come again. */
export interface TxNonceRow {
  /** Digest of the transaction. */
  readonly tx: string
  readonly slug: string
  /** Its entry in the machine's chain. */
  readonly seq: number
  readonly expires_mesh_tick: number
}

export interface TxNonceRows {
  readonly txNonce: TxNonceRow
  readonly txNonceByExpiry: string
}

/** Key of a nonce. @param zid of the signer. */
export const txNonceKey = (slug: string, zid: string, nonce: string): string => keyOf(slug, zid, nonce)

type Needs = TxNonceRows & Pick<MachineRows, 'machineEntry'>

const refuse = (table: keyof Needs, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Used nonces are found both ways, and the entry of each carries its transaction. */
const checkNonces = async ({ database, step }: Fsck<Needs>): Promise<void> => {
  for await (const [key, row] of database.range('txNonce')) {
    step('machines')
    const at = keyOf(seqKey(row.expires_mesh_tick), key)
    if (database.peek('txNonceByExpiry', at) !== key) refuse('txNonceByExpiry', at, 'the row is missing')
    const entry = database.peek('machineEntry', keyOf(row.slug, seqKey(row.seq)))?.entry
    const { tx } = (entry?.body ?? {}) as { readonly tx?: { readonly digest?: unknown } }
    if (tx?.digest !== row.tx) refuse('txNonce', key, 'no entry of the machine carries its transaction')
  }
  for await (const [at, key] of database.range('txNonceByExpiry')) {
    if (database.peek('txNonce', key) === undefined) refuse('txNonceByExpiry', at, 'its nonce is missing')
  }
}

/** Nonces of signed transactions. */
export const txNonce = rowKind<TxNonceRows, Needs>({
  tables: {
    txNonce: { prefix: 'pf', form: 'json', key: "slug / signer's ZID / nonce" },
    txNonceByExpiry: { prefix: 'pg', form: 'json', key: 'mesh tick / key of the nonce: the same key' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkNonces,
})
