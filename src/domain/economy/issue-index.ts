import { seqKey, seqOf } from '#store/layout.ts'
import type { IssueRow } from '#store/rows/issue.ts'
import type { Store } from '#store/store.ts'

/** Key of the counts. */
export const ONLY_ROW = 'all'

/** The newest rows first, those of leaves whose serial number is before `before` if it is given. */
export const newestIssues = async (
  store: Store,
  { limit, before }: { readonly limit: number; readonly before?: number },
): Promise<readonly (IssueRow & { readonly serial: number })[]> => {
  const older = before === undefined ? {} : { lt: seqKey(before) }
  const found: (IssueRow & { readonly serial: number })[] = []
  for await (const [key, row] of store.range('issue', { reverse: true, limit, ...older })) {
    found.push({ serial: seqOf(key), ...row })
  }
  return found
}
