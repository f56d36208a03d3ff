import { isIP } from 'node:net'
import { type GossipSub, gossipsub, StrictSign } from '@chainsafe/libp2p-gossipsub'
import { noise } from '@chainsafe/libp2p-noise'
import { bootstrap } from '@libp2p/bootstrap'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { type Identify, identify } from '@libp2p/identify'
import type { PeerDiscovery } from '@libp2p/interface'
import { mdns } from '@libp2p/mdns'
import { peerIdFromString } from '@libp2p/peer-id'
import { type Ping, ping } from '@libp2p/ping'
import { tcp } from '@libp2p/tcp'
import { yamux } from '@libp2p/yamux'
import { multiaddr } from '@multiformats/multiaddr'
import { createLibp2p, type Libp2p } from 'libp2p'
import { toHex } from '#core/bytes.ts'
import { TICK_NS } from '#core/tick.ts'
import { sha256 } from '#crypto'
import { MeshRefused } from './refused.ts'
import { topics } from './topics/index.ts'

/** Where the host listens and whom it knows from the start. */
export interface MeshConfig {
  /** IP address to listen on; loopback unless the owner opens it. */
  readonly host: string
  /** TCP port; 0 takes any that is free. */
  readonly port: number
  /** Multiaddrs of nodes to join by, with or without `/p2p/<node id>`. */
  readonly bootstrap: readonly string[]
  /** Multiaddrs to tell others instead of those listened on. */
  readonly announce: readonly string[]
  /** Looks for nodes in the local network by multicast DNS; absent, it neither asks nor answers. */
  readonly mdns?: { readonly port?: number } | undefined
}

const CONNECTIONS_MAX = 128
const DIALS_MAX = 8
const DIAL_QUEUE_MAX = 64
const DIAL_TIMEOUT_MS = 5_000
/** Connections that have not yet proved who they are. */
const PENDING_MAX = 32
/** New connections a second from one address; nodes on one machine share theirs. */
const INBOUND_PER_SECOND = 5
const INBOUND_PER_SECOND_LOCAL = 64
/** Bytes of one gossipsub frame, which may carry several messages. */
const RPC_BYTES_MAX = 4_194_304
const OUTBOUND_BUFFER_BYTES_MAX = 4_194_304
const TOPIC_BYTES_MAX = 65_536
/** A repeat is known for as long as a handshake of it could still be in its window. */
const SEEN_MS = Number((241n * TICK_NS) / 1_000_000n)
/** Keeps a bootstrap node's connection: libp2p reconnects to peers whose tag begins with this. */
const KEEP_ALIVE = 'keep-alive-bootstrap'

/** Whether an IP address reaches this machine alone. */
export const isLoopback = (host: string): boolean => host === '::1' || /^127\./.test(host)

/** Whether a multiaddr says whom to expect there. */
export const namesPeer = (address: string): boolean => /\/p2p\/[1-9A-HJ-NP-Za-km-z]+$/.test(address)

/**
 * Only what a sender must answer for counts: invalid messages lower its score and silence does not, because a quiet
 * mesh is a healthy one. Nine invalid messages at once pass the graylist threshold; the count halves in 23 seconds.
 */
const topicScore = {
  topicWeight: 1,
  timeInMeshWeight: 0.01,
  timeInMeshQuantum: 1_000,
  timeInMeshCap: 300,
  firstMessageDeliveriesWeight: 0.1,
  firstMessageDeliveriesDecay: 0.9,
  firstMessageDeliveriesCap: 20,
  meshMessageDeliveriesWeight: 0,
  meshFailurePenaltyWeight: 0,
  invalidMessageDeliveriesWeight: -1,
  invalidMessageDeliveriesDecay: 0.97,
}

