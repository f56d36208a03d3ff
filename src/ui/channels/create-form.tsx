import { useState } from 'preact/hooks'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { freshName } from '#ui/server/fresh-name.ts'
import type { PageSession } from '#ui/session.ts'
import { StreamFields } from './create-fields.tsx'
import { FIRST_TERMS, orderOf, type StreamOrder, type StreamTerms } from './create-terms.ts'

/** Makes a stream. Nothing runs and nothing is charged before its first tick. */
export const CreateStream = ({ session }: { readonly session: PageSession }) => {
  const [terms, type] = useState<StreamTerms>(FIRST_TERMS)
  const [made, show] = useState<{ readonly id: string; readonly key: string }>()
  const task = useTask()
  const order = orderOf(terms)
  const wrong = typeof order === 'string' ? order : undefined
  const make = (body: StreamOrder): void =>
    task.run(async () => {
      const headers = { 'Idempotency-Key': freshName() }
      const { stream, key } = await session.call('POST /api/svc/stream/channels', body, { headers })
      show({ id: stream.id, key })
      return undefined
    })
  if (made !== undefined) {
    return (
      <section class="card" aria-label="The stream is made">
        <p>
          <a href={`#stream/${made.id}`}>The stream is made.</a>{' '}
          <span class="about">Its key ticks and reads it, and reaches nothing else; you need none here.</span>
        </p>
        <SecretOnce
          name="Key of the stream"
          secret={made.key}
          onDone={() => {
            location.hash = `stream/${made.id}`
          }}
        />
      </section>
    )
  }
  return (
    <form
      class="card"
      aria-label="Make a stream"
      noValidate
      onSubmit={(event) => {
        event.preventDefault()
        if (typeof order !== 'string') make(order)
      }}
    >
      <h3>Make one</h3>
      {session.self.kind === 'demo' && (
        <p class="about">
          Streams belong to an account: <a href="#settings">sign in, or make one</a>.
        </p>
      )}
      <StreamFields session={session} terms={terms} set={(change) => type((old) => ({ ...old, ...change }))} />
      <div class="actions">
        <Submit disabled={wrong !== undefined || task.busy || session.self.kind === 'demo'}>Make the stream</Submit>
        <span class="about wrong">{wrong}</span>
      </div>
      <TaskOutcome of={task} />
    </form>
  )
}
