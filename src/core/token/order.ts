import Type from 'typebox'
import { toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { publicKeyOfSeed, type Signer, signValue, signValueWith } from '#core/keys.ts'
import { fitting } from '#core/schema.ts'
import { countOf, LIST_TOKENS_MAX, packSorted, placesOf, type TokenPlace, tokensRoot } from './list.ts'
import { assertTimely, opPurpose, type SignedOp, type TokenOp, tokenOpSchema } from './op.ts'
import { tokenPlaceSchema } from './receipt.ts'

/** Mesh ticks for which an op is valid where its signer does not say: a quarter of an hour. */
export const VALID_TICKS_DEFAULT = 1_287

/** An op as its home is asked for it: with its list, ascending. */
export interface TokenOrder {
  readonly op: TokenOp
  readonly list: readonly TokenPlace[]
}

const listSchema = Type.Array(tokenPlaceSchema, { minItems: 1, maxItems: LIST_TOKENS_MAX })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** An op by the form of its own kind, so that a refusal names the member. @throws Fault INVALID_INPUT */
const fittingOp = (value: Readonly<Record<string, unknown>>): TokenOp => {
  const ofKind = tokenOpSchema.anyOf.find(({ properties: { op } }) => {
    return (op as unknown as { readonly enum: readonly unknown[] }).enum.includes(value['op'])
  })
  return fitting(ofKind ?? tokenOpSchema, value) as TokenOp
}

/**
 * Completes what an owner wrote down into an op that can be signed: {home, op, list, to | ref} must be there; `until`,
 * `mesh_tick` and `valid_to` may be; root and count follow from the list, and must be those where they are given.
 *
 * @param meshTick the present one.
 * @throws Fault INVALID_INPUT naming what does not fit, OP_EXPIRED for an op that no home would take any more.
 */
export const orderOf = (value: unknown, meshTick: number): TokenOrder => {
  if (!isObject(value)) throw new Fault('INVALID_INPUT', 'An op is an object with home, op, list, and to or ref.')
  const { list, ...given } = value
  const packed = packSorted(fitting(listSchema, list))
  const from = typeof given['mesh_tick'] === 'number' ? given['mesh_tick'] : meshTick
  const followed = { tokens_root: tokensRoot(packed), count: countOf(packed) }
  const op = fittingOp({
    ...{ until: null, mesh_tick: from, valid_to: from + VALID_TICKS_DEFAULT },
    ...followed,
    ...given,
  })
  if (op.tokens_root !== followed.tokens_root || op.count !== followed.count) {
    throw new Fault('INVALID_INPUT', 'The root or the count is not that of the list; leave them out.', followed)
  }
  assertTimely(op, meshTick)
  return { op, list: [...placesOf(packed)] }
}

/** Signs an op by the key of its owner, or by that of the package that it redeems. */
export const signOp = (seed: Uint8Array, op: TokenOp): SignedOp => ({
  op,
  public_key: toHex(publicKeyOfSeed(seed)),
  signature: signValue(seed, opPurpose(op), op as unknown as Json),
})

/** As {@link signOp}, on the signer's thread. */
export const signOpWith = async (signer: Signer, op: TokenOp): Promise<SignedOp> => ({
  op,
  public_key: toHex(signer.publicKey),
  signature: await signValueWith(signer, opPurpose(op), op as unknown as Json),
})
