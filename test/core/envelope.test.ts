/**
 * Goal: the short ways by which a claim is signed and hashed give the very bytes of the long ones. Method: random
 * claims with every kind of text and number, compared byte for byte; Node's own hex beside ours.
 */
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, type Json } from '#core/canonical.ts'
import type { Claim } from '#core/claim.ts'
import { purposes, signedBytes, signedText, withPurpose } from '#core/digest.ts'
import { envelopeLeaf, signClaim, signClaimLeafWith, verifyClaim } from '#core/envelope.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/envelope')
const KEY = new Uint8Array(32).fill(7)
const signer = createSigner(KEY)

/** Any text that has a canonical form: quotes, controls, planes beyond the first, and what looks like JSON. */
const anyText = fc.oneof(
  fc.string({ unit: 'grapheme' }),
  fc.string({ unit: 'binary' }).filter((it) => it.isWellFormed()),
  fc.constantFrom('","signature":"', '\\', '\u2028', '"}', '\0'),
)
const anyNumber = fc.double({ noNaN: true, noDefaultInfinity: true })

/** Claims in shape alone: what is compared is bytes, and no member means anything here. */
const anyClaim = fc.record({
  v: fc.constant(1),
  kind: anyText,
  operators: fc.array(anyText, { maxLength: 4 }),
  code: fc.record({ release: anyText, kernels: fc.dictionary(anyText, anyText, { maxKeys: 3 }) }),
  worker: fc.constant(null),
  value: anyNumber,
  unit: anyText,
  check: fc.record({ against: anyText, measured: anyNumber, bound: anyNumber }),
})

test('a claim signed with its leaf is the claim signed and its leaf made, byte for byte', async () => {
  const property = fc.asyncProperty(anyClaim, async (made) => {
    fc.pre(!Object.hasOwn(made.code.kernels, '__proto__'))
    const claim = made as unknown as Claim
    const { signature, leaf } = await signClaimLeafWith(signer, claim)
    assert.equal(signature, signClaim(KEY, claim))
    assert.deepEqual(leaf, envelopeLeaf(claim, signature))
    assert(verifyClaim(publicKeyOfSeed(KEY), claim, signature))
  })
  await fc.assert(property, { seed, numRuns: 500 })
})

test('a purpose before a text is the purpose before its bytes', () => {
  fc.assert(
    fc.property(anyText, anyNumber, (text, value) => {
      const json: Json = { text, value, list: [text, null, true] }
      const long = withPurpose(purposes.claim, canonicalBytes(json))
      assert.deepEqual(signedBytes(purposes.claim, json), long)
      assert.deepEqual(signedText(purposes.claim, canonical(json)), long)
      assert.deepEqual(long, utf8(`tickmesh/claim/1\n${canonical(json)}`))
    }),
    { seed },
  )
  assert.throws(() => signedText('tickmesh/none/1' as never, '{}'), /stands in the table/)
})

test('hex is what Node writes', () => {
  const check = (bytes: Uint8Array): void => assert.equal(toHex(bytes), Buffer.from(bytes).toString('hex'))
  fc.assert(fc.property(fc.uint8Array({ maxLength: 200 }), check), { seed })
  check(Uint8Array.from({ length: 256 }, (_, i) => i))
  check(new Uint8Array())
})

test.run()
