import { toHex } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { type LedgerEntry, ledgerLeaf, signLedgerEntryWith } from '#core/envelope.ts'
import type { Signer } from '#core/keys.ts'
import type { Meter } from '#core/telemetry.ts'
import { randomBytes } from '#crypto'
import { seqKey } from '#store/layout.ts'
import { countedWith } from '#store/rows/issue.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Issue } from './economy.ts'
import { ONLY_ROW } from './issue-index.ts'

/** Bytes that hide a ledger leaf behind its hash. */
const NONCE_BYTES = 16

export interface IssueOptions {
  readonly store: Store
  readonly signer: Signer
  readonly node: string
  readonly meter: Meter
}

/** Brings credits into being: transfer and signed ledger leaf in one transaction. Returns the leaf's index. */
export const createIssue =
  ({ store, signer, node, meter }: IssueOptions) =>
  (tx: Transaction, { kind, asset, to, amount, ref }: Issue): number => {
    tx.post({ asset, debit: `issued:${kind}`, credit: to, amount, reason: kind, ref })
    tx.onDurable(() => meter.count('credits_minted', { source: kind }, amount))
    const nonce = toHex(randomBytes(NONCE_BYTES))
    const at = tx.append(purposes.ledger, async (index) => {
      const { tick } = tx
      const log = store.log.origin
      const entry: LedgerEntry = { v: 1, node, log, index, kind, asset, to, amount, ref, tick, nonce }
      return ledgerLeaf(entry, await signLedgerEntryWith(signer, entry))
    })
    const row = { kind, asset, amount, tick: tx.tick }
    tx.put('issue', seqKey(store.log.base + at), row)
    tx.put('issueTotal', ONLY_ROW, countedWith(tx.get('issueTotal', ONLY_ROW), row))
    return at
  }
