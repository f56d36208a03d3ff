import Type, { type TSchema } from 'typebox'
import type { Json } from './canonical.ts'
import type { Bundle, Claim } from './claim.ts'
import { Fault } from './fault.ts'
import { patterns } from './ids.ts'
import { parseJson } from './json.ts'
import { OPERATORS_MAX } from './price.ts'
import { QUERY_CHARS_MAX } from './question.ts'
import {
  anything,
  byName,
  closed,
  closedModel,
  count,
  finite,
  fitting,
  hex64,
  nodeId,
  oneOf,
  orNull,
  signature,
  text,
  tick,
  tokenId,
} from './schema.ts'
import { PROOF_CHARS_MAX } from './tlog-proof.ts'
import { codeSchema } from './verdict.ts'
import { bundledWorkSchema } from './work/assurance.ts'

/** Bytes of a bundle's JSON: fields of a million numbers fit. */
export const BUNDLE_BYTES_MAX = 33_554_432

const kernelVersion = text(128)

const claimMembers = {
  node: nodeId(),
  log: Type.String({ pattern: patterns.logName }),
  index: count(),
  token_id: tokenId(),
  nonce: Type.String({ pattern: '^[0-9a-f]{32}$' }),
  kind: Type.String({ pattern: patterns.solverName }),
  operators: Type.Array(text(32, { minLength: 1 }), { minItems: 2, maxItems: OPERATORS_MAX + 1 }),
  zid: Type.String({ pattern: `${patterns.zid}|^house$` }),
  worker: orNull(closed({ node: nodeId(), work: hex64() })),
  code: codeSchema,
  registry_version: Type.String({ pattern: patterns.digest }),
  kernel_version: kernelVersion,
  inputs_digest: hex64(),
  result_digest: hex64(),
  steps: orNull(closed({ root: hex64(), every: count({ minimum: 1 }), count: count({ minimum: 1 }) })),
  value: orNull(finite()),
  unit: text(64),
  precisionActual: finite({ minimum: 0 }),
  check: closed({ against: text(1_024), measured: finite({ minimum: 0 }), bound: finite({ minimum: 0 }) }),
  receipt_digest: hex64(),
  equations_digest: hex64(),
  tick: tick(),
  phase: finite({ minimum: 0, maximum: 1 }),
  price: count(),
  funding: oneOf(['paid', 'free']),
}

/** Form of a claim of a call that says itself what is computed: exactly these members. */
export const plainClaimSchema = closedModel('Claim', { v: Type.Literal(1), ...claimMembers })

/** Form of the claim of an answer to a question in words: these, and what binds the question. */
export const askedClaimSchema = closedModel('AskedClaim', {
  v: Type.Literal(2),
  ...claimMembers,
  asked: closed({ reading: hex64(), confirmed: Type.Boolean() }),
})

/** Form of a claim of either version. */
export const claimSchema = Type.Union([plainClaimSchema, askedClaimSchema], {
  title: 'AnyClaim',
  description: 'What a node signed; version 2 of an answer to a question in words.',
})

/** Form of the stamp of the pulse. */
export const tickReceiptSchema = closedModel('TickReceipt', {
  pulse: finite(),
  tick: tick(),
  phase: finite({ minimum: 0, maximum: 1 }),
  R_t: Type.String({ pattern: '^[0-9]\\.[0-9]{6}$' }),
  hmac: hex64(),
  tick_averaged: closed({ value: orNull(finite()), unit: text(64) }),
  fields: byName(patterns.fieldName, finite(), 32),
})

/** Members of an envelope as a bundle carries it. */
const envelopeOf = <T extends TSchema>(claim: T) => ({
  claim,
  signature: signature(),
  tick_receipt: tickReceiptSchema,
  equations: anything(),
})

/** Form of an envelope as a bundle carries it. */
export const envelopeSchema = closedModel('BundledEnvelope', envelopeOf(claimSchema))

const anyObject = () => Type.Record(Type.String(), anything())

/** What a reading is made of comes from the words here and the query, which is bounded: no text in it has a bound. */
const words = () => Type.String()
const boundSchema = closed({ input: words(), from: words(), given: anything(), value: anything(), unit: words() })
const settingSchema = closed({ input: words(), value: anything(), because: words() })

/** Form of a question in words and of how it was read. */
export const questionSchema = closedModel('AskedQuestion', {
  query: text(QUERY_CHARS_MAX),
  constants: anyObject(),
  reading: closed({
    kind: oneOf(['solver', 'operators']),
    route: words(),
    solver: orNull(words()),
    operators: Type.Array(text(32, { minLength: 1 }), { minItems: 2, maxItems: OPERATORS_MAX + 1 }),
    bound: Type.Array(boundSchema),
    settings: Type.Array(settingSchema),
    defaults: anyObject(),
    corrections: Type.Array(closed({ from: words(), to: words() })),
    input: anyObject(),
  }),
})

const beside = {
  inputs: Type.Optional(anyObject()),
  result: Type.Optional(closed({ output: anyObject(), evidence_digest: orNull(hex64()) })),
  work: Type.Optional(bundledWorkSchema),
  proof: text(PROOF_CHARS_MAX),
}
const question = { question: Type.Optional(questionSchema) }

/** Form of a bundle: unknown members are refused, since nothing would bind them. */
export const bundleSchema = closedModel('Bundle', {
  v: Type.Literal(1),
  envelope: envelopeSchema,
  ...question,
  ...beside,
})

/** The same, of each version of claims: a refusal names a member, and only what a claim binds may stand beside it. */
const plainBundle = closed({ v: Type.Literal(1), envelope: closed(envelopeOf(plainClaimSchema)), ...beside })
const askedBundle = closed({
  v: Type.Literal(1),
  envelope: closed(envelopeOf(askedClaimSchema)),
  ...question,
  ...beside,
})

type Unread = { readonly v?: unknown; readonly envelope?: { readonly claim?: Unread | null } | null } | null | undefined

const isAsked = (claim: Unread): boolean => claim?.v === 2

/** The claim, if a JSON value has its form. @throws Fault INVALID_INPUT naming the first member that does not fit. */
export const claimOf = (value: unknown): Claim =>
  fitting(isAsked(value as Unread) ? askedClaimSchema : plainClaimSchema, value) as unknown as Claim

/** The bundle, if a JSON value has its form. @throws Fault INVALID_INPUT naming the first member that does not fit. */
export const bundleOf = (value: unknown): Bundle => {
  const isOfQuestion = isAsked((value as Unread)?.envelope?.claim)
  const bundle = fitting(isOfQuestion ? askedBundle : plainBundle, value) as unknown as Bundle
  // Nothing would bind a work that the claim does not name.
  if (bundle.work !== undefined && bundle.envelope.claim.worker === null) {
    throw new Fault('INVALID_INPUT', '/work: the claim names no worker.')
  }
  return bundle
}

/**
 * Reads a bundle from JSON text of any spelling: every member is bound by a digest, the signature or the proof, so
 * white space and order say nothing.
 *
 * @throws Fault BODY_TOO_LARGE | MALFORMED_JSON | INVALID_INPUT
 */
export const parseBundle = (source: string | Uint8Array): Bundle => bundleOf(parseJson(source, BUNDLE_BYTES_MAX))

/** A bundle as JSON, one line. */
export const bundleText = (bundle: Bundle): string => `${JSON.stringify(bundle as unknown as Json)}\n`