const gossip = (local: boolean) =>
  gossipsub({
    globalSignaturePolicy: StrictSign,
    // The same bytes are the same message, whoever publishes them and however often.
    msgIdFn: (message) => sha256(message.data),
    msgIdToStrFn: toHex,
    allowPublishToZeroTopicPeers: true,
    ignoreDuplicatePublishError: true,
    emitSelf: false,
    fallbackToFloodsub: false,
    doPX: false,
    seenTTL: SEEN_MS,
    maxInboundStreams: 2,
    maxOutboundStreams: 2,
    maxInboundDataLength: RPC_BYTES_MAX,
    maxOutboundBufferSize: OUTBOUND_BUFFER_BYTES_MAX,
    maxTopicBytesPerPeer: TOPIC_BYTES_MAX,
    allowedTopics: topics.map((it) => it.name),
    scoreParams: {
      topics: Object.fromEntries(topics.map((it) => [it.name, topicScore])) as never,
      // Nodes on one machine share an address; elsewhere sharing one is a sign of many faces of one peer.
      ...(local ? { IPColocationFactorWeight: 0 } : {}),
    },
  })

const assertMultiaddr = (address: string): void => {
  try {
    multiaddr(address)
  } catch (cause) {
    throw new MeshRefused(`this is no multiaddr: ${address}`, { cause })
  }
  try {
    if (namesPeer(address)) peerIdFromString(address.slice(address.lastIndexOf('/') + 1))
  } catch (cause) {
    throw new MeshRefused(`no node has the id at the end of ${address}: was all of it copied?`, { cause })
  }
}

/** The libp2p services of a host. */
export type HostServices = {
  readonly identify: Identify
  readonly ping: Ping
  readonly gossip: GossipSub
  /** What hears of nodes near by. It tells, and dials nobody; nor is it libp2p's own discovery, which has no bounds. */
  readonly nearby: PeerDiscovery | undefined
}
export type Host = Libp2p<HostServices>

/**
 * A started libp2p host whose peer id is the node id of `seed`: tcp, noise, yamux, identify, ping, gossipsub, and mdns
 * if it is asked for.
 *
 * @throws MeshRefused when the address cannot be listened on or an address of the settings is none.
 */
export const startHost = async (seed: Uint8Array, config: MeshConfig): Promise<Host> => {
  const local = isLoopback(config.host)
  for (const address of [...config.bootstrap, ...config.announce]) assertMultiaddr(address)
  if (isIP(config.host) === 0) throw new MeshRefused(`p2p.host is no IP address: ${config.host}`)
  const listen = `/${config.host.includes(':') ? 'ip6' : 'ip4'}/${config.host}/tcp/${config.port}`
  const known = config.bootstrap.filter(namesPeer)
  const host = await createLibp2p<HostServices>({
    privateKey: await generateKeyPairFromSeed('Ed25519', seed),
    start: false,
    addresses: { listen: [listen], announce: [...config.announce] },
    transports: [tcp({ maxConnections: 2 * CONNECTIONS_MAX, backlog: PENDING_MAX })],
    connectionEncrypters: [noise()],
    streamMuxers: [yamux()],
    connectionManager: {
      maxConnections: CONNECTIONS_MAX,
      maxParallelDials: DIALS_MAX,
      maxDialQueueLength: DIAL_QUEUE_MAX,
      dialTimeout: DIAL_TIMEOUT_MS,
      maxIncomingPendingConnections: PENDING_MAX,
      inboundConnectionThreshold: local ? INBOUND_PER_SECOND_LOCAL : INBOUND_PER_SECOND,
    },
    peerDiscovery:
      known.length === 0
        ? []
        : [bootstrap({ list: known, timeout: 1, tagName: KEEP_ALIVE, tagTTL: Number.POSITIVE_INFINITY })],
    services: {
      ...{ identify: identify(), ping: ping(), gossip: gossip(local) },
      nearby: (components) => (config.mdns === undefined ? undefined : mdns(config.mdns)(components)),
    },
  })
  try {
    await host.start()
  } catch (cause) {
    await host.stop()
    throw new MeshRefused(`libp2p cannot listen on ${listen}: is the port taken?`, { cause })
  }
  return host
}
