import { toHex, utf8 } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import type { Claim, Envelope, TickReceipt } from '#core/claim.ts'
import { ERROR_PCT_MAX } from '#core/claim.ts'
import {
  equationsDigest,
  evidenceDigest,
  inputsDigest,
  pulseHmac,
  receiptDigest,
  resultDigest,
  signClaim,
} from '#core/envelope.ts'
import { tokenIdOf } from '#core/ids.ts'
import { sha256 } from '#crypto'
import { inputSchema, node, outputSchema, sealLog, user } from './sample.ts'

const hashOf = (word: string): string => toHex(sha256(utf8(word)))

export const inputs = { n: 2, steps: 7, kappa: 9.46e15 }
export const output = { peak: 0.1, u: [0.1, -0, 1e-300, 5e-324, 1.98892e30, -273.15], hits: [-1, 2_147_483_647] }
export const evidence = { residuals: [1e-7, 0], level: Float64Array.of(1, 2, 3) }

/** Where the sample envelope stands in the seal log, and when. */
export const LEAF_INDEX = 2
export const TICK = 41
const PHASE = 0.25
const R_T = '1.001000'

/** Key of the pulse: made from a word, as every secret here. */
export const pulseKey = sha256(utf8('tickmesh vectors: pulse'))

const token = tokenIdOf(sealLog, LEAF_INDEX)
const operators = ['KO42', 'NM21', 'GR37']
const evidence_digest = evidenceDigest(evidence)
const result_digest = resultDigest(outputSchema, output, { inputs, evidence: evidence_digest })

export const pulseStamp = { token_id: token, operators, R_t: R_T, tick: TICK, result_digest }
export const tickReceipt: TickReceipt = {
  pulse: 1.287,
  tick: TICK,
  phase: PHASE,
  R_t: R_T,
  hmac: pulseHmac(pulseKey, pulseStamp),
  tick_averaged: { value: 0.1, unit: 'K' },
  fields: { temperature: 0.1 },
}
export const equations: Json = { modulation: { S: 0.1, R: 0.1001, alpha: 0.001, f: 1.287, phase: PHASE }, master: null }

export const claim: Claim = {
  v: 1,
  node: node.node,
  log: sealLog,
  index: LEAF_INDEX,
  token_id: token,
  nonce: '000102030405060708090a0b0c0d0e0f',
  kind: 'sample',
  operators,
  zid: user.zid,
  worker: null,
  code: {
    release: '0.1.0',
    registry: hashOf('registry'),
    constants: hashOf('constants'),
    math: hashOf('math'),
    kernels: { math: hashOf('math') },
    solver: 'sample@1',
  },
  registry_version: `sha256:${hashOf('registry')}`,
  kernel_version: '1',
  inputs_digest: inputsDigest(inputSchema, inputs),
  result_digest,
  steps: { root: hashOf('steps'), every: 1, count: 8 },
  value: 0.1,
  unit: 'K',
  precisionActual: 0.0125,
  check: { against: 'a closed form', measured: 0.0125, bound: ERROR_PCT_MAX },
  receipt_digest: receiptDigest(tickReceipt),
  equations_digest: equationsDigest(equations),
  tick: TICK,
  phase: PHASE,
  price: 5,
  funding: 'paid',
}

export const signature = signClaim(node.seed, claim)
export const envelope: Envelope = { claim, signature, tick_receipt: tickReceipt, equations }
