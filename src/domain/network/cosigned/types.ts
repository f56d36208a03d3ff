/** A question that is due to a peer. */
export interface CosignedQuestion {
  readonly node: string
  readonly question: Uint8Array
}

/** When witnesses signed what of event logs, this node's and others': what decides when an event happened. */
export interface Cosigned {
  /** Answers another node. @throws Error for a question that is none. */
  answer(question: Uint8Array): Uint8Array
  /** Whom to ask now, of the nodes that are connected; takes what came to its own logs as well. Once a tick. */
  due(connected: readonly string[]): readonly CosignedQuestion[]
  /** Takes an answer of a node that was asked; undefined if it gave none. Never throws. */
  take(node: string, answer: Uint8Array | undefined): Promise<void>
  /** POSIX seconds of the first cosignature, by a witness of the policy, of a tree that holds this leaf. */
  firstOf(origin: string, leaf: number): number | undefined
}
