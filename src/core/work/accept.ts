import type { Static } from 'typebox'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { closed, fitting, hex64, meshTick, nodeId, orNull, signature } from '#core/schema.ts'
import { signedDocument } from '#core/signed-document.ts'
import { offerDigest, type WorkOffer } from './offer.ts'

/** Form of what a worker answers to an offer. */
export const acceptSchema = closed(
  {
    offer: hex64({ description: 'Digest of the offer: inputs, code and pool are those and no others.' }),
    worker: nodeId(),
    bond: orNull(hex64({ description: 'The bond that answers for the work; null where none is at risk.' })),
    w: hex64({ description: 'Commitment to the value that the first draw over this work takes from the worker.' }),
    mesh_tick: meshTick({ description: 'When it was signed.' }),
  },
  { title: 'Accept' },
)
/** A worker's yes to one offer (trust.md, Job). */
export type Accept = Static<typeof acceptSchema>

/** Form of an accept with its worker's signature. */
export const signedAcceptSchema = closed({ accept: acceptSchema, signature: signature() }, { title: 'SignedAccept' })
export type SignedAccept = Static<typeof signedAcceptSchema>

const document = signedDocument<'accept', Accept>('accept', purposes.accept)

/** An accept's name: its digest under `tickmesh/accept/1`. */
export const acceptDigest = document.digest

/** Signs an accept. */
export const signAccept = document.sign

/** As {@link signAccept}, on the signer's thread. */
export const signAcceptWith = document.signWith

/**
 * Reads a signed accept and holds it against the offer that it must be of.
 *
 * @throws Fault INVALID_INPUT, BAD_SIGNATURE
 */
export const readAccept = (value: unknown, offer: WorkOffer): SignedAccept => {
  const signed = fitting(signedAcceptSchema, value)
  const { accept } = signed
  if (accept.offer !== offerDigest(offer)) throw new Fault('INVALID_INPUT', '/accept/offer: it is of another offer.')
  if (accept.worker !== offer.worker) throw new Fault('INVALID_INPUT', '/accept/worker: the offer names another node.')
  if (offer.at_risk !== (accept.bond !== null)) {
    throw new Fault('INVALID_INPUT', '/accept/bond: a bond is named iff the offer puts one at risk.')
  }
  document.assertBy(signed, accept.worker, 'worker')
  return signed
}
