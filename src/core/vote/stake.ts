import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { logVerifierOf } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { assertSoundKey, type Signer, signValue, signValueWith, verifyValue, zidOf } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import type { Policy } from '#core/policy.ts'
import { assertNamed, verifyQuorum } from '#core/quorum.ts'
import { type ProvenSuccession, standsBehind } from '#core/succession.ts'
import { parseTlogProof, verifyTlogProof } from '#core/tlog-proof.ts'
import { assertSignedOp, moveLeaf } from '#core/token/op.ts'
import { receiptFault, type TokenReceiptFile, verifyReceipt } from '#core/token/receipt.ts'
import { SETTLE_TICKS, type Side, type SignedStake, type Stake, voteRef } from './documents.ts'

const refuse = (why: string): never => {
  throw new Fault('BAD_SIGNATURE', why)
}

/** The stake that a lock makes, from its receipt. @throws Fault INVALID_INPUT without a proof of its leaf */
export const stakeOf = (proposal: string, side: Side, file: TokenReceiptFile): Stake => {
  const { list: _, proof, ...lock } = file
  if (proof === null) throw new Fault('INVALID_INPUT', 'No checkpoint holds the lock yet.')
  const { tokens_root, count } = file.op
  return { proposal, side, tokens_root, count, weight: file.receipt.weight, lock: { ...lock, proof } }
}

/** Signs a stake by the staker's ZID key. */
export const signStake = (seed: Uint8Array, stake: Stake, publicKey: Uint8Array): SignedStake => ({
  stake,
  public_key: toHex(publicKey),
  signature: signValue(seed, purposes.stake, stake as unknown as Json),
})

/** As {@link signStake}, on the signer's thread. */
export const signStakeWith = async (signer: Signer, stake: Stake): Promise<SignedStake> => ({
  stake,
  public_key: toHex(signer.publicKey),
  signature: await signValueWith(signer, purposes.stake, stake as unknown as Json),
})

/** ZID of a staker. */
export const stakerOf = ({ public_key }: Pick<SignedStake, 'public_key'>): string => zidOf(fromHex(public_key))

/** What of a stake must agree, without a signature looked at. */
const disagreement = ({ stake, public_key }: SignedStake): string | undefined => {
  const { lock, proposal } = stake
  const { op, receipt } = lock
  if (op.op !== 'lock' || op.ref !== voteRef(proposal)) return 'The op locks nothing for this vote.'
  if (op.until === null) return 'The lock has no end.'
  if (lock.public_key !== public_key) return 'Another key locked the tokens than the one that stakes them.'
  if (op.tokens_root !== stake.tokens_root || op.count !== stake.count) return 'The lock is of another list.'
  if (receipt.weight !== stake.weight) return "The weight is not the receipt's."
  return receiptFault(op, receipt)
}

/**
 * Holds a stake against everything that it says itself: who signed it, the op, the receipt, and that a checkpoint which
 * the log's own key signed holds the lock. Whether the policy goes along is for {@link stakeStanding}.
 *
 * @throws Fault BAD_SIGNATURE, BAD_PUBLIC_KEY saying what does not hold.
 */
export const assertStake = (signed: SignedStake): void => {
  const { stake, public_key, signature } = signed
  const { lock } = stake
  const why = disagreement(signed)
  if (why !== undefined) refuse(why)
  const key = fromHex(public_key)
  if (!verifyValue(key, purposes.stake, stake as unknown as Json, signature)) {
    refuse('The stake is not signed by the key that it names.')
  }
  assertSoundKey(key)
  assertSignedOp(lock)
  if (!verifyReceipt(lock.receipt, lock.receipt_signature)) refuse('The receipt is not signed by the node of its log.')
  const found = verifyTlogProof(lock.proof, leafHash(moveLeaf(lock)), { log: logVerifierOf(lock.receipt.log) })
  if (found.index !== lock.receipt.index) refuse('The proof is of another leaf than the receipt.')
}

/** As {@link assertStake}: why it does not hold, or undefined. */
export const stakeFault = (signed: SignedStake): string | undefined => {
  try {
    assertStake(signed)
    return undefined
  } catch (cause) {
    if (cause instanceof Fault) return cause.message
    throw cause
  }
}

/** What a verifier knows beside a stake. */
export interface StakeTrust {
  readonly closes: number
  /** Undefined in an open mesh. */
  readonly policy: Policy | undefined
  readonly successions: readonly ProvenSuccession[]
}

/**
 * Why the weight of a stake that {@link assertStake} let pass counts for nothing, or undefined: its lock lasts to the
 * close and not beyond what a vote may hold, and the policy goes along with its home and its checkpoint.
 */
export const stakeStanding = (
  { stake: { lock } }: SignedStake,
  { closes, policy, successions }: StakeTrust,
): 'lock_ends' | 'home' | 'quorum' | undefined => {
  const { op, receipt, proof } = lock
  if (op.until === null || op.until < closes || op.until > closes + SETTLE_TICKS) return 'lock_ends'
  if (!standsBehind(successions, nodeOfLog(receipt.log), nodeOfLog(receipt.home))) return 'home'
  if (policy === undefined) return undefined
  const log = logVerifierOf(receipt.log)
  try {
    assertNamed(policy, logVerifierOf(receipt.home))
    return verifyQuorum(policy, parseTlogProof(proof).checkpoint, log).met ? undefined : 'quorum'
  } catch (cause) {
    if (cause instanceof Fault) return 'home'
    throw cause
  }
}
