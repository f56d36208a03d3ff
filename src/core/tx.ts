import Type, { type Static } from 'typebox'
import { fromHex, toHex } from './bytes.ts'
import type { Json } from './canonical.ts'
import { digest, purposes } from './digest.ts'
import { Fault } from './fault.ts'
import { assertSoundKey, publicKeyOfSeed, signValue, verifyValue, zidOf } from './keys.ts'
import type { Entry } from './machine.ts'
import { closed, hex64, meshTick, misfit, orNull, publicKey, signature, text } from './schema.ts'

/**
 * Signed transactions: what a member of a machine asks of it under its own key, so that anybody may bring it. What is
 * signed names data by their digest, so that a chain that seals them still proves the signature.
 */

/** Mesh ticks that a transaction may be old, or ahead. */
export const TX_TICKS = 1_287

/** Digits of a nonce: 16 bytes. */
const NONCE_PATTERN = '^[0-9a-f]{32}$'
const NAME_CHARS_MAX = 64

/** Members that every signed transaction has, as a schema. */
export const txMembers = {
  machine: hex64({ description: 'Id hash of the machine.' }),
  contract: Type.Optional(
    text(32, {
      minLength: 32,
      pattern: '^[0-9a-f]{32}$',
      description: 'The contract that is asked; else the machine.',
    }),
  ),
  event: Type.Optional(text(NAME_CHARS_MAX, { minLength: 1, description: 'Name of the event.' })),
  to: Type.Optional(
    text(NAME_CHARS_MAX, {
      minLength: 1,
      description: 'The state that the contract is to go to, instead of an event.',
    }),
  ),
  data: Type.Optional(
    Type.Record(Type.String(), Type.Unknown(), { description: 'Data of the event: at most 4,096 bytes of RFC 8785.' }),
  ),
  nonce: text(32, { minLength: 32, pattern: NONCE_PATTERN, description: '16 random bytes, hex; taken once.' }),
  mesh_tick: meshTick({ description: `When it was signed; it is taken within ${TX_TICKS} mesh ticks.` }),
  public_key: publicKey({ description: "The signer's key, whose ZID has a role in the machine." }),
  signature: signature({ description: 'Over `tickmesh/tx/1` and the members, data by their digest.' }),
} as const

const { public_key: _key, signature: _signature, nonce: nonceSchema, mesh_tick: tickSchema, ...wanted } = txMembers

/** What somebody says who wants one signed; nonce and mesh tick are fresh ones unless said. */
export const txOrderSchema = closed({
  ...wanted,
  nonce: Type.Optional(nonceSchema),
  mesh_tick: Type.Optional(tickSchema),
})

/** A transaction with its signature, as it is sent. */
export interface TxSigned {
  readonly machine: string
  readonly contract?: string
  readonly event?: string
  readonly to?: string
  readonly data?: Readonly<Record<string, unknown>>
  readonly nonce: string
  readonly mesh_tick: number
  readonly public_key: string
  readonly signature: string
}

/** What somebody wants signed. */
export type TxOrder = Omit<TxSigned, 'public_key' | 'signature'>

interface TxStatement {
  readonly machine: string
  readonly contract: string | null
  readonly event: string | null
  readonly to: string | null
  /** digest(`tickmesh/event-data/1`, data), or null. */
  readonly data: string | null
  readonly nonce: string
  readonly mesh_tick: number
  readonly public_key: string
}

const json = (statement: TxStatement): Json => ({ ...statement })

/** Digest of the data of a transaction, or null where it has none. @throws Fault NOT_CANONICAL */
export const txDataDigest = ({ data }: Pick<TxSigned, 'data'>): string | null =>
  data === undefined ? null : digest(purposes.eventData, data as Json)

const statementOf = (tx: Omit<TxSigned, 'signature'>): TxStatement => {
  const { machine, contract = null, event = null, to = null, nonce, mesh_tick, public_key } = tx
  return { machine, contract, event, to, data: txDataDigest(tx), nonce, mesh_tick, public_key }
}

/** Name of a transaction: digest(`tickmesh/tx/1`, what is signed). @throws Fault NOT_CANONICAL */
export const txDigest = (tx: Omit<TxSigned, 'signature'>): string => digest(purposes.tx, json(statementOf(tx)))

/** Signs a transaction. @throws Fault NOT_CANONICAL */
export const signTx = (seed: Uint8Array, order: TxOrder): TxSigned => {
  const whole = { ...order, public_key: toHex(publicKeyOfSeed(seed)) }
  return { ...whole, signature: signValue(seed, purposes.tx, json(statementOf(whole))) }
}

/** The ZID that signed a transaction. @throws Fault BAD_PUBLIC_KEY, BAD_SIGNATURE, NOT_CANONICAL */
export const assertTxSigned = (tx: TxSigned): string => {
  const key = fromHex(tx.public_key)
  assertSoundKey(key)
  if (verifyValue(key, purposes.tx, json(statementOf(tx)), tx.signature)) return zidOf(key)
  throw new Fault('BAD_SIGNATURE', 'The transaction is not signed by its public key.')
}

const proofSchema = closed({
  digest: hex64(),
  contract: orNull(Type.String()),
  to: orNull(Type.String()),
  nonce: text(32, { pattern: NONCE_PATTERN }),
  mesh_tick: meshTick(),
  public_key: publicKey(),
  signature: signature(),
})

/** What an entry keeps of a transaction beside the name of its event and the digest of its data. */
export const txProofOf = (tx: TxSigned): Readonly<Record<keyof Static<typeof proofSchema>, Json>> => {
  const { contract = null, to = null, nonce, mesh_tick, public_key } = tx
  return { digest: txDigest(tx), contract, to, nonce, mesh_tick, public_key, signature: tx.signature }
}

/**
 * Why an entry does not carry the transaction that it says, or undefined when it does, or says none. The entry alone
 * and the machine's id hash are enough.
 */
export const txEntryFault = (machine: string, { body }: Pick<Entry, 'body'>): string | undefined => {
  const { tx, event = null, data_digest = null, data } = (body ?? {}) as Readonly<Record<string, Json | undefined>>
  if (tx === undefined) return undefined
  if (misfit(proofSchema, tx) !== undefined) return 'its transaction has another form'
  const { digest: named, signature: signed, ...rest } = tx as unknown as Static<typeof proofSchema>
  const statement = { ...rest, machine, event, data: data_digest } as TxStatement
  const key = fromHex(rest.public_key)
  try {
    assertSoundKey(key)
    if (data !== undefined && digest(purposes.eventData, data) !== data_digest) return 'its data have another digest'
    if (digest(purposes.tx, json(statement)) !== named) return 'its transaction has another digest'
    return verifyValue(key, purposes.tx, json(statement), signed)
      ? undefined
      : 'its transaction is not signed by its key'
  } catch (cause) {
    if (cause instanceof Fault) return cause.message
    throw cause
  }
}
