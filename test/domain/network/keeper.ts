import { purposes } from '#core/digest.ts'
import { eventLeaf, signEvent } from '#core/events.ts'
import { nodeIdOf, publicKeyOfSeed, type Signer, signValue } from '#core/keys.ts'
import type { Policy } from '#core/policy.ts'
import { ed25519Sign } from '#crypto'
import { createRecorder, type EventRecorder } from '#domain/network/recorder.ts'
import { createNetwork } from '#domain/network/service.ts'
import type { Wire } from '#domain/network/sync/inbox.ts'
import type { Bounds } from '#domain/network/sync/limits.ts'
import type { Sync } from '#domain/network/sync/types.ts'
import type { Network } from '#domain/network/types.ts'
import { silentLog } from '#node/log.ts'
import { sourceOf } from '#store/foreign.ts'
import type { Row, TableName } from '#store/layout.ts'
import { openStore } from '#store/open.ts'
import type { ForeignLogRow } from '#store/rows/event.ts'
import type { Store } from '#store/store.ts'
import { type FixedClock, fixedClock } from '../../kit/clock.ts'
import type { Random } from '../../kit/random.ts'
import { tempDir } from '../../kit/temp.ts'
import { GENESIS } from './party.ts'

/** A network service on a real store, with what it counted. */
export interface Keeper extends AsyncDisposable {
  readonly seed: Uint8Array
  readonly node: string
  readonly store: Store
  readonly network: Network
  readonly recorder: EventRecorder
  readonly sync: Sync
  readonly clock: FixedClock
  readonly directory: string
  readonly counted: Map<string, number>
  /** Appends lasting events of two types, one known here and one not, and closes the tick. */
  write(events: number): Promise<void>
  /** The newest note of its event log. */
  note(): string
}

export interface KeeperOptions {
  readonly directory?: string
  readonly seed?: Uint8Array
  readonly secrets?: readonly Uint8Array[]
  readonly bounds?: Bounds
  /** Logs of the policy. */
  readonly named?: ReadonlySet<string>
  readonly policy?: Policy
  readonly clock?: FixedClock
  /** Told of everything that is counted. */
  readonly told?: (name: string, by: number) => void
}

const signerOf = (seed: Uint8Array): Signer => ({
  publicKey: publicKeyOfSeed(seed),
  sign: async (bytes) => ed25519Sign(seed, bytes),
})

