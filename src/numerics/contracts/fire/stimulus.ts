import type { Json } from '#core/canonical.ts'
import type { Cause } from '#core/contract/cause.ts'
import type { Scalar } from '#core/contract/standing.ts'

/** What a contract is asked about: an instant, an event, or a wish. */
export interface Stimulus {
  readonly fire: string
  readonly cause: Cause
  /** Mesh tick of the decision. */
  readonly tick: number
  /** The due instant, as its cause names it; null where no clock pulled. */
  readonly due: number | null
  /** Tries that went before. */
  readonly attempt: number
  readonly of:
    | { readonly kind: 'trigger'; readonly trigger: string }
    | {
        readonly kind: 'event'
        readonly name: string
        /** Slug of the machine that it comes from; null for the contract's own, and for calls. */
        readonly from: string | null
        readonly data: Readonly<Record<string, Json>>
        /** Mesh tick of its entry in a chain, by which it feeds windows; null without one, which feeds none. */
        readonly at: number | null
      }
    | {
        readonly kind: 'transition'
        readonly id: string
        readonly event?: { readonly name: string; readonly data: Readonly<Record<string, Json>> }
      }
    | { readonly kind: 'now' }
  /** What the oracles gave; one that is stale, or not there, is undefined and refuses who reads it. */
  readonly readings: Readonly<Record<string, Scalar | undefined>>
}
