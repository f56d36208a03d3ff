import Type, { type Static } from 'typebox'
import { fromHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { digest, purposes, signedBytes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { patterns } from '#core/ids.ts'
import { assertSoundKey, verifyValue } from '#core/keys.ts'
import { closed, count, hex64, meshTick, oneOf, orNull, publicKey, signature, zid } from '#core/schema.ts'
import { LIST_TOKENS_MAX } from './list.ts'

/** Mesh ticks that an op may be valid beyond its own. */
export const OP_VALID_TICKS_MAX = 9_009
/** Mesh ticks that an op's own may be ahead of its home's. */
export const OP_AHEAD_TICKS_MAX = 120

/** What a lock is for, as the `ref` of an op says it: a vote's proposal or a bond's event, after its kind. */
export const LOCK_REF = '^(vote|bond):[A-Za-z0-9._-]{1,128}$'

const home = () => Type.String({ pattern: patterns.logName, description: 'The log that minted the tokens.' })
const common = {
  home: home(),
  tokens_root: hex64({ description: 'RFC 6962 root over the list, entries of token id and spend_seq.' }),
  count: count({ minimum: 1, maximum: LIST_TOKENS_MAX, description: 'Tokens of the list.' }),
  valid_to: meshTick({ description: 'The last mesh tick at which it may be applied.' }),
  mesh_tick: meshTick({ description: 'When it was signed.' }),
}

/** Of an op that makes a lock: when it ends by itself. */
const until = orNull(meshTick({ description: 'Mesh tick from which the lock is void; null for none.' }))
const lockRef = Type.String({ pattern: LOCK_REF, description: 'What the lock is for.' })
const packageKey = publicKey({ description: "The package's key." })

/** What each kind of op has beside what all have: a lock alone has an end, so nothing else names one. */
export const opKinds = [
  { op: oneOf(['transfer', 'redeem']), to: zid({ description: 'The owner after it.' }), until: Type.Null() },
  { op: oneOf(['lock']), ref: lockRef, until },
  { op: oneOf(['unlock']), ref: lockRef, until: Type.Null() },
  { op: oneOf(['bearer']), ref: packageKey, until },
  { op: oneOf(['reclaim']), ref: packageKey, until: Type.Null() },
] as const
const [owner, lock, unlock, bearer, reclaim] = opKinds

/** Form of an op that changes an owner, and of one that changes a lock. */
export const tokenOpSchema = Type.Union(
  [
    closed({ ...common, ...owner }),
    closed({ ...common, ...lock }),
    closed({ ...common, ...unlock }),
    closed({ ...common, ...bearer }),
    closed({ ...common, ...reclaim }),
  ],
  { title: 'TokenOp', description: 'One change of the tokens of a list, all of them or none.' },
)
/** One change of the tokens of a list (value.md, Op). The list travels beside it. */
export type TokenOp = Static<typeof tokenOpSchema>
export type TokenOpKind = TokenOp['op']
export const tokenOpKinds: readonly TokenOpKind[] = ['transfer', 'lock', 'unlock', 'bearer', 'redeem', 'reclaim']

/** What an op is signed under: by its owner's key, or by the key of the bearer package that it redeems. */
export const opPurpose = ({ op }: Pick<TokenOp, 'op'>): typeof purposes.tokenOp | typeof purposes.bearer =>
  op === 'redeem' ? purposes.bearer : purposes.tokenOp

/** The op's name: its digest under the purpose that it is signed under, 64 hex digits. */
export const opDigest = (op: TokenOp): string => digest(opPurpose(op), op as unknown as Json)

/** An op, whose key signed it, and how. */
export const signedOpSchema = closed({ op: tokenOpSchema, public_key: publicKey(), signature: signature() })
/** An op with its signature, by the raw public key in hex. */
export type SignedOp = Static<typeof signedOpSchema>

/** Leaf data of an op in its home's log: `tickmesh/token-move/1`, LF, JCS{op, public_key, signature}. */
export const moveLeaf = ({ op, public_key, signature: signed }: SignedOp): Uint8Array =>
  signedBytes(purposes.tokenMove, { op, public_key, signature: signed } as unknown as Json)

/**
 * Holds an op against its signature, under a sound key: it brings its key along, so this is where that key enters.
 * Whose it is, the tokens say.
 *
 * @throws Fault BAD_SIGNATURE, BAD_PUBLIC_KEY
 */
export const assertSignedOp = ({ op, public_key, signature: signed }: SignedOp): void => {
  const key = fromHex(public_key)
  if (!verifyValue(key, opPurpose(op), op as unknown as Json, signed)) {
    throw new Fault('BAD_SIGNATURE', 'The op is not signed by the key that is given with it.')
  }
  assertSoundKey(key)
}

/**
 * Holds the ticks of an op against those of its home.
 *
 * @throws Fault INVALID_INPUT for ticks that no op may have, OP_EXPIRED for one that came too late.
 */
export const assertTimely = ({ mesh_tick, valid_to }: TokenOp, now: number): void => {
  if (mesh_tick > now + OP_AHEAD_TICKS_MAX) {
    const detail = `The op is signed for mesh tick ${mesh_tick}; its home is at ${now}.`
    throw new Fault('INVALID_INPUT', detail, { mesh_tick: now })
  }
  if (valid_to < mesh_tick || valid_to > mesh_tick + OP_VALID_TICKS_MAX) {
    throw new Fault('INVALID_INPUT', `An op is valid for up to ${OP_VALID_TICKS_MAX} mesh ticks from its own.`)
  }
  if (valid_to < now) throw new Fault('OP_EXPIRED', undefined, { valid_to, mesh_tick: now })
}
