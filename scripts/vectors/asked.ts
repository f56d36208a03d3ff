import { toHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import type { AskedClaim, Question } from '#core/claim.ts'
import { digest, purposes } from '#core/digest.ts'
import { claimDigest, envelopeLeaf, evidenceDigest } from '#core/envelope.ts'
import { signValue } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { encodeVkey, verifierOf } from '#core/note.ts'
import { askedDigest, readingDigest } from '#core/question.ts'
import { answersLine } from '#core/read-back.ts'
import type { StepName } from '#core/verify.ts'
import { claim, envelope, evidence, inputs, output } from './claim.ts'
import { ofClaim2 } from './core.ts'
import { resealed } from './refused.ts'
import { inputSchema, node, outputSchema, sealLog } from './sample.ts'

/** A question that the made-up solver of the vectors answers. */
const question: Question = {
  query: 'a smaple of 2 cells for 7 steps',
  constants: { kappa: '9.46e15 m' },
  reading: {
    kind: 'solver',
    route: 'POST /api/svc/sample',
    solver: 'sample',
    operators: claim.operators,
    bound: [
      { input: 'n', from: 'query', given: '2 cells', value: 2, unit: '1' },
      { input: 'kappa', from: 'constants', given: '9.46e15 m', value: 9.46e15, unit: 'm' },
    ],
    settings: [{ input: 'steps', value: 7, because: '7 steps' }],
    defaults: {},
    corrections: [{ from: 'smaple', to: 'sample' }],
    input: inputs,
  },
}

const asked = (confirmed: boolean, of: Question = question): AskedClaim['asked'] => ({
  reading: askedDigest(claim.nonce, of),
  confirmed,
})

const sealed = (confirmed: boolean) => resealed({ claim: { v: 2, asked: asked(confirmed) } }, envelope.equations)

const withReading = (change: Partial<Question['reading']>): Question => ({
  ...question,
  reading: { ...question.reading, ...change },
})

const bare = (name: 'v' | 'asked', value: unknown): object => ({ v: 2, asked: asked(true), [name]: value })
const { reading: good } = asked(true)

/** Claims that no rule allows, whoever signs them; what is asked for in place of the sample's own question. */
const refusedRows: readonly (readonly [StepName, string, object, Question?])[] = [
  ['form', 'version 1 binds no question', bare('v', 1)],
  ['form', 'there is no version 3', bare('v', 3)],
  ['form', 'version 2 binds a question', { v: 2 }],
  ['form', 'asked is null', bare('asked', null)],
  ['form', 'asked has no reading', bare('asked', { confirmed: true })],
  ['form', 'asked says nothing of a confirmation', bare('asked', { reading: good })],
  ['form', 'asked.confirmed is a text', bare('asked', { reading: good, confirmed: 'yes' })],
  ['form', 'asked.reading is in capitals', bare('asked', { reading: good.toUpperCase(), confirmed: true })],
  ['form', 'asked has another member', bare('asked', { reading: good, confirmed: true, by: 'me' })],
  ['question', 'the query is another', {}, { ...question, query: 'a sample of 3 cells for 7 steps' }],
  ['question', 'a value is another', {}, { ...question, constants: { kappa: '1 m' } }],
  ['question', 'the reading is another', {}, withReading({ settings: [] })],
  [
    'question',
    'the reading is of another solver',
    { asked: asked(true, withReading({ solver: 'heat' })) },
    withReading({ solver: 'heat' }),
  ],
  [
    'question',
    'a value that was read is not the one computed with',
    { asked: asked(true, withReading({ input: { n: 3 } })) },
    withReading({ input: { n: 3 } }),
  ],
  [
    'question',
    'the reading is of other operators',
    { asked: asked(true, withReading({ operators: ['KO42', 'NM21'] })) },
    withReading({ operators: ['KO42', 'NM21'] }),
  ],
]

export const askedClaimVectors = () => {
  const { envelope: confirmed, proof } = sealed(true)
  const it = confirmed.claim as AskedClaim
  const leaf = envelopeLeaf(it, confirmed.signature)
  return {
    about:
      'A claim of version 2, which answers a question in words, and a bundle of it that verifies. `unconfirmed`: the ' +
      'same without a yes to the reading. `refused`: other envelopes and questions in their place, with the step ' +
      'that refuses. `other_version`: the signature of the claim under the purpose of version 1, which is none.',
    trusted: [encodeVkey(verifierOf(sealLog, node.publicKey)), toHex(node.publicKey), node.node],
    seed: toHex(node.seed),
    schemas: { input: inputSchema, output: outputSchema },
    digests: ofClaim2.map((purpose) => {
      const value = { purpose, n: 1 }
      return { purpose, value, digest: digest(purpose, value) }
    }),
    claim: it,
    claim_text: canonical(it as unknown as Json),
    claim_digest: claimDigest(it),
    signature: confirmed.signature,
    leaf: { data: toHex(leaf), hash: toHex(leafHash(leaf)) },
    other_version: signValue(node.seed, purposes.claim, it as unknown as Json),
    reading_digest: readingDigest(question),
    answers: answersLine(it, question),
    bundle: {
      v: 1,
      envelope: confirmed,
      question,
      inputs,
      result: { output, evidence_digest: evidenceDigest(evidence) },
      proof,
    },
    unconfirmed: sealed(false),
    refused: refusedRows.map(([failing, why, changes, other = question]) => ({
      why,
      failing,
      question: other,
      ...resealed(
        { claim: failing === 'question' ? { v: 2, asked: asked(true), ...changes } : changes },
        envelope.equations,
      ),
    })),
  }
}
