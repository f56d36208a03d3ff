import Type from 'typebox'
import type { Json } from './canonical.ts'
import type { Code } from './code.ts'
import { type Purpose, purposes } from './digest.ts'
import { patterns } from './ids.ts'
import { type Signer, signValue, signValueWith, verifyByNode } from './keys.ts'
import { byName, closed, closedModel, hex64, meshTick, nodeId, oneOf, orNull, signature, text } from './schema.ts'

/** A digest of the sources, or the number of the release: the oldest vectors have one. */
const RELEASE = '^([0-9a-f]{64}|[0-9]{1,9}\\.[0-9]{1,9}\\.[0-9]{1,9})$'
/** Nodes write `sha256:` before it; the oldest vectors do not. */
const REGISTRY = '^(sha256:)?[0-9a-f]{64}$'

/** Digests of what a sealer or a replay loaded. */
export const codeSchema = closedModel('Code', {
  release: Type.String({ pattern: RELEASE }),
  registry: Type.String({ pattern: REGISTRY }),
  constants: hex64(),
  math: hex64(),
  kernels: byName(patterns.kernelName, hex64(), 32),
  solver: Type.String({ pattern: patterns.solver, description: 'Name and revision of the solver.' }),
})

/** What a node found when it ran a claim again (`reverify`, by the solver; `attest`, by the closed form alone). */
export interface Verdict {
  readonly v: 1
  /** Node id of who checks: it contains the key that signs. */
  readonly node: string
  /** Digest of the claim that is checked. */
  readonly subject: string
  readonly claimed_result_digest: string
  /** Null when nothing could be recomputed. */
  readonly recomputed_result_digest: string | null
  readonly verdict: 'agree' | 'disagree' | 'unverifiable'
  /** A sentence: why not, or what was compared. */
  readonly reason: string
  /** What the checker ran, or null when it ran nothing. */
  readonly code: Code | null
  /** Whether the claim's signer is pinned by the checker; a good signature by an unknown key is valid and untrusted. */
  readonly signer: 'pinned' | 'unknown'
  readonly mesh_tick: number
}

export const verdictSchema = closedModel('Verdict', {
  v: Type.Literal(1),
  node: nodeId(),
  subject: hex64(),
  claimed_result_digest: hex64(),
  recomputed_result_digest: orNull(hex64()),
  verdict: oneOf(['agree', 'disagree', 'unverifiable']),
  reason: text(1_024),
  code: orNull(codeSchema),
  signer: oneOf(['pinned', 'unknown']),
  mesh_tick: meshTick(),
})

/** A verdict with its signature. */
export const signedVerdictSchema = closed({ verdict: verdictSchema, signature: signature() })
export interface SignedVerdict {
  readonly verdict: Verdict
  readonly signature: string
}

/** `verdict` for reverify, `attestation` for attest: one shape, two purposes, so neither passes as the other. */
export type VerdictKind = 'verdict' | 'attestation'
const purposeOf: Readonly<Record<VerdictKind, Purpose>> = {
  verdict: purposes.verdict,
  attestation: purposes.attestation,
}

/** Signs a verdict with the checker's identity key. */
export const signVerdict = (seed: Uint8Array, kind: VerdictKind, verdict: Verdict): SignedVerdict => ({
  verdict,
  signature: signValue(seed, purposeOf[kind], verdict as unknown as Json),
})

/** As {@link signVerdict}, on the signer's thread. */
export const signVerdictWith = async (signer: Signer, kind: VerdictKind, verdict: Verdict): Promise<SignedVerdict> => ({
  verdict,
  signature: await signValueWith(signer, purposeOf[kind], verdict as unknown as Json),
})

/** Whether a verdict is signed by the sound key inside its own `node`; whether that node is trusted is not asked. */
export const verifyVerdict = (kind: VerdictKind, { verdict, signature: hex }: SignedVerdict): boolean =>
  verifyByNode(verdict.node, purposeOf[kind], verdict as unknown as Json, hex)
