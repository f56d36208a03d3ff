import type { Signer } from '#core/keys.ts'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Parts } from '#domain/compute/parts.ts'
import type { Contribution } from '#domain/network/contribution/types.ts'
import type { Blobs, WorkLinks } from '#domain/network/works/types.ts'
import type { DrawValues } from '#domain/network/works/values.ts'
import type { Store } from '#store/store.ts'
import type { TakenRow } from '#store/works.ts'

/** What a worker is made of. */
export interface WorkerPorts {
  readonly store: Store
  /** The node's identity key: it signs accepts and works. */
  readonly signer: Signer
  readonly nodeId: string
  /** `open`, or the SHA-256 of the policy file. */
  readonly policy: string
  readonly links: Pick<WorkLinks, 'tell' | 'onAsked'>
  readonly blobs: Blobs
  readonly parts: Parts
  readonly contribution: () => Pick<Contribution, 'takesWork' | 'onMode' | 'load' | 'count'>
  readonly values: DrawValues
  /** Asks other nodes for the event that published a work. */
  readonly findWork: (event: string) => Promise<unknown>
  readonly sleep: Sleep
  readonly log: Log
}

/** This node as one that does work for others. */
export interface Worker extends AsyncDisposable {
  /** Works open under a bond: accepted, and their 1,287 ticks not over. */
  worksOpen(bond: string): number
  /** Jobs taken, in no order. */
  taken(): readonly TakenRow[]
  /** The job that a work is of; undefined for a work of another node. */
  takenOf(work: string): TakenRow | undefined
  /** Reads what was taken before the restart. Call it before anything is asked. */
  load(): Promise<void>
  /** What comes round with the ticks: heartbeats, and jobs whose requester is lost. */
  beat(): void
}
