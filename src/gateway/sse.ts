import type { Frame } from '#api/endpoint.ts'
import type { Sleep } from '#core/wait.ts'
import { toProblem } from './problem.ts'

export interface StreamOptions {
  /** Silence after which a comment line is sent. */
  readonly heartbeatMs: number
  /** How long the client is told to wait before it comes back. */
  readonly retryMs: number
  /** Where the client says it was. */
  readonly lastEventId?: string | undefined
  /** Aborts when the client leaves or the node stops. */
  readonly signal: AbortSignal
  readonly sleep: Sleep
  /** Throws when the caller may read no longer: asked before each frame, and after each silence. */
  readonly stillGood?: () => void
  /** Called for each gap told, by whomever. */
  readonly onGap?: () => void
}

/** Media type of an event stream. */
export const EVENT_STREAM = 'text/event-stream'

/** Name of the event that says what a reader missed; a source whose ids are no ordinals tells it by itself. */
const GAP = 'gap'
const ID = /^\d{1,16}$/
const NEWLINE = /\r\n|\r|\n/g

/** One event as it stands on the wire: id, name, data as one line of JSON. */
export const frameText = ({ id, event, data }: Frame): string => {
  const json = JSON.stringify(data) ?? 'null'
  const head = id === undefined ? '' : `id: ${id.replace(NEWLINE, ' ')}\n`
  return `${head}event: ${event.replace(NEWLINE, ' ')}\ndata: ${json}\n\n`
}

/** The frame that says what a reader missed, when ids are ordinals and one does not follow the other. */
const gapBefore = (last: string | undefined, next: string | undefined): Frame | undefined => {
  if (last === undefined || next === undefined || !ID.test(last) || !ID.test(next)) return undefined
  const missed = Number(next) - Number(last) - 1
  return missed > 0 ? { event: GAP, data: { after: Number(last), next: Number(next), missed } } : undefined
}

/**
 * The text of an event stream: `retry` first, frames as they come, an explicit `gap` event wherever ordinal ids do not
 * follow each other, a comment after each silence, and `retry` again at the end, so that the client comes back. A
 * refusal after the first byte is an `error` event with the problem as its data. Frames are pulled one at a time: a
 * slow reader makes its source wait, and costs no memory.
 */
export async function* streamText(frames: AsyncIterator<Frame>, options: StreamOptions): AsyncGenerator<string> {
  const { heartbeatMs, retryMs, signal, sleep } = options
  const retry = `retry: ${retryMs}\n\n`
  let last = options.lastEventId
  let next = frames.next()
  try {
    yield retry
    while (!signal.aborted) {
      const rest = new AbortController()
      const silence = sleep(heartbeatMs, AbortSignal.any([signal, rest.signal])).then(() => 'silence' as const)
      const result = await Promise.race([next, silence]).finally(() => rest.abort())
      if (result === 'silence') {
        if (signal.aborted) break
        options.stillGood?.()
        yield ': heartbeat\n\n'
        continue
      }
      if (result.done === true) break
      options.stillGood?.()
      const gap = gapBefore(last, result.value.id)
      if (gap !== undefined || result.value.event === GAP) options.onGap?.()
      if (gap !== undefined) yield frameText(gap)
      yield frameText(result.value)
      last = result.value.id ?? last
      next = frames.next()
    }
  } catch (thrown) {
    yield frameText({ event: 'error', data: toProblem(thrown).problem })
  } finally {
    // The pending pull may end in a throw that nobody is left to hear; the source is told to stop.
    next.catch(() => undefined)
    void Promise.resolve(frames.return?.()).catch(() => undefined)
  }
  yield retry
}
