import { refuse, SyncRefused } from './refused.ts'

/** One stream to a peer, as frames. Reading has no back-pressure, so whoever reads counts what may come. */
export interface Wire {
  /**
   * Frames as they come, until the other side has closed. Throws SyncRefused `oversized` for a frame beyond the limit,
   * and anything else when the stream breaks.
   */
  readonly frames: AsyncIterable<Uint8Array>
  /** Resolves when the transport has taken the frame. */
  send(frame: Uint8Array): Promise<void>
  /** A signal for one wait: it aborts when that has taken too long, or with the stream. */
  deadline(): AbortSignal
}

/** Frames that have come and were not taken yet; never more than were allowed. */
export interface Inbox {
  /** Lets the other side send so many frames more. */
  allow(frames: number): void
  /**
   * The next frame, or undefined at the end.
   *
   * @param late why the sync is given up if none comes in time.
   * @throws SyncRefused
   */
  next(late: 'slow' | 'unacknowledged'): Promise<Uint8Array | undefined>
  /** All is said. @throws SyncRefused `overrun` if more has come than that. */
  done(): void
}

const toRefused = (error: unknown): SyncRefused =>
  error instanceof SyncRefused
    ? error
    : new SyncRefused('broken', error instanceof Error ? error.message : String(error))

/** Waits for a promise no longer than a signal lets it. @throws SyncRefused */
export const within = async <T>(work: Promise<T>, signal: AbortSignal, late: 'slow' | 'unacknowledged'): Promise<T> => {
  const over = Promise.withResolvers<never>()
  const stop = (): void => over.reject(new SyncRefused(late, 'The other side took too long.'))
  if (signal.aborted) stop()
  signal.addEventListener('abort', stop, { once: true })
  try {
    return await Promise.race([work, over.promise])
  } finally {
    signal.removeEventListener('abort', stop)
  }
}

/**
 * Reads a wire from now on, whether or not anybody takes the frames: what comes unasked for would otherwise fill the
 * memory of the transport. The first frame beyond what was allowed ends the sync.
 */
export const openInbox = ({ frames, deadline }: Wire): Inbox => {
  const waiting: Uint8Array[] = []
  let credit = 0
  let failure: SyncRefused | undefined
  let ended = false
  let wake = Promise.withResolvers<void>()

  const pump = async (): Promise<void> => {
    try {
      for await (const frame of frames) {
        credit -= 1
        if (credit < 0) refuse('overrun', 'More frames came than were asked for.')
        waiting.push(frame)
        wake.resolve()
      }
    } catch (error) {
      failure = toRefused(error)
      waiting.length = 0
    }
    ended = true
    wake.resolve()
  }
  void pump()

  return {
    done: () => {
      if (failure?.reason === 'overrun') throw failure
    },
    allow: (count) => {
      credit += count
    },
    next: async (late) => {
      for (;;) {
        const frame = waiting.shift()
        if (frame !== undefined) return frame
        if (failure !== undefined) throw failure
        if (ended) return undefined
        wake = Promise.withResolvers()
        await within(wake.promise, deadline(), late)
      }
    },
  }
}
