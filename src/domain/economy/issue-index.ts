import { countedWith, type IssueRow, type IssueTotalRow, issueIn } from '#store/issue-rows.ts'
import { keyOf, seqKey, seqOf, under } from '#store/layout.ts'
import type { Store } from '#store/store.ts'

/** Key of the counts. */
export const ONLY_ROW = 'all'
/** Rows written in one batch. */
const BATCH_MAX = 1_000

/**
 * Writes the index of ledger leaves for a log that an earlier version began without one; with one, or before the first
 * leaf, it does nothing. The counts come last, so that a start that was cut off is done again from the beginning.
 */
export const indexIssues = async (store: Store): Promise<void> => {
  if (store.log.size === 0 || (await store.get('issueTotal', ONLY_ROW)) !== undefined) return
  let total: IssueTotalRow = {}
  let rows: (readonly [string, IssueRow])[] = []
  const write = async (last: boolean): Promise<void> => {
    const batch = rows
    rows = []
    await store.commit((tx) => {
      for (const [key, row] of batch) tx.put('issue', key, row)
      if (last) tx.put('issueTotal', ONLY_ROW, total)
    })
  }
  for await (const [key, leaf] of store.range('leaf', under('seal'))) {
    const row = issueIn(leaf)
    if (row === undefined) continue
    total = countedWith(total, row)
    rows.push([key.slice(keyOf('seal', '').length), row])
    if (rows.length >= BATCH_MAX) await write(false)
  }
  await write(true)
}

/** The newest rows first, those of leaves before `before` if it is given. */
export const newestIssues = async (
  store: Store,
  { limit, before }: { readonly limit: number; readonly before?: number },
): Promise<readonly (IssueRow & { readonly index: number })[]> => {
  const older = before === undefined ? {} : { lt: seqKey(before) }
  const found: (IssueRow & { readonly index: number })[] = []
  for await (const [key, row] of store.range('issue', { reverse: true, limit, ...older })) {
    found.push({ index: seqOf(key), ...row })
  }
  return found
}
