/*
 * Goal: the byte form of signed transactions stands, each entry that carries one proves it alone, and no altered one
 * does. Method: the golden vectors, which node:crypto verifies from their text; fast-check over every digit of a proof.
 */
import assert from 'node:assert/strict'
import { createHash, createPublicKey, verify } from 'node:crypto'
import { readFileSync } from 'node:fs'
import fc from 'fast-check'
import { fromHex } from '#core/bytes.ts'
import { publicKeyOfSeed, zidOf } from '#core/keys.ts'
import { assertTxSigned, type TxSigned, txDigest, txEntryFault } from '#core/tx.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core: transactions')

interface Vectors {
  readonly machine: string
  readonly seed: string
  readonly signer: string
  readonly taken: readonly { tx: TxSigned; signed: string; digest: string; body: { tx: Record<string, string> } }[]
  readonly refused: readonly { about: string; body: object; why: string | null }[]
}
const vectors = JSON.parse(readFileSync(new URL('../../protocols/vectors/tx.json', import.meta.url), 'utf8')) as Vectors

test('what is signed is the purpose and the text of the vector, as another implementation of Ed25519 sees it', () => {
  assert.ok(vectors.taken.length >= 3)
  for (const { tx, signed, digest, body } of vectors.taken) {
    const bytes = Buffer.from(`tickmesh/tx/1\n${signed}`)
    assert.equal(createHash('sha256').update(bytes).digest('hex'), digest)
    assert.equal(txDigest(tx), digest)
    const key = createPublicKey({
      key: { kty: 'OKP', crv: 'Ed25519', x: Buffer.from(tx.public_key, 'hex').toString('base64url') },
      format: 'jwk',
    })
    assert.ok(verify(null, bytes, key, Buffer.from(tx.signature, 'hex')))
    assert.equal(assertTxSigned(tx), vectors.signer)
    assert.equal(txEntryFault(vectors.machine, { body: body as never }), undefined)
  }
  assert.equal(zidOf(publicKeyOfSeed(fromHex(vectors.seed))), vectors.signer)
})

test('entries that prove nothing say why', () => {
  assert.ok(vectors.refused.length >= 7)
  for (const { about, body, why } of vectors.refused) {
    const found = txEntryFault(vectors.machine, { body: body as never })
    assert.ok(why !== null && found === why, about)
  }
})

test('no digit of a proof may be another one', () => {
  const [{ body }] = vectors.taken as [Vectors['taken'][number]]
  const names = ['digest', 'nonce', 'public_key', 'signature'] as const
  fc.assert(
    fc.property(fc.constantFrom(...names), fc.nat(127), fc.integer({ min: 1, max: 15 }), (name, place, by) => {
      const text = body.tx[name]!
      const at = place % text.length
      const digit = ((Number.parseInt(text[at]!, 16) + by) % 16).toString(16)
      const altered = { ...body, tx: { ...body.tx, [name]: `${text.slice(0, at)}${digit}${text.slice(at + 1)}` } }
      assert.notEqual(txEntryFault(vectors.machine, { body: altered }), undefined)
    }),
    { seed, numRuns: 60 },
  )
})

test.run()
