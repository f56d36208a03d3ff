/** A witness's answer to add-checkpoint, as it came. */
export interface PushAnswer {
  readonly status: number
  readonly body: string
}

/** What a node of the mesh says of its witness: its word about the key, and what it cosigned of one log. */
export interface WitnessState {
  readonly statement: Uint8Array
  /** The checkpoint it cosigned last, with its line; empty for a log it never cosigned. */
  readonly note: string
}

/** Bytes of an answer that are read; a witness has no more to say. */
export const ANSWER_BYTES_MAX = 16_384

/** How a log reaches its witnesses. Every call rejects when nobody answers in time. */
export interface WitnessTransport {
  /** add-checkpoint to a connected node. */
  push(node: string, body: string, signal: AbortSignal): Promise<PushAnswer>
  /** Asks a connected node about its witness. */
  state(node: string, origin: string, signal: AbortSignal): Promise<WitnessState>
  /** add-checkpoint to a submission prefix that the owner's policy names. */
  post(url: string, body: string, signal: AbortSignal): Promise<PushAnswer>
  /** The checkpoint that a prefix shows of the log with this origin hash; undefined where it shows none. */
  monitor(url: string, originHash: string, signal: AbortSignal): Promise<string | undefined>
}
