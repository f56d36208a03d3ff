import { useEffect, useState } from 'preact/hooks'
import { Receipt } from '#ui/receipt/receipt.tsx'
import { send } from '#ui/server/api.ts'
import type { EnvelopeShape } from '#ui/server/shapes.ts'
import type { Session } from '#ui/session.ts'

const SHOWN = 20

interface Page {
  readonly total: number
  readonly envelopes: readonly EnvelopeShape[]
}

/** The newest envelopes that this browser's key has sealed; each opens to its receipt. */
export const EnvelopesView = ({ session, sealed }: { readonly session: Session; readonly sealed: number }) => {
  const [page, show] = useState<Page>()
  const [problem, complain] = useState<string>()
  const [open, choose] = useState<string>()
  const { credential, zid } = session.self
  useEffect(() => {
    void send<Page>(`/api/tally/envelopes/${zid}?limit=${SHOWN}`, { credential })
      .then(show)
      .catch((error: Error) => complain(error.message))
  }, [credential, zid, sealed])
  const chosen = page?.envelopes.find((it) => it.token_id === open)
  return (
    <article>
      <h2>Latest envelopes</h2>
      {problem !== undefined && <p class="card wrong">{problem}</p>}
      {page?.total === 0 && <p class="card about">None yet. Run a solver: its result is sealed here.</p>}
      <ul class="rows">
        {page?.envelopes.map((it) => (
          <li key={it.token_id}>
            <button type="button" class="row" aria-expanded={it.token_id === open} onClick={() => choose(it.token_id)}>
              <b>{it.kind}</b>
              <span>tick {it.tick}</span>
              <span>{it.face_value} credits</span>
              <span>{it.state}</span>
              <code>{it.token_id.slice(0, 12)}…</code>
            </button>
          </li>
        ))}
      </ul>
      {page !== undefined && page.total > page.envelopes.length && <p class="about">{page.total} in all</p>}
      {chosen !== undefined && (
        <Receipt key={chosen.token_id} envelope={chosen} credential={credential} trusted={session.vkey} />
      )}
    </article>
  )
}
