import type { IncomingMessage } from 'node:http'
import { WebSocket } from 'ws'
import { MS_PER_SECOND } from '#core/time.ts'
import { sleep } from '#core/wait.ts'
import { NodeUnreachable } from '#gateway/client.ts'
import { channelRefusal } from './channel-ask.ts'

/** A tick of a channel, among all of its epochs. */
export interface ChannelSeen {
  readonly epoch: number
  readonly count: number
}

/** A tick as it is pushed; one that is told afterwards has no output, and by a key its value from the chain. */
export interface PushedTick extends ChannelSeen {
  readonly type: 'tick'
  readonly tick: number
  readonly token_id: string
  readonly contentType?: string
  readonly output?: string
  readonly value?: number | null
  readonly unit?: string
  readonly errorPct?: number
}

/** What a channel's socket says, and at last how it ended. */
export type ChannelEvent =
  | (ChannelSeen & { readonly type: 'hello' })
  | PushedTick
  | { readonly type: 'gap'; readonly from: number | null; readonly to: number; readonly reason: string }
  | { readonly type: 'status'; readonly status: string }
  | { readonly type: 'closed' }
  | { readonly type: 'end'; readonly code: number; readonly reason: string }

/** What is followed, where, and how it is opened. */
export interface ChannelSocketOrder {
  readonly url: string
  readonly bearer: string | undefined
  /** The signature of a link, in place of a key. */
  readonly sig: string | undefined
  readonly channel: string
  readonly after: ChannelSeen | undefined
  readonly signal: AbortSignal
}

/** Bytes of one message: a large result and its receipt fit. */
const MESSAGE_BYTES_MAX = 67_108_864
/** Messages that wait for their reader before no more are taken from the socket. */
const WAITING_MAX = 64
/** Longest time for opening a socket. */
const OPENING_MS = 40 * MS_PER_SECOND
/** Time between two looks whether the node is still there. */
const PING_MS = 25 * MS_PER_SECOND

const addressOf = ({ url, channel, after, sig }: ChannelSocketOrder): URL => {
  const query = new URLSearchParams({ channel })
  if (after !== undefined) query.set('after', `${after.epoch}.${after.count}`)
  if (sig !== undefined) query.set('sig', sig)
  const at = new URL(`/ws/stream?${query}`, url)
  at.protocol = at.protocol === 'https:' ? 'wss:' : 'ws:'
  return at
}

/** Why a socket was not opened, as its answer says it. */
const refusalIn = async (answer: IncomingMessage, url: string): Promise<Error> => {
  try {
    const pieces: Buffer[] = []
    for await (const piece of answer) pieces.push(piece as Buffer)
    return channelRefusal({ status: answer.statusCode ?? 0, text: Buffer.concat(pieces).toString('utf8') }, url)
  } catch (cause) {
    return new NodeUnreachable(`no answer from ${url}`, { cause })
  }
}

/** Ends a socket whose other side no longer answers: a connection that was cut somewhere says nothing of it. */
const watchOver = (socket: WebSocket): Disposable => {
  let answered = true
  const look = (): void => {
    if (socket.readyState !== WebSocket.OPEN) return
    if (!answered && !socket.isPaused) {
      socket.terminate()
      return
    }
    answered = false
    socket.ping()
  }
  const over = new AbortController()
  const rounds = async (): Promise<void> => {
    for (;;) {
      await sleep(PING_MS, over.signal)
      if (over.signal.aborted) return
      look()
    }
  }
  void rounds()
  socket.on('pong', () => {
    answered = true
  })
  return { [Symbol.dispose]: () => over.abort() }
}

/**
 * Opens a channel's socket and gives what it says, at its reader's pace; `end` is the last of it.
 *
 * @throws NodeRefusal and NodeUnreachable where it is not opened, or the signal's reason.
 */
export async function* channelEvents(order: ChannelSocketOrder): AsyncGenerator<ChannelEvent> {
  const { url, bearer, signal } = order
  const { origin } = new URL(url)
  const headers: Record<string, string> = bearer === undefined ? {} : { Authorization: `Bearer ${bearer}` }
  const waiting: (ChannelEvent | Error)[] = []
  let more = Promise.withResolvers<void>()
  const socket = new WebSocket(addressOf(order), {
    headers,
    perMessageDeflate: false,
    maxPayload: MESSAGE_BYTES_MAX,
    handshakeTimeout: OPENING_MS,
  })
  const put = (it: ChannelEvent | Error): void => {
    waiting.push(it)
    if (waiting.length >= WAITING_MAX && socket.readyState === WebSocket.OPEN) socket.pause()
    more.resolve()
  }
  socket.on('message', (data) => {
    try {
      put(JSON.parse(String(data)) as ChannelEvent)
    } catch {
      put(new NodeUnreachable(`${origin} does not speak as a node does`))
    }
  })
  let [isOpen, isRefused] = [false, false]
  socket.on('open', () => {
    isOpen = true
  })
  socket.on('unexpected-response', (_, answer) => {
    isRefused = true
    refusalIn(answer, origin).then(put)
  })
  // Of a socket that was open the close follows, and says as much.
  socket.on('error', (cause) => {
    if (!isOpen && !isRefused) put(new NodeUnreachable(`no answer from ${origin}`, { cause }))
  })
  socket.on('close', (code, reason) => {
    if (!isRefused) put({ type: 'end', code, reason: String(reason) })
  })
  const onAbort = (): void => more.resolve()
  signal.addEventListener('abort', onAbort, { once: true })
  using _ = watchOver(socket)
  try {
    for (;;) {
      signal.throwIfAborted()
      const next = waiting.shift()
      if (next === undefined) {
        if (socket.isPaused) socket.resume()
        more = Promise.withResolvers()
        await more.promise
        continue
      }
      if (next instanceof Error) throw next
      yield next
      if (next.type === 'end') return
    }
  } finally {
    signal.removeEventListener('abort', onAbort)
    socket.terminate()
  }
}
