import { CorruptRow } from '#store/corrupt-row.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import type { MoveRows } from './move.ts'

/** Ops that gave tokens to a ZID of another node, which that node has not acknowledged: those from first to last. */
export interface NoticeRow {
  /** Serial numbers of leaves, as key parts. */
  readonly first: string
  readonly last: string
}

export interface NoticeRows {
  readonly notice: NoticeRow
}

type Needs = NoticeRows & Pick<MoveRows, 'move' | 'moveByZid'>

/** What is still to be told is of ops that stand in the log. */
const checkNotices = async ({ database, step }: Fsck<Needs>): Promise<void> => {
  for await (const [zid, { first, last }] of database.range('notice')) {
    step('accounts')
    const gave = [first, last].every((it) => {
      const op = database.peek('move', it)?.op
      return op !== undefined && 'to' in op && op.to === zid && database.peek('moveByZid', keyOf(zid, it)) !== undefined
    })
    if (!gave) throw new CorruptRow('notice', zid, 'it names an op that gave nothing to this ZID')
    if (first > last) throw new CorruptRow('notice', zid, 'it begins behind its end')
  }
}

/** Whom this home has still to tell of tokens. */
export const notice = rowKind<NoticeRows, Needs>({
  tables: {
    notice: { prefix: 'qb', form: 'json', key: 'ZID' },
  },
  since: { schema: 3, note: 'a store of before has moved nothing' },
  check: checkNotices,
})
