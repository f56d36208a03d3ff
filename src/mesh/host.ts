import { type Message, TopicValidatorResult } from '@chainsafe/libp2p-gossipsub'
import type { Connection, Stream } from '@libp2p/interface'
import { multiaddr } from '@multiformats/multiaddr'
import type { Clock } from '#core/clock.ts'
import type { Log } from '#core/telemetry.ts'
import { underway } from '#core/underway.ts'
import type { CosignedQuestion } from '#domain/network/cosigned/types.ts'
import type { Channel } from '#domain/network/outlet.ts'
import type { Shard } from '#domain/network/shards.ts'
import type { MessageOutcome, Network } from '#domain/network/types.ts'
import { acquaintances, dialableOf } from './acquaintances.ts'
import { type Dialogue, type DialogueOpening, type DialoguePorts, openDialogue, serveDialogue } from './dialogue.ts'
import { askExchange, type Exchange, type ExchangePorts, serveExchange } from './exchange.ts'
import { type Host, type MeshConfig, startHost } from './libp2p.ts'
import { outbox } from './outbox.ts'
import { createPatience } from './patience.ts'
import { ask, type Conversation, converse, respond } from './protocol.ts'
import { cosignedExchange } from './protocols/cosigned.ts'
import { conversations, dialogues, exchanges, protocols } from './protocols/index.ts'
import { statusProtocol } from './protocols/status.ts'
import { syncProtocol } from './protocols/sync.ts'
import { createReaching, type Reaching } from './reach.ts'
import { eventTopic } from './topics/event.ts'
import { commonTopics, topics } from './topics/index.ts'
import { shardTopics } from './topics/shard.ts'

export type { MeshConfig }

export interface MeshOptions {
  /** The node's 32-byte Ed25519 seed: the peer id made of it is the node id. */
  readonly seed: Uint8Array
  readonly config: MeshConfig
  readonly network: Network
  readonly clock: Clock
  readonly log: Log
  /** What of this node answers the questions of others; nothing unless given. */
  readonly answering?: ExchangePorts & DialoguePorts
}

/** A running libp2p host, joined to the network domain. Disposing it closes every connection and timer. */
export interface Mesh extends AsyncDisposable {
  readonly nodeId: string
  /** Multiaddrs with `/p2p/<node id>`, as bound. */
  addresses(): readonly string[]
  /** Node ids that are connected now. */
  peers(): readonly string[]
  /** What comes round with the ticks: presence, newest heads, status, syncs, lost bootstrap nodes. Once a tick. */
  beat(): void
  /** Connects to a multiaddr. @returns the node id found there. @throws Error when nobody answers there. */
  dial(address: string, signal: AbortSignal): Promise<string>
  /** Connects to a node unless it is connected, where an address of it is known: one attempt, of a few seconds. */
  readonly reach: Reaching['reach']
  /** Asks a connected node. @throws Error when it is not there, not in time, or answers too much. */
  ask<A>(it: Exchange<A>, asking: Parameters<typeof askExchange>[2]): Promise<A>
  /** Opens a dialogue with a connected node. @throws Error when it is not there, not in time; what `talk` throws */
  talk<T>(it: Dialogue, opening: DialogueOpening<T>): Promise<T>
}

/** How often every connected peer is asked for its status, and how often lost bootstrap nodes are dialled again. */
const STATUS_EVERY_TICKS = 16
/** Status streams open at once when all peers are asked. */
const ASKED_AT_ONCE = 8

/** Addresses of one answer from near by that are looked at. */
const NEARBY_ADDRESSES_MAX = 16

const judgementOf = (outcome: MessageOutcome): TopicValidatorResult => {
  if (outcome.status === 'received') return TopicValidatorResult.Accept
  if (outcome.status === 'dropped' && outcome.blame) return TopicValidatorResult.Reject
  return TopicValidatorResult.Ignore
}

