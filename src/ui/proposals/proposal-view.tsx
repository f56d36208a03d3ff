import { useState } from 'preact/hooks'
import { MeshTime } from '#ui/part/ago.tsx'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { FactBox } from '#ui/part/fact.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { CloseText } from './proposals-view.tsx'
import { StakeForm } from './stake-form.tsx'
import { TallyCard } from './tally.tsx'
import { countingWords, reasonWords, type ShownStake, stateClass, type WholeProposal } from './words.ts'

const READ_EVERY_MS = 2_000
const DIGITS = 2

const caseText = ({ inputs, output, value, unit }: WholeProposal['cases'][number]): string =>
  `${Object.entries(inputs)
    .map(([symbol, given]) => `${symbol} = ${given}`)
    .join(', ')} → ${output} = ${value} ${unit}`

const Cases = ({ it: { cases, measured } }: { readonly it: WholeProposal }) => (
  <section class="card" aria-label="Known values">
    <h3>Known values</h3>
    <RowTable heads={['Case', 'Off, as this node computes it']}>
      {cases.map((one, i) => (
        <tr key={caseText(one)}>
          <td data-label="Case">{caseText(one)}</td>
          <td data-label="Off">
            {measured === null ? 'not computed here' : `${(measured[i] ?? 0).toPrecision(DIGITS)} %`}
          </td>
        </tr>
      ))}
    </RowTable>
  </section>
)

const StakeRow = ({ stake }: { readonly stake: ShownStake }) => (
  <tr data-counting={stake.counting}>
    <td data-label="Side">{stake.side}</td>
    <td data-label="Weight">{stake.weight ?? '…'}</td>
    <td data-label="Staker">
      <code>{stake.zid}</code>
    </td>
    <td data-label="Home">
      <code>{stake.home}</code>
    </td>
    <td data-label="Counts">
      {countingWords[stake.counting]}
      {stake.why !== null && `: ${reasonWords[stake.why]}`}
    </td>
  </tr>
)

const Stakes = ({ it: { stakes, stakes_total: total } }: { readonly it: WholeProposal }) => (
  <section class="card" aria-label="Stakes">
    <h3>{total === 1 ? '1 stake' : `${total} stakes`}</h3>
    {total > 0 && (
      <RowTable heads={['Side', 'Weight', 'Staker', 'Home', 'Counts']}>
        {stakes.map((stake) => (
          <StakeRow key={stake.id} stake={stake} />
        ))}
      </RowTable>
    )}
  </section>
)

interface PartProps {
  readonly session: PageSession
  readonly it: WholeProposal
  readonly onDone: () => void
}

/** What can be done with it now: its vote opened, counted, or the result let through. */
const Actions = ({ session, it, onDone }: PartProps) => {
  const task = useTask()
  const { id, state, closed, settled, tally } = it
  const does = (said: string, work: () => Promise<unknown>) => (): void =>
    task.run(async () => {
      await work()
      onDone()
      return said
    })
  const open = does('The vote is open.', () => session.call('POST /api/community-operators/{id}/open-vote', { id }))
  const count = does('Counted and published.', () => session.call('POST /api/community-operators/{id}/resolve', { id }))
  const promote = does('It is through.', () =>
    session.call('POST /api/community-operators/{id}/promote', { id, confirm: true }),
  )
  return (
    <>
      <div class="actions">
        {state === 'draft' && (
          <ConfirmButton
            label="Open the vote"
            ask="Its close is fixed then, and nothing of the proposal can change."
            disabled={task.busy}
            onConfirm={open}
          />
        )}
        {closed && it.counts_here && (
          <button type="button" class="small" disabled={task.busy} onClick={count}>
            {state === 'voting' ? 'Count the vote' : 'Count again'}
          </button>
        )}
        {state === 'resolved' && settled && tally.passed && (
          <ConfirmButton
            label="Let it through"
            ask="You say so in person; a maintainer then merges the row."
            disabled={task.busy}
            onConfirm={promote}
          />
        )}
      </div>
      <TaskOutcome of={task} />
    </>
  )
}

const Head = ({ it }: { readonly it: WholeProposal }) => (
  <>
    <h2>{it.name}</h2>
    <p class="row-head">
      <span class={`badge ${stateClass[it.state]}`} data-state={it.state}>
        {it.state}
      </span>
      <code>{it.operator}</code>
      <span>{it.domain}</span>
    </p>
    <p class="card">
      <code>{it.equation}</code>
    </p>
    <dl class="facts">
      <FactBox name="source">{it.source}</FactBox>
      <FactBox name="vote">
        <CloseText item={it} now={it.mesh_tick} />
      </FactBox>
      <FactBox name="closes">{it.closes === null ? '–' : <MeshTime tick={it.closes} />}</FactBox>
      <FactBox name="author">
        <code>{it.author}</code>
      </FactBox>
      <FactBox name="mesh policy">
        <code>{it.policy}</code>
      </FactBox>
    </dl>
    {!it.counts_here && <p class="wrong">It goes by another mesh policy than this node, which counts none of it.</p>}
    {it.promoted !== null && (
      <p>
        Let through at <MeshTime tick={it.promoted.mesh_tick} /> on the count <code>{it.promoted.root}</code>.
      </p>
    )}
  </>
)

/** One proposal: what it says, what its vote comes to, and where each vote's weight is from. */
export const ProposalView = ({ session, id }: { readonly session: PageSession; readonly id: string }) => {
  const [changes, note] = useState(0)
  const { value: it, problem } = useReading(
    (signal) => session.call('GET /api/community-operators/{id}', { id }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, id, changes] },
  )
  const onDone = (): void => note((count) => count + 1)
  if (it === undefined) {
    return (
      <article>
        <h2>Proposal</h2>
        {problem === undefined ? <p class="card about">reading …</p> : <ProblemCard problem={problem} />}
      </article>
    )
  }
  return (
    <article data-proposal={it.id}>
      <Head it={it} />
      <Actions session={session} it={it} onDone={onDone} />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {it.state !== 'draft' && <TallyCard tally={it.tally} settled={it.settled} />}
      {it.state === 'voting' && !it.closed && it.counts_here && <StakeForm session={session} it={it} onDone={onDone} />}
      <Cases it={it} />
      {it.state !== 'draft' && <Stakes it={it} />}
    </article>
  )
}
