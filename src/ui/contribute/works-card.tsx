import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { MeshTime } from '#ui/part/ago.tsx'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Short } from '#ui/part/short.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { foundText, workStateWords } from './words.ts'

const READ_EVERY_MS = 3_000
const PAGE_ROWS = 20

type Work = ResultAt<'GET /api/contribute/works'>['items'][number]

interface Props {
  readonly session: PageSession
  readonly onChange: () => void
}

/** Runs a work again, and challenges it where it comes out otherwise. */
const Doubt = ({ work, session, onChange }: Props & { readonly work: string }) => {
  const task = useTask()
  const doubt = (): void =>
    task.run(async () => {
      const { id } = await session.call('POST /api/contribute/disputes', { work })
      onChange()
      location.hash = `#dispute/${id}`
      return 'It comes out otherwise here, and is challenged.'
    })
  return (
    <>
      <ConfirmButton
        label="Run it again"
        ask="If it comes out otherwise, it is challenged at every node."
        disabled={task.busy}
        onConfirm={doubt}
      />
      <TaskOutcome of={task} />
    </>
  )
}

const Row = ({ it, ...more }: Props & { readonly it: Work }) => (
  <tr data-work={it.work ?? ''} data-role={it.role} data-state={it.state}>
    <td data-label="Offered">
      <MeshTime tick={it.offered} />
    </td>
    <td data-label="Run">{it.token_id === null ? it.kind : <a href={`#receipt/${it.token_id}`}>{it.kind}</a>}</td>
    <td data-label="With">
      {it.role === 'worker' ? 'for' : 'by'} <Short text={it.with} />
    </td>
    <td data-label="Stands">
      {workStateWords[it.state]}
      {it.reason !== null && <span class="about"> {it.reason}</span>}
    </td>
    <td data-label="Checked">{foundText(it.found)}</td>
    <td data-label="Open until">
      {it.disputable_until === null ? '–' : <MeshTime tick={it.disputable_until} />}
      {it.role === 'requester' && it.work !== null && it.place !== null && <Doubt work={it.work} {...more} />}
    </td>
  </tr>
)

/** What this node does and did for others, and what others do for it. */
export const WorksCard = (props: Props) => {
  const [offset, turn] = useState(0)
  const { session } = props
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/contribute/works', { limit: PAGE_ROWS, offset }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, session.self.kind, offset] },
  )
  const { items = [], total = 0 } = value ?? {}
  return (
    <section class="card" aria-label="Works">
      <h3>Works</h3>
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && total === 0 && (
        <p class="about">
          None yet. What this node computes for others stands here, and what others compute for it: a run offered to the
          mesh.
        </p>
      )}
      {total > 0 && (
        <RowTable heads={['Offered', 'Run', 'With', 'Stands', 'Checked', 'Open until']}>
          {items.map((it) => (
            <Row key={`${it.job.requester} ${it.job.random} ${it.attempt}`} it={it} {...props} />
          ))}
        </RowTable>
      )}
      {total > PAGE_ROWS && (
        <div class="actions">
          <button type="button" disabled={offset === 0} onClick={() => turn(Math.max(0, offset - PAGE_ROWS))}>
            Later
          </button>
          <span class="about">
            {offset + 1} to {offset + items.length} of {total}
          </span>
          <button type="button" disabled={offset + PAGE_ROWS >= total} onClick={() => turn(offset + PAGE_ROWS)}>
            Earlier
          </button>
        </div>
      )}
    </section>
  )
}