/** Gossip in: every message is checked, and applied if accepted, before gossipsub forwards it. */
const listen = (host: Host, { network, log, clock }: Pick<MeshOptions, 'network' | 'log' | 'clock'>): void => {
  const patience = createPatience(clock)
  const { gossip } = host.services
  for (const { name, channel } of topics) {
    gossip.topicValidators.set(name, (via, message: Message) => {
      // Somebody who had not heard yet that this node stopped listening is not to blame for it.
      if (!gossip.getTopics().includes(name)) return TopicValidatorResult.Ignore
      if (message.type !== 'signed') return TopicValidatorResult.Reject
      const from = message.from.toString()
      const check = (): MessageOutcome => network.receive(message.data, { kind: 'libp2p', channel, from })
      const outcome = patience.spend(via.toString(), check)
      if (outcome === undefined) {
        log.debug({ topic: name, from, via: via.toString() }, 'gossip_beyond_patience')
        return TopicValidatorResult.Ignore
      }
      if (outcome.status === 'dropped') {
        log.debug({ topic: name, from, via: via.toString(), reason: outcome.reason }, 'gossip_dropped')
      }
      return judgementOf(outcome)
    })
  }
  for (const { name } of commonTopics) gossip.subscribe(name)
}

/** Listens to some shards and no others. */
const listenTo =
  ({ services: { gossip } }: Host) =>
  (shards: readonly Shard[]): void => {
    const listened = new Set(gossip.getTopics())
    for (const { name, channel } of shardTopics) {
      const wanted = (shards as readonly Channel[]).includes(channel)
      if (wanted && !listened.has(name)) gossip.subscribe(name)
      if (!wanted && listened.has(name)) gossip.unsubscribe(name)
    }
  }

/** Gossip out, one message at a time. */
const speak = (host: Host, log: Log) =>
  outbox(async ({ channel, data }: { readonly channel: Channel; readonly data: Uint8Array }) => {
    const name = topics.find((it) => it.channel === channel)?.name
    if (name === undefined) return
    try {
      await host.services.gossip.publish(name, data)
    } catch (error) {
      log.warn({ topic: name, error }, 'gossip_unpublished')
    }
  })

/** Streams in: every protocol answers on every connection. */
const serve = async (host: Host, { network, log }: MeshOptions, signal: AbortSignal): Promise<void> => {
  for (const it of protocols) {
    await host.handle(
      it.name,
      async (stream, connection) => {
        const node = connection.remotePeer.toString()
        const time = AbortSignal.any([signal, AbortSignal.timeout(it.timeoutMs)])
        try {
          it.take(network.peering, node, await respond(it, stream, () => it.own(network.peering), time))
        } catch (error) {
          log.debug({ protocol: it.name, node, error }, 'stream_failed')
        }
      },
      { maxInboundStreams: it.streamsInMax, maxOutboundStreams: it.streamsOutMax },
    )
  }
}

/** A conversation on a stream, and who began it. */
interface Held {
  readonly it: Conversation
  readonly stream: Stream
  readonly node: string
  readonly opener: boolean
}

/** Holds a conversation. What fails in it the network has counted; the stream is aborted. */
const hold = async ({ it, stream, node, opener }: Held, { network, log }: MeshOptions, signal: AbortSignal) => {
  const time = AbortSignal.any([signal, AbortSignal.timeout(it.timeoutMs)])
  try {
    await converse(it, stream, { signal: time, talk: (wire) => it.talk(network, node, { wire, opener }) })
  } catch (error) {
    log.debug({ protocol: it.name, node, error }, 'stream_failed')
  }
}

/** Answers conversations that others open. */
const serveConversations = async (host: Host, options: MeshOptions, signal: AbortSignal): Promise<void> => {
  for (const it of conversations) {
    const answer = (stream: Stream, { remotePeer }: Connection): Promise<void> =>
      hold({ it, stream, node: remotePeer.toString(), opener: false }, options, signal)
    await host.handle(it.name, answer, { maxInboundStreams: it.streamsInMax, maxOutboundStreams: it.streamsOutMax })
  }
}

