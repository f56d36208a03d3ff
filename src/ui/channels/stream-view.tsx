import { useMemo } from 'preact/hooks'
import { MeshTime } from '#ui/part/ago.tsx'
import { Short } from '#ui/part/short.tsx'
import { PlotList } from '#ui/plot/plot-list.tsx'
import type { PageSession } from '#ui/session.ts'
import { ProblemCard, problemCode } from '#ui/view/problem-card.tsx'
import { computedBy, type ShownStream, streamStatusClass } from './channel.ts'
import { LinksPart } from './links-part.tsx'
import { StreamControls } from './stream-controls.tsx'
import { StreamFacts } from './stream-facts.tsx'
import { OutputView, TemplatePart } from './template-part.tsx'
import { courseOf, type SeenGap } from './ticks.ts'
import { type LiveStream, useStream } from './use-stream.ts'
import '#ui/style/contracts.css'
import '#ui/style/channels.css'

/** Gaps that are listed, newest first. */
const GAPS_MAX = 20

const linkWords = {
  opening: 'opening …',
  live: 'live: each tick comes as it is sealed',
  lost: 'lost; the node is asked again …',
  over: 'closed: no more ticks come',
  refused: 'ended',
} as const

const reasonWords: Readonly<Record<string, string>> = {
  late: 'the node was late',
  refused: 'the tick was refused',
  down: 'the node was down',
  starved: 'there were no credits',
  stopped: 'it was stopped',
  slow: 'this page was too slow',
  old: 'too long ago to be told',
}

const Gaps = ({ gaps }: { readonly gaps: readonly SeenGap[] }) => (
  <ul class="plain stream-gaps" aria-label="Gaps">
    {gaps
      .slice(-GAPS_MAX)
      .toReversed()
      .map(({ from, to, reason }) => (
        <li key={`${from} ${to}`} data-gap={reason} data-to={to}>
          <span class="badge bad">gap</span> {from !== null && from !== to && <MeshTime tick={from} />}
          {from !== null && from !== to && ' to '}
          <MeshTime tick={to} />: {reasonWords[reason] ?? reason}
        </li>
      ))}
  </ul>
)

/** How the value has gone, as far as this page has seen or read it. */
const Course = ({ stream, course }: { readonly stream: ShownStream; readonly course: LiveStream['course'] }) => {
  const unit = stream.head?.unit ?? ''
  const plot = useMemo(() => courseOf(course, unit), [course, unit])
  const plots = useMemo(() => (plot === undefined ? [] : [plot]), [plot])
  const name = computedBy(stream)
  return (
    <section class="card" aria-label="Course" data-ticks={course.ticks.length} data-gaps={course.gaps.length}>
      <h3>Course</h3>
      {plots.length === 0 && <p class="about">There is no value yet that could be drawn.</p>}
      <PlotList plots={plots} source={{ title: name, note: `stream ${stream.id}`, stem: ['stream', stream.id] }} />
      {course.gaps.length > 0 && <Gaps gaps={course.gaps} />}
    </section>
  )
}

const LastFault = ({ fault }: { readonly fault: NonNullable<ShownStream['last_fault']> }) => (
  <p class="wrong" data-fault={fault.code}>
    Last refusal: <a href={`/docs/errors/${fault.code}`}>{fault.code}</a>, <MeshTime tick={fault.mesh_tick} />.{' '}
    {fault.detail}
  </p>
)

interface Props {
  readonly session: PageSession
  readonly id: string
}

const Open = ({
  session,
  live,
  stream,
}: {
  session: PageSession
  live: ReturnType<typeof useStream>
  stream: ShownStream
}) => {
  const parts = { session, stream, onDone: live.again }
  return (
    <>
      <section class="card" aria-label="Stream" data-status={stream.status}>
        <StreamFacts stream={stream} />
        <p class="about" role="status" data-link={live.link}>
          {linkWords[live.link]}
        </p>
        {stream.last_fault !== null && <LastFault fault={stream.last_fault} />}
        <StreamControls {...parts} />
      </section>
      <Course stream={stream} course={live.course} />
      <section class="card" aria-label="Newest output">
        <h3>Newest output</h3>
        {live.output === undefined ? (
          <p class="about">There is none yet.</p>
        ) : (
          <OutputView {...live.output} label="newest output" />
        )}
      </section>
      <TemplatePart key={stream.id} {...parts} output={live.output} />
      <LinksPart session={session} stream={stream} />
    </>
  )
}

/** The refusals that say no more than that a stream is not for whoever asks. */
const CLOSED: ReadonlySet<string> = new Set(['NOT_FOUND', 'UNAUTHENTICATED'])

const Refused = ({ problem }: { readonly problem: Error }) => {
  const code = problemCode(problem)
  if (!CLOSED.has(code)) return <ProblemCard problem={problem} />
  return (
    <div class="card problem" data-code={code} role="alert">
      <p>
        <b>There is no stream with this id that you may see.</b> <a href={`/docs/errors/${code}`}>{code}</a>
      </p>
      <p>It does not exist, or it is somebody else's: its owner and its own key open it. A link needs no key.</p>
      <p>
        <a href="#streams">Your streams</a> · <a href="#settings">Sign in</a>
      </p>
    </div>
  )
}

/** One stream: its newest value as it comes, its course, its template and its links. */
export const StreamView = ({ session, id }: Props) => {
  const live = useStream(session, id)
  const { stream } = live
  return (
    <article class="stream">
      <p class="crumb">
        <a href="#streams">Streams</a>
      </p>
      <h2>{stream === undefined ? 'Stream' : `Stream of ${computedBy(stream)}`}</h2>
      <p class="row-head">
        <Short text={id} />
        {stream !== undefined && (
          <>
            <span class={`badge ${streamStatusClass[stream.status]}`}>{stream.status}</span>
            <span class="about">
              {stream.mode}
              {stream.mode === 'continue' && `, at the bound: ${stream.onBound}`}
            </span>
          </>
        )}
      </p>
      {live.link === 'refused' && live.problem !== undefined && <Refused problem={live.problem} />}
      {stream === undefined && live.link !== 'refused' && <p class="about">reading …</p>}
      {stream !== undefined && <Open session={session} live={live} stream={stream} />}
    </article>
  )
}
