import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Ago } from '#ui/part/ago.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import { download } from '#ui/receipt/evidence.ts'
import type { PageSession } from '#ui/session.ts'
import { EntryBody } from './entry-body.tsx'
import type { Machine } from './machine.ts'

/** Entries that are drawn; the file has them all. */
const ROWS_MAX = 200

type Opened = ResultAt<'POST /api/chain/{slug}/audit/decrypt'>

const Rows = ({ slug, opened }: { readonly slug: string; readonly opened: Opened }) => {
  const { entries, audit_seq: audit } = opened
  const save = (): void => {
    const text = JSON.stringify(opened, undefined, 2)
    download(`${slug}-audit-${audit}.json`, new Blob([text], { type: 'application/json' }))
  }
  return (
    <>
      <p>
        {entries.length} {entries.length === 1 ? 'entry' : 'entries'} opened; entry {audit} of the chain says so.{' '}
        {entries.length > ROWS_MAX && `The first ${ROWS_MAX} are shown; the file has them all.`}
      </p>
      <div class="actions">
        <button type="button" onClick={save}>
          Save as JSON
        </button>
      </div>
      <RowTable heads={['Entry', 'When', 'Type', 'Sealed members']} look="audit">
        {entries.slice(0, ROWS_MAX).map(({ seq, tick, type, members }) => (
          <tr key={seq} data-seq={seq}>
            <th scope="row">#{seq}</th>
            <td data-label="when">
              <Ago tick={tick} />
            </td>
            <td data-label="type">{type}</td>
            <td class="wrap">
              {members === null ? <span class="about">their key was destroyed</span> : <EntryBody body={members} />}
            </td>
          </tr>
        ))}
      </RowTable>
    </>
  )
}

const isTick = (text: string): boolean => /^\d{1,15}$/.test(text)

/** Opens the sealed members of a range of ticks, for the owner in person. */
export const AuditTab = ({ session, machine }: { readonly session: PageSession; readonly machine: Machine }) => {
  const [from, begin] = useState(String(machine.genesis_tick))
  const [to, end] = useState(String(machine.head.tick))
  const [opened, show] = useState<Opened>()
  const task = useTask()
  const fits = [from, to].every(isTick)
  const submit = (event: Event): void => {
    event.preventDefault()
    if (!fits) return
    task.run(async () => {
      const range = { slug: machine.slug, from: Number(from), to: Number(to) }
      show(await session.call('POST /api/chain/{slug}/audit/decrypt', range))
      return undefined
    })
  }
  const field = (id: string, label: string, value: string, onText: (text: string) => void) => (
    <TextRow
      id={id}
      label={label}
      inputMode="numeric"
      aria-invalid={!isTick(value)}
      value={value}
      onText={(text) => onText(text.trim())}
    >
      {isTick(value) && (
        <p class="about">
          <Ago tick={Number(value)} />
        </p>
      )}
    </TextRow>
  )
  return (
    <section class="card" aria-label="Audit">
      <h3>Audit</h3>
      <p>
        Who wrote an entry, notes, file names and addresses are sealed for the owner. Opening them is itself recorded in
        the chain, before anything is shown.
      </p>
      <form class="inline" onSubmit={submit} noValidate>
        {field('audit-from', 'From tick', from, begin)}
        {field('audit-to', 'To tick', to, end)}
        <Submit disabled={!fits || task.busy}>Open, and record it</Submit>
      </form>
      <TaskOutcome of={task} />
      {opened !== undefined && <Rows slug={machine.slug} opened={opened} />}
    </section>
  )
}
