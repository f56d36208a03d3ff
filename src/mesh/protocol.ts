import type { Stream } from '@libp2p/interface'
import { messageStreamToDuplex } from '@libp2p/utils'
import { decode, encode } from 'it-length-prefixed'
import { pipe } from 'it-pipe'
import type { Peering } from '#domain/network/outlet.ts'

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
const take =
  ({ name, frames }: Protocol) =>
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
const guarded = async <T>(stream: Stream, signal: AbortSignal, exchange: () => Promise<T>): Promise<T> => {
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
