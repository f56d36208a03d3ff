import type { Wire } from '#domain/network/sync/inbox.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { readAsked, readTold } from '#domain/network/works/messages.ts'
import { type LinkFrame, linkFrame, messageOf, NUMBERS_MAX, readLinkFrame } from './frames.ts'

/** Messages of one side that wait for their acknowledgement; a far side that sends more is cut off. */
export const UNACKNOWLEDGED_MAX = 64
/** Bytes of such messages. */
export const UNACKNOWLEDGED_BYTES_MAX = 8 * 1_048_576

/** Who takes messages of one node. A message is acknowledged once its promise has resolved. */
export interface Listeners {
  asked(message: AskedOfWorker): Promise<void>
  told(message: ToldRequester): Promise<void>
  /** Runs what takes a message once those before it were taken, whichever stream of that node they came on. */
  inTurn(take: () => Promise<void>): Promise<void>
}

/** Why a stream of a link ended. */
export class LinkBroken extends Error {
  override readonly name = 'LinkBroken'
}

/** A message on its way. */
export interface LinkMessage {
  readonly kind: 'ask' | 'tell'
  readonly body: Uint8Array
  /** Whether nobody waits for it any more. */
  readonly isOver: () => boolean
}

/** One stream of a link, while it lives. */
export interface Session {
  /** Whether it has not ended. */
  readonly isOpen: boolean
  /** Whether one message more may wait for its acknowledgement. */
  hasRoomFor(bytes: number): boolean
  /** Sends a message. @throws LinkBroken when the stream ended before it was acknowledged */
  send(message: LinkMessage): Promise<void>
  /** Whether anything came or went since this was last asked, or is still under way. */
  used(): boolean
  /** Reads until the stream ends; whatever ends it, nothing waits for an answer any more. */
  run(): Promise<void>
  /** Closes the stream. */
  end(): void
}

interface Sent extends LinkMessage {
  readonly taken: () => void
  readonly lost: (cause: unknown) => void
}

/** Messages of this side that were not acknowledged yet. */
const createOutgoing = (wire: Wire) => {
  const waiting = new Map<number, Sent>()
  let [next, bytes] = [0, 0]
  let broken: LinkBroken | undefined
  return {
    /** Whether it takes no message more. */
    get isSpent() {
      return broken !== undefined || next > NUMBERS_MAX
    },
    /** Whether somebody waits for an acknowledgement. */
    get isWaiting() {
      return [...waiting.values()].some((it) => !it.isOver())
    },
    hasRoomFor: (more: number): boolean =>
      waiting.size < UNACKNOWLEDGED_MAX && bytes + more <= UNACKNOWLEDGED_BYTES_MAX,
    send: async (message: LinkMessage): Promise<void> => {
      if (broken !== undefined) throw broken
      if (next > NUMBERS_MAX) throw new LinkBroken('all numbers of this stream are given')
      const n = next
      next += 1
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.set(n, { ...message, taken: resolve, lost: reject })
      bytes += message.body.length
      await Promise.all([wire.send(linkFrame(message.kind, n, message.body)), promise])
    },
    acknowledged: (n: number): void => {
      const sent = waiting.get(n)
      if (sent === undefined) throw new LinkBroken('an acknowledgement of what was not sent')
      waiting.delete(n)
      bytes -= sent.body.length
      sent.taken()
    },
    fail: (cause: unknown): void => {
      broken = new LinkBroken('the stream ended', { cause })
      for (const { lost } of waiting.values()) lost(broken)
      waiting.clear()
    },
  }
}

/** Messages of the far side: taken one after another, each acknowledged when it was. */
const createIncoming = (wire: Wire, listeners: Listeners, onFailed: (cause: unknown) => void) => {
  let [count, bytes] = [0, 0]
  let expected = 0
  let isOver = false
  const take = async ({ kind, n, body }: LinkFrame): Promise<void> => {
    // What was not acknowledged comes again on the next stream: taken from here it would overtake what came there.
    if (isOver) return
    const value = messageOf(body)
    if (kind === 'ask') await listeners.asked(readAsked(value))
    else await listeners.told(readTold(value))
    // Counted before it is said: the far side may use the room at once.
    count -= 1
    bytes -= body.length
    if (!isOver) await wire.send(linkFrame('ack', n))
  }
  const failed = (cause: unknown): void => {
    isOver = true
    onFailed(cause)
  }
  return {
    get isTaking() {
      return count > 0
    },
    end: (): void => {
      isOver = true
    },
    add: (frame: LinkFrame): void => {
      if (frame.n !== expected) throw new LinkBroken('a message out of its order')
      expected += 1
      count += 1
      bytes += frame.body.length
      if (count > UNACKNOWLEDGED_MAX || bytes > UNACKNOWLEDGED_BYTES_MAX) {
        throw new LinkBroken('too many messages at once')
      }
      listeners.inTurn(() => take(frame)).catch(failed)
    },
  }
}

/** Speaks on one stream of a link. */
export const openSession = (wire: Wire, listeners: Listeners): Session => {
  const over = Promise.withResolvers<void>()
  over.promise.catch(() => undefined)
  const outgoing = createOutgoing(wire)
  const incoming = createIncoming(wire, listeners, over.reject)
  let isUsed = false
  let isOpen = true

  const read = async (): Promise<void> => {
    for await (const bytes of wire.frames) {
      const frame = readLinkFrame(bytes)
      if (frame === undefined) throw new LinkBroken('bytes that are no frame')
      if (!isOpen) return
      isUsed = true
      if (frame.kind === 'ack') outgoing.acknowledged(frame.n)
      else incoming.add({ ...frame, body: frame.body.slice() })
    }
  }
  const close = (cause: unknown): void => {
    isOpen = false
    incoming.end()
    outgoing.fail(cause)
  }

  return {
    get isOpen() {
      return isOpen && !outgoing.isSpent
    },
    hasRoomFor: outgoing.hasRoomFor,
    send: (message) => {
      isUsed = true
      return outgoing.send(message)
    },
    used: () => {
      const was = isUsed || outgoing.isWaiting || incoming.isTaking
      isUsed = false
      return was
    },
    run: async () => {
      try {
        await Promise.race([read(), over.promise])
        close('closed')
      } catch (cause) {
        close(cause)
        throw cause
      }
    },
    end: () => {
      isOpen = false
      incoming.end()
      over.resolve()
    },
  }
}
