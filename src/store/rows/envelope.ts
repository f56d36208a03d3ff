import type { Funding } from '#core/claim.ts'
import type { TokenLock } from '#core/token/state.ts'
import { rowKind } from '#store/row-kind.ts'

/** The key that had an envelope sealed. */
export interface SealedBy {
  /** Its id, or that of the session. */
  readonly key: string
  /** The machine under which it was made; null for any other key. */
  readonly slug: string | null
}

export interface EnvelopeRow {
  readonly token_id: string
  /** Serial number of its leaf, counted on through the seal logs of all eras; in the first it is the claim's index. */
  readonly index: number
  /** `compute`, or the solver's name. */
  readonly kind: string
  readonly operators: readonly string[]
  readonly tick: number
  readonly phase: number
  /** Face value in credits: what was burned for it. */
  readonly face: number
  readonly funding: Funding
  /** Whom it was minted to: a ZID, or `house`. */
  readonly issued_to: string
  /** Its owner, in whose list it stands: a ZID, `demo:<key id>`, or `house`. */
  readonly listed_under: string
  /**
   * The key that sealed it: a machine's keys are shown what keys of that machine sealed, and nothing else of its owner.
   * Absent where no key did, and in rows of releases that did not keep it. Nothing else of a row names a machine, so
   * such an envelope is its owner's alone.
   */
  readonly sealed_by?: SealedBy
  readonly soulbound: boolean
  /** Who holds the coin when it is not the owner. */
  readonly backs: string | null
  readonly precision_actual: number
  /**
   * What its claim says was found, so that a list reads no leaf. Both or neither: rows of earlier releases have none,
   * and their leaf says it.
   */
  readonly value?: number | null
  readonly unit?: string
  readonly folder: string
  /** As it was set: whether it stands, {@link lockAt} of a mesh tick says. */
  readonly lock: TokenLock | null
  /** Changes of owner or lock so far. */
  readonly spend_seq: number
  readonly published: boolean
  /** Its owner opened it to whoever has its nonce; absent while it is closed, as in rows of earlier releases. */
  readonly shared?: true
  /**
   * Blob of what the bundle carries beside claim and signature: tick receipt and equations. This and the next two are
   * there of envelopes for which the three are large, and of all that releases before schema 3 sealed. Any other row
   * has none of them: there the three stand in its row of `kept`.
   */
  readonly receipt?: string
  /** Blobs of the canonical inputs and of the output as sent; null when they were not kept. */
  readonly inputs?: string | null
  readonly result?: string | null
}

/** Envelopes, and where they are listed. */
export interface EnvelopeRows {
  readonly envelope: EnvelopeRow
  readonly envelopeByOwner: string
  readonly envelopeByFolder: string
  readonly envelopePublished: string
  readonly folder: number
  readonly envelopeMovable: string
  readonly envelopeTimed: string
  readonly movable: number
}

/** Envelopes are held against their leaves, in the walk over the seal logs. */
export const envelope = rowKind<EnvelopeRows>({
  tables: {
    envelope: { prefix: 'e', form: 'json', key: 'token id' },
    envelopeByOwner: { prefix: 'eo', form: 'json', key: 'list / index' },
    envelopeByFolder: { prefix: 'ef', form: 'json', key: 'list / folder, percent-encoded / index' },
    envelopePublished: { prefix: 'ep', form: 'json', key: 'index' },
    folder: { prefix: 'f', form: 'json', key: 'list, or `published` / folder, percent-encoded: how many envelopes' },
    envelopeMovable: { prefix: 'em', form: 'json', key: 'list / index: what may move once no timed lock stands' },
    envelopeTimed: { prefix: 'et', form: 'json', key: 'list / mesh tick at which its lock is void / index' },
    movable: { prefix: 'en', form: 'json', key: 'list: how many stand under envelopeMovable' },
  },
  since: { schema: 1, note: 'from the first release on; what may move has its index since schema 3' },
})
