import { useState } from 'preact/hooks'
import type { InputAt, ResultAt } from '#api/result-of.ts'
import { idColumn, type KeyColumn, KeysList, useKeys } from '#ui/part/keys.tsx'
import { Select } from '#ui/part/select.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import type { ChangeState } from '#ui/part/use-task.ts'
import type { AccessProps } from './access-props.ts'

type Key = ResultAt<'GET /api/chain/{slug}/api-keys'>['keys'][number]
type Wish = Omit<InputAt<'POST /api/chain/{slug}/api-keys'>, 'slug'>

const scopes = ['read', 'write', 'admin'] as const
type Scope = (typeof scopes)[number]

interface Order {
  readonly name: string
  readonly scope: Scope
  /** A day, as `2030-12-31`; empty for a key without end. */
  readonly day: string
}

interface MakeProps {
  readonly task: ChangeState
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
      <TextRow
        id="machine-key-name"
        label="New key"
        maxLength={64}
        placeholder="what it is for"
        value={order.name}
        onText={(name) => change((old) => ({ ...old, name }))}
      />
      <div class="form-row narrow">
        <label for="machine-key-scope">Scope</label>
        <Select
          id="machine-key-scope"
          options={scopes}
          value={order.scope}
          onChoose={(scope) => change((old) => ({ ...old, scope }))}
        />
      </div>
      <TextRow
        id="machine-key-day"
        label="Ends"
        size="narrow"
        type="date"
        value={order.day}
        onText={(day) => change((old) => ({ ...old, day }))}
      />
      <Submit disabled={order.name.trim() === '' || task.busy}>Make</Submit>
    </form>
  )
}

const columns: readonly KeyColumn<Key>[] = [
  { head: 'Scope', cell: ({ scope }) => scope },
  idColumn,
  { head: 'Ends', cell: ({ expires_at: end }) => end?.slice(0, 10) ?? 'never' },
]

/** The keys of a machine; a new one is shown once. */
export const KeysPart = ({ session, machine }: AccessProps) => {
  const { slug } = machine
  const keys = useKeys<Key, Wish>(
    {
      read: (signal) => session.call('GET /api/chain/{slug}/api-keys', { slug }, { signal }),
      make: (wish) => session.call('POST /api/chain/{slug}/api-keys', { slug, ...wish }),
      revoke: (id) => session.call('DELETE /api/chain/{slug}/api-keys/{id}', { slug, id }),
    },
    [session, slug],
  )
  const make = ({ name, scope, day }: Order): void =>
    keys.make({ name: name.trim(), scope, ...(day !== '' && { expires_at: `${day}T00:00:00Z` }) })
  return (
    <section class="card" aria-label="Machine keys">
      <h3>Keys</h3>
      <p class="about">
        A key reads, writes, or acts as an admin of this machine alone, and falls with the role of who made it.
      </p>
      <KeysList of={keys} name="Machine key" columns={columns} />
      <Make task={keys.task} onMake={make} />
      <TaskOutcome of={keys.task} />
    </section>
  )
}
