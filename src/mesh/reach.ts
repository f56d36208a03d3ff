import type { PeerId } from '@libp2p/interface'
import { peerIdFromString } from '@libp2p/peer-id'
import { multiaddr } from '@multiformats/multiaddr'
import type { Reached } from '#domain/economy/abroad/types.ts'
import { dialableOf } from './acquaintances.ts'
import { type Host, type MeshConfig, namesPeer } from './libp2p.ts'

/** The whole of one attempt to connect. */
const REACH_TIMEOUT_MS = 5_000
/** Attempts under way at once: what callers ask for must not make this node a dialling engine. */
const REACHES_MAX = 8
/** Nodes whose announced addresses are remembered, the newest of so many. */
const ANNOUNCED_MAX = 1_024

export interface ReachOptions {
  readonly config: Pick<MeshConfig, 'host' | 'bootstrap'>
  /** Addresses that a node was found at before, or told itself. */
  readonly known: (node: string) => Promise<readonly string[]>
  readonly signal: AbortSignal
}

/** Connects to nodes that something must go to. */
export interface Reaching {
  /** A node said where it listens; whether it is dialled now is another matter. */
  announced(node: string, addresses: readonly string[]): void
  /** Connects to a node unless it is; whoever asks meanwhile shares the one attempt. Never throws. */
  reach(node: string): Promise<Reached>
}

/** The peer id of a node; undefined for a name that has the form of one and holds no key. */
const peerOf = (node: string): PeerId | undefined => {
  try {
    return peerIdFromString(node)
  } catch {
    return undefined
  }
}

/** Dials a node where it may be: what the settings say of it, what it announced, and where it was found before. */
export const createReaching = (host: Host, { config, known, signal }: ReachOptions): Reaching => {
  const attempts = new Map<string, Promise<Reached>>()
  /** The one heard of last stands last. */
  const announced = new Map<string, readonly string[]>()

  const ofHost = async (peer: PeerId): Promise<readonly string[]> => {
    const found = await host.peerStore.get(peer).catch(() => undefined)
    return found?.addresses.map((it) => it.multiaddr.toString()) ?? []
  }

  const placesOf = async (node: string, peer: PeerId): Promise<readonly string[]> => {
    const suffix = `/p2p/${node}`
    const set = config.bootstrap.filter((it) => namesPeer(it) && it.endsWith(suffix))
    // What it says of itself now stands first: a few are dialled, and those from before may be long gone.
    const before = await known(node).catch(() => [])
    const told = [...(announced.get(node) ?? []), ...before, ...(await ofHost(peer))]
    const named = dialableOf(node, [...new Set(told)], config.host).map((it) => `${it}${suffix}`)
    return [...new Set([...set, ...named])]
  }

  const attempt = async (node: string, peer: PeerId): Promise<Reached> => {
    const places = await placesOf(node, peer)
    if (places.length === 0) return 'unknown'
    const time = AbortSignal.any([signal, AbortSignal.timeout(REACH_TIMEOUT_MS)])
    try {
      await host.dial(
        places.map((it) => multiaddr(it)),
        { signal: time },
      )
      return 'connected'
    } catch {
      return 'silent'
    }
  }

  return {
    announced: (node, addresses) => {
      const places = dialableOf(node, addresses, config.host)
      if (places.length === 0 || node === host.peerId.toString()) return
      announced.delete(node)
      announced.set(node, places)
      const [oldest] = announced.keys()
      if (announced.size > ANNOUNCED_MAX && oldest !== undefined) announced.delete(oldest)
    },
    reach: (node) => {
      const peer = peerOf(node)
      if (peer === undefined) return Promise.resolve('unknown')
      if (host.getConnections(peer).length > 0) return Promise.resolve('connected')
      const running = attempts.get(node)
      if (running !== undefined) return running
      if (signal.aborted || attempts.size >= REACHES_MAX) return Promise.resolve('silent')
      const mine = attempt(node, peer).finally(() => attempts.delete(node))
      attempts.set(node, mine)
      return mine
    },
  }
}
