import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Ago } from '#ui/part/ago.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ticksText } from '#ui/text/ago.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { CreateForm } from './create-form.tsx'
import { nameOf } from './entry.ts'
import type { Machine } from './machine.ts'
import { statusClass } from './machine-head.tsx'

const OWN_EVERY_MS = 5_000
const FEED_EVERY_MS = 2_000
const ROWS = 20
/** What `active` looks back over. */
const ACTIVE_TICKS = 60
/** Cards of own machines that are drawn. */
const OWN_MAX = 100

const feeds = ['active', 'newest', 'recent'] as const
type FeedName = (typeof feeds)[number]
const feedWords: Readonly<Record<FeedName, string>> = {
  active: 'Most active',
  newest: 'Newest machines',
  recent: 'Recent entries',
}

type FeedRow = ResultAt<'GET /api/chain/recent'>['rows'][number]

const MachineCard = ({ machine, extra }: { readonly machine: Machine; readonly extra?: string }) => (
  <li class="card machine" data-machine={machine.slug}>
    <p class="machine-name">
      <a href={`#machine/${machine.slug}`}>{machine.display_name ?? machine.slug}</a>
    </p>
    <p class="row-head">
      {machine.display_name !== null && <code>{machine.slug}</code>}
      <span class={`badge ${statusClass[machine.status]}`}>{machine.status}</span>
      {!machine.is_public && <span class="badge">private</span>}
    </p>
    <p class="about">
      {machine.head.size} {machine.head.size === 1 ? 'entry' : 'entries'} · moved <Ago tick={machine.head.tick} />
      {machine.role !== 'none' && ` · ${machine.role}`}
      {extra !== undefined && ` · ${extra}`}
    </p>
  </li>
)

const Recent = ({ rows }: { readonly rows: readonly FeedRow[] }) => (
  <ol class="chain">
    {rows.map((row) => (
      <li key={row.id}>
        <a class="entry" href={`#machine/${row.slug}`}>
          <span class="entry-seq">#{row.seq}</span>
          <span class="entry-name">
            {row.slug} · {nameOf(row)}
          </span>
          <span class="entry-when">
            <Ago tick={row.tickNumber} />
          </span>
        </a>
      </li>
    ))}
  </ol>
)

interface FeedAnswer {
  readonly feed: FeedName
  readonly machines: readonly { readonly machine: Machine; readonly transitions?: number }[]
  readonly rows: readonly FeedRow[]
}

const readFeed = async (session: PageSession, feed: FeedName, signal: AbortSignal): Promise<FeedAnswer> => {
  const page = { limit: ROWS }
  if (feed === 'recent') {
    return { feed, machines: [], rows: (await session.call('GET /api/chain/recent', page, { signal })).rows }
  }
  if (feed === 'active') {
    const asked = { ...page, ticks: ACTIVE_TICKS }
    return { feed, rows: [], machines: (await session.call('GET /api/chain/active', asked, { signal })).machines }
  }
  const { machines } = await session.call('GET /api/chain/newest', page, { signal })
  return { feed, rows: [], machines: machines.map((machine) => ({ machine })) }
}

const emptyWords: Readonly<Record<FeedName, string>> = {
  active: 'No public machine has moved in the last minute.',
  newest: 'There is no public machine yet.',
  recent: 'No public machine has an entry yet.',
}

const PublicFeed = ({ session }: { readonly session: PageSession }) => {
  const [feed, choose] = useState<FeedName>('active')
  const { value, problem } = useReading((signal) => readFeed(session, feed, signal), {
    everyMs: FEED_EVERY_MS,
    on: [session, feed],
  })
  const shown = value?.feed === feed ? value : undefined
  return (
    <section aria-label="Public machines">
      <div class="card-head">
        <h3>Public</h3>
        <fieldset class="choices tabs-like">
          <legend class="unseen">Feed</legend>
          {feeds.map((it) => (
            <label key={it}>
              <input type="radio" name="feed" value={it} checked={it === feed} onChange={() => choose(it)} />
              {feedWords[it]}
            </label>
          ))}
        </fieldset>
      </div>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {shown === undefined && problem === undefined && <p class="card about">reading …</p>}
      {shown !== undefined && shown.machines.length + shown.rows.length === 0 && (
        <p class="card about">{emptyWords[feed]}</p>
      )}
      {shown !== undefined && shown.rows.length > 0 && (
        <div class="card">
          <Recent rows={shown.rows} />
        </div>
      )}
      <ul class="machines">
        {shown?.machines.map(({ machine, transitions }) => (
          <MachineCard
            key={machine.slug}
            machine={machine}
            {...(transitions !== undefined && { extra: `${transitions} in the last ${ticksText(ACTIVE_TICKS)}` })}
          />
        ))}
      </ul>
    </section>
  )
}

const Own = ({ machines }: { readonly machines: readonly Machine[] }) => (
  <section aria-label="Your machines">
    <h3>Yours</h3>
    {machines.length === 0 && (
      <p class="card about">None yet. A machine is a chain of its own that nobody can rewrite.</p>
    )}
    <ul class="machines">
      {machines.slice(0, OWN_MAX).map((machine) => (
        <MachineCard key={machine.slug} machine={machine} />
      ))}
    </ul>
  </section>
)

/** The machines that this visitor is a member of, those that everyone may see, and a form for a new one. */
export const MachinesView = ({ session }: { readonly session: PageSession }) => {
  const [changes, count] = useState(0)
  const { kind, key = kind } = session.self
  const { value, problem } = useReading((signal) => session.call('GET /api/chain/state-machines', {}, { signal }), {
    everyMs: OWN_EVERY_MS,
    on: [session, key, changes],
  })
  return (
    <article>
      <h2>Machines</h2>
      <p class="lead">
        Append-only chains, hash-linked entry by entry; in every tick in which one moves, its machine-head goes into the
        node's signed log.
      </p>
      <CreateForm session={session} onMade={() => count((it) => it + 1)} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {kind !== 'demo' && value !== undefined && <Own machines={value.machines.filter((it) => it.role !== 'none')} />}
      <PublicFeed session={session} />
    </article>
  )
}
