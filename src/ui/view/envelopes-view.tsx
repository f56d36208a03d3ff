import { useState } from 'preact/hooks'
import { spellAddress } from '#ui/address.ts'
import { When } from '#ui/part/ago.tsx'
import { CheckRow } from '#ui/part/check-row.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { EnvelopeActions } from '#ui/receipt/envelope-actions.tsx'
import { useReceiptName } from '#ui/receipt/name.ts'
import { Receipt, StateBadge } from '#ui/receipt/receipt.tsx'
import type { EnvelopeSummary } from '#ui/server/answer.ts'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { Solvers } from '#ui/server/solvers.ts'
import type { PageSession } from '#ui/session.ts'
import { figure, valueText, withUnit } from '#ui/text/numbers.ts'
import type { ViewProps } from '#ui/view-props.ts'
import { ProblemCard } from './problem-card.tsx'

/** Rows at first, and with each further press; and the most that are shown. */
const ROWS = 20
const ROWS_MAX = 200
/** Time between readings when nothing in the list is about to change. */
const QUIET_MS = 5000
/** Receipts that are compared with each other. */
const COMPARED = 2

/** What is said of a receipt in one line of the list. */
const RowHead = ({ envelope, solvers }: Pick<RowProps, 'envelope' | 'solvers'>) => (
  <p class="row-head">
    <a href={`#receipt/${envelope.token_id}`}>
      <b>{useReceiptName(envelope, solvers.find(({ name }) => name === envelope.kind)?.title)}</b>
    </a>
    {envelope.value !== null && (
      <span class="row-value" title={String(envelope.value)}>
        {withUnit(valueText(envelope.value), envelope.unit)}
      </span>
    )}
    <span class="about">± {figure(envelope.precisionActual)} %</span>
    <When {...envelope} />
    <StateBadge state={envelope.state} />
    {envelope.shared && envelope.issued_to !== 'house' && <span class="badge">shared</span>}
    <code title={envelope.token_id}>{envelope.token_id.slice(0, 8)}…</code>
  </p>
)

interface RowProps {
  readonly envelope: EnvelopeSummary
  readonly session: PageSession
  readonly solvers: Solvers
  /** Whether it is chosen to be compared, and whether as many are chosen as can be. */
  readonly chosen: boolean
  readonly full: boolean
  readonly onChoose: (chosen: boolean) => void
}

const Row = ({ envelope, session, solvers, chosen, full, onChoose }: RowProps) => {
  const [open, toggle] = useState(false)
  const subject = envelope.token_id.slice(0, 8)
  return (
    <li class="card row" data-token={envelope.token_id}>
      <RowHead envelope={envelope} solvers={solvers} />
      <CheckRow checked={chosen} disabled={full && !chosen} onCheck={onChoose}>
        <span class="about">
          Compare<span class="unseen"> {subject}</span>
        </span>
      </CheckRow>
      {open ? (
        <Receipt envelope={envelope} session={session} />
      ) : (
        <EnvelopeActions envelope={envelope} session={session} subject={subject}>
          <button type="button" onClick={() => toggle(true)}>
            Open<span class="unseen"> {subject}</span>
          </button>
          {envelope.movable && (
            <a class="button" href={`#${spellAddress('wallet', { send: envelope.token_id })}`}>
              Send<span class="unseen"> {envelope.token_id.slice(0, 8)}</span>
            </a>
          )}
        </EnvelopeActions>
      )}
      {open && (
        <button type="button" class="small" onClick={() => toggle(false)}>
          Close<span class="unseen"> {subject}</span>
        </button>
      )}
    </li>
  )
}

/** What is chosen, and where both are seen beside each other. */
const Comparing = ({ tokens, onClear }: { readonly tokens: readonly string[]; readonly onClear: () => void }) => {
  const [a = '', b = ''] = tokens
  if (a === '') return null
  return (
    <div class="actions comparing" role="status">
      {b === '' ? (
        <span>One chosen; choose a second one to compare it with.</span>
      ) : (
        <a class="button primary" href={`#${spellAddress('compare', { a, b })}`}>
          Compare these two
        </a>
      )}
      <button type="button" onClick={onClear}>
        Choose none
      </button>
    </div>
  )
}

/** The newest receipts of whoever this browser is, as they come and become final. */
const usePage = (session: PageSession, { rows, query, runs }: { rows: number; query: string; runs: number }) => {
  const [waits, wait] = useState(true)
  const { zid, key } = session.self
  return useReading(
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
}

/** The newest receipts that this browser's key has sealed, as they come and become final. */
export const EnvelopesView = ({ session, solvers, runs }: Pick<ViewProps, 'session' | 'solvers' | 'runs'>) => {
  const [rows, more] = useState(ROWS)
  const [query, search] = useState('')
  const [chosen, choose] = useState<readonly string[]>([])
  const { value: page, problem } = usePage(session, { rows, query, runs })
  const turn = (token: string, on: boolean): void =>
    choose((old) => (on ? [...old, token].slice(-COMPARED) : old.filter((it) => it !== token)))
  return (
    <article>
      <h2>Receipts</h2>
      <p class="lead">
        What this browser's key has sealed here, newest first. Each can be sent on, and verified anywhere.
      </p>
      <TextRow
        id="find"
        label="Find"
        type="search"
        placeholder="token, tick or leaf hash"
        value={query}
        onText={search}
      />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {page?.envelopes.length === 0 && (
        <p class="card about">{query === '' ? 'None yet. Run a solver: its result is sealed here.' : 'None found.'}</p>
      )}
      <Comparing tokens={chosen} onClear={() => choose([])} />
      <ul class="rows">
        {page?.envelopes.map((it) => (
          <Row
            key={it.token_id}
            envelope={it}
            session={session}
            solvers={solvers}
            chosen={chosen.includes(it.token_id)}
            full={chosen.length === COMPARED}
            onChoose={(on) => turn(it.token_id, on)}
          />
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
