import type { Stream } from '@libp2p/interface'
import { messageStreamToDuplex } from '@libp2p/utils'
import { decode, encode } from 'it-length-prefixed'
import { pipe } from 'it-pipe'
import type { Peering } from '#domain/network/outlet.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import { SyncRefused } from '#domain/network/sync/refused.ts'
import type { Network } from '#domain/network/types.ts'

/**
 * One stream protocol in which each side sends a fixed number of length-prefixed frames, first the one that opened
 * the stream. Reading has no back-pressure, so the frames are few, bounded, and the stream ends with the last.
 */
export interface Protocol {
  readonly name: `/tickmesh/${string}/${number}`
  readonly frames: number
  readonly frameBytesMax: number
  /** Streams of this protocol that one connection may have open. */
  readonly streamsInMax: number
  readonly streamsOutMax: number
  readonly timeoutMs: number
  /** This node's side. */
  own(peering: Peering): readonly Uint8Array[]
  /** Takes the other side's frames. @param rttMs of the whole exchange, for the side that opened it. */
  take(peering: Peering, node: string, frames: readonly Uint8Array[], rttMs?: number): void
}

/** Writes a protocol down. */
export const protocol = (definition: Protocol): Protocol => definition

type Frames = readonly Uint8Array[]

/** Takes exactly the frames of one side. @throws Error when the stream ends before them or a frame is too large. */
export const take =
  ({ name, frames }: Pick<Protocol, 'name' | 'frames'>) =>
  async (source: AsyncIterable<{ subarray(): Uint8Array }>): Promise<Frames> => {
    const taken: Uint8Array[] = []
    for await (const frame of source) {
      taken.push(frame.subarray().slice())
      if (taken.length === frames) return taken
    }
    throw new Error(`${name}: the stream ended after ${taken.length} of ${frames} frames`)
  }

/**
 * Runs an exchange on a stream, which the signal or any failure aborts. The exchange is raced, not awaited alone: on a
 * stream that was reset before its listeners were there, nothing would ever end it.
 */
export const guarded = async <T>(stream: Stream, signal: AbortSignal, exchange: () => Promise<T>): Promise<T> => {
  const over = Promise.withResolvers<never>()
  const stop = (): void => over.reject(new Error('the time for this exchange is over', { cause: signal.reason }))
  const gone = ({ error }: { readonly error?: Error }): void => {
    if (error !== undefined) over.reject(error)
  }
  if (signal.aborted) stop()
  if (stream.status === 'reset' || stream.status === 'aborted') over.reject(new Error('the stream was reset'))
  signal.addEventListener('abort', stop, { once: true })
  stream.addEventListener('close', gone)
  try {
    return await Promise.race([exchange(), over.promise])
  } catch (cause) {
    stream.abort(cause instanceof Error ? cause : new Error('the exchange failed', { cause }))
    throw cause
  } finally {
    signal.removeEventListener('abort', stop)
    stream.removeEventListener('close', gone)
  }
}

/** The opener's side: sends its frames, gives the other's. @throws Error on timeout, oversize or a broken stream. */
export const ask = (it: Protocol, stream: Stream, frames: Frames, signal: AbortSignal): Promise<Frames> =>
  guarded(stream, signal, () =>
    pipe(
      frames,
      (source) => encode(source, { maxDataLength: it.frameBytesMax }),
      messageStreamToDuplex(stream),
      (source) => decode(source, { maxDataLength: it.frameBytesMax }),
      take(it),
    ),
  )

/** The other side: reads the opener's frames, then sends its own. @returns what the opener sent. */
export const respond = (it: Protocol, stream: Stream, own: () => Frames, signal: AbortSignal): Promise<Frames> =>
  guarded(stream, signal, async () => {
    const duplex = messageStreamToDuplex(stream)
    const asked = await pipe(duplex.source, (source) => decode(source, { maxDataLength: it.frameBytesMax }), take(it))
    await pipe(own(), (source) => encode(source, { maxDataLength: it.frameBytesMax }), duplex.sink)
    return asked
  })

/** One stream protocol in which both sides send frames as the domain has it: what it allows bounds them, no count. */
export interface Conversation {
  readonly name: `/tickmesh/${string}/${number}`
  readonly frameBytesMax: number
  readonly streamsInMax: number
  readonly streamsOutMax: number
  /** The longest wait for a frame, or for one to be taken. */
  readonly stepMs: number
  /** The whole conversation. */
  readonly timeoutMs: number
  /** This node's side. It ends by itself when the wire's frames do or a deadline passes. @throws what ended it. */
  talk(network: Network, node: string, far: { readonly wire: Wire; readonly opener: boolean }): Promise<void>
}

