import type { Signer } from '#core/keys.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { WorkPlace } from '#core/work/published.ts'
import type { SegmentName } from '#core/work/segments.ts'
import type { Elsewhere } from '#domain/compute/elsewhere.ts'
import type { Parts } from '#domain/compute/parts.ts'
import type { EventRecorder } from '#domain/network/recorder.ts'
import type { PeerView } from '#domain/network/views.ts'
import type { Blobs, WorkLinks } from '#domain/network/works/types.ts'
import type { Store } from '#store/store.ts'
import type { GivenRow } from '#store/works.ts'

/** A published work that this node found wrong, and where. */
export interface WrongWork {
  readonly place: WorkPlace
  readonly segment: SegmentName
  /** What this node has at the end of the segment: SHA-256 of the state, or the digest of the outcome. */
  readonly own: string
}

/** What a requester is made of. */
export interface RequesterPorts {
  readonly store: Store
  /** The node's identity key: it signs offers. */
  readonly signer: Signer
  readonly nodeId: string
  /** `open`, or the SHA-256 of the policy file. */
  readonly policy: string
  /** Digest of the names and bytes of this node's kernels. */
  readonly kernels: string
  readonly links: Pick<WorkLinks, 'ask' | 'onTold'>
  readonly blobs: Blobs
  readonly parts: Parts
  readonly recorder: EventRecorder
  readonly peers: () => readonly PeerView[]
  /** Mesh ticks for which a bond must have stood before its node is of a pool. */
  readonly poolTicks: number
  /** Segments that are run again. */
  readonly samples: number
  /** Least audit rate, in millionths. */
  readonly auditRate: number
  /** ToldRequester of every wrong work, once it is published. */
  readonly accuse: (finding: WrongWork) => Promise<void>
  /** Asks other nodes for a bond that is not known here. */
  readonly findBond: (bond: string) => Promise<unknown>
  readonly sleep: Sleep
  readonly log: Log
}

/** This node as one that has work done. */
export interface Requester extends Elsewhere, AsyncDisposable {
  /** Jobs given, in no order. */
  given(): readonly GivenRow[]
  /** The job that a work is of; undefined for a work that this node did not ask for. */
  givenOf(work: string): GivenRow | undefined
  /** Reads what was given before the restart; what had no result comes to nothing. */
  load(): Promise<void>
  /** What comes round with the ticks: heartbeats, and the publication of works. */
  beat(): void
}
