/** What a member of a context, of an event's data or an oracle may be. */
export type Scalar = number | string | boolean | null

/** One of the 60 equal parts of a window that had an event; numbers are null where the field is none. */
export interface WindowPart {
  /** Mesh tick divided by the width of a part, rounded down. */
  readonly part: number
  readonly count: number
  /** Null once it went beyond the doubles. */
  readonly sum: number | null
  readonly min: number | null
  readonly max: number | null
  readonly last: Scalar
}

/** Everything that the next decision of a contract rests on, beside its version. */
export interface ContractStanding {
  readonly state: string
  /** The fire that entered the state, or the contract's digest at its beginning, and in which mesh tick. */
  readonly entered: { readonly fire: string; readonly tick: number }
  readonly context: Readonly<Record<string, Scalar>>
  /** Parts with events, oldest first, of each window; those that ran out may still stand. */
  readonly windows: Readonly<Record<string, readonly WindowPart[]>>
  /** The last due instant that was decided, or that it began after, of each trigger: Unix seconds, or mesh ticks. */
  readonly marks: Readonly<Record<string, number>>
}
