import { issueIn } from '#store/issue-rows.ts'
import { keyOf } from '#store/layout.ts'
import { CorruptRow } from '#store/rows.ts'
import type { Fsck } from './report.ts'

/**
 * The rows of issues sum up to what their sources gave, so that none is missing, and their count is the one that is
 * shown. A directory of an earlier version has no count, and gets rows and count at its next start.
 */
export const checkIssues = async ({ database, step }: Fsck): Promise<void> => {
  const total = database.peek('issueTotal', 'all')
  if (total === undefined) {
    for await (const _ of database.range('issue', { limit: 1 })) {
      throw new CorruptRow('issueTotal', 'all', 'the row is missing; the next start of the node counts again')
    }
    return
  }
  const sums = new Map<string, { count: number; amount: number }>()
  for await (const [key, { kind, asset, amount, tick }] of database.range('issue')) {
    step('ledger')
    const leaf = database.peek('leaf', keyOf('seal', key))
    const said = leaf === undefined ? undefined : issueIn(leaf)
    const fits = said?.kind === kind && said.asset === asset && said.amount === amount && said.tick === tick
    if (!fits) throw new CorruptRow('issue', key, 'its leaf says something else')
    const at = keyOf(asset, kind)
    const sum = sums.get(at) ?? { count: 0, amount: 0 }
    sums.set(at, { count: sum.count + 1, amount: sum.amount + amount })
  }
  for (const [at, { count, amount }] of sums) {
    const [asset = '', kind = ''] = at.split('/')
    if (amount !== -(database.peek('balance', keyOf(asset, `issued:${kind}`)) ?? 0)) {
      throw new CorruptRow('issue', at, 'their sum is not what the source gave')
    }
    if (total[at] !== count) throw new CorruptRow('issueTotal', 'all', `it counts ${total[at]} of ${at}`)
  }
  if (Object.keys(total).length !== sums.size) throw new CorruptRow('issueTotal', 'all', 'it counts what is not there')
}
