import { hmacSha256 } from '#crypto'
import { digestible, digestibleEvidence, type Sizes, textAsItStands } from './arrays.ts'
import { toHex } from './bytes.ts'
import { canonical, type Json } from './canonical.ts'
import type { Claim, TickReceipt } from './claim.ts'
import { digest, type Purpose, purposes, signedBytes, signedText, textDigest } from './digest.ts'
import { type Signer, signValue, signValueWith, verifyValue } from './keys.ts'

/** The members of a typed record as JSON; records here hold nothing but JSON. */
const json = (value: object): Json => value as unknown as Json

/** What a claim is signed and hashed under: each version has its own, so none passes as another. */
export const claimPurpose = ({ v }: Pick<Claim, 'v'>): Purpose => (v === 2 ? purposes.askedClaim : purposes.claim)

/** What a verdict, a work and a challenge call the claim: its digest under the purpose that it is signed under. */
export const claimDigest = (claim: Claim): string => digest(claimPurpose(claim), json(claim))

/** Signs a claim with the node's identity key; 128 hex digits. */
export const signClaim = (seed: Uint8Array, claim: Claim): string => signValue(seed, claimPurpose(claim), json(claim))

/** Whether a claim's signature verifies under a key from outside the claim. */
export const verifyClaim = (publicKey: Uint8Array, claim: Claim, signature: string): boolean =>
  verifyValue(publicKey, claimPurpose(claim), json(claim), signature)

/** Leaf data of an envelope in the seal log: `tickmesh/envelope/1`, LF, JCS{claim, signature}. */
export const envelopeLeaf = (claim: Claim, signature: string): Uint8Array =>
  signedBytes(purposes.envelope, json({ claim, signature }))

/** A signed claim and its leaf. */
export interface SignedClaim {
  readonly signature: string
  readonly leaf: Uint8Array
}

/**
 * {@link signClaim} on the signer's thread and {@link envelopeLeaf} of it, byte for byte, from one canonical text of
 * the claim: `claim` comes before `signature`, so the leaf holds that text as it is.
 *
 * @throws Fault NOT_CANONICAL
 */
export const signClaimLeafWith = async (signer: Signer, claim: Claim): Promise<SignedClaim> => {
  const text = canonical(json(claim))
  const signature = toHex(await signer.sign(signedText(claimPurpose(claim), text)))
  return { signature, leaf: signedText(purposes.envelope, `{"claim":${text},"signature":"${signature}"}`) }
}

/** Leaf data that ends a tick: the leaves between two of them carry the later one's tick. */
export const tickLeaf = (tick: number): Uint8Array => signedBytes(purposes.tick, { tick })

/** One grant of free or paid credits, as its leaf signs it. */
export interface LedgerEntry {
  readonly v: 1
  readonly node: string
  readonly log: string
  /** The leaf's place in the log: equal grants stay distinct. */
  readonly index: number
  readonly kind: 'sign-up' | 'claim' | 'grant' | 'demo' | 'donation'
  readonly asset: 'free' | 'paid'
  /** Ledger account that receives. */
  readonly to: string
  readonly amount: number
  /** What caused it: a key id, a claim day, the owner's reason. */
  readonly ref: string
  /** Node tick. */
  readonly tick: number
  /** 16 random bytes, hex: the leaf hash hides the account. */
  readonly nonce: string
}

/** Signs a ledger entry; 128 hex digits. */
export const signLedgerEntry = (seed: Uint8Array, entry: LedgerEntry): string =>
  signValue(seed, purposes.ledgerEntry, json(entry))

/** As {@link signLedgerEntry}, on the signer's thread. */
export const signLedgerEntryWith = (signer: Signer, entry: LedgerEntry): Promise<string> =>
  signValueWith(signer, purposes.ledgerEntry, json(entry))

/** Leaf data of a grant: `tickmesh/ledger/1`, LF, JCS{entry, signature}. */
export const ledgerLeaf = (entry: LedgerEntry, signature: string): Uint8Array =>
  signedBytes(purposes.ledger, json({ entry, signature }))

/** Digest of the full inputs, defaults filled in. @param schema of the solver's input. */
export const inputsDigest = (schema: object, inputs: object): string =>
  textDigest(purposes.inputs, textAsItStands(schema, inputs) ?? canonical(digestible(schema, inputs, inputs as Sizes)))

/** Digest of what only the check sees, or null when there is nothing of the kind. */
export const evidenceDigest = (evidence: unknown): string | null =>
  evidence === undefined || evidence === null ? null : digest(purposes.evidence, digestibleEvidence(evidence))

/**
 * Digest of a result: the output by its schema, and the evidence by its digest, so that a bundle can carry the one
 * without the other.
 *
 * @param inputs the full input, for the symbolic dimensions of the output's arrays.
 */
export const resultDigest = (
  schema: object,
  output: object,
  { inputs, evidence }: { readonly inputs: object; readonly evidence: string | null },
): string =>
  textDigest(
    purposes.result,
    textAsItStands(schema, { evidence, output }) ??
      canonical({ evidence, output: digestible(schema, output, inputs as Sizes) }),
  )

/** Binds the tick receipt, which nothing else signs. */
export const receiptDigest = (receipt: TickReceipt): string => digest(purposes.receipt, json(receipt))

/** Binds the equations, which nothing else signs. */
export const equationsDigest = (equations: Json): string => digest(purposes.equations, equations)

/** What the pulse key stamps. */
export interface PulseStamp {
  readonly token_id: string
  readonly operators: readonly string[]
  readonly R_t: string
  readonly tick: number
  readonly result_digest: string
}

/** HMAC of the pulse: only the node, which holds the pulse key, can check it. */
export const pulseHmac = (pulseKey: Uint8Array, stamp: PulseStamp): string =>
  toHex(hmacSha256(pulseKey, signedBytes(purposes.pulse, json(stamp))))

/** What the public record shows in place of a digest that could be guessed: HMAC-SHA256(nonce, digest text). */
export const hiddenDigest = (nonce: Uint8Array, digestHex: string): string =>
  toHex(hmacSha256(nonce, new TextEncoder().encode(digestHex)))
