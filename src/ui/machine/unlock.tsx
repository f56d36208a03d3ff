import { useState } from 'preact/hooks'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'

interface Props {
  readonly session: PageSession
  readonly slug: string
  readonly onIn: () => void
}

/** Becomes a viewer of a machine by its share token. */
export const Unlock = ({ session, slug, onIn }: Props) => {
  const [token, type] = useState('')
  const task = useTask()
  if (session.self.kind === 'demo') return null
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      await session.call('POST /api/chain/{slug}/unlock', { slug, token: token.trim() })
      onIn()
      return 'You are a viewer now.'
    })
  }
  return (
    <form class="inline" onSubmit={submit}>
      <TextRow id="unlock" label="Share token" autocomplete="off" spellcheck={false} value={token} onText={type} />
      <Submit disabled={token.trim() === '' || task.busy}>Unlock</Submit>
      <TaskOutcome of={task} />
    </form>
  )
}
