import type { Query } from '#ui/address.ts'
import { spellAddress } from '#ui/address.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { CheckpointList } from './checkpoint-list.tsx'
import { HeadCard } from './head-card.tsx'
import { LeafList, type LeafPage } from './leaf-list.tsx'
import { type LogAddress, nameOf, spellPlace } from './place.ts'
import { SearchBox } from './search-box.tsx'

const READ_EVERY_MS = 2_000
const LEAVES = 25
const CHECKPOINTS = 10

/** The number in a query; undefined for whatever is none. */
const beforeOf = ({ before = '' }: Query): number | undefined =>
  /^\d{1,15}$/.test(before) ? Number(before) : undefined

const Pager = ({ place, page, isFirst }: { place: LogAddress; page: LeafPage; isFirst: boolean }) => {
  const at = spellPlace(place)
  return (
    <nav class="actions" aria-label="pages of leaves">
      {!isFirst && <a href={`#${at}`}>Newest</a>}
      {page.next !== null && <a href={`#${spellAddress(at, { before: String(page.next) })}`}>Older leaves</a>}
    </nav>
  )
}

const otherLog = (log: string): string =>
  log.startsWith('events') ? log.replace('events', 'seal') : log.replace('seal', 'events')

const abouts = {
  seal:
    'Every receipt, credit and machine-head of this node is a leaf here. The tree is public; what a leaf holds ' +
    'is its owner’s to show.',
  events: 'What this node said to the mesh and cannot take back. All of it is public.',
} as const

interface Props {
  readonly session: PageSession
  readonly place: Extract<LogAddress, { readonly show: 'newest' | 'tick' }>
  readonly query: Query
}

/** The newest leaves of a log, or those of one tick, and its checkpoints. */
export const NewestView = ({ session, place, query }: Props) => {
  const { log } = place
  const before = beforeOf(query)
  const tick = place.show === 'tick' ? place.number : undefined
  const everyMs = before === undefined && tick === undefined ? READ_EVERY_MS : undefined
  const on = [log, before, tick, session.self]
  const { value: page, problem } = useReading(
    (signal) => session.call('GET /api/log/{log}/leaves', { log, limit: LEAVES, before, tick }, { signal }),
    { everyMs, on },
  )
  const { value: signed } = useReading(
    (signal) => session.call('GET /api/log/{log}/checkpoints', { log, limit: CHECKPOINTS }, { signal }),
    { everyMs, on: [log] },
  )
  const [head] = signed?.checkpoints ?? []
  const name = nameOf(log)
  const about = log.startsWith('events') ? abouts.events : abouts.seal
  return (
    <>
      <h2>{tick === undefined ? `The ${name}` : `Tick ${tick} in the ${name}`}</h2>
      <p class="about">
        {about} <a href={`#log/${otherLog(log)}`}>To the {nameOf(otherLog(log))}</a>
      </p>
      <SearchBox log={log} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {page === undefined && problem === undefined && <p class="card about">reading …</p>}
      {page !== undefined && (
        <section class="card" aria-label="Leaves">
          <h3>{tick === undefined ? 'Leaves, newest first' : `Leaves of tick ${tick}`}</h3>
          {page.leaves.length === 0 && <p class="about">{page.size === 0 ? 'Nothing is signed yet.' : 'None.'}</p>}
          {page.leaves.length > 0 && <LeafList log={log} leaves={page.leaves} />}
          <Pager place={place} page={page} isFirst={before === undefined} />
        </section>
      )}
      {tick === undefined && head !== undefined && <HeadCard pinned={session} head={head} log={log} />}
      {tick === undefined && signed !== undefined && signed.checkpoints.length > 0 && (
        <CheckpointList log={log} rows={signed.checkpoints} />
      )}
    </>
  )
}
