import { FactBox } from '#ui/part/fact.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'

/** Another tab may spend from the same account. */
const READ_EVERY_MS = 10_000

interface Props {
  readonly session: PageSession
  /** Read anew when it changes. */
  readonly changes: number
}

/** What whoever the page acts as has, and what it may buy. */
export const Balances = ({ session, changes }: Props) => {
  const { key, kind } = session.self
  const { value, problem } = useReading((signal) => session.call('GET /api/credits/status', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [session, kind, key, changes],
  })
  return (
    <section class="card" aria-label="Balances">
      <h3>Balances</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && (
        <dl class="facts">
          <FactBox name="free credits">{value.free}</FactBox>
          <FactBox name="paid credits">{value.paid}</FactBox>
          {value.held > 0 && <FactBox name="held for what runs">{value.held}</FactBox>}
          <FactBox name="coins">{value.coins}</FactBox>
        </dl>
      )}
      <ul class="plain">
        <li>
          Credits buy computations, and nothing else. Free ones are spent first where they cover the whole price; what
          they buy stays with you for good (soulbound).
        </li>
        <li>Paid credits buy computations too; the envelopes that they buy can be sent to others.</li>
        <li>
          Coins are the faces of envelopes that paid credits bought: the credits burned for them. They go where the
          envelopes go, and never become credits again: nothing here is money, and nobody owes anything for it.
        </li>
      </ul>
    </section>
  )
}
