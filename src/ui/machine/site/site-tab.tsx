import { useState } from 'preact/hooks'
import type { Machine } from '#ui/machine/machine.ts'
import { reaches } from '#ui/machine/machine.ts'
import { Ago } from '#ui/part/ago.tsx'
import { ConfirmButton } from '#ui/part/confirm-button.tsx'
import { RowTable } from '#ui/part/row-table.tsx'
import { SecretOnce } from '#ui/part/secret-once.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { type ChangeState, useTask } from '#ui/part/use-task.ts'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { type HostedPage, Preview } from './preview.tsx'
import { uploadFiles } from './upload.ts'

const READ_EVERY_MS = 10_000
const PAGES_SHOWN = 200

interface TabProps {
  readonly session: PageSession
  readonly machine: Machine
}

const Drop = ({
  task,
  onFiles,
}: {
  readonly task: ChangeState
  readonly onFiles: (files: readonly File[]) => void
}) => {
  const [over, hover] = useState(false)
  const on = {
    onDragOver: (event: DragEvent): void => {
      event.preventDefault()
      hover(true)
    },
    onDragLeave: (): void => hover(false),
    onDrop: (event: DragEvent): void => {
      event.preventDefault()
      hover(false)
      onFiles([...(event.dataTransfer?.files ?? [])])
    },
  }
  return (
    <div class={over ? 'drop over' : 'drop'} {...on}>
      <label for="hosted-files">Put pages up</label>
      <input
        id="hosted-files"
        type="file"
        multiple
        disabled={task.busy}
        onChange={(event) => {
          const { currentTarget: field } = event
          onFiles([...(field.files ?? [])])
          field.value = ''
        }}
      />
      <p class="about">
        Choose files, or drop them here: each takes the place of the page of its name. At most 2 MiB each; scripts do
        not run in them.
      </p>
    </div>
  )
}

const PublishKey = ({ session, machine }: TabProps) => {
  const { slug } = machine
  const [fresh, keep] = useState<string>()
  const [changes, count] = useState(0)
  const task = useTask()
  const { value } = useReading(
    (signal) => session.call('GET /api/chain/{slug}/site/publish-key', { slug }, { signal }),
    { on: [session, slug, changes] },
  )
  const done = (key: string | undefined, said?: string): string | undefined => {
    keep(key)
    count((it) => it + 1)
    return said
  }
  const issue = (): void =>
    task.run(async () => done((await session.call('POST /api/chain/{slug}/site/publish-key', { slug })).publish_key))
  const revoke = (): void =>
    task.run(async () => {
      await session.call('DELETE /api/chain/{slug}/site/publish-key', { slug })
      return done(undefined, 'The publish key is revoked; the pages stay.')
    })
  const issued = value?.issued === true
  return (
    <section class="card" aria-label="Publish key" data-issued={issued}>
      <h3>Publish key</h3>
      <p>
        {issued && value.created_tick !== null ? (
          <>
            <code>{value.id}</code> is out, since <Ago tick={value.created_tick} />.
          </>
        ) : (
          'None is out.'
        )}{' '}
        <span class="about">It puts pages up here and does nothing else; a fresh one ends an earlier one.</span>
      </p>
      {fresh !== undefined && <SecretOnce name="Publish key" secret={fresh} onDone={() => keep(undefined)} />}
      <div class="actions">
        <button type="button" onClick={issue} disabled={task.busy}>
          {issued ? 'Fresh publish key' : 'Make a publish key'}
        </button>
        {issued && (
          <ConfirmButton label="Revoke it" ask="Whoever publishes with it no longer can." onConfirm={revoke} />
        )}
      </div>
      <TaskOutcome of={task} />
    </section>
  )
}

const Pages = ({
  pages,
  onOpen,
}: {
  readonly pages: readonly HostedPage[]
  readonly onOpen: (it: HostedPage) => void
}) => (
  <RowTable heads={['Page', 'Type', 'Bytes', 'Since', 'SHA-256']}>
    {pages.map((page) => (
      <tr key={page.path} data-path={page.path}>
        <th scope="row">
          <button type="button" class="link" onClick={() => onOpen(page)}>
            {page.path}
          </button>
        </th>
        <td data-label="type">{page.content_type}</td>
        <td data-label="bytes">{page.bytes}</td>
        <td data-label="since">
          <Ago tick={page.tick} />
        </td>
        <td data-label="SHA-256">
          <code title={page.sha}>{page.sha.slice(0, 12)}…</code>
        </td>
      </tr>
    ))}
  </RowTable>
)

/** The hosted pages of a machine: what there is, put up by dropping files, and looked at in a frame of no origin. */
export const SiteTab = ({ session, machine }: TabProps) => {
  const { slug } = machine
  const [changes, count] = useState(0)
  const [opened, open] = useState<string>()
  const task = useTask()
  const { value, problem } = useReading(
    (signal) => session.call('GET /api/chain/{slug}/site/list', { slug, limit: PAGES_SHOWN }, { signal }),
    { everyMs: READ_EVERY_MS, on: [session, slug, changes] },
  )
  const put = (files: readonly File[]): void => {
    if (files.length === 0) return
    task.run(async () => {
      try {
        return await uploadFiles(session, slug, files)
      } finally {
        count((it) => it + 1)
      }
    })
  }
  const page = value?.pages.find((it) => it.path === opened)
  const direct = machine.is_public || session.self.kind === 'owner'
  return (
    <>
      <section class="card" aria-label="Site">
        <h3>Pages</h3>
        {problem !== undefined && <ProblemCard problem={problem} />}
        {value?.total === 0 && <p class="about">No page is up.</p>}
        {value !== undefined && value.total > 0 && (
          <>
            <Pages pages={value.pages} onOpen={({ path }) => open(path)} />
            <p class="about">
              {value.total} of {value.limit} pages
              {value.next_after === null ? '' : `; the first ${PAGES_SHOWN} are shown`}.
            </p>
          </>
        )}
        {reaches(machine.role, 'operator') && <Drop task={task} onFiles={put} />}
        <TaskOutcome of={task} />
        {page !== undefined && <Preview session={session} slug={slug} page={page} direct={direct} />}
      </section>
      {reaches(machine.role, 'admin') && <PublishKey session={session} machine={machine} />}
    </>
  )
}
