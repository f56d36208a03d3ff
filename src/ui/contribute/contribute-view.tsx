import { useState } from 'preact/hooks'
import { call } from '#ui/server/api.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { BondCard, PAGE_ROWS } from './bond-card.tsx'
import { Decide } from './decide.tsx'
import { DisputesCard } from './disputes-card.tsx'
import { Doing } from './doing.tsx'
import { Rules } from './rules.tsx'
import { WorksCard } from './works-card.tsx'

const READ_EVERY_MS = 5_000

/** What this node does for others, what that puts at risk, and the rules of it. */
export const ContributeView = ({ session }: { readonly session: PageSession }) => {
  const [changes, count] = useState(0)
  const [offset, turn] = useState(0)
  const { self } = session
  const isAccount = self.kind !== 'demo'
  const owner = self.kind === 'owner'
  const again = (): void => {
    count((it) => it + 1)
    session.settled()
  }
  const rules = useReading((signal) => call('GET /api/contribute/policy', {}, { signal }), { on: [] })
  const census = useReading((signal) => call('GET /api/contribute/census', {}, { signal }), {
    everyMs: READ_EVERY_MS,
    on: [changes],
  })
  const { value: status, problem } = useReading(
    (signal) =>
      isAccount
        ? session.call('GET /api/contribute/status', { limit: PAGE_ROWS, offset }, { signal })
        : Promise.resolve(undefined),
    { everyMs: isAccount ? READ_EVERY_MS : undefined, on: [session, self.kind, self.key, changes, offset] },
  )
  const parts = { session, owner, onChange: again }
  return (
    <article class="contribute">
      <h2>Contribute</h2>
      <p class="lead">What this node computes for others, what that puts at risk, and until when.</p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {!isAccount && (
        <p class="card">
          Only the node’s owner decides what it does for others. Sign in under{' '}
          <a href="#settings?part=session">Settings</a>.
        </p>
      )}
      {status !== undefined && <Doing status={status} {...parts} />}
      {status !== undefined && <BondCard status={status} offset={offset} onOffset={turn} {...parts} />}
      {owner && status?.bond === null && rules.value !== undefined && (
        <Decide status={status} policy={rules.value} session={session} onChange={again} />
      )}
      {owner && <WorksCard session={session} onChange={again} />}
      <DisputesCard changes={changes} />
      {rules.problem !== undefined && <ProblemCard problem={rules.problem} />}
      {rules.value !== undefined && <Rules policy={rules.value} census={census.value} />}
    </article>
  )
}
