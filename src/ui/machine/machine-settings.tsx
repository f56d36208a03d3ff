import { useState } from 'preact/hooks'
import { CheckRow } from '#ui/part/check-row.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { useWanted } from '#ui/part/use-wanted.ts'
import type { AccessProps } from './access-props.ts'
import { reaches, type Status, statuses } from './machine.ts'

const statusWords: Readonly<Record<Status, string>> = {
  active: 'takes entries',
  paused: 'takes none for now',
  archived: 'takes none any more; can be made active again',
}

const StatusPart = ({ session, machine, onChange }: AccessProps) => {
  const task = useTask()
  const { shown, change } = useWanted(machine.status)
  const set = (status: Status): void =>
    task.run(async () => {
      const { slug } = machine
      await change(status, () => session.call('POST /api/chain/{slug}/status', { slug, status }))
      onChange()
      return `The machine is ${status}.`
    })
  return (
    <section class="card" aria-label="Status">
      <h3>Status</h3>
      <fieldset class="choices">
        <legend class="unseen">Status</legend>
        {statuses.map((it) => (
          <label key={it}>
            <input
              type="radio"
              name="machine-status"
              value={it}
              checked={it === shown}
              disabled={task.busy}
              onChange={() => set(it)}
            />
            <span>
              {it} <span class="about">{statusWords[it]}</span>
            </span>
          </label>
        ))}
      </fieldset>
      <TaskOutcome of={task} />
    </section>
  )
}

const textOrNull = (text: string): string | null => (text.trim() === '' ? null : text.trim())

/** What a machine is called, what it is for, who may read it, and whether it takes entries. */
export const MachineSettings = ({ session, machine, onChange }: AccessProps) => {
  const [name, call] = useState(machine.display_name ?? '')
  const [purpose, mean] = useState(machine.purpose ?? '')
  const [open, publish] = useState(machine.is_public)
  const task = useTask()
  if (!reaches(machine.role, 'admin')) {
    return <p class="card about">Settings and status of a machine are for its admins.</p>
  }
  const submit = (event: Event): void => {
    event.preventDefault()
    task.run(async () => {
      const settings = { display_name: textOrNull(name), purpose: textOrNull(purpose), is_public: open }
      await session.call('PATCH /api/chain/{slug}/settings', { slug: machine.slug, ...settings })
      onChange()
      return 'Saved.'
    })
  }
  return (
    <>
      <StatusPart session={session} machine={machine} onChange={onChange} />
      <section class="card" aria-label="Machine settings">
        <h3>Settings</h3>
        <form onSubmit={submit}>
          <TextRow id="machine-name" label="Name for people" maxLength={255} value={name} onText={call} />
          <div class="form-row">
            <label for="machine-purpose">What it is for</label>
            <textarea
              id="machine-purpose"
              rows={3}
              maxLength={4000}
              value={purpose}
              onInput={(event) => mean(event.currentTarget.value)}
            />
          </div>
          <CheckRow checked={open} onCheck={publish}>
            Public: everyone may read the chain, sealed members apart
          </CheckRow>
          <div class="actions">
            <Submit disabled={task.busy}>Save</Submit>
          </div>
        </form>
        <TaskOutcome of={task} />
      </section>
    </>
  )
}
