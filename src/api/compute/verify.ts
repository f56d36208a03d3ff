import Type, { type Static, type TSchema } from 'typebox'
import { nonce } from '#api/economy/envelopes.ts'
import { answer, endpoint } from '#api/endpoint.ts'
import type { Advisory } from '#core/advisory.ts'
import { bundleSchema, claimSchema } from '#core/bundle.ts'
import { Fault } from '#core/fault.ts'
import {
  anything,
  closed,
  count,
  model,
  oneOf,
  orNull,
  publicKey,
  signature,
  text,
  tick,
  tokenId,
} from '#core/schema.ts'
import { type SignedVerdict, signedVerdictSchema } from '#core/verdict.ts'
import { stepNames, verifyBundle } from '#core/verify.ts'
import { advisoriesHere } from '#numerics/runtime/advisories.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { askingOf } from './answer.ts'
import { exampleClaim } from './example-claim.ts'

/** Evidence: served, checked step by step, and checked by running it again. */
const common = { domain: 'compute', tier: 'computation', access: { credential: 'none' } } as const

const KEY_CHARS_MAX = 256

/** A bundle carries its result: a field of 512 × 512 numbers fits. */
const bundleBody = { limits: { bodyBytes: 8_388_608 } } as const

const claimExample = exampleClaim.claim as unknown as Static<typeof claimSchema>

const anyObject = (description: string) => Type.Record(Type.String(), anything(), { description })

const bundle = endpoint({
  ...common,
  id: 'compute.bundle',
  route: 'GET /api/envelopes/{token_id}/bundle',
  access: { credential: 'optional', reach: { to: 'envelope', channel: true } },
  summary: 'The evidence of an envelope: claim, signature, receipt, equations, inputs, result, inclusion proof.',
  input: closed({ token_id: tokenId(), nonce }),
  result: bundleSchema,
  sends: ['Content-Disposition'],
  faults: ['NOT_FOUND', 'NOT_SEALED_YET'],
  example: { token_id: '0'.repeat(32) },
  async handle({ compute }, { input, caller }) {
    const found = await compute.bundle(input.token_id, caller, input.nonce)
    const headers = { 'Content-Disposition': `attachment; filename="${input.token_id}.json"` }
    return answer<never>({ body: JSON.stringify(found), type: 'application/json; charset=utf-8', headers })
  },
})

/** A schema of core with words for the reader of this endpoint. */
const described = <T extends TSchema>(schema: T, description: string): T => ({ ...schema, description })

const nodeIn = (value: Readonly<Record<string, unknown>>): unknown => {
  const { claim } = (value['envelope'] ?? {}) as { claim?: { node?: unknown } }
  return claim?.node
}

/** What is known wrong, as it is shown. */
const advisory = model('Advisory', {
  id: Type.String(),
  solver: Type.String(),
  revisions: Type.Array(count({ minimum: 1 })),
  says: Type.String({ description: 'What is wrong.' }),
  off: Type.String({ description: 'By how much.' }),
  successor: orNull(Type.String({ description: 'name@revision that is right.' })),
  tick: tick({ description: 'Mesh tick at which it became known.' }),
})

const advisoryShown = ({ where: _, ...rest }: Advisory) => ({ ...rest, revisions: [...rest.revisions] })

