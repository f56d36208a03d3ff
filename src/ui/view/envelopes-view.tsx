import { useState } from 'preact/hooks'
import { TextRow } from '#ui/part/text-row.tsx'
import { EnvelopeActions } from '#ui/receipt/envelope-actions.tsx'
import { Receipt, StateBadge } from '#ui/receipt/receipt.tsx'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from './problem-card.tsx'

/** Rows at first, and with each further press; and the most that are shown. */
const ROWS = 20
const ROWS_MAX = 200
/** Time between readings when nothing in the list is about to change. */
const QUIET_MS = 5000

const Row = ({ envelope, session }: { readonly envelope: EnvelopeSummary; readonly session: PageSession }) => {
  const [open, toggle] = useState(false)
  return (
    <li class="card row" data-token={envelope.token_id}>
      <p class="row-head">
        <b>{envelope.kind}</b>
        <span>tick {envelope.tick}</span>
        <span>{envelope.face_value} credits</span>
        <StateBadge state={envelope.state} />
        <code>{envelope.token_id.slice(0, 12)}…</code>
      </p>
      {open ? (
        <Receipt envelope={envelope} session={session} />
      ) : (
        <EnvelopeActions envelope={envelope} session={session}>
          <button type="button" onClick={() => toggle(true)}>
            Open
          </button>
        </EnvelopeActions>
      )}
      {open && (
        <button type="button" onClick={() => toggle(false)}>
          Close
        </button>
      )}
    </li>
  )
}

/** The newest envelopes that this browser's key has sealed, as they come and become final. */
export const EnvelopesView = ({ session, runs }: { readonly session: PageSession; readonly runs: number }) => {
  const [rows, more] = useState(ROWS)
  const [query, search] = useState('')
  const [waits, wait] = useState(true)
  const { zid, key } = session.self
  const { value: page, problem } = useReading(
    async (signal) => {
      // Who has no key has sealed nothing, and is not asked for one to hear that.
      if (isVisitor(session.self)) return { envelopes: [], total: 0 }
      const q = query.trim() === '' ? undefined : query.trim()
      const found = await session.call('GET /api/tally/envelopes/{zid}', { zid, limit: rows, q }, { signal })
      wait(found.envelopes.some((it) => it.state !== 'final'))
      return found
    },
    { everyMs: waits ? TICK_MS : QUIET_MS, on: [session, zid, key, runs, rows, query] },
  )
  return (
    <article>
      <h2>Envelopes</h2>
      <p class="lead">What this browser's key has sealed here, newest first.</p>
      <TextRow
        id="find"
        label="Find"
        type="search"
        placeholder="token id, tick or leaf hash"
        value={query}
        onText={search}
      />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {page?.envelopes.length === 0 && (
        <p class="card about">{query === '' ? 'None yet. Run a solver: its result is sealed here.' : 'None found.'}</p>
      )}
      <ul class="rows">
        {page?.envelopes.map((it) => (
          <Row key={it.token_id} envelope={it} session={session} />
        ))}
      </ul>
      {page !== undefined && page.total > page.envelopes.length && (
        <div class="actions">
          <span class="about">{page.total} in all</span>
          {rows < ROWS_MAX && (
            <button type="button" onClick={() => more((old) => Math.min(ROWS_MAX, old + ROWS))}>
              Show more
            </button>
          )}
        </div>
      )}
    </article>
  )
}
