import { type Happening, happenedAt } from '#core/when.ts'
import type { Keeping } from './context.ts'
import type { Cosigned } from './cosigned/types.ts'

/** A lasting event, by its place. */
export interface EventPlace {
  /** The event log that holds it. */
  readonly origin: string
  /** Its index there. */
  readonly seq: number
  /** Its own mesh tick. */
  readonly tick: number
}

/**
 * Asks when a lasting event happened, as far as this node knows. The answer follows from what is known, not from when
 * it came to be known; `pending` may become a tick at any time, and a tick another one only if a witness's earlier
 * signature comes to light.
 *
 * @param named when the events happened that it names, each `pending` that is not held here.
 */
export type WhenOf = (event: EventPlace, named?: readonly Happening[]) => Happening

/** @param cosigned undefined where nothing is kept. */
export const createWhenOf =
  (policy: Keeping['policy'], cosigned: Cosigned | undefined): WhenOf =>
  ({ origin, seq, tick }, named = []) =>
    happenedAt({
      tick,
      named,
      cosigned: cosigned?.firstOf(origin, seq),
      witnesses: (policy?.witnesses.size ?? 0) > 0,
    })
