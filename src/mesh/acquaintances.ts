import { isIP } from 'node:net'
import { multiaddr } from '@multiformats/multiaddr'
import type { RememberedPeer } from '#domain/network/remembered-peers.ts'
import { type Host, isLoopback, type MeshConfig, namesPeer } from './libp2p.ts'

/** Connections a node looks for by itself; more may come in from others. */
const WANTED = 12
/** Dials of announced nodes under way at once: what strangers announce must not make this node a dialling engine. */
const DIALS_MAX = 4
const ADDRESSES_MAX = 4
const DIAL_TIMEOUT_MS = 5_000
/** Calls of `rejoin` between two tries of a bootstrap address. */
const REJOIN_EVERY = 8
/** Calls of `rejoin` between two rounds over the peers from before: alone, and at most. */
const RECALL_EVERY_MIN = 8
const RECALL_EVERY_MAX = 1_287

type Track = (work: Promise<void>) => void

/** Whom this node dials of its own accord: nodes that presence announced, and bootstrap nodes that are away. */
export interface Acquaintances {
  meet(node: string, addresses: readonly string[], track: Track): void
  /**
   * Called with every beat; tries absent bootstrap nodes every few, and peers from before a restart: often while it is
   * alone, and ever more rarely otherwise.
   */
  rejoin(track: Track, remembered: () => Promise<readonly RememberedPeer[]>): void
}

/** Loopback, unspecified and IPv4 written as IPv6: names of the dialling machine itself. */
const isInner = (ip: string): boolean => isLoopback(ip) || ip === '0.0.0.0' || /^(::|0+:)/.test(ip)

const plainTcp = /^\/ip[46]\/([0-9a-f.:]+)\/tcp\/\d{1,5}$/

/**
 * Whether a node that listens on `ownHost` dials an announced address: only plain TCP ones, and loopback ones only if
 * it is on loopback itself, so that no stranger can point it at what runs beside it.
 */
export const dialable = (address: string, ownHost: string): boolean => {
  const ip = plainTcp.exec(address)?.[1]
  return ip !== undefined && isIP(ip) !== 0 && (!isInner(ip) || isLoopback(ownHost))
}

/** The places of a node among addresses that it may be dialled at, without its id: a few, and none of another node. */
export const dialableOf = (node: string, addresses: readonly string[], ownHost: string): string[] => {
  const suffix = `/p2p/${node}`
  return addresses
    .map((it) => (it.endsWith(suffix) ? it.slice(0, -suffix.length) : it))
    .filter((it) => dialable(it, ownHost))
    .slice(0, ADDRESSES_MAX)
}

/** Dials the bootstrap addresses and the announced ones until the signal aborts. */
export const acquaintances = (host: Host, config: MeshConfig, signal: AbortSignal): Acquaintances => {
  const dialling = new Set<string>()
  /** Bootstrap address → the node found there last. */
  const joined = new Map<string, string>()
  let calls = 0

  const isConnected = (node: string): boolean => host.getPeers().some((it) => it.toString() === node)

  /** A dial that fails is tried again at the next occasion, so its failure needs no word. */
  const dial = async (key: string, addresses: readonly string[]): Promise<string | undefined> => {
    dialling.add(key)
    try {
      const time = AbortSignal.any([signal, AbortSignal.timeout(DIAL_TIMEOUT_MS)])
      const connection = await host.dial(
        addresses.map((it) => multiaddr(it)),
        { signal: time },
      )
      return connection.remotePeer.toString()
    } catch {
      return undefined
    } finally {
      dialling.delete(key)
    }
  }

  const join = async (address: string): Promise<void> => {
    const node = await dial(address, [address])
    if (node !== undefined) joined.set(address, node)
  }

  const visit = async (node: string, addresses: readonly string[]): Promise<void> => {
    await dial(node, addresses)
  }

  /** Peers from before that are not tried yet in this round. */
  let waiting: readonly RememberedPeer[] = []
  let recallAt = 0
  let pauseCalls = RECALL_EVERY_MIN
  /** Tries a few peers from before; a round over all of them is followed by a longer pause, unless nobody is there. */
  const recallSome = async (track: Track, remembered: () => Promise<readonly RememberedPeer[]>): Promise<void> => {
    if (waiting.length === 0) {
      waiting = await remembered().catch(() => [])
      pauseCalls = host.getPeers().length === 0 ? RECALL_EVERY_MIN : Math.min(2 * pauseCalls, RECALL_EVERY_MAX)
    }
    const next = waiting.slice(0, DIALS_MAX)
    waiting = waiting.slice(DIALS_MAX)
    for (const { node, addresses } of next) self.meet(node, addresses, track)
  }
  const recall = (track: Track, remembered: () => Promise<readonly RememberedPeer[]>): void => {
    if (signal.aborted || calls < recallAt || host.getPeers().length >= WANTED) return
    recallAt = calls + (waiting.length > 0 ? REJOIN_EVERY : pauseCalls)
    track(recallSome(track, remembered))
  }

  const self: Acquaintances = {
    meet: (node, addresses, track) => {
      if (signal.aborted || dialling.size >= DIALS_MAX || dialling.has(node)) return
      if (host.getPeers().length >= WANTED || isConnected(node)) return
      if (node === host.peerId.toString()) return
      const named = dialableOf(node, addresses, config.host).map((it) => `${it}/p2p/${node}`)
      if (named.length > 0) track(visit(node, named))
    },
    rejoin: (track, remembered) => {
      recall(track, remembered)
      const due = calls % REJOIN_EVERY === 0
      calls += 1
      if (!due || signal.aborted) return
      for (const address of config.bootstrap) {
        const node = namesPeer(address) ? address.slice(address.lastIndexOf('/') + 1) : joined.get(address)
        if (node === host.peerId.toString() || (node !== undefined && isConnected(node))) continue
        if (!dialling.has(address)) track(join(address))
      }
    },
  }
  return self
}
