import { Fault } from '#core/fault.ts'
import type { TokenOp } from './op.ts'
import { lockAt, type TokenLock } from './state.ts'

/**
 * What an op does to a token, decided from its row, the op and a tick alone: home, check of the data directory and
 * simulator run the same lines. An op is applied to all tokens of its list or, where one refuses, to none.
 */

/** What of a token its moves depend on. */
export interface TokenRow {
  readonly token_id: string
  /** A ZID; `house` or a demo key's list for what no key owns. */
  readonly owner: string
  readonly soulbound: boolean
  readonly lock: TokenLock | null
  readonly spend_seq: number
}

/** Who signs, and when. */
export interface OpContext {
  /** The key that signed the op, raw, in hex. */
  readonly publicKey: string
  /** Whether that key speaks for an owner: it is that ZID's, or succeeded it. */
  readonly speaksFor: (owner: string) => boolean
  readonly meshTick: number
  /** Whether the lock of a bond or of a vote may end before its tick (trust.md); none may unless this says so. */
  readonly released?: (ref: string, kind: TokenLock['kind']) => boolean
}

/** Why a token cannot be sent or exported. */
export type Immovable = 'soulbound' | 'locked'

/** Why a token cannot be sent or exported at a mesh tick; undefined when it can. */
export const immovable = (
  { soulbound, lock }: Pick<TokenRow, 'soulbound' | 'lock'>,
  meshTick: number,
): Immovable | undefined => {
  if (soulbound) return 'soulbound'
  return lockAt(lock, meshTick) === null ? undefined : 'locked'
}

const locked = (token_id: string, { kind, ref, until }: TokenLock): Fault =>
  new Fault('ENVELOPE_LOCKED', undefined, { token_id, kind, ref, until })

const superseded = ({ token_id, spend_seq }: TokenRow): Fault =>
  new Fault('SUPERSEDED', undefined, { token_id, spend_seq })

/** @throws Fault ENVELOPE_LOCKED */
const assertFree = ({ token_id }: TokenRow, lock: TokenLock | null): void => {
  if (lock !== null) throw locked(token_id, lock)
}

/** @throws Fault SOULBOUND, ENVELOPE_LOCKED */
const assertMovable = (row: TokenRow, lock: TokenLock | null): void => {
  if (row.soulbound) throw new Fault('SOULBOUND', undefined, { token_id: row.token_id })
  assertFree(row, lock)
}

const lockOf = ({ ref, until }: { readonly ref: string; readonly until: number | null }): TokenLock => {
  const at = ref.indexOf(':')
  return { kind: ref.slice(0, at) as 'vote' | 'bond', ref: ref.slice(at + 1), until }
}

type Change = Partial<Pick<TokenRow, 'owner' | 'lock'>>

/** The lock after an unlock. @throws Fault SUPERSEDED where it stands no more, ENVELOPE_LOCKED before its end. */
const unlocked = (row: TokenRow, lock: TokenLock | null, ref: string, { released }: OpContext): Change => {
  const wanted = lockOf({ ref, until: null })
  if (lock === null || lock.kind !== wanted.kind || lock.ref !== wanted.ref) throw superseded(row)
  if (released?.(lock.ref, lock.kind) !== true) throw locked(row.token_id, lock)
  return { lock: null }
}

/** Holds a package's lock against its key. @throws Fault SUPERSEDED */
const assertPackage = (row: TokenRow, lock: TokenLock | null, key: string): void => {
  if (lock?.kind !== 'bearer' || lock.ref !== key) throw superseded(row)
}

const changeOf = (row: TokenRow, op: TokenOp, context: OpContext): Change => {
  const lock = lockAt(row.lock, context.meshTick)
  switch (op.op) {
    case 'transfer':
      assertMovable(row, lock)
      return { owner: op.to, lock: null }
    case 'redeem':
      assertPackage(row, lock, context.publicKey)
      return { owner: op.to, lock: null }
    case 'lock':
      assertFree(row, lock)
      return { lock: lockOf(op) }
    case 'unlock':
      return unlocked(row, lock, op.ref, context)
    case 'bearer':
      assertMovable(row, lock)
      return { lock: { kind: 'bearer', ref: op.ref, until: op.until } }
    case 'reclaim':
      assertPackage(row, lock, op.ref)
      return { lock: null }
  }
}

/**
 * The row of a token after an op.
 *
 * @param row undefined where this home has no such token.
 * @param place what the op's list says of it.
 * @throws Fault NOT_FOUND for a token that is not the signer's, SUPERSEDED {token_id, spend_seq}, SOULBOUND {token_id},
 * ENVELOPE_LOCKED {token_id, kind, ref, until}
 */
export const moved = <R extends TokenRow>(
  row: R | undefined,
  place: { readonly token_id: string; readonly spend_seq: number },
  { op, context }: { readonly op: TokenOp; readonly context: OpContext },
): R => {
  // A redeemer owns nothing yet: the package's key is what it has.
  if (row === undefined || (op.op !== 'redeem' && !context.speaksFor(row.owner))) {
    throw new Fault('NOT_FOUND', undefined, { token_id: place.token_id })
  }
  if (row.spend_seq !== place.spend_seq) throw superseded(row)
  return { ...row, ...changeOf(row, op, context), spend_seq: row.spend_seq + 1 }
}

/**
 * The row of a token whose bond has fallen: no move changes it any more (trust.md, Withheld).
 *
 * @param ref the ruling, or the challenge that this node checked itself.
 * @throws Fault ENVELOPE_LOCKED where it was withheld before
 */
export const withheld = <R extends TokenRow>(row: R, ref: string): R => {
  if (row.lock?.kind === 'withheld') throw locked(row.token_id, row.lock)
  return { ...row, lock: { kind: 'withheld', ref, until: null }, spend_seq: row.spend_seq + 1 }
}
