import { peerIdFromString } from '@libp2p/peer-id'
import type { Log } from '#core/telemetry.ts'
import type { Abroad } from '#domain/economy/abroad/types.ts'
import type { BlobRoom } from '#domain/network/blobs/blobs.ts'
import type { Links } from '#domain/network/links/links.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import type { Host } from './libp2p.ts'
import { converse } from './protocol.ts'

/** What of this node takes part in dialogues; one whose part is not there is not spoken. */
export interface DialoguePorts {
  readonly tokens?: Pick<Abroad, 'answer'>
  readonly links?: Pick<Links, 'answer'>
  readonly blobs?: Pick<BlobRoom, 'answer'>
}

/** A question and its answer of as many frames as the domain has: what it allows bounds them. */
export interface Dialogue {
  readonly name: `/tickmesh/${string}/${number}`
  readonly frameBytesMax: number
  /** Streams of this protocol that one connection may have open. */
  readonly streamsInMax: number
  readonly streamsOutMax: number
  /** The longest wait for a frame, or for one to be taken. */
  readonly stepMs: number
  /** The whole dialogue. */
  readonly timeoutMs: number
  /** How this node answers; undefined where it has nothing to answer with. */
  answer(ports: DialoguePorts): ((node: string, wire: Wire) => Promise<void>) | undefined
}

/** Writes a dialogue down. */
export const dialogue = (definition: Dialogue): Dialogue => definition

/** Answers a dialogue on every connection until the signal aborts. */
export const serveDialogue = async (
  host: Host,
  it: Dialogue,
  { ports, log, signal }: { readonly ports: DialoguePorts; readonly log: Log; readonly signal: AbortSignal },
): Promise<void> => {
  const answer = it.answer(ports)
  if (answer === undefined) return
  await host.handle(
    it.name,
    async (stream, { remotePeer }) => {
      const node = remotePeer.toString()
      const time = AbortSignal.any([signal, AbortSignal.timeout(it.timeoutMs)])
      try {
        await converse(it, stream, { signal: time, talk: (wire) => answer(node, wire) })
      } catch (error) {
        log.debug({ protocol: it.name, node, error }, 'stream_failed')
      }
    },
    { maxInboundStreams: it.streamsInMax, maxOutboundStreams: it.streamsOutMax },
  )
}

/** How a dialogue is opened with a connected node. */
export interface DialogueOpening<T> {
  readonly node: string
  readonly signal: AbortSignal
  readonly talk: (wire: Wire) => Promise<T>
}

/** Opens a dialogue with a connected node. @throws Error when it is not connected, not in time; what `talk` throws. */
export const openDialogue = async <T>(
  host: Host,
  it: Dialogue,
  { node, signal, talk }: DialogueOpening<T>,
): Promise<T> => {
  const [connection] = host.getConnections(peerIdFromString(node))
  if (connection === undefined) throw new Error(`${node} is not connected`)
  const time = AbortSignal.any([signal, AbortSignal.timeout(it.timeoutMs)])
  const stream = await connection.newStream(it.name, { signal: time, maxOutboundStreams: it.streamsOutMax })
  return converse(it, stream, { signal: time, talk })
}
