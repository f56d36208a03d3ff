import { placeAt, placesOf, type TokenList } from '#core/token/list.ts'
import { assertTimely, type SignedOp } from '#core/token/op.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import { putList } from '#store/op-lists.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { type Append, type Appended, type AppliedMove, assertAlike, type NamedOp } from './append.ts'
import { contextOf, movedRow, namedBy, putMoved, type Successions } from './rows.ts'
import type { Turns } from './turns.ts'

/** Tokens that one transaction moves; more of them are a long move, whose rows follow its leaf. */
export const SHORT_TOKENS_MAX = 256

/** A long move holds a list that a short one concerns. */
const WAIT = Symbol('wait')

export interface MoveParts {
  readonly store: Store
  readonly turns: Turns
  readonly known: Successions
  readonly append: Append
}

/** Ops that one transaction applies, leaf and rows. Gives the op, or the serial number where it was applied before. */
export const createShort = ({ store, turns, known, append }: MoveParts) => {
  const plan = (tx: Transaction, signed: SignedOp, list: TokenList, named: NamedOp) => {
    const again = tx.get('moveByDigest', named.digest)
    if (again !== undefined) return seqOf(again)
    const { op } = signed
    assertTimely(op, tx.meshTick)
    const places = [...placesOf(list)]
    const rows = places.map(({ token_id }) => tx.get('envelope', token_id))
    const owners = new Set(rows.flatMap((row) => (row === undefined ? [] : [row.listed_under])))
    if (turns.held([...owners, ...namedBy(signed)])) return WAIT
    const how = { op, context: contextOf(signed, tx.meshTick, { tx, known }) }
    const [from = ''] = owners
    let weight = 0
    const changes = places.map((place, i) => {
      const after = movedRow(rows[i], place, how)
      const before = rows[i] as EnvelopeRow
      assertAlike(store, before, { home: op.home, from })
      weight += before.face
      return { before, after }
    })
    const appended = append(tx, signed, { ...named, from, weight })
    putList(tx.put, 'moveList', { digest: named.digest, list })
    const serial = seqKey(appended.serial)
    for (const change of changes) putMoved(tx, { ...change, serial })
    return appended
  }

  return async (signed: SignedOp, list: TokenList, named: NamedOp): Promise<AppliedMove | number> => {
    for (;;) {
      const done: Appended | number | typeof WAIT = await store.commit((tx) => plan(tx, signed, list, named))
      if (typeof done === 'number') return done
      if (done !== WAIT) return { ...done.made(), list }
      const row = await store.get('envelope', placeAt(list, 0).token_id)
      await turns.free([...(row === undefined ? [] : [row.listed_under]), ...namedBy(signed)])
    }
  }
}
