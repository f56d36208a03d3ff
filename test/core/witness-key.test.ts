// Goal: a witness key is believed of the node alone that states it. Method: a statement of a node, and others that
// differ from it in one thing each, all signed by the node that they name.
import assert from 'node:assert/strict'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, publicKeyOfSeed, signValueWith } from '#core/keys.ts'
import { ED25519_COSIGNATURE, encodeVkey, verifierOf } from '#core/note.ts'
import { readStatement, STATEMENT_BYTES_MAX, statementBytes, stateWitness, witnessVerifier } from '#core/witness-key.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/witness-key')
const random = seeded()

const party = () => {
  const seed = random.bytes(32)
  const publicKey = publicKeyOfSeed(seed)
  return { signer: createSigner(seed), publicKey, node: nodeIdOf(publicKey) }
}
const [own, other, key] = [party(), party(), party().publicKey]

/** A statement that its node has signed, whatever stands in it. */
const stated = async ({ signer, node }: typeof own, vkey: string): Promise<Uint8Array> => {
  const said = { v: 1, node, vkey } as const
  return statementBytes({ ...said, signature: await signValueWith(signer, purposes.witnessKey, said) })
}
const refused = (bytes: Uint8Array, code: string, node = own.node): void => {
  assert.throws(
    () => readStatement(bytes, node),
    (error) => error instanceof Fault && error.code === code,
    code,
  )
}

test('a node states its witness key, and is read as it stated', async () => {
  const bytes = statementBytes(await stateWitness(own.signer, key))
  assert.deepEqual(readStatement(bytes, own.node), witnessVerifier(own.node, key))
  refused(bytes, 'INVALID_INPUT', other.node)
})

test('a key of another name, of another kind or of the node itself is refused, whoever has signed', async () => {
  const good = witnessVerifier(own.node, key)
  refused(await stated(own, encodeVkey(witnessVerifier(other.node, key))), 'INVALID_INPUT')
  refused(await stated(own, encodeVkey(verifierOf(good.name, key))), 'INVALID_INPUT')
  refused(await stated(own, encodeVkey(verifierOf(`${good.name}x`, key, ED25519_COSIGNATURE))), 'INVALID_INPUT')
  refused(await stated(own, encodeVkey(witnessVerifier(own.node, own.publicKey))), 'BAD_PUBLIC_KEY')
  refused(await stated(own, encodeVkey(witnessVerifier(own.node, new Uint8Array(32)))), 'BAD_PUBLIC_KEY')
})

test('a statement that its node has not signed, or that is too long, is refused', async () => {
  const { signature } = await stateWitness(other.signer, key)
  refused(statementBytes({ ...(await stateWitness(own.signer, key)), signature }), 'BAD_SIGNATURE')
  refused(new Uint8Array(STATEMENT_BYTES_MAX + 1), 'INVALID_INPUT')
  assert.equal(STATEMENT_BYTES_MAX, 1_024)
})

test.run()