/** Opens a keeper; in an open mesh unless secrets are given. */
export const keeper = async (random: Random, options: KeeperOptions = {}): Promise<Keeper> => {
  await using opened = new AsyncDisposableStack()
  const directory = options.directory ?? opened.use(tempDir()).path
  const seed = options.seed ?? random.bytes(32)
  const signer = signerOf(seed)
  const node = nodeIdOf(signer.publicKey)
  const clock = options.clock ?? fixedClock()
  const store = opened.use(await openStore({ directory, clock, signer }))
  const recorder = createRecorder(store, signer)
  const counted = new Map<string, number>()
  const network = createNetwork({
    signer,
    clock,
    genesisMeshTick: GENESIS,
    secrets: options.secrets ?? [],
    policy: 'open',
    meshSize: 4_096,
    version: '0.1.0',
    registryVersion: 'sha256:aa',
    ownHead: () => store.log.checkpoint?.note,
    coherence: () => undefined,
    log: silentLog,
    meter: {
      count: (name, labels, by = 1) => {
        const key = [name, ...Object.values(labels ?? {})].join(' ')
        counted.set(key, (counted.get(key) ?? 0) + by)
        options.told?.(key, by)
      },
      observe: () => undefined,
    },
    keeping: { store, recorder, bounds: options.bounds, named: options.named, policy: options.policy },
  })
  const { sync } = network
  if (sync === undefined) throw new Error('a network with a store syncs')
  const resources = opened.move()

  /** A ZID names this node: what a sign-up records. */
  const assertion = (meshTick: number) => {
    const key = random.bytes(32)
    const public_key = Buffer.from(publicKeyOfSeed(key)).toString('hex')
    const signed = { node, public_key, mesh_tick: meshTick }
    return { ...signed, signature: signValue(key, purposes.signUp, signed) }
  }

  const write = async (events: number): Promise<void> => {
    for (let done = 0; done < events; done += 500) {
      await store.commit((tx) => {
        for (let i = done; i < Math.min(done + 500, events); i++) {
          if (i % 50 === 0) recorder.in(tx, 'identity.assert', assertion(tx.meshTick))
          else {
            const payload = { note: `event ${i}`, filler: 'x'.repeat(i % 200) }
            const unsigned = { v: 1, type: 'work', sourceNodeId: node, tick: tx.meshTick, payload } as const
            tx.append(purposes.eventLeaf, (seq) => eventLeaf(signEvent(seed, { ...unsigned, seq })), 'events')
          }
        }
      })
    }
    clock.advanceTicks(1)
    await store.closeTick()
  }

  return {
    seed,
    node,
    store,
    network,
    recorder,
    sync,
    clock,
    directory,
    counted,
    write,
    note: () => store.events.checkpoint?.note ?? '',
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}

/** All rows of a table. */
export const rowsIn = async <N extends TableName>(
  { store }: Keeper,
  table: N,
): Promise<(readonly [string, Row<N>])[]> => {
  const rows: (readonly [string, Row<N>])[] = []
  for await (const row of store.range(table)) rows.push(row)
  return rows
}

/** What one keeper holds of another's event log. */
export const foreignRow = (it: Keeper, of: Keeper): ForeignLogRow | undefined =>
  it.store.peek('foreignLog', sourceOf(of.store.events.origin))

/** Frames one way. */
interface Lane {
  push(frame: Uint8Array): void
  end(): void
  fail(error: Error): void
  frames(): AsyncGenerator<Uint8Array>
}

const lane = (): Lane => {
  const waiting: Uint8Array[] = []
  let over: { readonly error?: Error } | undefined
  let wake = Promise.withResolvers<void>()
  const finish = (error?: Error): void => {
    over ??= error === undefined ? {} : { error }
    wake.resolve()
  }
  return {
    push: (frame) => {
      waiting.push(frame)
      wake.resolve()
    },
    end: () => finish(),
    fail: finish,
    frames: async function* () {
      for (;;) {
        const frame = waiting.shift()
        if (frame !== undefined) yield frame
        else if (over?.error !== undefined) throw over.error
        else if (over !== undefined) return
        else {
          wake = Promise.withResolvers()
          await wake.promise
        }
      }
    },
  }
}

/** One end of a stream in memory. */
export interface End extends Wire {
  /** Closes this side's way out. */
  close(): void
  /** Breaks the stream off, as the other side sees it. */
  breakOff(error: Error): void
  /** Lets every wait of this end run out. */
  expire(): void
}

/** Alters what one side sends: one frame in, any number out, by its place. */
export type Tamper = (frame: Uint8Array, place: number) => readonly Uint8Array[] | 'end'

const end = (out: Lane, into: Lane, tamper: Tamper = (frame) => [frame]): End => {
  const stop = new AbortController()
  let place = 0
  return {
    frames: into.frames(),
    send: async (frame) => {
      const sent = tamper(frame, place)
      place += 1
      if (sent === 'end') out.end()
      else for (const it of sent) out.push(it)
    },
    deadline: () => stop.signal,
    close: out.end,
    breakOff: out.fail,
    expire: () => stop.abort(),
  }
}

/** A stream in memory. @param tamper alters what the first end sends. */
export const stream = (tamper?: Tamper): readonly [End, End] => {
  const [there, back] = [lane(), lane()]
  return [end(there, back, tamper), end(back, there)]
}

/** What of a keeper syncs. */
type Syncing = Pick<Keeper, 'node' | 'sync'>

/** Runs a whole sync between two keepers; the first opens. @param tamper alters what the second sends. */
export const syncBetween = async (asker: Syncing, relay: Syncing, tamper?: Tamper) => {
  const [theirs, ours] = stream(tamper)
  const other = relay.sync.run(asker.node, theirs, false).finally(theirs.close)
  const outcome = await asker.sync.run(relay.node, ours, true)
  // A stream whose sync was given up is aborted, as on libp2p.
  if (outcome.ok) ours.close()
  else ours.breakOff(new Error('given up'))
  return { own: outcome, other: await other }
}
