import { rowKind } from '#store/row-kind.ts'

/** One movement between two accounts of one asset: double entry, integers, never edited. */
export interface Transfer {
  /** `free`, `paid`, `coin`. */
  readonly asset: string
  readonly debit: string
  readonly credit: string
  readonly amount: number
  readonly reason: string
  /** What caused it: a token id, a key id, a claim day. */
  readonly ref: string
}

export interface TransferRow extends Transfer {
  readonly tick: number
}

/** The ledger. */
export interface TransferRows {
  readonly transfer: TransferRow
  readonly balance: number
}

/** Movements and the balances they come to: `fsck` adds them again before it walks over the logs. */
export const transfer = rowKind<TransferRows>({
  tables: {
    transfer: { prefix: 'x', form: 'json', key: 'number' },
    balance: { prefix: 'y', form: 'json', key: 'asset / account' },
  },
  since: { schema: 1, note: 'from the first release on' },
})