const verify = endpoint({
  ...common,
  ...bundleBody,
  id: 'compute.verify',
  route: 'POST /api/envelopes/verify',
  summary: 'Checks a bundle step by step and names what fails; a verifier of its own needs no node for this.',
  input: closed({
    bundle: anyObject('A bundle, as served or as edited.'),
    key: Type.Optional(
      text(KEY_CHARS_MAX, {
        minLength: 1,
        description:
          'The trusted key: a log’s vkey, a public key in hex or a node id. This node’s own for its own claims.',
      }),
    ),
  }),
  result: Type.Object({
    ok: Type.Boolean({ description: 'Whether everything was looked at and holds.' }),
    outcome: oneOf(['verified', 'failed', 'withdrawn', 'unchecked'], {
      description: 'withdrawn: nothing fails, but what was sealed is known to be wrong by now.',
    }),
    failing: orNull(oneOf(stepNames), { description: 'The first step that does not hold.' }),
    unchecked: Type.Array(oneOf(stepNames)),
    steps: Type.Array(
      Type.Object({ step: oneOf(stepNames), state: oneOf(['ok', 'failed', 'skipped']), detail: Type.String() }),
    ),
    token_id: orNull(Type.String()),
    answers: orNull(Type.String(), {
      description:
        'Of a claim that answers a question in words: what it answers, and whether the reading was confirmed.',
    }),
    advisories: Type.Array(advisory, { description: 'What is known to be wrong; without inputs, what may be.' }),
  }),
  faults: [],
  example: { bundle: {} },
  handle({ identity }, { input }) {
    const { key_supersessions: successions } = identity.describe()
    const ours = [identity.nodeId, ...successions.map((it) => it.succession.old_node)]
    const own = ours.some((node) => node === nodeIn(input.bundle)) ? identity.nodeId : undefined
    const trusted = input.key ?? own
    const found = verifyBundle({
      bundle: input.bundle,
      schemas: schemasHere,
      advisories: advisoriesHere(),
      successions,
      ...(trusted === undefined ? {} : { trusted }),
    })
    return {
      ok: found.outcome === 'verified',
      outcome: found.outcome,
      failing: found.failing ?? null,
      unchecked: found.unchecked,
      steps: found.steps,
      token_id: found.bundle?.envelope.claim.token_id ?? null,
      answers: found.answers ?? null,
      advisories: found.advisories.map(advisoryShown),
    }
  },
})

const verdictResult = model('SignedVerdict', {
  ok: Type.Boolean({ description: 'Whether the verdict is `agree`.' }),
  ...signedVerdictSchema.properties,
  public_key: publicKey({ description: 'The key that signs, as in /api/identity.' }),
})

const verdictAnswer = (it: SignedVerdict, key: string) =>
  answer<never>({
    body: JSON.stringify({ ok: it.verdict.verdict === 'agree', ...it, public_key: key }),
    type: 'application/json; charset=utf-8',
  })

const verdictFaults = [
  'BAD_SIGNATURE',
  'BAD_PUBLIC_KEY',
  'NOT_CANONICAL',
  'WORK_LIMIT_EXCEEDED',
  'DAILY_LIMIT_EXCEEDED',
  'NODE_BUSY',
  'WORKER_LOST',
] as const

const reverify = endpoint({
  ...common,
  ...bundleBody,
  id: 'compute.reverify',
  route: 'POST /api/svc/reverify',
  summary: 'Runs a claim’s result again, bit for bit, and signs what came of it.',
  input: closed({
    bundle: Type.Optional(described(bundleSchema, 'A bundle; or claim, signature and inputs by themselves.')),
    claim: Type.Optional(claimSchema),
    signature: Type.Optional(signature()),
    inputs: Type.Optional(anyObject('The full inputs, of which the claim holds the digest.')),
  }),
  result: verdictResult,
  faults: verdictFaults,
  example: { claim: claimExample, signature: exampleClaim.signature, inputs: exampleClaim.inputs },
  async handle({ compute, identity }, call) {
    const { bundle: whole, claim, signature: hex, inputs } = call.input
    if ((whole === undefined) === (claim === undefined)) throw new Fault('INVALID_INPUT', 'Give a bundle or a claim.')
    const request =
      whole === undefined ? { claim, signature: hex, inputs } : { ...whole.envelope, inputs: whole.inputs }
    return verdictAnswer(await compute.reverify(request, askingOf(call)), identity.publicKey)
  },
})

const attest = endpoint({
  ...common,
  id: 'compute.attest',
  route: 'POST /api/attest',
  summary: 'Judges a signed closed-form claim: pinned registry, signature, recomputation, bit comparison.',
  input: closed({
    claim: claimSchema,
    signature: signature(),
    origin_public_key: publicKey({ description: 'Whose claim it is said to be.' }),
    inputs: Type.Optional(anyObject('The bound order, of which the claim holds the digest.')),
  }),
  result: verdictResult,
  faults: verdictFaults,
  example: { ...exampleClaim, claim: claimExample },
  async handle({ compute, identity }, call) {
    const { inputs, ...rest } = call.input
    const found = await compute.attest({ ...rest, inputs }, askingOf(call))
    return verdictAnswer(found, identity.publicKey)
  },
})

export const verifyEndpoints = [bundle, verify, reverify, attest] as const
