import type { Stream } from '@libp2p/interface'
import { peerIdFromString } from '@libp2p/peer-id'
import { messageStreamToDuplex } from '@libp2p/utils'
import { decode, encode } from 'it-length-prefixed'
import { pipe } from 'it-pipe'
import type { Log } from '#core/telemetry.ts'
import type { Reactors } from '#domain/compute/reactor/types.ts'
import type { Network } from '#domain/network/types.ts'
import type { Witness } from '#domain/network/witness/witness.ts'
import type { Host } from './libp2p.ts'
import { guarded, take } from './protocol.ts'

type Frames = readonly Uint8Array[]

/** How this node answers. @param node who asks: Noise's remote peer. */
export type Answerer = (node: string, question: Uint8Array) => Promise<Frames>

/** What of this node answers questions; an exchange whose part is not there is not spoken. */
export interface ExchangePorts {
  readonly witness?: Pick<Witness, 'admission' | 'stateOf'>
  readonly reactors?: Pick<Reactors, 'answer'>
  readonly network?: Pick<Network, 'cosigned' | 'lookup'>
}

/**
 * A question of one frame and its answer of several, each bounded; the stream ends with the answer.
 *
 * @typeParam A what the frames of an answer say.
 */
export interface Exchange<A = unknown> {
  readonly name: `/tickmesh/${string}/${number}`
  readonly questionBytesMax: number
  /** Frames of the answer. */
  readonly frames: number
  readonly frameBytesMax: number
  /** Streams of this protocol that one connection may have open. */
  readonly streamsInMax: number
  readonly streamsOutMax: number
  readonly timeoutMs: number
  /** How this node answers; undefined where it has nothing to answer with. */
  answer(answering: ExchangePorts): Answerer | undefined
  /** What an answer says. @throws Error for frames that are none. */
  read(frames: Frames): A
}

/** Writes an exchange down. */
export const exchange = <A>(definition: Exchange<A>): Exchange<A> => definition

const respond = (
  it: Exchange,
  stream: Stream,
  answer: (question: Uint8Array) => Promise<Frames>,
  signal: AbortSignal,
) =>
  guarded(stream, signal, async () => {
    const duplex = messageStreamToDuplex(stream)
    const asked = await pipe(
      duplex.source,
      (source) => decode(source, { maxDataLength: it.questionBytesMax }),
      take({ name: it.name, frames: 1 }),
    )
    const frames = await answer(asked[0] ?? new Uint8Array(0))
    await pipe(frames, (source) => encode(source, { maxDataLength: it.frameBytesMax }), duplex.sink)
  })

/** Answers an exchange on every connection until the signal aborts. */
export const serveExchange = (
  host: Host,
  { it, answer }: { readonly it: Exchange; readonly answer: Answerer },
  { log, signal }: { readonly log: Log; readonly signal: AbortSignal },
): Promise<void> =>
  host.handle(
    it.name,
    async (stream, connection) => {
      const node = connection.remotePeer.toString()
      const time = AbortSignal.any([signal, AbortSignal.timeout(it.timeoutMs)])
      try {
        await respond(it, stream, (question) => answer(node, question), time)
      } catch (error) {
        log.debug({ protocol: it.name, node, error }, 'stream_failed')
      }
    },
    { maxInboundStreams: it.streamsInMax, maxOutboundStreams: it.streamsOutMax },
  )

/** Asks a connected node. @throws Error when it is not connected, not in time, answers too much or nothing readable. */
export const askExchange = async <A>(
  host: Host,
  it: Exchange<A>,
  { node, question, signal }: { readonly node: string; readonly question: Uint8Array; readonly signal: AbortSignal },
): Promise<A> => {
  const [connection] = host.getConnections(peerIdFromString(node))
  if (connection === undefined) throw new Error(`${node} is not connected`)
  const time = AbortSignal.any([signal, AbortSignal.timeout(it.timeoutMs)])
  const stream = await connection.newStream(it.name, { signal: time, maxOutboundStreams: it.streamsOutMax })
  const frames = await guarded(stream, time, () =>
    pipe(
      [question],
      (source) => encode(source, { maxDataLength: it.questionBytesMax }),
      messageStreamToDuplex(stream),
      (source) => decode(source, { maxDataLength: it.frameBytesMax }),
      take(it),
    ),
  )
  return it.read(frames)
}
