import { Fault } from '#core/fault.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import type { AskedOfWorker, ToldRequester } from '#domain/network/works/messages.ts'
import { MESSAGE_BYTES_MAX, readAsked, readTold } from '#domain/network/works/messages.ts'
import { type LinkFrame, linkFrame, messageBytes, messageOf, NUMBERS_MAX, readLinkFrame } from './frames.ts'

/** Messages of one side that wait for their acknowledgement; a far side that sends more is cut off. */
export const UNACKNOWLEDGED_MAX = 64
/** Bytes of such messages that are taken in. */
const WAITING_BYTES_MAX = 8 * 1_048_576

/** Who takes messages of one node. A message is acknowledged once its promise has resolved. */
export interface Listeners {
  asked(message: AskedOfWorker): Promise<void>
  told(message: ToldRequester): Promise<void>
}

/** Why a stream of a link ended. */
export class LinkBroken extends Error {
  override readonly name = 'LinkBroken'
}

/** One stream of a link, while it lives. */
export interface Session {
  /** Sends a message. @throws LinkBroken when the stream ended before it was acknowledged; Fault NODE_BUSY. */
  send(kind: 'ask' | 'tell', message: AskedOfWorker | ToldRequester): Promise<void>
  /** Messages that came or went since it was last asked. */
  used(): number
  /** Reads until the stream ends; whatever ends it, nothing waits for an answer any more. */
  run(): Promise<void>
  /** Closes the stream. */
  end(): void
}

interface Sent {
  readonly taken: () => void
  readonly lost: (cause: unknown) => void
}

/** Messages of this side that were not acknowledged yet. */
const createOutgoing = (wire: Wire) => {
  const waiting = new Map<number, Sent>()
  let next = 0
  let broken: LinkBroken | undefined
  return {
    send: async (kind: 'ask' | 'tell', message: AskedOfWorker | ToldRequester): Promise<void> => {
      if (broken !== undefined) throw broken
      if (waiting.size >= UNACKNOWLEDGED_MAX) throw new Fault('NODE_BUSY', 'The other node takes no more messages.')
      if (next > NUMBERS_MAX) throw new LinkBroken('all numbers of this stream are given')
      const body = messageBytes(message)
      if (body.length > MESSAGE_BYTES_MAX) throw new Fault('BODY_TOO_LARGE', `At most ${MESSAGE_BYTES_MAX} bytes.`)
      const n = next
      next += 1
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.set(n, { taken: resolve, lost: reject })
      await Promise.all([wire.send(linkFrame(kind, n, body)), promise])
    },
    acknowledged: (n: number): void => {
      const sent = waiting.get(n)
      if (sent === undefined) throw new LinkBroken('an acknowledgement of what was not sent')
      waiting.delete(n)
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
  let tail = Promise.resolve()
  const take = async ({ kind, n, body }: LinkFrame): Promise<void> => {
    const value = messageOf(body)
    if (kind === 'ask') await listeners.asked(readAsked(value))
    else await listeners.told(readTold(value))
    await wire.send(linkFrame('ack', n))
    count -= 1
    bytes -= body.length
  }
  return (frame: LinkFrame): void => {
    if (frame.n !== expected) throw new LinkBroken('a message out of its order')
    expected += 1
    count += 1
    bytes += frame.body.length
    if (count > UNACKNOWLEDGED_MAX || bytes > WAITING_BYTES_MAX) throw new LinkBroken('too many messages at once')
    tail = tail.then(() => take(frame)).catch(onFailed)
  }
}

/** Speaks on one stream of a link. */
export const openSession = (wire: Wire, listeners: Listeners): Session => {
  const over = Promise.withResolvers<void>()
  over.promise.catch(() => undefined)
  const outgoing = createOutgoing(wire)
  const incoming = createIncoming(wire, listeners, over.reject)
  let used = 0

  const read = async (): Promise<void> => {
    for await (const bytes of wire.frames) {
      const frame = readLinkFrame(bytes)
      if (frame === undefined) throw new LinkBroken('bytes that are no frame')
      used += 1
      if (frame.kind === 'ack') outgoing.acknowledged(frame.n)
      else incoming({ ...frame, body: frame.body.slice() })
    }
  }

  return {
    send: (kind, message) => {
      used += 1
      return outgoing.send(kind, message)
    },
    used: () => {
      const since = used
      used = 0
      return since
    },
    run: async () => {
      try {
        await Promise.race([read(), over.promise])
        outgoing.fail('closed')
      } catch (cause) {
        outgoing.fail(cause)
        throw cause
      }
    },
    end: () => over.resolve(),
  }
}
