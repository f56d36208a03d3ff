import { useState } from 'preact/hooks'
import type { InputAt, ResultAt } from '#api/result-of.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'
import { Ago, MeshTime } from '#ui/part/ago.tsx'
import { idColumn, type KeyColumn, KeysList, useKeys } from '#ui/part/keys.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import type { ChangeState } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'

type Key = ResultAt<'GET /api/auth/keys'>['keys'][number]

const DAYS_MAX = 3_650

const columns: readonly KeyColumn<Key>[] = [
  idColumn,
  { head: 'Made', cell: ({ created_tick: tick }) => <Ago tick={tick} /> },
  { head: 'Ends', cell: ({ expires_mesh_tick: end }) => (end === null ? 'never' : <MeshTime tick={end} />) },
]

interface MakeProps {
  readonly task: ChangeState
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
      <TextRow id="key-name" label="New key" maxLength={64} placeholder="what it is for" value={name} onText={call} />
      <TextRow
        id="key-days"
        label="Days"
        size="narrow"
        inputMode="numeric"
        placeholder="no end"
        aria-invalid={!fits}
        value={days}
        onText={(text) => last(text.trim())}
      />
      <Submit disabled={name.trim() === '' || !fits || task.busy}>Make</Submit>
    </form>
  )
}

/** The account's API keys: list, make, revoke. A new one is shown once. */
export const KeysCard = ({ session }: { readonly session: PageSession }) => {
  const keys = useKeys<Key, InputAt<'POST /api/auth/keys'>>(
    {
      read: (signal) => session.call('GET /api/auth/keys', {}, { signal }),
      make: (wish) => session.call('POST /api/auth/keys', wish),
      revoke: (id) => session.call('DELETE /api/auth/keys/{id}', { id }),
    },
    [session],
  )
  const make = (name: string, days: number | undefined): void =>
    keys.make({ name, ...(days !== undefined && { expires_in_seconds: days * SECONDS_PER_DAY }) })
  return (
    <section class="card" aria-label="API keys" data-part="keys">
      <h3>API keys</h3>
      {keys.keys?.length === 0 && <p class="about">None yet.</p>}
      <KeysList of={keys} name="API key" columns={columns} />
      <Make task={keys.task} onMake={make} />
      <TaskOutcome of={keys.task} />
    </section>
  )
}
