import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { MeshTime } from '#ui/part/ago.tsx'
import { Select } from '#ui/part/select.tsx'
import { Submit } from '#ui/part/submit.tsx'
import { TaskOutcome } from '#ui/part/task-outcome.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useTask } from '#ui/part/use-task.ts'
import type { PageSession } from '#ui/session.ts'
import type { ShownStream } from './channel.ts'
import { CopyRow } from './copy-row.tsx'

const secondsOf = { minutes: 60, hours: 3_600, days: 86_400 } as const
type Unit = keyof typeof secondsOf
const units = Object.keys(secondsOf) as readonly Unit[]
const SECONDS_MAX = 30 * secondsOf.days

type Link = ResultAt<'POST /api/svc/streams/{id}/link'>

/** What a page elsewhere takes in: a picture as a picture, anything else in a frame in which nothing runs. */
const embedOf = (address: string, contentType: string): string =>
  contentType === 'image/svg+xml'
    ? `<img src="${address}" alt="stream">`
    : `<iframe src="${address}" sandbox="" title="stream"></iframe>`

const Made = ({ link, contentType }: { readonly link: Link; readonly contentType: string }) => {
  const address = `${location.origin}${link.path}`
  return (
    <div class="made-link">
      <p>
        <a href={address} target="_blank" rel="noreferrer">
          Open it
        </a>{' '}
        <span class="about">
          It opens until <MeshTime tick={link.expires_mesh_tick} />, or until the stream is closed.
        </span>
      </p>
      <CopyRow label="Address" text={address} />
      <CopyRow label="Embed code" text={embedOf(address, contentType)} />
    </div>
  )
}

/** Signed links, by which whoever has one sees the newest output, without a key. */
export const LinksPart = ({ session, stream }: { readonly session: PageSession; readonly stream: ShownStream }) => {
  const [typed, type] = useState('1')
  const [unit, choose] = useState<Unit>('days')
  const [link, show] = useState<Link>()
  const task = useTask()
  const seconds = Number(typed) * secondsOf[unit]
  const fits = /^\d+$/.test(typed) && seconds >= 1 && seconds <= SECONDS_MAX
  const make = (): void =>
    task.run(async () => {
      show(await session.call('POST /api/svc/streams/{id}/link', { id: stream.id, seconds }))
      return 'The link is made.'
    })
  return (
    <section class="card" aria-label="Links">
      <h3>Links</h3>
      <p class="about">Whoever has a link sees the newest output, without a key and nothing else, until it is over.</p>
      <form
        class="inline"
        noValidate
        onSubmit={(event) => {
          event.preventDefault()
          if (fits) make()
        }}
      >
        <TextRow
          id="stream-link-span"
          label="Opens for"
          size="narrow"
          inputMode="numeric"
          value={typed}
          aria-invalid={!fits}
          onText={(text) => type(text.trim())}
        />
        <div class="form-row narrow">
          <label for="stream-link-unit">Unit of time</label>
          <Select id="stream-link-unit" options={units} value={unit} onChoose={choose} />
        </div>
        <Submit disabled={!fits || task.busy || stream.status === 'closed'}>Make a link</Submit>
      </form>
      {!fits && <p class="about wrong">Whole numbers, 30 days at most.</p>}
      <TaskOutcome of={task} />
      {link !== undefined && <Made link={link} contentType={stream.contentType} />}
    </section>
  )
}
