import { signCheckpoint } from '#core/checkpoint.ts'
import type { Bundle, Claim, Code, Envelope, TickReceipt } from '#core/claim.ts'
import { envelopeLeaf, equationsDigest, receiptDigest, signClaim } from '#core/envelope.ts'
import { tokenIdOf } from '#core/ids.ts'
import { leafHash } from '#core/merkle.ts'
import { encodeTlogProof } from '#core/tlog-proof.ts'
import type { StepName } from '#core/verify.ts'
import { claim, tickReceipt } from './claim.ts'
import { node, sealLog } from './sample.ts'

/** What a row puts in place of the sample's own. */
export interface Changes {
  readonly claim?: object
  readonly tick_receipt?: object
}

/** The part of a bundle that a change alters. */
export type Resealed = Pick<Bundle, 'envelope' | 'proof'>

/**
 * What a dishonest node can make with its own key: a claim of its choice, whose digests, signature and proof, in a log
 * of one leaf, all hold. So nothing but the rule in question refuses it.
 */
export const resealed = (changes: Changes, equations: Envelope['equations']): Resealed => {
  const receipt = { ...tickReceipt, ...changes.tick_receipt } as TickReceipt
  const signed = {
    ...claim,
    ...{ index: 0, token_id: tokenIdOf(sealLog, 0) },
    ...{ receipt_digest: receiptDigest(receipt), equations_digest: equationsDigest(equations) },
    ...changes.claim,
  } as Claim
  const signature = signClaim(node.seed, signed)
  const root = leafHash(envelopeLeaf(signed, signature))
  const checkpoint = signCheckpoint({ origin: sealLog, size: 1, root }, node.publicKey, node.seed)
  return {
    envelope: { claim: signed, signature, tick_receipt: receipt, equations },
    proof: encodeTlogProof({ index: 0, path: [], checkpoint }),
  }
}

/** The step that refuses a claim, why, and what is claimed. */
export type RefusedRow = readonly [StepName, string, Changes]

const code = (changes: { readonly [N in keyof Code]?: unknown }): Changes => ({
  claim: { code: { ...claim.code, ...changes } },
})
const { registry, math } = claim.code

/** Claims that no rule allows, whoever signs them. */
export const refusedRows: readonly RefusedRow[] = [
  ['form', 'code.release is neither a digest nor the number of a release', code({ release: 'latest' })],
  ['form', 'code.registry is no digest', code({ registry: 'the newest' })],
  ['form', 'code.registry has another hash before it', code({ registry: `sha512:${registry}` })],
  ['form', 'code.constants is no digest', code({ constants: 'CODATA 2022' })],
  ['form', 'code.math is in capitals', code({ math: math.toUpperCase() })],
  ['form', 'code.math is cut short', code({ math: math.slice(1) })],
  ['form', 'a kernel is no digest', code({ kernels: { math: '1' } })],
  ['form', 'a kernel has a name of two lines', code({ kernels: { 'ma\nth': math } })],
  ['form', 'code.solver has no revision', code({ solver: 'sample' })],
  ['form', 'code.solver has revision 0', code({ solver: 'sample@0' })],
  ['form', 'code.solver has a revision that is no number', code({ solver: 'sample@one' })],
  ['form', 'code.solver has no name', code({ solver: '@1' })],
  ['form', 'code.solver is in capitals', code({ solver: 'Sample@1' })],
  ['form', 'kind is no name', { claim: { kind: 'a sample' } }],
  ['form', 'a field has a name of two lines', { tick_receipt: { fields: { 'temper\nature': 0.1 } } }],
  ['token', 'token_id is that of another leaf', { claim: { token_id: claim.token_id } }],
  ['receipt', 'receipt_digest is that of another receipt', { claim: { receipt_digest: math } }],
  ['equations', 'equations_digest is that of others', { claim: { equations_digest: math } }],
  ['agreement', 'kind is another solver’s', { claim: { kind: 'heat' } }],
  ['agreement', 'kind is compute, code.solver is not', { claim: { kind: 'compute' } }],
  ['agreement', 'code.solver is another solver’s', code({ solver: 'heat@1' })],
  ['agreement', 'the receipt is of another tick', { tick_receipt: { tick: claim.tick + 1 } }],
  ['agreement', 'a phase of 1', { claim: { phase: 1 }, tick_receipt: { phase: 1 } }],
  [
    'precision',
    'the error is beyond the bound',
    { claim: { precisionActual: 0.2, check: { ...claim.check, measured: 0.2 } } },
  ],
  ['price', 'the price is not that of the operators', { claim: { price: 3 } }],
  ['inputs', 'inputs_digest is that of others', { claim: { inputs_digest: math } }],
  ['result', 'result_digest is that of another', { claim: { result_digest: math } }],
]
