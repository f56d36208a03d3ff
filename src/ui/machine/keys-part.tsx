import { useState } from 'preact/hooks'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { type Task, useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import type { AccessProps } from './access-tab.tsx'
import type { MachineKeyShape } from './shapes.ts'

const scopes = ['read', 'write', 'admin'] as const
type Scope = (typeof scopes)[number]

interface Order {
  readonly name: string
  readonly scope: Scope
  /** A day, as `2030-12-31`; empty for a key without end. */
  readonly day: string
}

interface MakeProps {
  readonly task: Task
  readonly onMake: (order: Order) => void
}

const Make = ({ task, onMake }: MakeProps) => {
  const [order, change] = useState<Order>({ name: '', scope: 'read', day: '' })
  const submit = (event: Event): void => {
    event.preventDefault()
    onMake(order)
    change((old) => ({ ...old, name: '' }))
  }
  return (
    <form class="inline" onSubmit={submit}>
      <div class="form-row">
        <label for="machine-key-name">New key</label>
        <input
          id="machine-key-name"
          type="text"
          maxLength={64}
          placeholder="what it is for"
          value={order.name}
          onInput={({ currentTarget: { value: name } }) => change((old) => ({ ...old, name }))}
        />
      </div>
      <div class="form-row narrow">
        <label for="machine-key-scope">Scope</label>
        <select
          id="machine-key-scope"
          value={order.scope}
          onChange={({ currentTarget: { value } }) => change((old) => ({ ...old, scope: value as Scope }))}
        >
          {scopes.map((it) => (
            <option key={it} value={it}>
              {it}
            </option>
          ))}
        </select>
      </div>
      <div class="form-row narrow">
        <label for="machine-key-day">Ends</label>
        <input
          id="machine-key-day"
          type="date"
          value={order.day}
          onInput={({ currentTarget: { value: day } }) => change((old) => ({ ...old, day }))}
        />
      </div>
      <button type="submit" class="primary" disabled={order.name.trim() === '' || task.busy}>
        Make
      </button>
    </form>
  )
}

interface RowsProps {
  readonly keys: readonly MachineKeyShape[]
  readonly onRevoke: (id: string) => void
}

const Rows = ({ keys, onRevoke }: RowsProps) => (
  <div class="scroll">
    <table class="list stack">
      <thead>
        <tr>
          <th scope="col">Name</th>
          <th scope="col">Scope</th>
          <th scope="col">Id</th>
          <th scope="col">Ends</th>
          <th scope="col">State</th>
        </tr>
      </thead>
      <tbody>
        {keys.map((it) => (
          <tr key={it.id} data-key={it.id}>
            <th scope="row">{it.name}</th>
            <td data-label="scope">{it.scope}</td>
            <td data-label="id">
              <code>{it.id}</code>
            </td>
            <td data-label="ends">{it.expires_at?.slice(0, 10) ?? 'never'}</td>
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

/** The keys of a machine; a new one is shown once. */
export const KeysPart = ({ session, machine }: AccessProps) => {
  const [changes, count] = useState(0)
  const [fresh, keep] = useState<string>()
  const task = useTask()
  const path = `/api/chain/${machine.slug}/api-keys`
  const { value, problem } = useReading(
    (signal) => session.send<{ keys: readonly MachineKeyShape[] }>(path, { signal }),
    { on: [session, path, changes] },
  )
  const make = ({ name, scope, day }: Order): void =>
    task.run(async () => {
      const body = { name: name.trim(), scope, ...(day !== '' && { expires_at: `${day}T00:00:00Z` }) }
      keep((await session.send<{ api_key: string }>(path, { method: 'POST', body })).api_key)
      count((it) => it + 1)
      return undefined
    })
  const revoke = (id: string): void =>
    task.run(async () => {
      await session.request(`${path}/${id}`, { method: 'DELETE' })
      count((it) => it + 1)
      return 'Revoked.'
    })
  return (
    <section class="card" aria-label="Machine keys">
      <h3>Keys</h3>
      <p class="about">
        A key reads, writes, or acts as an admin of this machine alone, and falls with the role of who made it.
      </p>
      {fresh !== undefined && <SecretOnce name="Machine key" secret={fresh} onDone={() => keep(undefined)} />}
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value !== undefined && value.keys.length > 0 && <Rows keys={value.keys} onRevoke={revoke} />}
      <Make task={task} onMake={make} />
      <TaskOutcome of={task} />
    </section>
  )
}
