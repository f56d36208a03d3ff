import { utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { signCheckpoint } from '#core/checkpoint.ts'
import { eventBytes, type MeshEvent, signEvent, type UnsignedEvent } from '#core/events.ts'
import { makeHandshake } from '#core/handshake.ts'
import { logName } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { noMeter } from '#core/telemetry.ts'
import { meshTickAt } from '#core/tick.ts'
import { ed25519Sign } from '#crypto'
import { bodyOf } from '#domain/network/frame.ts'
import type { Channel } from '#domain/network/outlet.ts'
import { createNetwork, type NetworkOptions } from '#domain/network/service.ts'
import type { Network } from '#domain/network/types.ts'
import { silentLog } from '#node/log.ts'
import { type FixedClock, fixedClock } from '../../kit/clock.ts'
import type { Random } from '../../kit/random.ts'

export const SECRET = utf8('a secret of a mesh that is at least 32 bytes long')
export const GENESIS = 2_309_999_000

/** A node as others see it: a key, and what it signs. */
export interface Author {
  readonly seed: Uint8Array
  readonly node: string
  event(more?: Partial<UnsignedEvent>): MeshEvent
  presence(tick: number, more?: Readonly<Record<string, Json>>): MeshEvent
  /** A signed checkpoint note of its seal log. `root` fills all 32 bytes. */
  note(size: number, root: number): string
}

/** An author with a key from the seeded randomness. */
export const author = (random: Random): Author => {
  const seed = random.bytes(32)
  const publicKey = publicKeyOfSeed(seed)
  const node = nodeIdOf(publicKey)
  const event = (more: Partial<UnsignedEvent> = {}): MeshEvent =>
    signEvent(seed, { v: 1, type: 'presence', sourceNodeId: node, seq: 0, tick: 0, payload: {}, ...more })
  return {
    seed,
    node,
    event,
    presence: (tick, more = {}) =>
      event({
        tick,
        payload: { addresses: [], genesisTick: GENESIS, registry_version: 'sha256:aa', version: '0.1.0', ...more },
      }),
    note: (size, root) =>
      signCheckpoint({ origin: logName(node, GENESIS), size, root: new Uint8Array(32).fill(root) }, publicKey, seed),
  }
}

/** A network service on a fixed clock, joined to a transport that keeps what it is given. */
export interface Party extends Author, Disposable {
  readonly network: Network
  readonly clock: FixedClock
  readonly meshTick: () => number
  readonly sent: { readonly channel: Channel; readonly data: Uint8Array }[]
  readonly met: string[]
  /** Shards that it listens to. */
  readonly listened: readonly string[]
}

/** @param more options other than those of a private mesh with {@link SECRET} and nothing sealed yet. */
export const party = (random: Random, more: Partial<NetworkOptions> = {}): Party => {
  const self = author(random)
  const clock = fixedClock()
  const sent: Party['sent'] = []
  const met: string[] = []
  const listened: string[] = []
  const network = createNetwork({
    // Signs on this thread, so that what is announced first is sent first.
    signer: { publicKey: publicKeyOfSeed(self.seed), sign: async (bytes) => ed25519Sign(self.seed, bytes) },
    clock,
    genesisMeshTick: GENESIS,
    secrets: [SECRET],
    policy: 'open',
    meshSize: 4_096,
    version: '0.1.0',
    registryVersion: 'sha256:aa',
    ownHead: () => undefined,
    coherence: () => undefined,
    log: silentLog,
    meter: noMeter,
    ...more,
  })
  const attached = network.attach({
    transport: 'libp2p',
    publish: (channel, data) => {
      sent.push({ channel, data })
      return true
    },
    listen: (shards) => void listened.splice(0, Infinity, ...shards),
    addresses: () => ['/ip4/127.0.0.1/tcp/7771'],
    acquaint: (node) => void met.push(node),
  })
  const meshTick = (): number => meshTickAt(clock.now())
  return { ...self, network, clock, sent, met, listened, meshTick, [Symbol.dispose]: () => attached[Symbol.dispose]() }
}

/** The HTTP body of an event. */
export const body = (event: MeshEvent): Uint8Array => bodyOf(eventBytes(event))

/** A handshake for these bytes. */
export const handshake = (sender: string, meshTick: number, of: Uint8Array, secret: Uint8Array = SECRET): string =>
  makeHandshake(secret, { sender, meshTick, body: of })
