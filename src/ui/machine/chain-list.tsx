import { useState } from 'preact/hooks'
import { csvPieces } from '#numerics/plot/table.ts'
import { fileName } from '#ui/export/exporting.ts'
import { Since } from '#ui/part/ago.tsx'
import { Short } from '#ui/part/short.tsx'
import { download } from '#ui/receipt/evidence.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ChainFileButton } from './chain-file-button.tsx'
import { type ChainRow, nameOf, sourceOf } from './entry.ts'
import { type ChainFeed, type FeedLine, firstOf, type Gap } from './feed.ts'
import type { LiveFeed } from './use-feed.ts'

/** Entries of an earlier page. */
const PAGE_ROWS = 50

const linkWords = {
  opening: 'opening …',
  live: 'live',
  lost: 'lost; taking it up again …',
  refused: 'ended',
} as const

interface RowProps {
  readonly row: ChainRow
  readonly chosen: boolean
  readonly onChoose: (seq: number) => void
}

const Row = ({ row, chosen, onChoose }: RowProps) => (
  <li data-seq={row.seq}>
    <button type="button" class="entry" aria-current={chosen} onClick={() => onChoose(row.seq)}>
      <span class="entry-seq">#{row.seq}</span>
      <span class="entry-name">{nameOf(row)}</span>
      <span class="entry-when">
        <Since iso={row.createdAt} tick={row.tickNumber} />
      </span>
      <span class="entry-source">{sourceOf(row)}</span>
      <Short text={row.stateHash} />
    </button>
  </li>
)

interface GapProps {
  readonly gap: Gap
  readonly onOpen: (after: number) => void
}

const Missed = ({ gap, onOpen }: GapProps) => (
  <>
    <span>
      {gap.missed} {gap.missed === 1 ? 'entry' : 'entries'} not shown: #{gap.after + 1} to #{gap.next - 1}
    </span>
    <button type="button" class="small" onClick={() => onOpen(gap.after)}>
      Show
    </button>
  </>
)

/** The newest gap, once so much has come since that its line is gone from the list. */
const OldGap = ({ feed, onOpen }: { readonly feed: ChainFeed; readonly onOpen: (after: number) => void }) => {
  const { gap, items } = feed
  if (gap === undefined || items.some((it) => it.kind === 'gap' && it.gap.next === gap.next)) return null
  return (
    <p class="gap" role="status" data-gap={gap.missed}>
      <Missed gap={gap} onOpen={onOpen} />
    </p>
  )
}

const rowsOf = (items: readonly FeedLine[]): readonly ChainRow[] =>
  items.flatMap((it) => (it.kind === 'entry' ? [it.row] : []))

const saveRows = (slug: string, rows: readonly ChainRow[]): void => {
  const column = (name: string, at: (row: ChainRow) => number | string) => ({
    name,
    unit: '',
    at: (i: number) => at(rows[i] as ChainRow),
  })
  const columns = [
    column('seq', (it) => it.seq),
    column('tick', (it) => it.tickNumber),
    column('time', (it) => it.createdAt),
    column('type', (it) => it.transitionType),
    column('name', nameOf),
    column('source', sourceOf),
    column('hash', (it) => it.stateHash),
    column('previous', (it) => it.prevHash),
    column('body', (it) => JSON.stringify(it.body)),
  ]
  const [first = 0, last = 0] = [rows[0]?.seq, rows.at(-1)?.seq]
  const pieces = [...csvPieces({ rows: rows.length, columns })]
  download(`${fileName(slug, 'chain', `${first}-${last}`)}.csv`, new Blob(pieces, { type: 'text/csv' }))
}

interface Props {
  readonly session: PageSession
  readonly slug: string
  /** Genesis hash of the machine. */
  readonly genesis: string
  readonly live: LiveFeed
  readonly chosen: number | undefined
  readonly onChoose: (seq: number) => void
}

/** An earlier page of a chain, when one is looked at. */
const usePage = (session: PageSession, slug: string, after: number | undefined) =>
  useReading(
    async (signal) => {
      if (after === undefined) return undefined
      const page = { slug, limit: PAGE_ROWS, after: after >= 0 ? after : undefined }
      const { rows } = await session.call('GET /api/chain/{slug}/explore', page, { signal })
      return { after, rows }
    },
    { on: [session, slug, after] },
  )

interface PagingProps {
  readonly first: number
  readonly last: number
  readonly size: number
  readonly paged: boolean
  readonly onPage: (after: number | undefined) => void
}

const Paging = ({ first, last, size, paged, onPage }: PagingProps) => (
  <div class="actions">
    <button
      type="button"
      class="small"
      disabled={first <= 0}
      onClick={() => onPage(Math.max(-1, first - PAGE_ROWS - 1))}
    >
      Older
    </button>
    {paged && (
      <>
        <button type="button" class="small" onClick={() => onPage(last + 1 + PAGE_ROWS > size ? undefined : last)}>
          Newer
        </button>
        <button type="button" class="small" onClick={() => onPage(undefined)}>
          Back to live
        </button>
      </>
    )}
  </div>
)

/** A machine's chain, newest first: live, or an earlier page of it. */
export const ChainList = ({ session, slug, genesis, live, chosen, onChoose }: Props) => {
  const [after, goto] = useState<number>()
  const [unsaved, complain] = useState<Error>()
  const { value: page, problem } = usePage(session, slug, after)
  const { feed, link } = live
  const paged = after !== undefined
  const items = paged ? (page?.rows ?? []).map((row): FeedLine => ({ kind: 'entry', row })) : feed.items
  const rows = rowsOf(items)
  const first = paged ? (rows[0]?.seq ?? after + 1) : firstOf(feed)
  const last = rows.at(-1)?.seq ?? first
  return (
    <section class="card chain-card" aria-label="Chain" data-link={link} data-size={feed.size}>
      <div class="card-head">
        <h3>Chain</h3>
        <span class={`badge ${link === 'live' ? 'final' : 'promised'}`} data-link={link}>
          {linkWords[link]}
        </span>
        <span class="about grow" aria-live="off">
          {feed.size} {feed.size === 1 ? 'entry' : 'entries'}
          {feed.came > 0 && `, ${feed.came} since you came`}
        </span>
        <ChainFileButton session={session} slug={slug} genesis={genesis} size={feed.size} onProblem={complain} />
        <button
          type="button"
          class="small"
          title="The entries in this list as a table"
          disabled={rows.length === 0}
          onClick={() => saveRows(slug, rows)}
        >
          CSV
        </button>
      </div>
      {paged && (
        <p class="about">
          Entries {first} to {last}; the live list goes on meanwhile.
        </p>
      )}
      {problem !== undefined && <ProblemCard problem={problem} />}
      {unsaved !== undefined && <ProblemCard problem={unsaved} />}
      {!paged && <OldGap feed={feed} onOpen={goto} />}
      <ol class="chain" reversed>
        {items.toReversed().map((it) =>
          it.kind === 'gap' ? (
            <li key={`gap ${it.gap.next}`} class="gap" data-gap={it.gap.missed}>
              <Missed gap={it.gap} onOpen={goto} />
            </li>
          ) : (
            <Row key={it.row.seq} row={it.row} chosen={it.row.seq === chosen} onChoose={onChoose} />
          ),
        )}
      </ol>
      {items.length === 0 && <p class="about">reading …</p>}
      <Paging first={first} last={last} size={feed.size} paged={paged} onPage={goto} />
    </section>
  )
}
