import { useState } from 'preact/hooks'
import { CheckRow } from '#ui/part/check-row.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { useWanted } from '#ui/part/use-wanted.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'

/** Whether new receipts of the account stand in the public record. */
export const PublishCard = ({ session }: { readonly session: PageSession }) => {
  const [changes, count] = useState(0)
  const task = useTask()
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/tally/settings/publish-default', {}, { signal }),
    {
      on: [session, changes],
    },
  )
  const { shown, change } = useWanted(value?.publish ?? false)
  const choose = (publish: boolean): void =>
    task.run(async () => {
      await change(publish, () => session.call('POST /api/tally/settings/publish-default', { publish }))
      count((it) => it + 1)
      return publish ? 'New receipts are published.' : 'New receipts stay private.'
    })
  return (
    <section class="card" aria-label="Publishing">
      <h3>Publishing</h3>
      <CheckRow checked={shown} disabled={value === undefined || task.busy} onCheck={choose}>
        Publish new receipts
      </CheckRow>
      <p class="about">
        The public record then shows digests, operators and credits of each new one; never inputs or results. What is
        sealed already stays as it is.
      </p>
      {problem !== undefined && <ProblemCard problem={problem} />}
      <TaskOutcome of={task} />
    </section>
  )
}
