import Type, { type Static } from 'typebox'
import { canonicalBytes, type Json, parseCanonical } from './canonical.ts'
import { purposes } from './digest.ts'
import { Fault } from './fault.ts'
import { witnessName } from './ids.ts'
import { assertSoundKey, nodeIdOf, type Signer, signValueWith, verifyByNode } from './keys.ts'
import { ED25519_COSIGNATURE, encodeVkey, parseVkey, type Verifier, verifierOf } from './note.ts'
import { closed, fitting, nodeId, signature, text } from './schema.ts'

/** Form of a node's word about its witness key. */
export const witnessStatementSchema = closed({
  v: Type.Literal(1),
  node: nodeId(),
  vkey: text(256, { description: 'Verifier key of the witness, type 0x04.' }),
  signature: signature(),
})

/**
 * A node's word that a witness key is its own: signed by the identity key over (`tickmesh/witness-key/1`, {v, node,
 * vkey}). Whoever carries it, it proves itself, since a node id contains the identity key.
 */
export type WitnessStatement = Static<typeof witnessStatementSchema>

/** Bytes of a statement in its canonical form. */
export const STATEMENT_BYTES_MAX = 1_024

/** The key that cosigns for a node. */
export const witnessVerifier = (node: string, publicKey: Uint8Array): Verifier =>
  verifierOf(witnessName(node), publicKey, ED25519_COSIGNATURE)

const unsigned = ({ v, node, vkey }: Omit<WitnessStatement, 'signature'>): Json => ({ v, node, vkey })

/** A node states its witness key. */
export const stateWitness = async (signer: Signer, publicKey: Uint8Array): Promise<WitnessStatement> => {
  const node = nodeIdOf(signer.publicKey)
  const said = { v: 1, node, vkey: encodeVkey(witnessVerifier(node, publicKey)) } as const
  return { ...said, signature: await signValueWith(signer, purposes.witnessKey, unsigned(said)) }
}

/** A statement as it travels. */
export const statementBytes = (statement: WitnessStatement): Uint8Array => canonicalBytes(statement as unknown as Json)

/**
 * Reads what a node says of its witness key.
 *
 * @param node who must have said it.
 * @throws Fault NOT_CANONICAL, INVALID_INPUT, BAD_SIGNATURE, BAD_PUBLIC_KEY; and for a witness key that is the node's
 * identity key, under which nothing but purposes may be signed.
 */
export const readStatement = (bytes: Uint8Array, node: string): Verifier => {
  if (bytes.length > STATEMENT_BYTES_MAX) throw new Fault('INVALID_INPUT', 'The statement is too long.')
  const statement = fitting(witnessStatementSchema, parseCanonical(bytes))
  const verifier = parseVkey(statement.vkey)
  const fits = statement.node === node && verifier.name === witnessName(node) && verifier.type === ED25519_COSIGNATURE
  if (!fits) throw new Fault('INVALID_INPUT', 'The statement is about another witness.')
  assertSoundKey(verifier.publicKey)
  if (nodeIdOf(verifier.publicKey) === node) throw new Fault('BAD_PUBLIC_KEY', 'A witness has a key of its own.')
  if (!verifyByNode(node, purposes.witnessKey, unsigned(statement), statement.signature)) {
    throw new Fault('BAD_SIGNATURE', 'The node has not signed this.')
  }
  return verifier
}
