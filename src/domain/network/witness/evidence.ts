import { toHex, utf8 } from '#core/bytes.ts'
import { type EquivocationProof, verifyEquivocation } from '#core/equivocation.ts'
import { sha256 } from '#crypto'
import type { EvidenceRow } from '#store/rows/witness.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'

/**
 * Logs that nobody here has cosigned may fill so many places with evidence against themselves: it costs a stranger
 * nothing to make a key and equivocate with it. What is known of logs that are witnessed here is never given up.
 */
export const EVIDENCE_PLACES = 256
/** Places that are looked at for one that may be given up. */
const TRIES = 8

/** Key of what is known of a log: the SHA-256 of its origin, as C2SP names a log. */
export const originHash = (origin: string): string => toHex(sha256(utf8(origin)))

/** Of two proofs against one log the one that leaves less of it; of equal ones either, but always the same. */
const isStronger = (a: EvidenceRow, b: EvidenceRow): boolean =>
  a.size < b.size || (a.size === b.size && JSON.stringify(a) < JSON.stringify(b))

/** Gives a log a place in the ring, and takes it from one that nobody here knows. @returns whether there was one. */
const takePlace = (tx: Transaction, key: string): boolean => {
  let { next } = tx.get('evidenceRing', 'next') ?? { next: 0 }
  for (let tries = 0; tries < TRIES; tries++) {
    const place = String(next)
    next = (next + 1) % EVIDENCE_PLACES
    const former = tx.get('evidenceSlot', place)
    // A log that has become known meanwhile keeps its evidence, and this place is held for it.
    if (former !== undefined && tx.get('witnessed', former) !== undefined) continue
    if (former !== undefined) tx.del('evidence', former)
    tx.put('evidenceSlot', place, key)
    tx.put('evidenceRing', 'next', { next })
    return true
  }
  tx.put('evidenceRing', 'next', { next })
  return false
}

/** Keeps evidence that was verified. Whatever order proofs of one log arrive in, the same one stands in the end. */
export const keepEvidence = (tx: Transaction, proof: EquivocationProof): void => {
  const { origin, node, size, larger } = verifyEquivocation(proof)
  const row: EvidenceRow = { origin, node, size, larger, notes: [...proof.notes], prefix: proof.prefix }
  const key = originHash(origin)
  const known = tx.get('evidence', key)
  if (known !== undefined && !isStronger(row, known)) return
  const isWitnessed = tx.get('witnessed', key) !== undefined
  if (known === undefined && !isWitnessed && !takePlace(tx, key)) return
  tx.put('evidence', key, row)
}

/** What is proved against a log, or undefined. */
export const evidenceOf = (store: Pick<Store, 'peek'>, origin: string): EvidenceRow | undefined =>
  store.peek('evidence', originHash(origin))

/** Evidence that one status shows. */
export const SHOWN_EVIDENCE_MAX = 64

/** Some of what is proved, for people to see. */
export const listEvidence = async (store: Pick<Store, 'range'>): Promise<readonly EvidenceRow[]> => {
  const rows: EvidenceRow[] = []
  for await (const [, row] of store.range('evidence', { limit: SHOWN_EVIDENCE_MAX })) rows.push(row)
  return rows
}
