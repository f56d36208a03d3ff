import { multiaddr } from '@multiformats/multiaddr'
import type { Clock } from '#core/clock.ts'
import type { NetworkOptions } from '#domain/network/service.ts'
import type { Network } from '#domain/network/types.ts'
import { createMesh, type Mesh } from '#mesh/host.ts'
import { type Host, type MeshConfig, startHost } from '#mesh/libp2p.ts'
import { commonTopics } from '#mesh/topics/index.ts'
import { silentLog } from '#node/log.ts'
import { type Author, author, party } from '../domain/network/party.ts'
import type { Random } from '../kit/random.ts'

/** A real host on loopback with a network service on a fixed clock. */
export interface MeshParty extends AsyncDisposable, Author {
  readonly network: Network
  readonly mesh: Mesh
  readonly clock: ReturnType<typeof party>['clock']
  readonly meshTick: () => number
  readonly address: string
  /** Nodes that listen to this one's gossip. */
  readonly listeners: ReadonlySet<string>
  /** Resolves when `holds` does; looks again after everything that reaches the service. */
  until(holds: () => boolean, signal: AbortSignal): Promise<void>
}

const loopback = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }

/** The network, with a word after every call that may have changed it. */
const observed = (network: Network, listeners: Set<string>, told: () => void): Network => {
  const after =
    <A extends readonly unknown[], R>(work: (...args: A) => R) =>
    (...args: A): R => {
      const result = work(...args)
      queueMicrotask(told)
      return result
    }
  const { peering } = network
  return {
    ...network,
    receive: after(network.receive),
    peering: {
      ...peering,
      connected: after(peering.connected),
      disconnected: after(peering.disconnected),
      listening: after((node: string) => {
        listeners.add(node)
        peering.listening(node)
      }),
      statusOf: after(peering.statusOf),
      statusFailed: after(peering.statusFailed),
    },
  }
}

/** Starts a host. Nothing beats by itself, so nothing is said but what a test says. */
export const meshParty = async (
  random: Random,
  { bootstrap = [], mdns, ...more }: Partial<NetworkOptions> & Partial<Pick<MeshConfig, 'bootstrap' | 'mdns'>> = {},
): Promise<MeshParty> => {
  const base = party(random, more)
  // The party's own transport gives way to the real one.
  base[Symbol.dispose]()
  const watchers = new Set<() => void>()
  const listeners = new Set<string>()
  const network = observed(base.network, listeners, () => {
    for (const look of watchers) look()
  })
  const clock: Clock = base.clock
  const config = { ...loopback, bootstrap, mdns }
  const mesh = await createMesh({ seed: base.seed, config, network, clock, log: silentLog })
  const [address = ''] = mesh.addresses()
  return {
    ...base,
    network,
    mesh,
    address,
    listeners,
    until: (holds, signal) =>
      new Promise((resolve, reject) => {
        const look = (): void => {
          if (!holds()) return
          watchers.delete(look)
          resolve()
        }
        watchers.add(look)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
        look()
      }),
    [Symbol.asyncDispose]: () => mesh[Symbol.asyncDispose](),
  }
}

/** A bare libp2p host that obeys nothing: it publishes whatever bytes it is given. */
export interface Stranger extends AsyncDisposable, Author {
  readonly host: Host
  join(address: string, signal: AbortSignal): Promise<void>
  publish(topic: string, data: Uint8Array): Promise<void>
}

export const stranger = async (random: Random): Promise<Stranger> => {
  const self = author(random)
  const host = await startHost(self.seed, loopback)
  const { gossip } = host.services
  for (const { name } of commonTopics) gossip.subscribe(name)
  return {
    ...self,
    host,
    join: async (address, signal) => {
      const there = new Promise<void>((resolve, reject) => {
        const look = (): void => {
          if (commonTopics.every(({ name }) => gossip.getSubscribers(name).length > 0)) resolve()
        }
        gossip.addEventListener('subscription-change', look)
        signal.addEventListener('abort', () => reject(signal.reason), { once: true })
      })
      await host.dial(multiaddr(address), { signal })
      await there
    },
    publish: async (topic, data) => void (await gossip.publish(topic, data)),
    [Symbol.asyncDispose]: async () => host.stop(),
  }
}
