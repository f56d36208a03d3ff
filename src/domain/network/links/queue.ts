import { Fault } from '#core/fault.ts'
import type { Sleep } from '#core/wait.ts'
import { MESSAGE_BYTES_MAX } from '#domain/network/works/messages.ts'
import type { LinkMessage, Session } from './session.ts'

/** Messages to one node that wait at once, and their bytes. */
export const QUEUED_MAX = 1_024
const QUEUED_BYTES_MAX = 32 * 1_048_576
/** The first wait before a stream is opened again, in milliseconds, and the longest. */
const RETRY_MS = 250
const RETRY_MS_MAX = 8_000

interface Entry extends LinkMessage {
  readonly taken: () => void
  readonly lost: (cause: unknown) => void
}

export interface LinkQueueOptions {
  /** The stream that is there, or a new one. @throws Fault where there is no way, which is final but for NODE_BUSY */
  readonly open: () => Promise<Session>
  readonly sleep: Sleep
  readonly signal: AbortSignal
}

/** What this node says to one other: in the order in which it was said, each until it was taken. */
export interface LinkQueue {
  /**
   * Says something. What breaks on the way is said again, before whatever was said after it.
   *
   * @throws the signal's reason; Fault NODE_BUSY, BODY_TOO_LARGE, and what `open` says.
   */
  say(kind: LinkMessage['kind'], body: Uint8Array, signal: AbortSignal): Promise<void>
  /** Whether nothing waits. */
  readonly isEmpty: boolean
  /** Resolves when nothing is under way any more. */
  ended(): Promise<void>
}

/** Those that were not acknowledged, the oldest first: first those on their way, then those that wait. */
const createQueue = () => {
  const flying = new Set<Entry>()
  let unsent: Entry[] = []
  const all = (): readonly Entry[] => [...flying, ...unsent]
  return {
    all,
    get next() {
      return unsent[0]
    },
    get size() {
      return flying.size + unsent.length
    },
    get bytes() {
      return all().reduce((sum, { body }) => sum + body.length, 0)
    },
    add: (it: Entry): void => void unsent.push(it),
    fly: (): Entry | undefined => {
      const it = unsent.shift()
      if (it !== undefined) flying.add(it)
      return it
    },
    /** A stream broke: whatever was on its way on it goes before all else, in its order. */
    land: (): void => {
      unsent = [...flying, ...unsent].filter((it) => !it.isOver())
      flying.clear()
    },
    remove: (it: Entry): void => {
      if (!flying.delete(it)) unsent = unsent.filter((other) => other !== it)
    },
  }
}
type Queue = ReturnType<typeof createQueue>

/** Sends what waits on one stream until nothing does any more. @throws what broke it */
const carry = async (queue: Queue, session: Session, changed: () => Promise<void>, wake: () => void): Promise<void> => {
  let failure: { readonly cause: unknown } | undefined
  while (queue.size > 0) {
    if (failure !== undefined) throw failure.cause
    const { next } = queue
    if (next === undefined || !session.hasRoomFor(next.body.length)) {
      await changed()
      continue
    }
    queue.fly()
    session
      .send(next)
      .then(next.taken, (cause: unknown) => {
        failure ??= { cause }
      })
      .finally(wake)
  }
}

/** The messages to one node. */
export const createLinkQueue = ({ open, sleep, signal }: LinkQueueOptions): LinkQueue => {
  const queue = createQueue()
  let wake = Promise.withResolvers<void>()
  let running: Promise<void> | undefined
  const changed = async (): Promise<void> => {
    await wake.promise
    wake = Promise.withResolvers()
  }

  const pump = async (): Promise<void> => {
    let waitMs = RETRY_MS
    while (queue.size > 0 && !signal.aborted) {
      const [oldest] = queue.all()
      try {
        await carry(queue, await open(), changed, () => wake.resolve())
      } catch (cause) {
        queue.land()
        if (cause instanceof Fault && cause.code !== 'NODE_BUSY') for (const it of queue.all()) it.lost(cause)
        // Something was taken meanwhile: the way is good again.
        if (queue.all()[0] !== oldest) waitMs = RETRY_MS
        await sleep(waitMs, signal)
        waitMs = Math.min(2 * waitMs, RETRY_MS_MAX)
      }
    }
  }
  const begin = (): void => {
    running ??= pump().finally(() => {
      running = undefined
      if (queue.size > 0 && !signal.aborted) begin()
    })
  }

  return {
    get isEmpty() {
      return queue.size === 0
    },
    ended: () => running ?? Promise.resolve(),
    say: async (kind, body, own) => {
      own.throwIfAborted()
      signal.throwIfAborted()
      if (body.length > MESSAGE_BYTES_MAX) throw new Fault('BODY_TOO_LARGE', `At most ${MESSAGE_BYTES_MAX} bytes.`)
      if (queue.size >= QUEUED_MAX || queue.bytes + body.length > QUEUED_BYTES_MAX) {
        throw new Fault('NODE_BUSY', 'Too much waits to be said to that node.')
      }
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      let isOver = false
      const entry: Entry = { kind, body, isOver: () => isOver, taken: resolve, lost: reject }
      const end = ({ target }: Event): void => reject((target as AbortSignal).reason)
      // Two listeners cost a tenth of a signal that is made of both.
      for (const it of [own, signal]) it.addEventListener('abort', end, { once: true })
      queue.add(entry)
      wake.resolve()
      begin()
      try {
        await promise
      } finally {
        isOver = true
        queue.remove(entry)
        wake.resolve()
        for (const it of [own, signal]) it.removeEventListener('abort', end)
      }
    },
  }
}
