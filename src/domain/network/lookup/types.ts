import type { LookupName } from '#store/rows/indexed.ts'

/** How a node reaches others with a question. */
export interface LookupWay {
  /** Nodes that are connected now. */
  connected(): readonly string[]
  /** Rejects when nobody answers in time. */
  ask(node: string, question: Uint8Array, signal: AbortSignal): Promise<Uint8Array>
}

/** Finds events whose logs are not kept here, by what they name. */
export interface Lookup {
  /** Answers another node. @throws Error for a question that is none. */
  answer(question: Uint8Array): Promise<Uint8Array>
  /**
   * Asks nodes that are connected, a few and for a few seconds, and takes what they prove. Whoever asks again meanwhile
   * shares the answer; for 64 ticks after it nobody is asked again. Never throws.
   *
   * @returns how many events came of it.
   */
  find(about: LookupName): Promise<number>
  /** Gives it the way to other nodes; without one nothing is found. */
  join(way: LookupWay): void
}
