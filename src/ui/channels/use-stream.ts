import { useEffect, useRef, useState } from 'preact/hooks'
import { sleep } from '#core/wait.ts'
import { isFinal } from '#ui/server/final.ts'
import type { PageSession } from '#ui/session.ts'
import type { ShownStream, ShownStreamHead } from './channel.ts'
import { listenTo, type StreamFrame } from './socket.ts'
import { NO_COURSE, type SeenCourse, seenIn, withSeen } from './ticks.ts'

/** Entries of the chain before the head that are looked at for the plot, and rows of one page. */
const LOOK_BACK = 400
const PAGE_ROWS = 200
/** Least time between two readings, and time after which there is one anyway: the node grants 120 a minute. */
const GATHER_MS = 2_500
const READ_EVERY_MS = 15_000
/** Time between attempts while the node does not answer. */
const RETRY_MS = 1_000

/** The newest output, as the node rendered it. */
export interface StreamOutput {
  readonly contentType: string
  readonly text: string
}

/** `live`: ticks come as they are sealed. `lost`: the node is asked again. `over`: it is closed. */
export interface LiveStream {
  readonly link: 'opening' | 'live' | 'lost' | 'over' | 'refused'
  readonly stream?: ShownStream
  readonly course: SeenCourse
  readonly output?: StreamOutput
  readonly problem?: Error
}

const opening: LiveStream = { link: 'opening', course: NO_COURSE }

interface Reader {
  readonly session: PageSession
  readonly id: string
  readonly signal: AbortSignal
  readonly show: (change: (old: LiveStream) => LiveStream) => void
}

const readOutput = async ({ session, id, signal }: Reader): Promise<StreamOutput> => {
  const path = `/api/svc/streams/${id}/latest`
  const response = await session.request({ method: 'GET', path, body: undefined }, { signal })
  return { contentType: response.headers.get('Content-Type')?.split(';')[0] ?? '', text: await response.text() }
}

const nothingIfFinal = (error: unknown): undefined => {
  if (!isFinal(error)) throw error
}

/** Reads the stream, its output, and what its chain says since an entry. @returns the entry up to which it was read */
const readNow = async (reader: Reader, since: number): Promise<{ stream: ShownStream; seq: number }> => {
  const { session, id, signal, show } = reader
  const { stream } = await session.call('GET /api/svc/streams/{id}', { id }, { signal })
  const { head, slug } = stream
  if (head === null) {
    show((old) => ({ ...old, stream }))
    return { stream, seq: since }
  }
  // Whoever may read the stream need not see its machine, and a template need not fit: neither hides the rest.
  const output = await readOutput(reader).catch(nothingIfFinal)
  show(({ output: before, ...old }) => ({ ...old, stream, ...((output ?? before) && { output: output ?? before }) }))
  let seq = Math.max(since, head.seq - LOOK_BACK)
  for (let full = true; full; ) {
    const page = { slug, limit: PAGE_ROWS, after: seq < 0 ? undefined : seq }
    const found = await session.call('GET /api/chain/{slug}/explore', page, { signal }).catch(nothingIfFinal)
    const rows = found?.rows ?? []
    seq = rows.at(-1)?.seq ?? seq
    full = rows.length === PAGE_ROWS
    const more = seenIn(rows, id, head.mesh_tick - head.tick)
    show((old) => ({ ...old, course: withSeen(old.course, more) }))
  }
  return { stream, seq }
}

/** The tick that an output is of, without its result and its envelope: templates have no such names. */
const headIn = (output: string): ShownStreamHead => {
  const { epoch, count, tick, mesh_tick, ...rest } = JSON.parse(output) as ShownStreamHead
  const { state, value, unit, errorPct, errorSum, token_id, seq } = rest
  return { epoch, count, tick, mesh_tick, state, value, unit, errorPct, errorSum, token_id, seq }
}

/** What a frame says at once, before anything is read: its value where the output tells it. */
const withFrame = (old: LiveStream, frame: StreamFrame): LiveStream => {
  if (frame.type === 'gap') {
    const { from, to, reason } = frame
    return { ...old, course: withSeen(old.course, { ticks: [], gaps: [{ from, to, reason }] }) }
  }
  if (frame.type !== 'tick' || frame.output === undefined || frame.contentType === undefined) return old
  const shown = { ...old, output: { contentType: frame.contentType, text: frame.output } }
  if (old.stream?.outputFormat !== 'json' || frame.contentType !== 'application/json') return shown
  const head = headIn(frame.output)
  const { epoch, count, value, mesh_tick: meshTick } = head
  const course = withSeen(old.course, { ticks: [{ epoch, count, value, meshTick }], gaps: [] })
  return { ...shown, course, stream: { ...old.stream, head, epoch, count } }
}

/** Reads while frames come, not more often than the node grants. */
const gather = async (listening: Reader, dirty: () => boolean, read: () => Promise<void>): Promise<void> => {
  const { signal } = listening
  for (let waited = 0; !signal.aborted; waited += GATHER_MS) {
    await sleep(GATHER_MS, signal)
    if (signal.aborted || (!dirty() && waited < READ_EVERY_MS)) continue
    waited = 0
    // What fails now is asked again with the next frame, or when the socket was opened anew.
    await read().catch(() => undefined)
  }
}

/** Follows a stream until the signal aborts; whatever was sealed while the socket was gone comes with the next one. */
const follow = async (reader: Reader): Promise<void> => {
  const { session, id, signal, show } = reader
  let seq = -1
  while (!signal.aborted) {
    const over = new AbortController()
    const both = AbortSignal.any([signal, over.signal])
    try {
      const read = async (): Promise<ShownStream> => {
        const found = await readNow({ ...reader, signal: both }, seq)
        seq = found.seq
        return found.stream
      }
      const { head, status } = await read()
      show(({ problem: _, ...old }) => ({ ...old, link: status === 'closed' ? 'over' : 'live' }))
      if (status === 'closed') return
      let dirty = false
      const onFrame = (frame: StreamFrame): void => {
        dirty ||= frame.type !== 'hello'
        show((old) => withFrame(old, frame))
      }
      const isDirty = (): boolean => {
        const was = dirty
        dirty = false
        return was
      }
      void gather({ ...reader, signal: both }, isDirty, async () => void (await read()))
      const after = head === null ? '0.0' : `${head.epoch}.${head.count}`
      await listenTo({ session, id, after, signal, onFrame })
      show((old) => ({ ...old, link: 'lost' }))
    } catch (error) {
      const problem = error instanceof Error ? error : new Error(String(error))
      if (isFinal(error)) return show((old) => ({ ...old, link: 'refused', problem }))
      show((old) => ({ ...old, link: 'lost', problem }))
    } finally {
      over.abort()
    }
    await sleep(RETRY_MS, signal)
  }
}

/** A stream as it stands, and on as it ticks, by whomever. `again` reads it anew after a change made here. */
export const useStream = (session: PageSession, id: string): LiveStream & { readonly again: () => void } => {
  const [live, show] = useState(opening)
  const [changes, count] = useState(0)
  const at = useRef('')
  const { key = session.self.kind } = session.self
  useEffect(() => {
    const over = new AbortController()
    const { signal } = over
    const place = `${id} ${key}`
    // After a change made here what is shown stays until the rest is read.
    if (at.current !== place) show(opening)
    at.current = place
    const tell: Reader['show'] = (change) => {
      if (!signal.aborted) show(change)
    }
    void follow({ session, id, signal, show: tell })
    return () => over.abort()
  }, [session, id, key, changes])
  return { ...live, again: () => count((old) => old + 1) }
}
