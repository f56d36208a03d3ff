import { keyOf, seqKey } from '#store/layout.ts'
import type { Transaction } from '#store/transaction.ts'
import type { Period } from './calendar.ts'

/** What is counted per address bucket or used once; each lapses at the end of its period. */
export type QuotaKind = 'demo-call' | 'demo-key' | 'sign-up' | 'proof' | 'work' | 'claim' | 'contact'

/** Key of a durable count. */
export const quotaKey = (kind: QuotaKind, period: Pick<Period, 'endMeshTick'>, who: string): string =>
  keyOf(seqKey(period.endMeshTick), kind, encodeURIComponent(who))

/** Adds one to a count in a transaction, and gives the count before. */
export const countOne = (tx: Transaction, key: string): number => {
  const before = tx.get('quota', key) ?? 0
  tx.put('quota', key, before + 1)
  return before
}
