import type { Transaction } from '#store/transaction.ts'
import type { AskedOfWorker, ToldRequester } from './messages.ts'

/**
 * The persistent, acknowledged way between requesters and workers. A message is acknowledged once the far side's
 * listener has taken it (its promise resolved), and comes at least once: listeners take a repeat for what it is.
 */
export interface WorkLinks {
  /** Says something to a worker. @throws Error when it was not acknowledged before the signal aborted. */
  ask(node: string, message: AskedOfWorker, signal: AbortSignal): Promise<void>
  /** Says something to a requester. @throws as `ask` */
  tell(node: string, message: ToldRequester, signal: AbortSignal): Promise<void>
  /** Who takes what is asked of this node as a worker. A throw breaks the stream, and nothing is acknowledged. */
  onAsked(take: (node: string, message: AskedOfWorker) => Promise<void>): void
  /** Who takes what this node is told as a requester. */
  onTold(take: (node: string, message: ToldRequester) => Promise<void>): void
}

/** What can be asked for on `/tickmesh/blob/1`. */
export type BlobName =
  /** Bytes by their SHA-256: states, records, outcomes. */
  | { readonly kind: 'bytes'; readonly sha256: string }
  /** Digests of the states of a run, one after another, by the root of its work. */
  | { readonly kind: 'states'; readonly root: string }
  /** Canonical JSON of the full inputs, by their inputs_digest. */
  | { readonly kind: 'inputs'; readonly digest: string }
  /** All that a run kept, one record after another, by the digest of its work: its end shows if they are its. */
  | { readonly kind: 'records'; readonly work: string }
  /** Canonical JSON {offer, accept, work}, each with its signature, by the digest of the work. */
  | { readonly kind: 'dossier'; readonly work: string }
  /** The tokens of a part of a bond, packed. */
  | { readonly kind: 'list'; readonly bond: string; readonly tokens_root: string }

/** Values by name between nodes: kept here for a while, served, and pulled from whoever has them. */
export interface Blobs {
  /** Keeps a value to a mesh tick, in a batch; one that is kept stays to the later of both. @returns SHA-256 */
  put(tx: Transaction, name: BlobName, bytes: Uint8Array, until: number): string
  /** Moves the end of what is kept under a name, later only. */
  extend(tx: Transaction, name: BlobName, until: number): void
  /** What is kept here under a name, or found by who serves that kind. */
  get(name: BlobName): Promise<Uint8Array | undefined>
  /**
   * Gets a value from here or from the first of some nodes that has it, up to 64 MiB. `bytes` are verified by their
   * name; of all other kinds `isRight` says whether they are what was asked for.
   *
   * @returns undefined when none of them has it, or could be reached, before the signal aborted.
   * @throws Fault NODE_BUSY when too much is pulled at once, which says nothing of who has it.
   */
  pull(
    name: BlobName,
    from: readonly string[],
    options: { readonly signal: AbortSignal; readonly isRight?: (bytes: Uint8Array) => boolean },
  ): Promise<Uint8Array | undefined>
  /** Finds values of a kind that are not kept as blobs. */
  serve(kind: BlobName['kind'], find: (name: BlobName) => Promise<Uint8Array | undefined>): void
}
