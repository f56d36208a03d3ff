import { canonical, type Json } from '#core/canonical.ts'
import { nodeOfLog } from '#core/ids.ts'
import type { ProvenSuccession } from '#core/succession.ts'
import { speakingFault, type TokenProof } from '#core/token/evidence.ts'
import { homePart, TOKEN_EVIDENCE_PLACES } from '#store/away.ts'
import type { Transaction } from '#store/transaction.ts'
import { heirsOf } from './succession.ts'

type Reader = Pick<Transaction, 'get'>

const homeOf = ({ receipts }: TokenProof): string => receipts[0]?.receipt.home ?? ''

/** What is known here of the keys behind a home; where nothing is, what the evidence brings. */
const knownFor = (reader: Reader, proof: TokenProof): readonly ProvenSuccession[] => {
  const heirs = heirsOf(reader, nodeOfLog(homeOf(proof)))
  const brought = proof.successions.filter(({ succession: it }) => reader.get('successor', it.old_node) === undefined)
  return [...heirs.flatMap((it) => reader.get('successor', it)?.claims ?? []), ...brought]
}

/**
 * Whether evidence that verified stands by what is known here now. Whoever stole a key that was superseded can sign
 * two receipts with it, or name a successor of its own; a succession that is learnt later ends what that came to.
 */
const stands = (reader: Reader, proof: TokenProof): boolean => {
  const known = knownFor(reader, proof)
  return proof.receipts.every(({ receipt }) => speakingFault(receipt, known) === undefined)
}

/** Of two proofs against one home the one with the earlier leaves, which fewer ends can make void. */
const isStronger = (a: TokenProof, b: TokenProof): boolean => {
  const [one, other] = [a, b].map(({ receipts }) => Math.max(...receipts.map(({ receipt }) => receipt.index)))
  if (one !== other) return (one ?? 0) < (other ?? 0)
  return canonical(a as unknown as Json) < canonical(b as unknown as Json)
}

/** Gives a home a place in the ring; who had it before loses its evidence. */
const takePlace = (tx: Transaction, home: string): void => {
  const next = tx.get('awayEvidenceNext', 'next') ?? 0
  const former = tx.get('awayEvidenceSlot', String(next))
  if (former !== undefined) tx.del('awayEvidence', former)
  tx.put('awayEvidenceSlot', String(next), home)
  tx.put('awayEvidenceNext', 'next', (next + 1) % TOKEN_EVIDENCE_PLACES)
}

/** Keeps evidence that was verified. In whatever order proofs against a home arrive, the same one stands in the end. */
export const keepTokenProof = (tx: Transaction, proof: TokenProof): void => {
  if (!stands(tx, proof)) return
  const home = homePart(homeOf(proof))
  const before = tx.get('awayEvidence', home)
  if (before !== undefined && stands(tx, before) && !isStronger(proof, before)) return
  if (before === undefined) takePlace(tx, home)
  tx.put('awayEvidence', home, proof)
}

/** Proof that a home spent a token twice, as far as it stands now; undefined where there is none. */
export const tokenProofOf = (reader: Reader, home: string): TokenProof | undefined => {
  const proof = reader.get('awayEvidence', homePart(home))
  return proof !== undefined && stands(reader, proof) ? proof : undefined
}
