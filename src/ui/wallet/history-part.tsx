import { useEffect, useRef } from 'preact/hooks'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { MoveList } from './move-list.tsx'

interface Props {
  readonly session: PageSession
  readonly token: string
  readonly changes: number
  readonly onClose: () => void
}

/** Time between readings of a history: its moves become final. */
const READ_EVERY_MS = 4 * TICK_MS

/** What became of one envelope since it was minted. */
export const HistoryPart = ({ session, token, changes, onClose }: Props) => {
  const head = useRef<HTMLHeadingElement>(null)
  useEffect(() => head.current?.focus(), [token])
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/envelopes/{token_id}/history', { token_id: token }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, token, changes] },
  )
  return (
    <section class="card" aria-label="The history of one envelope">
      <h3 ref={head} tabIndex={-1}>
        The history of <a href={`#receipt/${token}`}>{token.slice(0, 8)}…</a>
      </h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && (
        <>
          <p>
            Minted to <code>{value.minted.to}</code> at tick {value.minted.tick}, with a face of{' '}
            {value.minted.face_value}.{value.moves.length === 0 && ' It has not moved since.'}
          </p>
          <MoveList session={session} moves={value.moves} />
        </>
      )}
      <div class="actions">
        <button type="button" onClick={onClose}>
          Close the history
        </button>
      </div>
    </section>
  )
}
