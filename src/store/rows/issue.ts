import { fromUtf8 } from '#core/bytes.ts'
import { parseCanonical } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import type { LedgerEntry } from '#core/envelope.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck, Walked } from '#store/fsck/report.ts'
import { keyOf, seqOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { LogRows } from './log.ts'
import type { TransferRows } from './transfer.ts'

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

/** Kinds of issue that have a leaf of their own; the others are part of an envelope's. */
export const withLeaf: ReadonlySet<string> = new Set(['sign-up', 'claim', 'grant', 'demo', 'donation'])

/** Leaves and balances stand in other tables. */
type IssueNeeds = IssueRows & Pick<LogRows, 'leaf'> & Pick<TransferRows, 'balance'>

/**
 * The rows of issues sum up to what their sources gave, so that none is missing, and their count is the one that is
 * shown. A log without a ledger leaf has neither.
 */
const checkIssues = async ({ database, step }: Fsck<IssueNeeds>, { leafKeyAt }: Walked): Promise<void> => {
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

/** The index of ledger leaves. */
export const issue = rowKind<IssueRows, IssueNeeds>({
  tables: {
    issue: { prefix: 'xi', form: 'json', key: 'index of the ledger leaf in the seal log' },
    issueTotal: { prefix: 'xt', form: 'json', key: 'the word `all`' },
  },
  since: { schema: 2, note: 'a step of `migrations` makes it from the leaves of an older store' },
  check: checkIssues,
})
