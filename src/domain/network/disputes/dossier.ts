import { type Json, parseCanonical } from '#core/canonical.ts'
import type { AcceptedTerms } from '#core/dispute/types.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { closed, fitting } from '#core/schema.ts'
import { readAccept, signedAcceptSchema } from '#core/work/accept.ts'
import { offerDigest, readOffer, signedOfferSchema } from '#core/work/offer.ts'
import { readWork, signedWorkSchema, voidBecause, workDigest } from '#core/work/work.ts'
import type { Dossier } from '#domain/network/works/served.ts'
import type { Store } from '#store/store.ts'
import type { DisputePorts } from './types.ts'

const dossierSchema = closed({ offer: signedOfferSchema, accept: signedAcceptSchema, work: signedWorkSchema })

/**
 * Reads what was signed about a work: an offer of its requester, the worker's yes to it, and a work that answers it.
 *
 * @throws Fault INVALID_INPUT, NOT_CANONICAL, BAD_SIGNATURE
 */
export const readDossier = (bytes: Uint8Array, of: { readonly work: string; readonly worker: string }): Dossier => {
  const value = fitting(dossierSchema, parseCanonical(bytes))
  const offer = readOffer(value.offer)
  const accept = readAccept(value.accept, offer.offer)
  const work = readWork(value.work, of.worker)
  if (offer.offer.worker !== of.worker) throw new Fault('INVALID_INPUT', '/offer/worker: another node was asked.')
  if (workDigest(work.work) !== of.work) throw new Fault('INVALID_INPUT', '/work: it is another work.')
  const isVoid = voidBecause(offer.offer, work.work)
  if (isVoid !== undefined) throw new Fault('INVALID_INPUT', `/work: ${isVoid}`)
  return { offer, accept, work }
}

/** Whether bytes are a dossier of a work. */
export const isDossier = (bytes: Uint8Array, of: Parameters<typeof readDossier>[1]): boolean => {
  try {
    readDossier(bytes, of)
    return true
  } catch (cause) {
    if (cause instanceof Fault) return false
    throw cause
  }
}

/** Canonical inputs as a value, if they are those of a digest. @returns undefined for others */
export const inputsIn = (
  { parts }: Pick<DisputePorts, 'parts'>,
  { offer: { offer } }: Pick<Dossier, 'offer'>,
  bytes: Uint8Array,
): { readonly inputs: Json; readonly workUnits: number; readonly steps: number | null } | undefined => {
  try {
    const inputs = parseCanonical(bytes)
    const { inputsDigest, workUnits, steps } = parts.sizeOf(offer.kind, inputs)
    return inputsDigest === offer.inputs ? { inputs, workUnits, steps } : undefined
  } catch (cause) {
    if (cause instanceof Fault) return undefined
    throw cause
  }
}

/** What a dispute goes by of offer and accept. */
export const termsOf = (
  store: Pick<Store, 'peek'>,
  { offer: { offer }, accept: { accept }, work }: Dossier,
  workUnits: number,
): AcceptedTerms => {
  const bond = accept.bond
  const parts = bond === null ? [] : (store.peek('bond', bond)?.parts ?? [])
  return {
    offer: offerDigest(offer),
    pool: offer.pool,
    atRisk: offer.at_risk,
    bond,
    homes: [...new Set(parts.map(({ home }) => nodeOfLog(home)))],
    w: accept.w,
    k: work.work.steps === null ? 0 : work.work.steps.count - 1,
    workUnits,
  }
}
