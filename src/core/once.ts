/** How a repeat of a call is known. */
export interface Repeat {
  /** What an Idempotency-Key is one within: the name of what is called, which whoever asks chooses. */
  readonly scope: string
  /** The Idempotency-Key; undefined when none was sent. */
  readonly key: string | undefined
  /** What the call says: another one under the same Idempotency-Key is refused. */
  readonly input: Readonly<Record<string, unknown>>
}

/** What a service answers, and whether it is the answer of an earlier call under the same Idempotency-Key. */
export type WithReplayed<T> = T & { readonly replayed: boolean }
