import { useState } from 'preact/hooks'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import type { ShownContract } from './reads.ts'
import { keepWarnings } from './told-warnings.tsx'

const NAME_CHARS_MAX = 32
const SECRET_CHARS_MAX = 4_096

interface Props {
  readonly session: PageSession
  readonly contract: ShownContract
  readonly onDone: () => void
}

/** The secrets of a contract, by their names: set, set anew, forgotten, and never shown. */
export const SecretsPart = ({ session, contract, onDone }: Props) => {
  const { slug, id, secrets, status } = contract
  const [name, call] = useState('')
  const [value, write] = useState('')
  const task = useTask()
  const change = (of: string, to: string | null): void =>
    task.run(async () => {
      const order = { slug, id, secrets: { [of]: to } }
      const { warnings } = await session.call('PATCH /api/chain/{slug}/contracts/{id}', order)
      keepWarnings(contract, warnings)
      call('')
      write('')
      onDone()
      return to === null ? `${of} is forgotten.` : `${of} is set.`
    })
  const submit = (event: Event): void => {
    event.preventDefault()
    change(name.trim(), value)
  }
  if (status === 'frozen') return null
  return (
    <details class="card" data-secrets={secrets.length}>
      <summary>Secrets</summary>
      <p class="about">
        Values for {'{{secret.name}}'} in headers and bodies of notifications. They rest sealed, and nobody is shown
        one.
      </p>
      {secrets.length === 0 && <p class="about">There is none.</p>}
      <ul class="plain">
        {secrets.map((it) => (
          <li key={it} data-secret={it} class="actions">
            <code>{it}</code>
            <ConfirmButton
              label={`Forget ${it}`}
              ask="Its value cannot be brought back."
              disabled={task.busy}
              onConfirm={() => change(it, null)}
            />
          </li>
        ))}
      </ul>
      <form onSubmit={submit}>
        <div class="form-grid two">
          <TextRow
            id="secret-name"
            label="Name of a secret"
            autocomplete="off"
            spellcheck={false}
            maxLength={NAME_CHARS_MAX}
            value={name}
            onText={call}
          />
          <TextRow
            id="secret-value"
            label="Its value"
            type="password"
            autocomplete="off"
            spellcheck={false}
            maxLength={SECRET_CHARS_MAX}
            value={value}
            onText={write}
          />
        </div>
        <div class="actions">
          <Submit disabled={task.busy || name.trim() === '' || value === ''}>Set it</Submit>
        </div>
      </form>
      <TaskOutcome of={task} />
    </details>
  )
}
