import { useState } from 'preact/hooks'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { type Task, useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import type { Session } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { KeyShape } from './shapes.ts'

const PATH = '/api/auth/keys'
const DAY_SECONDS = 86_400
const DAYS_MAX = 3_650

interface RowsProps {
  readonly keys: readonly KeyShape[]
  readonly onRevoke: (id: string) => void
}

const Rows = ({ keys, onRevoke }: RowsProps) => (
  <div class="scroll">
    <table class="list stack">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Id</th>
          <th scope="col">Since tick</th>
          <th scope="col">Ends</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((it) => (
          <tr key={it.id} data-key={it.id}>
            <th scope="row">{it.name}</th>
            <td data-label="id">
              <code>{it.id}</code>
            </td>
            <td data-label="since tick">{it.created_tick}</td>
            <td data-label="ends">{it.expires_mesh_tick === null ? 'never' : `mesh tick ${it.expires_mesh_tick}`}</td>
            <td>
              {it.revoked ? (
                <span class="badge">revoked</span>
              ) : (
                <ConfirmButton label="Revoke" ask="Whatever uses it stops at once." onConfirm={() => onRevoke(it.id)} />
              )}
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  </div>
)

interface MakeProps {
  readonly task: Task
  readonly onMake: (name: string, days: number | undefined) => void
}

const Make = ({ task, onMake }: MakeProps) => {
  const [name, call] = useState('')
  const [days, last] = useState('')
  const number = Number(days)
  const fits = days === '' || (Number.isInteger(number) && number >= 1 && number <= DAYS_MAX)
  const submit = (event: Event): void => {
    event.preventDefault()
    if (name.trim() === '' || !fits) return
    onMake(name.trim(), days === '' ? undefined : number)
    call('')
  }
  return (
    <form class="inline" onSubmit={submit} noValidate>
      <div class="form-row">
        <label for="key-name">New key</label>
        <input
          id="key-name"
          type="text"
          maxLength={64}
          placeholder="what it is for"
          value={name}
          onInput={(event) => call(event.currentTarget.value)}
        />
      </div>
      <div class="form-row narrow">
        <label for="key-days">Days</label>
        <input
          id="key-days"
          type="text"
          inputMode="numeric"
          placeholder="no end"
          aria-invalid={!fits}
          value={days}
          onInput={(event) => last(event.currentTarget.value.trim())}
        />
      </div>
      <button type="submit" class="primary" disabled={name.trim() === '' || !fits || task.busy}>
        Make
      </button>
    </form>
  )
}

/** The account's API keys: list, make, revoke. A new one is shown once. */
export const KeysCard = ({ session }: { readonly session: Session }) => {
  const [changes, count] = useState(0)
  const [fresh, keep] = useState<string>()
  const task = useTask()
  const { value, problem } = useReading((signal) => session.send<{ keys: readonly KeyShape[] }>(PATH, { signal }), {
    on: [session, changes],
  })
  const make = (name: string, days: number | undefined): void =>
    task.run(async () => {
      const body = { name, ...(days !== undefined && { expires_in_seconds: days * DAY_SECONDS }) }
      keep((await session.send<{ api_key: string }>(PATH, { method: 'POST', body })).api_key)
      count((it) => it + 1)
      return undefined
    })
  const revoke = (id: string): void =>
    task.run(async () => {
      await session.request(`${PATH}/${id}`, { method: 'DELETE' })
      count((it) => it + 1)
      return 'Revoked.'
    })
  return (
    <section class="card" aria-label="API keys">
      <h3>API keys</h3>
      {fresh !== undefined && <SecretOnce name="API key" secret={fresh} onDone={() => keep(undefined)} />}
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.keys.length === 0 && <p class="about">None yet.</p>}
      {value !== undefined && value.keys.length > 0 && <Rows keys={value.keys} onRevoke={revoke} />}
      <Make task={task} onMake={make} />
      <TaskOutcome of={task} />
    </section>
  )
}
