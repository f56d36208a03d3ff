import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { Clock } from '#core/clock.ts'
import { purposes } from '#core/digest.ts'
import { eventLeaf, signEvent } from '#core/events.ts'
import { publicKeyOfSeed, signValue } from '#core/keys.ts'
import { type Log, noMeter } from '#core/telemetry.ts'
import { ed25519Sign, randomBytes } from '#crypto'
import { createRecorder, type EventRecorder } from '#domain/network/recorder.ts'
import { createNetwork } from '#domain/network/service.ts'
import type { Sync } from '#domain/network/sync/types.ts'
import type { Network } from '#domain/network/types.ts'
import { openStore } from '#store/open.ts'
import type { Store } from '#store/store.ts'

/** Payload bytes of an event whose type is kept and not interpreted. */
const FILLER_BYTES = 300
const COMMIT_EVENTS = 500

/** Lines of a bench: only what is wrong. */
export const errorsOnly: Log = {
  debug: () => undefined,
  info: () => undefined,
  audit: () => undefined,
  warn: console.error,
  error: console.error,
}

/** Where a host of a bench listens. */
export const loopback = { host: '127.0.0.1', port: 0, bootstrap: [], announce: [] }

/** The part of a node that keeps and syncs event logs, on a directory of its own. */
export interface Party {
  readonly seed: Uint8Array
  readonly store: Store
  readonly network: Network
  readonly sync: Sync
  readonly recorder: EventRecorder
  readonly clock: Clock
}

/** Opens a party; what it opens is closed with the stack. */
export const openParty = async (opened: AsyncDisposableStack, clock: Clock): Promise<Party> => {
  const seed = randomBytes(32)
  const directory = mkdtempSync(join(tmpdir(), 'tickmesh-sync-'))
  opened.defer(() => rmSync(directory, { recursive: true, force: true }))
  const signer = { publicKey: publicKeyOfSeed(seed), sign: async (bytes: Uint8Array) => ed25519Sign(seed, bytes) }
  const store = opened.use(await openStore({ directory, clock, signer }))
  const recorder = createRecorder(store, signer)
  const network = createNetwork({
    ...{ signer, clock, secrets: [], policy: 'open', meshSize: 4_096, version: 'bench', registryVersion: 'bench' },
    ...{ genesisMeshTick: store.genesisMeshTick, ownHead: () => undefined, coherence: () => undefined },
    ...{ log: errorsOnly, meter: noMeter, keeping: { store, recorder } },
  })
  if (network.sync === undefined) throw new Error('a network with a store syncs')
  return { seed, store, network, sync: network.sync, recorder, clock }
}

/** An assertion of a fresh key that names this node. */
const assertionOf = (node: string, meshTick: number) => {
  const key = randomBytes(32)
  const signed = { node, public_key: Buffer.from(publicKeyOfSeed(key)).toString('hex'), mesh_tick: meshTick }
  return { ...signed, signature: signValue(key, purposes.signUp, signed) }
}

/** Appends events. @param assertions how many of them are of the type that is interpreted; the rest is only kept. */
export const writeEvents = async (party: Party, events: number, assertions = 0): Promise<void> => {
  const { seed, store, recorder, network } = party
  const every = assertions === 0 ? Number.POSITIVE_INFINITY : Math.max(1, Math.floor(events / assertions))
  const filler = 'x'.repeat(FILLER_BYTES)
  for (let done = 0; done < events; done += COMMIT_EVENTS) {
    await store.commit((tx) => {
      for (let i = done; i < Math.min(events, done + COMMIT_EVENTS); i++) {
        if ((i + 1) % every === 0) {
          recorder.in(tx, 'identity.assert', assertionOf(network.nodeId, tx.meshTick))
          continue
        }
        const header = { v: 1, type: 'work', sourceNodeId: network.nodeId, tick: tx.meshTick } as const
        const payload = { i, filler }
        tx.append(purposes.eventLeaf, (seq) => eventLeaf(signEvent(seed, { ...header, seq, payload })), 'events')
      }
    })
  }
}