/** Opens a sync with a peer that is connected. */
const openSync = async (connection: Connection, options: MeshOptions, signal: AbortSignal): Promise<void> => {
  const it = syncProtocol
  const node = connection.remotePeer.toString()
  try {
    const time = AbortSignal.any([signal, AbortSignal.timeout(it.stepMs)])
    const stream = await connection.newStream(it.name, { signal: time, maxOutboundStreams: it.streamsOutMax })
    await hold({ it, stream, node, opener: true }, options, signal)
  } catch (error) {
    options.log.debug({ protocol: it.name, node, error }, 'stream_failed')
  }
}

/** Asks a peer when witnesses signed event logs. One that does not speak of it has said nothing. */
const askCosigned = async (host: Host, { network }: MeshOptions, asked: CosignedQuestion, signal: AbortSignal) => {
  const answer = await askExchange(host, cosignedExchange, { ...asked, signal }).catch(() => undefined)
  if (!signal.aborted) await network.cosigned?.take(asked.node, answer)
}

const millis = (from: bigint, to: bigint): number => Number((to - from) / 1_000n) / 1_000

/** Asks one peer for its status. What fails is told to the network, not thrown. */
const askStatus = async (connection: Connection, it: MeshOptions, signal: AbortSignal): Promise<void> => {
  const node = connection.remotePeer.toString()
  const { network, clock } = it
  const time = AbortSignal.any([signal, AbortSignal.timeout(statusProtocol.timeoutMs)])
  try {
    const maxOutboundStreams = statusProtocol.streamsOutMax
    const stream = await connection.newStream(statusProtocol.name, { signal: time, maxOutboundStreams })
    const start = clock.now()
    const frames = await ask(statusProtocol, stream, statusProtocol.own(network.peering), time)
    statusProtocol.take(network.peering, node, frames, millis(start, clock.now()))
  } catch (error) {
    if (!signal.aborted) network.peering.statusFailed(node, error instanceof Error ? error.message : String(error))
  }
}

/** Connections of a host, told to the network; a new one is asked for its status as soon as it is identified. */
const watch = (
  host: Host,
  { network, log, config }: MeshOptions,
  { askPeer, syncWith }: Readonly<Record<'askPeer' | 'syncWith', (connection: Connection) => void>>,
): void => {
  const { peering } = network
  host.addEventListener('connection:open', ({ detail: { remotePeer, remoteAddr, direction } }) => {
    const node = remotePeer.toString()
    peering.connected(node, remoteAddr.toString())
    const [place] = direction === 'outbound' ? dialableOf(node, [remoteAddr.toString()], config.host) : []
    if (place !== undefined) peering.reached(node, place)
    log.info({ node: remotePeer.toString(), address: remoteAddr.toString(), direction }, 'peer_connected')
  })
  host.addEventListener('peer:disconnect', ({ detail }) => {
    peering.disconnected(detail.toString())
    log.info({ node: detail.toString() }, 'peer_disconnected')
  })
  host.services.gossip.addEventListener('subscription-change', ({ detail: { peerId, subscriptions } }) => {
    if (subscriptions.some((it) => it.subscribe && it.topic === eventTopic.name)) peering.listening(peerId.toString())
  })
  host.addEventListener('peer:identify', ({ detail }) => {
    // Of two nodes that have just met the one that dialled opens the sync: one brings what both lack.
    const { direction } = detail.connection
    const node = detail.peerId.toString()
    peering.told(node, dialableOf(node, detail.listenAddrs.map(String), config.host))
    if (direction === 'outbound' && detail.protocols.includes(syncProtocol.name)) syncWith(detail.connection)
    if (detail.protocols.includes(statusProtocol.name)) return askPeer(detail.connection)
    peering.statusFailed(detail.peerId.toString(), `does not speak ${statusProtocol.name}`)
  })
}