/** Writes a conversation down. */
export const conversation = (definition: Conversation): Conversation => definition

/** Bytes up to which frames that wait at one moment go out as one write. */
const WRITE_BYTES_MAX = 65_536

interface Waiting {
  readonly frame: Uint8Array
  readonly taken: () => void
  readonly lost: (cause: unknown) => void
}

/** Takes the next frame, and those behind it as long as they fit into one write. */
const nextOf = (waiting: Waiting[]): readonly Waiting[] => {
  let [count, bytes] = [0, 0]
  for (const { frame } of waiting) {
    bytes += frame.length
    if (count > 0 && bytes > WRITE_BYTES_MAX) break
    count += 1
  }
  return waiting.splice(0, count)
}

/** Frames on their way out, in their order: `send` resolves when the stream has taken its frame, or rejects with it. */
const outgoing = (frameBytesMax: number) => {
  const waiting: Waiting[] = []
  let under: readonly Waiting[] = []
  let broken: SyncRefused | undefined
  let wake = Promise.withResolvers<void>()
  let ended = false
  /** Writes: each costs a message of the muxer, a cipher and a system call, so what is said in one turn shares one. */
  async function* writes() {
    for (;;) {
      if (waiting.length === 0) {
        if (ended) return
        await wake.promise
        wake = Promise.withResolvers()
        continue
      }
      if ((waiting[0] as Waiting).frame.length < WRITE_BYTES_MAX)
        await new Promise<void>((resolve) => void setImmediate(resolve))
      under = nextOf(waiting)
      const [first, ...more] = under.map(({ frame }) => encode.single(frame, { maxDataLength: frameBytesMax }))
      if (first === undefined) continue
      for (const it of more) first.append(it)
      yield first
      // The sink asks for more once these frames are sent and the stream has drained.
      for (const { taken } of under) taken()
      under = []
    }
  }
  return {
    writes,
    send: (frame: Uint8Array): Promise<void> => {
      if (broken !== undefined) return Promise.reject(broken)
      const { promise, resolve, reject } = Promise.withResolvers<void>()
      waiting.push({ frame, taken: resolve, lost: reject })
      wake.resolve()
      return promise
    },
    fail: (error: unknown): void => {
      broken = new SyncRefused('broken', error instanceof Error ? error.message : String(error))
      for (const { lost } of [...under, ...waiting.splice(0)]) lost(broken)
    },
    end: (): void => {
      ended = true
      wake.resolve()
    },
  }
}

/** Frames of a stream, of which one that is too large has its word. */
async function* framesOf(
  source: AsyncIterable<Uint8Array | { subarray(): Uint8Array }>,
  frameBytesMax: number,
): AsyncGenerator<Uint8Array> {
  try {
    for await (const frame of decode(source as AsyncIterable<Uint8Array>, { maxDataLength: frameBytesMax })) {
      yield frame.subarray()
    }
  } catch (error) {
    const tooLong = error instanceof Error && /^InvalidDataLength(Length)?Error$/.test(error.name)
    throw tooLong ? new SyncRefused('oversized', `A frame is at most ${frameBytesMax} bytes.`) : error
  }
}

/**
 * Holds a conversation on a stream, which is closed after it, or aborted when the signal or a failure ends it.
 *
 * @param talk must end by itself when the wire's frames do or its deadline passes.
 */
export const converse = <T>(
  it: Pick<Conversation, 'frameBytesMax' | 'stepMs'>,
  stream: Stream,
  { signal, talk }: { readonly signal: AbortSignal; readonly talk: (wire: Wire) => Promise<T> },
): Promise<T> =>
  guarded(stream, signal, async () => {
    const duplex = messageStreamToDuplex(stream)
    const out = outgoing(it.frameBytesMax)
    const sent = duplex.sink(out.writes())
    sent.catch(out.fail)
    const result = await talk({
      frames: framesOf(duplex.source, it.frameBytesMax),
      send: out.send,
      deadline: () => AbortSignal.any([signal, AbortSignal.timeout(it.stepMs)]),
    })
    out.end()
    await sent
    return result
  })
