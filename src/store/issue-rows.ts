import { fromUtf8 } from '#core/bytes.ts'
import { parseCanonical } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import type { LedgerEntry } from '#core/envelope.ts'

/** What anyone may know of a ledger leaf: never who received it, nor what for. */
export interface IssueRow {
  readonly kind: string
  readonly asset: string
  readonly amount: number
  readonly tick: number
}

/** How many ledger leaves there are, by `asset/kind`. There is none until every leaf of the log has its row. */
export type IssueTotalRow = Readonly<Record<string, number>>

export interface IssueRows {
  readonly issue: IssueRow
  readonly issueTotal: IssueTotalRow
}

/** Prefixes and keys of the index of ledger leaves. */
export const issueTables = {
  issue: { prefix: 'xi', form: 'json', key: 'index of the ledger leaf in the seal log' },
  issueTotal: { prefix: 'xt', form: 'json', key: 'the word `all`' },
} as const

/** The row of a leaf of the seal log; undefined when it is no ledger leaf. */
export const issueIn = (leaf: Uint8Array): IssueRow | undefined => {
  const from = purposes.ledger.length + 1
  if (fromUtf8(leaf.subarray(0, from)) !== `${purposes.ledger}\n`) return undefined
  const { entry } = parseCanonical(leaf.subarray(from)) as unknown as { readonly entry: LedgerEntry }
  return { kind: entry.kind, asset: entry.asset, amount: entry.amount, tick: entry.tick }
}

/** The counts with one more of a kind. */
export const countedWith = (total: IssueTotalRow | undefined, { asset, kind }: IssueRow): IssueTotalRow => {
  const at = `${asset}/${kind}`
  return { ...total, [at]: (total?.[at] ?? 0) + 1 }
}
