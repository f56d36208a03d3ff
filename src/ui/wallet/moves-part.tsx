import { useEffect, useState } from 'preact/hooks'
import { TICK_MS } from '#ui/server/pulse.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { MoveList } from './move-list.tsx'
import type { MoveItem } from './wallet.ts'

/** Moves of one page of the history. */
const PAGE_MOVES = 10
/** Time between readings when no move is about to change: others may send. */
const QUIET_MS = 5_000

interface Props {
  readonly session: PageSession
  readonly changes: number
  /** Told whom envelopes moved to or from. */
  readonly onMet: (zids: readonly string[]) => void
}

const othersOf = (moves: readonly MoveItem[]): readonly string[] =>
  moves.flatMap(({ from, to }) => [from, to ?? []].flat())

/** What moved to and from the account, newest first. */
export const MovesPart = ({ session, changes, onMet }: Props) => {
  // Where each page begins, the one that is seen last.
  const [pages, turn] = useState<readonly (number | undefined)[]>([undefined])
  const [waits, wait] = useState(true)
  const before = pages.at(-1)
  const { value, problem } = useReading(
    async (signal) => {
      const found = await session.call('GET /api/tally/moves', { limit: PAGE_MOVES, before }, { signal })
      wait(found.moves.some((it) => it.state !== 'final'))
      return found
    },
    { everyMs: waits ? TICK_MS : QUIET_MS, on: [session, session.self.zid, before, changes] },
  )
  useEffect(() => onMet(othersOf(value?.moves ?? [])), [value])
  const next = value?.next ?? null
  return (
    <section class="card" aria-label="Moves" data-part="moves">
      <h3>Moves</h3>
      <p class="about">
        What came and went. This browser verifies each: its owner's signature, the home's receipt, and the leaf in the
        log under the key that was pinned when the page was opened.
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.moves.length === 0 && <p class="about">Nothing has moved yet.</p>}
      {value !== undefined && <MoveList session={session} moves={value.moves} />}
      <div class="actions">
        {pages.length > 1 && (
          <button type="button" onClick={() => turn(pages.slice(0, -1))}>
            Newer moves
          </button>
        )}
        {next !== null && (
          <button type="button" onClick={() => turn([...pages, next])}>
            Older moves
          </button>
        )}
      </div>
    </section>
  )
}
