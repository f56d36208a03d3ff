import type { Wire } from '#domain/network/sync/inbox.ts'

/** One end of a stream in memory. */
interface End {
  readonly wire: Wire
  /** Frames that have come here. */
  readonly came: readonly Uint8Array[]
}

/** A stream in memory: both its ends, and what breaks it. */
export interface WirePair {
  readonly near: End
  readonly far: End
  /** Breaks the stream for both. */
  cut(): void
  /** Puts bytes on the way to the far end, whoever sent them. */
  inject(frame: Uint8Array): void
}

const createEnd = () => {
  const waiting: Uint8Array[] = []
  const came: Uint8Array[] = []
  let wake = Promise.withResolvers<void>()
  let broken = false
  async function* frames(): AsyncGenerator<Uint8Array> {
    for (;;) {
      const frame = waiting.shift()
      if (frame !== undefined) yield frame
      else if (broken) throw new Error('the stream is cut')
      else {
        await wake.promise
        wake = Promise.withResolvers()
      }
    }
  }
  return {
    came,
    frames,
    take: (frame: Uint8Array): void => {
      came.push(frame)
      waiting.push(frame)
      wake.resolve()
    },
    cut: (): void => {
      broken = true
      wake.resolve()
    },
  }
}

/** Two ends of one stream. Whatever is sent at one comes out at the other, in order, until it is cut. */
export const wirePair = (): WirePair => {
  const [near, far] = [createEnd(), createEnd()]
  const stop = new AbortController()
  const wire = (own: typeof near, other: typeof near): Wire => ({
    frames: own.frames(),
    send: async (frame) => {
      if (stop.signal.aborted) throw new Error('the stream is cut')
      other.take(frame.slice())
    },
    deadline: () => stop.signal,
  })
  return {
    near: { wire: wire(near, far), came: near.came },
    far: { wire: wire(far, near), came: far.came },
    cut: () => {
      stop.abort(new Error('the stream is cut'))
      near.cut()
      far.cut()
    },
    inject: far.take,
  }
}
