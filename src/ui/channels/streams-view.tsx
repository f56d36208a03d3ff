import { useState } from 'preact/hooks'
import type { ResultAt } from '#api/result-of.ts'
import { Short } from '#ui/part/short.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { useReading } from '#ui/server/reading.ts'
import type { PageSession } from '#ui/session.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { computedBy, rhythmText, STREAM_ID, streamStatusClass } from './channel.ts'
import { CreateStream } from './create-form.tsx'
import '#ui/style/channels.css'

/** Streams that are shown at once, and how often they are read. */
const PAGE_ROWS = 50
const ROWS_MAX = 200
const READ_EVERY_MS = 10_000

type StreamPage = Pick<ResultAt<'GET /api/svc/streams'>, 'total' | 'streams'>
type ListedStream = StreamPage['streams'][number]

const NONE: StreamPage = { total: 0, streams: [] }

/** The newest streams of the account; whoever has none is not asked for. */
const readStreams = async (session: PageSession, most: number, signal: AbortSignal): Promise<StreamPage> => {
  if (session.self.kind === 'demo') return NONE
  // One that is made between two pages moves the others by one: each is shown once.
  const streams = new Map<string, ListedStream>()
  for (let offset = 0; ; offset += ROWS_MAX) {
    const page = { limit: Math.min(ROWS_MAX, most - offset), offset }
    const found = await session.call('GET /api/svc/streams', page, { signal })
    for (const it of found.streams) streams.set(it.id, it)
    if (offset + page.limit >= Math.min(most, found.total))
      return { total: found.total, streams: [...streams.values()] }
  }
}

const Stands = ({
  stream: { status, epoch, count, head, autotick, tickIntervalTicks, missed },
}: {
  stream: ListedStream
}) => (
  <>
    <p class="row-head">
      <span class={`badge ${streamStatusClass[status]}`}>{status}</span>
      <span>
        tick {count} of epoch {epoch}
      </span>
      {typeof head?.value === 'number' && <span>{withUnit(valueText(head.value), head.unit)}</span>}
    </p>
    <p class="about">
      {autotick ? `ticks by itself, ${rhythmText(tickIntervalTicks)}` : 'ticks when asked'}
      {missed > 0 && `; ${missed} missed`}
    </p>
  </>
)

const StreamCard = ({ stream }: { readonly stream: ListedStream }) => (
  <li class="card machine" data-stream={stream.id}>
    <p class="machine-name">
      <a href={`#stream/${stream.id}`}>{computedBy(stream)}</a>{' '}
      <span class="about">
        <Short text={stream.id} />
      </span>
    </p>
    <Stands stream={stream} />
  </li>
)

/** Opens a stream by its id. */
const OpenStream = () => {
  const [id, type] = useState('')
  const fits = STREAM_ID.test(id)
  return (
    <form
      class="card inline"
      onSubmit={(event) => {
        event.preventDefault()
        if (fits) location.hash = `stream/${id}`
      }}
    >
      <TextRow
        id="stream-id"
        label="Open by id"
        value={id}
        placeholder="32 hex digits"
        spellcheck={false}
        aria-invalid={id !== '' && !fits}
        onText={(text) => type(text.trim().toLowerCase())}
      />
      <button type="submit" disabled={!fits}>
        Open
      </button>
    </form>
  )
}

/** The streams of the account as they stand, and the form that makes one. */
export const StreamsView = ({ session }: { readonly session: PageSession }) => {
  const [most, more] = useState(PAGE_ROWS)
  const { zid, key } = session.self
  const { value, problem } = useReading((signal) => readStreams(session, most, signal), {
    everyMs: READ_EVERY_MS,
    on: [session, zid, key, most],
  })
  const left = value === undefined ? 0 : value.total - value.streams.length
  return (
    <article>
      <h2>Streams</h2>
      <p class="lead">
        A computation that ticks, by itself or when asked: each value is sealed, and what was missed is said.
      </p>
      <OpenStream />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.total === 0 && <p class="card about">You have none yet.</p>}
      <ul class="machines">
        {value?.streams.map((it) => (
          <StreamCard key={it.id} stream={it} />
        ))}
      </ul>
      {left > 0 && (
        <button type="button" onClick={() => more(most + PAGE_ROWS)}>
          Show more ({left} left)
        </button>
      )}
      <CreateStream session={session} />
    </article>
  )
}
