import { once } from 'node:events'
import type { Context } from 'koa'
import type { Frame } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'
import type { Meter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import { createPlaces } from './places.ts'
import { EVENT_STREAM, streamText } from './sse.ts'

export interface StreamSettings {
  readonly clientsMax: number
  readonly heartbeatMs: number
  readonly retryMs: number
  readonly stallMs: number
}

const refusals = {
  full: () => new Fault('NODE_BUSY', 'Too many event streams are open.'),
  share: (limit: number) => new Fault('RATE_LIMITED', `One address may have ${limit} event streams open.`),
}

/** How long the first frame, or a refusal, is waited for before the status line is sent. */
const SETTLE_MS = 250

/** The event streams that are open. */
export interface Streams {
  readonly count: number
  /** Writes frames until they end, the client leaves or the node stops. @throws Fault NODE_BUSY, the source's own. */
  serve(
    ctx: Context,
    frames: AsyncIterable<Frame>,
    of: { signal: AbortSignal; bucket: string; lastEventId: string | undefined; stillGood: () => void },
  ): Promise<void>
}

/** The iterator with its first frame looked at: a refusal that comes at once still gets its own status. */
const settled = async (
  frames: AsyncIterable<Frame>,
  sleep: Sleep,
  signal: AbortSignal,
): Promise<AsyncIterator<Frame>> => {
  const iterator = frames[Symbol.asyncIterator]()
  const first = iterator.next()
  const enough = new AbortController()
  const patience = sleep(SETTLE_MS, AbortSignal.any([signal, enough.signal]))
  try {
    await Promise.race([first, patience])
  } finally {
    enough.abort()
  }
  // From here on the first frame is waited for where it is written, which may be never.
  first.catch(() => undefined)
  let given = false
  return {
    next: () => {
      if (given) return iterator.next()
      given = true
      return first
    },
    return: async () => (await iterator.return?.()) ?? { done: true, value: undefined },
  }
}

/** Keeps count of event streams and writes them, one frame at a time, at the reader's pace. */
export const createStreams = (settings: StreamSettings, sleep: Sleep, meter: Meter): Streams => {
  const places = createPlaces(settings.clientsMax, refusals)

  /** Waits until a slow reader has taken what was written. @returns false when it never does. */
  const drained = async (ctx: Context, signal: AbortSignal): Promise<boolean> => {
    const over = new AbortController()
    const either = AbortSignal.any([signal, over.signal])
    const stalled = sleep(settings.stallMs, either).then(() => false)
    const taken = once(ctx.res, 'drain', { signal: either }).then(
      () => true,
      () => false,
    )
    try {
      return await Promise.race([taken, stalled])
    } finally {
      over.abort()
    }
  }

  const write = async (ctx: Context, texts: AsyncIterable<string>, left: AbortSignal): Promise<void> => {
    for await (const text of texts) {
      if (left.aborted || ctx.res.destroyed) return
      if (!ctx.res.write(text) && !(await drained(ctx, left))) {
        ctx.res.destroy()
        return
      }
    }
    ctx.res.end()
  }

  return {
    get count() {
      return places.count
    },
    async serve(ctx, frames, { signal, bucket, lastEventId, stillGood }) {
      const leave = places.take(bucket)
      try {
        const iterator = await settled(frames, sleep, signal)
        ctx.respond = false
        ctx.status = 200
        ctx.res.statusCode = 200
        ctx.res.setHeader('Content-Type', `${EVENT_STREAM}; charset=utf-8`)
        ctx.res.setHeader('Cache-Control', 'no-store, no-transform')
        ctx.res.setHeader('X-Accel-Buffering', 'no')
        const left = new AbortController()
        ctx.res.once('close', () => left.abort())
        const onGap = (): void => meter.count('sse_gaps_total')
        const { heartbeatMs, retryMs } = settings
        const options = { heartbeatMs, retryMs, lastEventId, signal, sleep, stillGood, onGap }
        await write(ctx, streamText(iterator, options), left.signal)
      } finally {
        leave()
      }
    },
  }
}
