import type { Json } from './canonical.ts'
import type { Code, Steps } from './code.ts'
import type { BundledWork } from './work/assurance.ts'

export type { Code, Steps } from './code.ts'

/** The largest measured error, in percent, with which a result may be sealed; the `bound` of every claim. */
export const ERROR_PCT_MAX = 0.1

/** How the envelope was paid: `paid` is owned by its payer, `free` is soulbound and its coin is the house's. */
export type Funding = 'paid' | 'free'

/** What the claims of every version say. */
interface ClaimBody {
  /** Node id of the signer: it contains the identity key. */
  readonly node: string
  /** Name of the seal log: `tickmesh.log/<node id>/<genesis mesh tick>`. */
  readonly log: string
  /** The leaf's place in that log. */
  readonly index: number
  /** First 32 hex digits of digest(`tickmesh/token/1`, {log, index}). */
  readonly token_id: string
  /** 16 random bytes, hex: makes leaf hashes hiding. */
  readonly nonce: string
  /** `compute`, or the solver's name. */
  readonly kind: string
  /** KO42 first, then the domain operators. */
  readonly operators: readonly string[]
  /** Owner, or `house`. */
  readonly zid: string
  readonly worker: null | { readonly node: string; readonly work: string }
  readonly code: Code
  /** `sha256:` and the digest of the sorted operator rows. */
  readonly registry_version: string
  readonly kernel_version: string
  readonly inputs_digest: string
  readonly result_digest: string
  readonly steps: null | Steps
  readonly value: number | null
  readonly unit: string
  /** The measured error in percent. */
  readonly precisionActual: number
  readonly check: { readonly against: string; readonly measured: number; readonly bound: number }
  readonly receipt_digest: string
  readonly equations_digest: string
  /** Node tick and phase of the answer. */
  readonly tick: number
  readonly phase: number
  /** Credits charged; also the face value. */
  readonly price: number
  readonly funding: Funding
}

/** What the claim of an answer to a question in words binds beside the answer. */
export interface Asked {
  /** Digest of the question and its reading; under the claim's own nonce, so that equal ones do not look alike. */
  readonly reading: string
  /** Whether the caller was shown the reading and said yes to it. Without that it answers the reading, no question. */
  readonly confirmed: boolean
}

/** The claim of a call that says itself what is computed. */
export interface PlainClaim extends ClaimBody {
  readonly v: 1
}

/** The claim of an answer to a question in words. */
export interface AskedClaim extends ClaimBody {
  readonly v: 2
  readonly asked: Asked
}

/**
 * What a node signs when it seals: the whole of what a receipt proves. Every member is under the signature, and the
 * byte form (JCS of exactly these members) never changes; each version has a purpose string of its own.
 */
export type Claim = PlainClaim | AskedClaim

/** A value of the question and its place: the input it was bound to, as it was written and as it is computed with. */
export interface ReadValue {
  readonly input: string
  /** Where it is from: the query, the constants, or what words of the query stand for. */
  readonly from: string
  readonly given: Json
  readonly value: Json
  readonly unit: string
}

/**
 * How a question in words was read, as a claim binds it: what decides which computation it became. What else was near,
 * titles and the words that decided are shown beside it and are not part of it.
 */
export interface SealedReading {
  readonly kind: 'solver' | 'operators'
  readonly route: string
  readonly solver: string | null
  readonly operators: readonly string[]
  readonly bound: readonly ReadValue[]
  readonly settings: readonly { readonly input: string; readonly value: Json; readonly because: string }[]
  readonly defaults: Readonly<Record<string, Json>>
  readonly corrections: readonly { readonly from: string; readonly to: string }[]
  /** What the route is called with. */
  readonly input: Json
}

/** A question in words, the values given with it, and how both were read. */
export interface Question {
  readonly query: string
  readonly constants: Readonly<Record<string, Json>>
  readonly reading: SealedReading
}

/** Stamp of the pulse on a result. `hmac` can be checked by the node alone and proves nothing to others. */
export interface TickReceipt {
  /** Pulse frequency in Hz, the caption 1.287. */
  readonly pulse: number
  readonly tick: number
  readonly phase: number
  /** R(t) for S = 1, six decimals as text. */
  readonly R_t: string
  readonly hmac: string
  readonly tick_averaged: { readonly value: number | null; readonly unit: string }
  /** Continuum field → value, mapped from the result's own unit; empty for an ambiguous unit. */
  readonly fields: Readonly<Record<string, number>>
}

/** The envelope as it stands in a bundle. */
export interface Envelope {
  readonly claim: Claim
  /** Ed25519 over (`tickmesh/claim/` and the claim's version, claim), 128 hex digits. */
  readonly signature: string
  readonly tick_receipt: TickReceipt
  readonly equations: Json
}

/** Evidence that travels: verifiable offline, without spending power. */
export interface Bundle {
  readonly v: 1
  readonly envelope: Envelope
  /** The full inputs, defaults filled in. */
  readonly inputs?: Json
  /** What was asked in words, and how it was read; of a claim of version 2 alone. */
  readonly question?: Question
  /** The output as sent, and the digest of the evidence that the check saw beside it (null when there was none). */
  readonly result?: { readonly output: Json; readonly evidence_digest: string | null }
  /** Of a contributed result: its worker's word, and what was checked by the word of the node that sealed it. */
  readonly work?: BundledWork
  /** C2SP tlog-proof v1 text. */
  readonly proof: string
}