/**
 * Starts a libp2p host and joins it to the network domain: gossip in and out, status streams, and the dialling of
 * bootstrap nodes and acquaintances. It has no clock of its own: what comes round comes with `beat`.
 *
 * @throws MeshRefused when the address cannot be listened on or a bootstrap address is no multiaddr.
 */
export const createMesh = async (options: MeshOptions): Promise<Mesh> => {
  const { seed, config, network, log } = options
  await using opened = new AsyncDisposableStack()

  const stop = new AbortController()
  const work = underway()
  const host = opened.adopt(await startHost(seed, config), (it) => it.stop())
  opened.defer(work.ended)
  opened.defer(() => stop.abort(new Error('the mesh is stopping')))

  const askPeer = (connection: Connection): void => work.add(askStatus(connection, options, stop.signal))
  const syncWith = (connection: Connection): void => work.add(openSync(connection, options, stop.signal))
  /** Opens the syncs that are due, with peers that are connected. */
  const syncAll = (): void => {
    const due = new Set(network.sync?.due(host.getPeers().map(String)))
    for (const connection of host.getConnections())
      if (due.delete(connection.remotePeer.toString())) syncWith(connection)
  }
  const addresses = (): string[] => host.getMultiaddrs().map(String)
  const friends = acquaintances(host, config, stop.signal)
  const mail = speak(host, log)

  const reaching = createReaching(host, { config, known: network.peering.placesOf, signal: stop.signal })

  const meet = (node: string, theirs: readonly string[]): void => {
    reaching.announced(node, theirs)
    friends.meet(node, theirs, work.add)
  }
  const rejoin = (): void => friends.rejoin(work.add, network.peering.remembered)
  host.services.nearby?.addEventListener('peer', ({ detail: { id, multiaddrs } }) => {
    meet(id.toString(), multiaddrs.slice(0, NEARBY_ADDRESSES_MAX).map(String))
  })
  watch(host, options, { askPeer, syncWith })
  await serve(host, options, stop.signal)
  await serveConversations(host, options, stop.signal)
  for (const it of exchanges) {
    const answer = it.answer({ ...options.answering, network })
    if (answer !== undefined) await serveExchange(host, { it, answer }, { log, signal: stop.signal })
  }
  const dialogued = { ports: options.answering ?? {}, log, signal: stop.signal }
  for (const it of dialogues) await serveDialogue(host, it, dialogued)
  listen(host, options)
  work.add(mail.run(stop.signal))
  opened.use(
    network.attach({
      transport: 'libp2p',
      publish: (channel, data) => mail.push({ channel, data }),
      listen: listenTo(host),
      addresses,
      acquaint: meet,
    }),
  )
  opened.defer(network.peering.remember)
  rejoin()

  const resources = opened.move()
  let beats = 0
  return {
    nodeId: host.peerId.toString(),
    addresses,
    peers: () => host.getPeers().map(String),
    beat: () => {
      if (stop.signal.aborted) return
      beats += 1
      network.peering.beat()
      if (beats % STATUS_EVERY_TICKS === 0) work.add(askAll(host, options, stop.signal))
      syncAll()
      for (const it of network.cosigned?.due(host.getPeers().map(String)) ?? []) {
        work.add(askCosigned(host, options, it, stop.signal))
      }
      rejoin()
    },
    reach: reaching.reach,
    ask: (it, asking) => askExchange(host, it, asking),
    talk: (it, opening) => openDialogue(host, it, opening),
    dial: async (address, signal) => (await host.dial(multiaddr(address), { signal })).remotePeer.toString(),
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** Asks every connected peer, a few at a time. */
const askAll = async (host: Host, options: MeshOptions, signal: AbortSignal): Promise<void> => {
  const waiting = host.getConnections()
  const asker = async (): Promise<void> => {
    for (let next = waiting.shift(); next !== undefined && !signal.aborted; next = waiting.shift()) {
      await askStatus(next, options, signal)
    }
  }
  await Promise.all(Array.from({ length: ASKED_AT_ONCE }, asker))
}
