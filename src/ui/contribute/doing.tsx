import { MeshTime } from '#ui/part/ago.tsx'
import { Fact } from '#ui/part/fact.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import { type ContributeMode, type Contributing, modes, modeWords } from './words.ts'

interface Props {
  readonly session: PageSession
  readonly status: Contributing
  readonly owner: boolean
  readonly onChange: () => void
}

/** What the node does for others now, and how it did. */
export const Doing = ({ session, status, owner, onChange }: Props) => {
  const task = useTask()
  const { mode, since, works, record, disputes, bond } = status
  const become = (next: ContributeMode): void =>
    task.run(async () => {
      await session.call('POST /api/contribute/mode', { mode: next })
      onChange()
      return `The node is ${next}.`
    })
  return (
    <section class="card" aria-label="For others now" data-mode={mode}>
      <h3>For others now</h3>
      <dl>
        <Fact name="mode">
          <strong>{mode}</strong>{' '}
          {since !== null && (
            <>
              since <MeshTime tick={since} />
            </>
          )}
          <br />
          <span class="about">{modeWords[mode]}</span>
        </Fact>
        <Fact name="works open">
          {works.open} of {works.max}
        </Fact>
        <Fact name="record">
          {record.done} done: {record.right} right, {record.wrong} wrong, {record.unavailable} unavailable;{' '}
          {record.audited} audited
        </Fact>
        <Fact name="disputes">
          {disputes.until === null ? (
            'none that holds the bond'
          ) : (
            <>
              may last until <MeshTime tick={disputes.until} />
            </>
          )}
        </Fact>
      </dl>
      {owner && bond?.state === 'held' && (
        // biome-ignore lint/a11y/useSemanticElements: a fieldset has a frame, and these are no members of a form
        <div class="actions" role="group" aria-label="Mode">
          {modes.map((it) => (
            <button
              key={it}
              type="button"
              class="small"
              aria-pressed={it === mode}
              disabled={task.busy}
              onClick={() => become(it)}
            >
              {it}
            </button>
          ))}
        </div>
      )}
      <TaskOutcome of={task} />
    </section>
  )
}
