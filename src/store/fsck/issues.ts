import { issueIn } from '#store/issue-rows.ts'
import { keyOf, seqOf } from '#store/layout.ts'
import { CorruptRow } from '#store/rows.ts'
import { withLeaf } from './ledger.ts'
import type { Fsck } from './report.ts'

/**
 * The rows of issues sum up to what their sources gave, so that none is missing, and their count is the one that is
 * shown. A log without a ledger leaf has neither.
 */
export const checkIssues = async ({ database, step }: Fsck, leafKeyAt: (serial: number) => string): Promise<void> => {
  const total = database.peek('issueTotal', 'all') ?? {}
  const sums = new Map<string, { count: number; amount: number }>()
  for await (const [key, { kind, asset, amount, tick }] of database.range('issue')) {
    step('ledger')
    const leaf = database.peek('leaf', leafKeyAt(seqOf(key)))
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
  for await (const [key, balance] of database.range('balance')) {
    const [asset = '', account = ''] = key.split('/')
    const [source, kind = ''] = account.split(':')
    if (source !== 'issued' || balance === 0 || !withLeaf.has(kind)) continue
    if (!sums.has(keyOf(asset, kind))) throw new CorruptRow('issue', keyOf(asset, kind), 'the rows are missing')
  }
  if (Object.keys(total).length !== sums.size) throw new CorruptRow('issueTotal', 'all', 'it counts what is not there')
}
