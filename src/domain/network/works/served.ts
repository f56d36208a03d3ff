import { canonicalBytes, type Json } from '#core/canonical.ts'
import type { SignedAccept } from '#core/work/accept.ts'
import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import type { SignedOffer } from '#core/work/offer.ts'
import type { SignedWork } from '#core/work/work.ts'

/** Until when what belongs to a work is served. @param from its publication, or the latest at which it can come */
export const servedUntil = (from: number): number => from + DISPUTE_TICKS + SERVE_TICKS

/** What was signed about a work. */
export interface Dossier {
  readonly offer: SignedOffer
  readonly accept: SignedAccept
  readonly work: SignedWork
}

/** A dossier as it is served by the digest of its work. */
export const dossierBytes = ({ offer, accept, work }: Dossier): Uint8Array =>
  canonicalBytes({ offer, accept, work } as unknown as Json)
