import { Fault } from '#core/fault.ts'
import { countOf, placeAt, type TokenList, type TokenPlace } from '#core/token/list.ts'
import { assertTimely, type SignedOp } from '#core/token/op.ts'
import { lockAt } from '#core/token/state.ts'
import { breathe } from '#core/wait.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import { assertAlike, type NamedOp } from './append.ts'
import { cardOf } from './card.ts'
import type { Intents } from './intents.ts'
import { keepList } from './lists.ts'
import { contextOf, movedRow, namedBy } from './rows.ts'
import type { MoveParts } from './short.ts'

/** Tokens that are checked before others have their turn. */
const CHECKED_AT_ONCE = 512

export interface LongOptions extends MoveParts {
  readonly intents: Intents
}

/**
 * Ops on more tokens than one transaction should hold up others for. All tokens are checked under the movement locks of
 * their lists; one batch makes leaf, coins and an intent durable, which is when the op is applied, whole; the rows
 * follow in batches, and the locks are held until the last. Gives the leaf's serial number once the leaf is durable.
 */
export const createLong = ({ store, turns, known, append, intents }: LongOptions) => {
  /** Looks at every token of a list, with turns for others between: faces, ends of locks, and where they stand. */
  const weigh = async (signed: SignedOp, list: TokenList, from: string) => {
    const { op } = signed
    const { meshTick } = store.now()
    const how = { op, context: contextOf(signed, meshTick, { tx: { get: store.peek }, known }) }
    let firstEnd: (TokenPlace & { readonly until: number }) | undefined
    const count = countOf(list)
    const card = cardOf(count)
    let weight = 0
    for (let at = 0; at < count; at += CHECKED_AT_ONCE) {
      if (at > 0) await breathe()
      for (let i = at; i < Math.min(at + CHECKED_AT_ONCE, count); i += 1) {
        const place = placeAt(list, i)
        const stored = store.peek('envelope', place.token_id)
        movedRow(stored, place, how)
        const row = stored as EnvelopeRow
        assertAlike(store, row, { home: op.home, from })
        card.note(i, row)
        weight += row.face
        const until = lockAt(row.lock, meshTick)?.until ?? null
        if (until !== null && until < (firstEnd?.until ?? Number.POSITIVE_INFINITY)) firstEnd = { ...place, until }
      }
    }
    return { weight, firstEnd, card: await card.finish() }
  }

  const applied = async (signed: SignedOp, list: TokenList, named: NamedOp & { readonly from: string }) => {
    const { digest, from } = named
    // A short move that was planned before the lists were held may not be durable, and what is read here is durable.
    await store.commit(() => undefined)
    const again = await store.get('moveByDigest', digest)
    if (again !== undefined) return seqOf(again)
    assertTimely(signed.op, store.now().meshTick)
    const { weight, firstEnd, card } = await weigh(signed, list, from)
    await keepList(store, digest, list)
    return store.commit((tx) => {
      assertTimely(signed.op, tx.meshTick)
      // An op on tokens that are tied needs their locks: one that ended since they were looked at is there no more.
      if (firstEnd !== undefined && firstEnd.until <= tx.meshTick) {
        const { token_id, spend_seq } = firstEnd
        throw new Fault('SUPERSEDED', undefined, { token_id, spend_seq })
      }
      // What is decided by more than the tokens (whether a bond's lock ends) is decided in this batch.
      const head = placeAt(list, 0)
      const context = contextOf(signed, tx.meshTick, { tx, known })
      movedRow(tx.get('envelope', head.token_id), head, { op: signed.op, context })
      const { serial } = append(tx, signed, { ...named, weight })
      tx.del('moveDraft', digest)
      tx.put('intent', seqKey(serial), { done: 0 })
      const move = { list, meshTick: tx.meshTick, from, card: Promise.resolve(card) }
      tx.onDurable(() => intents.open(serial, signed, move))
      return serial
    })
  }

  return (signed: SignedOp, list: TokenList, named: NamedOp): Promise<number> => {
    const { token_id } = placeAt(list, 0)
    const first = store.peek('envelope', token_id)
    if (first === undefined) throw new Fault('NOT_FOUND', undefined, { token_id })
    const from = intents.through(first).listed_under
    const answered = Promise.withResolvers<number>()
    const rows = turns.hold([...new Set([from, ...namedBy(signed)])], async () => {
      const serial = await applied(signed, list, { ...named, from })
      answered.resolve(serial)
      await intents.settle(serial)
    })
    // Rows that could not be written now are written after the next start: the leaf is what counts.
    rows.catch(answered.reject)
    return answered.promise
  }
}
