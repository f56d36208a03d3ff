import { useState } from 'preact/hooks'
import { Short } from '#ui/part/short.tsx'
import { TextRow } from '#ui/part/text-row.tsx'
import { isFinal } from '#ui/server/final.ts'
import { useReading } from '#ui/server/reading.ts'
import { isVisitor } from '#ui/server/self.ts'
import type { PageSession } from '#ui/session.ts'
import { valueText, withUnit } from '#ui/text/numbers.ts'
import { ProblemCard } from '#ui/view/problem-card.tsx'
import { computedBy, knownStreams, type ShownStream, STREAM_ID, streamStatusClass } from './channel.ts'
import { CreateStream } from './create-form.tsx'
import '#ui/style/channels.css'

/** Streams that are read at once, and how often: the node grants 120 readings a minute. */
const READ_MAX = 8
const READ_EVERY_MS = 10_000

/** A stream, or the refusal that stands in its place. */
type StreamLine = { readonly id: string; readonly stream?: ShownStream; readonly problem?: Error }

const readOne = async (session: PageSession, id: string, signal: AbortSignal): Promise<StreamLine> => {
  try {
    return { id, stream: (await session.call('GET /api/svc/streams/{id}', { id }, { signal })).stream }
  } catch (error) {
    if (!isFinal(error)) throw error
    return { id, problem: error as Error }
  }
}

const readLines = async (session: PageSession, most: number, signal: AbortSignal) => {
  const ids = isVisitor(session.self) ? [] : knownStreams.all(session.self)
  const lines: StreamLine[] = []
  for (const id of ids.slice(0, most)) lines.push(await readOne(session, id, signal))
  return { lines, left: Math.max(0, ids.length - most) }
}

const Stands = ({
  stream: { status, epoch, count, head, autotick, tickIntervalTicks, missed },
}: {
  stream: ShownStream
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
      {autotick ? `ticks by itself, every ${tickIntervalTicks} mesh ticks` : 'ticks when asked'}
      {missed > 0 && `; ${missed} missed`}
    </p>
  </>
)

const StreamCard = ({ of: { id, stream, problem }, onForget }: { of: StreamLine; onForget: () => void }) => (
  <li class="card machine" data-stream={id}>
    <p class="machine-name">
      <a href={`#stream/${id}`}>{stream === undefined ? 'Stream' : computedBy(stream)}</a>{' '}
      <span class="about">
        <Short text={id} />
      </span>
    </p>
    {stream !== undefined && <Stands stream={stream} />}
    {problem !== undefined && <p class="wrong">{problem.message}</p>}
    {(problem !== undefined || stream?.status === 'closed') && (
      <button type="button" class="small" aria-label={`Take ${id} off this list`} onClick={onForget}>
        Take off this list
      </button>
    )}
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

/** The streams that this browser made or opened, as they stand, and the form that makes one. */
export const StreamsView = ({ session }: { readonly session: PageSession }) => {
  const [most, more] = useState(READ_MAX)
  const [changes, count] = useState(0)
  const { zid, key } = session.self
  const { value, problem } = useReading((signal) => readLines(session, most, signal), {
    everyMs: READ_EVERY_MS,
    on: [session, zid, key, most, changes],
  })
  return (
    <article>
      <h2>Streams</h2>
      <p class="lead">
        A computation that ticks, by itself or when asked: each value is sealed, and what was missed is said.
      </p>
      <OpenStream />
      {problem !== undefined && <ProblemCard problem={problem} />}
      {value?.lines.length === 0 && <p class="card about">This browser has made or opened none yet.</p>}
      <ul class="machines">
        {value?.lines.map((it) => (
          <StreamCard
            key={it.id}
            of={it}
            onForget={() => {
              knownStreams.forget(session.self, it.id)
              count((old) => old + 1)
            }}
          />
        ))}
      </ul>
      {value !== undefined && value.left > 0 && (
        <button type="button" onClick={() => more(most + value.left)}>
          Show {value.left} more
        </button>
      )}
      <CreateStream session={session} />
    </article>
  )
}
