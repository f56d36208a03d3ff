import Type, { type Static } from 'typebox'
import type { Json } from '#core/canonical.ts'
import { purposes } from '#core/digest.ts'
import { nodeOfLog, patterns } from '#core/ids.ts'
import { type Signer, signValue, signValueWith, verifyByNode } from '#core/keys.ts'
import { closed, count, credits, hex64, meshTick, orNull, publicKey, signature, text, tokenId } from '#core/schema.ts'
import { PROOF_CHARS_MAX } from '#core/tlog-proof.ts'
import { CHUNK_TOKENS, LIST_TOKENS_MAX, SPEND_SEQ_MAX } from './list.ts'
import { opDigest, opKinds, type TokenOp, tokenOpSchema } from './op.ts'

const log = (description: string) => Type.String({ pattern: patterns.logName, description })

const common = {
  home: log('The log that minted the tokens.'),
  log: log('The log that holds the leaf: that of the home, or of the key that succeeded it.'),
  index: count({ description: 'Place of the leaf.' }),
  op_digest: hex64(),
  tokens_root: hex64(),
  count: count({ minimum: 1, maximum: LIST_TOKENS_MAX }),
  weight: credits({ description: 'Sum of the faces of the tokens.' }),
  mesh_tick: meshTick({ description: 'When the home applied it.' }),
}

const [owner, lock, unlock, bearer, reclaim] = opKinds

/** Form of what a home says of an op that it applied. */
export const tokenReceiptSchema = Type.Union(
  [
    closed({ ...common, ...owner }),
    closed({ ...common, ...lock }),
    closed({ ...common, ...unlock }),
    closed({ ...common, ...bearer }),
    closed({ ...common, ...reclaim }),
  ],
  { title: 'TokenReceipt', description: 'That an op was applied, and where its leaf stands.' },
)
/** A home's statement that it applied an op, whole; provisional until a checkpoint holds its leaf. */
export type TokenReceipt = Static<typeof tokenReceiptSchema>

/** Form of one token of a list, as it travels. */
export const tokenPlaceSchema = closed({ token_id: tokenId(), spend_seq: count({ maximum: SPEND_SEQ_MAX }) })

/** Form of a receipt with what proves it: the file that `verify` takes. */
export const receiptFileSchema = closed(
  {
    v: Type.Literal(1),
    kind: Type.Literal('token-receipt'),
    op: tokenOpSchema,
    public_key: publicKey({ description: 'Whose key signed the op.' }),
    signature: signature({ description: 'Of the op, by that key.' }),
    receipt: tokenReceiptSchema,
    receipt_signature: signature({
      description: 'Of the receipt, by the key of the node whose log holds it.',
    }),
    list: Type.Optional(
      Type.Array(tokenPlaceSchema, { minItems: 1, maxItems: CHUNK_TOKENS, description: 'Of a short list, all of it.' }),
    ),
    proof: orNull(text(PROOF_CHARS_MAX, { minLength: 1 }), {
      description: 'C2SP tlog-proof v1 of the leaf; null while no checkpoint holds it.',
    }),
  },
  { title: 'TokenReceiptFile' },
)
/** A receipt with its op and the proof of its leaf. */
export type TokenReceiptFile = Static<typeof receiptFileSchema>

/** What a home adds to an op when it applies it. */
export interface Applied {
  readonly log: string
  readonly index: number
  readonly weight: number
  readonly meshTick: number
  /** The op's digest, where whoever asks has worked it out. */
  readonly digest?: string | undefined
}

/** The receipt of an op. Its members stand in the order of their names, in which canonical text is written fastest. */
export const receiptOf = (op: TokenOp, { log, index, weight, meshTick, digest }: Applied): TokenReceipt => {
  const { count: tokens, home, tokens_root, until } = op
  const named = 'to' in op ? { to: op.to } : { ref: op.ref }
  return {
    ...{ count: tokens, home, index, log, mesh_tick: meshTick, op: op.op, op_digest: digest ?? opDigest(op) },
    ...{ ...named, tokens_root, until, weight },
  } as TokenReceipt
}

/** Why a receipt is not of an op, or undefined: everything in it but what the home adds follows from the op. */
export const receiptFault = (op: TokenOp, receipt: TokenReceipt): string | undefined => {
  const { log: at, index, weight, mesh_tick: meshTick } = receipt
  const expected = Object.entries(receiptOf(op, { log: at, index, weight, meshTick }))
  const given = receipt as Readonly<Record<string, unknown>>
  const wrong = expected.find(([name, value]) => given[name] !== value)?.[0]
  return wrong === undefined ? undefined : `The receipt has another ${wrong} than the op.`
}

/** Signs a receipt; 128 hex digits. */
export const signReceipt = (seed: Uint8Array, receipt: TokenReceipt): string =>
  signValue(seed, purposes.tokenReceipt, receipt as unknown as Json)

/** As {@link signReceipt}, on the signer's thread. */
export const signReceiptWith = (signer: Signer, receipt: TokenReceipt): Promise<string> =>
  signValueWith(signer, purposes.tokenReceipt, receipt as unknown as Json)

/** Whether the node whose log holds the leaf signed the receipt. */
export const verifyReceipt = (receipt: TokenReceipt, signed: string): boolean =>
  verifyByNode(nodeOfLog(receipt.log), purposes.tokenReceipt, receipt as unknown as Json, signed)
