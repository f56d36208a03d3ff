import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import type { Which } from './reads.ts'

interface Props extends Which {
  readonly session: PageSession
}

const jsonOf = (value: unknown): Blob => new Blob([`${JSON.stringify(value)}\n`], { type: 'application/json' })

/** Saves a contract: what it says, or all that it did, for whoever decides it again elsewhere. */
export const SaveFiles = ({ session, slug, id }: Props) => {
  const task = useTask()
  const save = (name: string, work: () => Promise<unknown>) => (): void =>
    task.run(async () => {
      const [value, { download }] = await Promise.all([work(), import('#ui/receipt/evidence.ts')])
      download(name, jsonOf(value))
      return `${name} is saved.`
    })
  const said = async (): Promise<unknown> => {
    const { contract } = await session.call('GET /api/chain/{slug}/contracts/{id}/export', { slug, id })
    return contract
  }
  const done = async (): Promise<unknown> => {
    const { historyHere } = await import('./replay-here.ts')
    return historyHere({ session, slug, id, signal: new AbortController().signal, tell: () => undefined })
  }
  return (
    <>
      <div class="actions">
        <button type="button" disabled={task.busy} onClick={save(`${slug}-${id}.contract`, said)}>
          Save what it says
        </button>
        <button type="button" disabled={task.busy} onClick={save(`${slug}-${id}.export.json`, done)}>
          Save all that it did
        </button>
      </div>
      <TaskOutcome of={task} />
    </>
  )
}
