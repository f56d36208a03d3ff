import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ticksText } from '#ui/text/ago.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { ProposeForm } from './propose-form.tsx'
import { Bar } from './tally.tsx'
import { type ShownProposal, stateClass, verdictText } from './words.ts'

const READ_EVERY_MS = 5_000
const ROWS = 50

/** When a vote ends, or that it is over. */
export const CloseText = ({
  item: { closes, closed },
  now,
}: {
  readonly item: ShownProposal
  readonly now: number
}) => {
  if (closes === null) return <>its vote is not open</>
  return closed ? <>the vote is over</> : <>{ticksText(closes - now)} left to vote</>
}

const Card = ({ item, now }: { readonly item: ShownProposal; readonly now: number }) => (
  <li class="card" data-proposal={item.id} data-state={item.state}>
    <p class="machine-name">
      <a href={`#proposal/${item.id}`}>{item.name}</a>
    </p>
    <p class="row-head">
      <span class={`badge ${stateClass[item.state]}`}>{item.state}</span>
      <code>{item.operator}</code>
      <code>{item.equation}</code>
    </p>
    <Bar tally={item.tally} />
    <p class="about">
      <CloseText item={item} now={now} /> · {verdictText(item.tally)}
    </p>
  </li>
)

/** Operators that somebody proposes for the table: what is voted on, and a form for a new one. */
export const ProposalsView = ({ session }: { readonly session: PageSession }) => {
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/community-operators', { limit: ROWS }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session] },
  )
  return (
    <article>
      <h2>Proposals</h2>
      <p class="lead">
        Anyone may propose a relation for the table, with its source and three known values that this node computes
        itself. Envelopes are staked for or against, and all come back. The vote advises; a maintainer decides.
      </p>
      <ProposeForm session={session} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value === undefined && problem === undefined && <p class="card about">reading …</p>}
      {value?.total === 0 && <p class="card about">No vote was opened yet.</p>}
      <ul class="rows">
        {value?.proposals.map((item) => (
          <Card key={item.id} item={item} now={value.mesh_tick} />
        ))}
      </ul>
    </article>
  )
}
