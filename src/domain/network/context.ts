import { toBase64 } from '#core/bytes.ts'
import { type Clock, type Moment, momentAt } from '#core/clock.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import type { Policy } from '#core/policy.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Mode } from '#core/work/mode.ts'
import type { Store } from '#store/store.ts'
import { type Activity, createActivity } from './activity.ts'
import type { Cosigned } from './cosigned/types.ts'
import { createHeads, type Heads, type HeadVerdict } from './heads.ts'
import type { Outlet, Transport } from './outlet.ts'
import { createPeers, type Peers } from './peers.ts'
import type { EventRecorder } from './recorder.ts'
import type { Bounds } from './sync/limits.ts'
import type { Sync } from './sync/types.ts'
import { type DropReason, dropReasons, type RedisStatus } from './views.ts'

/** What a node's network is made of. */
export interface NetworkOptions {
  /** The node's identity key. */
  readonly signer: Signer
  readonly clock: Clock
  /** Mesh tick of the node's genesis. */
  readonly genesisMeshTick: number
  /** The mesh secret as bytes and, while it is being changed, the one before; none for an open mesh. */
  readonly secrets: readonly Uint8Array[]
  /** `open`, or the SHA-256 of the policy file. */
  readonly policy: string
  /** Nodes that the pace of heads and presence goes by, at most. */
  readonly meshSize: number
  readonly version: string
  readonly registryVersion: string
  /** What it does for others, and with which kernels; undefined for a node that says nothing of it. */
  readonly contributes?: (() => { readonly mode: Mode; readonly kernels: string } | undefined) | undefined
  /** Nodes that this one works for and with, those that matter most first: it listens to what is said of theirs. */
  readonly partners?: (() => readonly string[]) | undefined
  /** The newest durable checkpoint note of the seal log. */
  readonly ownHead: () => string | undefined
  /** Coherence that the last real verification found. */
  readonly coherence: () => number | undefined
  /** How the entrance over Redis stands; off unless given. */
  readonly redis?: (() => RedisStatus) | undefined
  /** Where lasting events are kept. A network without it hears and says, and keeps nothing. */
  readonly keeping?: Keeping | undefined
  readonly log: Log
  readonly meter: Meter
}

/** The store, with the event log in it, and who writes to that log. */
export interface Keeping {
  readonly store: Store
  readonly recorder: EventRecorder
  /** How much of other nodes' event logs is kept; the release's own bounds unless given. */
  readonly bounds?: Bounds | undefined
  /** Logs of the policy: no stranger takes their places. */
  readonly named?: ReadonlySet<string> | undefined
  /** Whose witnesses say when events happened; undefined for the open one. */
  readonly policy?: Policy | undefined
}

interface Tally {
  readonly received: { http: number; libp2p: number; redis: number }
  readonly repeated: { replayed: number; duplicate: number }
  readonly dropped: Record<DropReason, number>
  published: number
  unpublished: number
}

/** What the parts of the network service share. All of it is in memory and bounded. */
export interface NetworkContext {
  readonly options: NetworkOptions
  readonly nodeId: string
  readonly heads: Heads
  readonly peers: Peers
  readonly activity: Activity
  readonly tally: Tally
  /** The transports that there are now. */
  readonly outlets: Map<Transport, Outlet>
  /** Event logs of other nodes, where something is kept. */
  sync: Sync | undefined
  /** When witnesses signed event logs, where something is kept. */
  cosigned: Cosigned | undefined
  /** Effects of gossiped events that are on their way to the disk. */
  hearing: number
  moment(): Moment
  /** Compares a head and remembers it with its node. @throws Fault BAD_SIGNATURE unless the note is that node's. */
  takeHead(node: string, note: string): HeadVerdict
}

/** Multiaddrs that others can reach this node at. */
export const addressesOf = ({ outlets }: NetworkContext): readonly string[] =>
  [...outlets.values()].flatMap((it) => it.addresses())

const noTally = (): Tally => ({
  received: { http: 0, libp2p: 0, redis: 0 },
  repeated: { replayed: 0, duplicate: 0 },
  dropped: Object.fromEntries(dropReasons.map((it) => [it, 0])) as Record<DropReason, number>,
  published: 0,
  unpublished: 0,
})

/** What the parts of the network domain share, empty. */
export const createContext = (options: NetworkOptions): NetworkContext => {
  const heads = createHeads(options.keeping?.named)
  const peers = createPeers(options.meshSize)
  const moment = (): Moment => momentAt(options.clock.now(), options.genesisMeshTick)
  const context: NetworkContext = {
    options,
    nodeId: nodeIdOf(options.signer.publicKey),
    heads,
    peers,
    activity: createActivity(),
    tally: noTally(),
    outlets: new Map(),
    sync: undefined,
    cosigned: undefined,
    hearing: 0,
    moment,
    takeHead: (node, note) => {
      const { meshTick } = moment()
      const { verdict, checkpoint } = heads.take(note, node, meshTick)
      const { origin, size } = checkpoint
      if (verdict === 'equivocation') options.log.error({ node, origin, size }, 'log_equivocated')
      if (verdict === 'newer' && origin.startsWith('tickmesh.log/')) {
        peers.note(node, meshTick, { head: { origin, size, root: toBase64(checkpoint.root) } })
      }
      if (verdict === 'newer' && origin.startsWith('tickmesh.events/')) context.sync?.noted(origin, size)
      return verdict
    },
  }
  return context
}
