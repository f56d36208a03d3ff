/** Bytes, heap and outside of it together, above which a thread that has answered collects its garbage. */
export const COLLECTED_BYTES_MIN = 100_663_296
/** Bytes, heap and outside of it together, that a thread may hold while it waits; one that holds more is ended. */
export const KEPT_BYTES_MAX = 134_217_728

/** What a thread is asked for: a function that a module exports, and its argument. */
export interface ThreadOrder {
  /** Address of the module. */
  readonly file: string
  readonly name: string
  readonly value: unknown
}

/** What a thread says, in this order: the answer of an order, and what it holds now that it is free again. */
export type FromThread = { readonly reply: unknown } | { readonly bytesHeld: number }
