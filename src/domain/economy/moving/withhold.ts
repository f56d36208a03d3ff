import { assert } from '#core/assert.ts'
import { withheld } from '#core/token/decide.ts'
import { placesOf, type TokenList } from '#core/token/list.ts'
import { relist } from '#domain/economy/book.ts'
import { bondRef, coinKeeper } from '#store/bonds.ts'
import { readList } from '#store/op-lists.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { tokenOf } from './rows.ts'
import type { Turns } from './turns.ts'

/** A part of a bond that its home withheld. */
export interface WithheldPart {
  /** Digest of the op that locked it. */
  readonly digest: string
  /** What left each account. */
  readonly coins: Readonly<Record<string, number>>
}

/** A bond that fell, as far as its home is here. */
export interface Fall {
  /** The bond's name. */
  readonly bond: string
  /** Digests of the ops that locked its parts here. */
  readonly locks: readonly string[]
  /** The ruling, or the challenge that this node checked itself: what the locks name from now on. */
  readonly ref: string
  /** Whether it was withheld before, in the batch that asks. */
  readonly isDone: (tx: Transaction) => boolean
  /** What else belongs to the batch. */
  readonly beside: (tx: Transaction, parts: readonly WithheldPart[]) => void
}

/** Whether a part is still tied by its bond: the lock of one of its tokens is that of all. */
const isTied = (tx: Transaction, list: TokenList, bond: string): boolean => {
  for (const { token_id, spend_seq } of placesOf(list, 0, 1)) {
    const row = tx.get('envelope', token_id)
    return row?.spend_seq === spend_seq + 1 && row.lock?.kind === 'bond' && row.lock.ref === bond
  }
  return false
}

/** Makes the locks of a part final, and takes its coins. */
const withholdPart = (
  tx: Transaction,
  list: TokenList,
  { digest, ref }: { readonly digest: string; readonly ref: string },
): WithheldPart => {
  const coins = new Map<string, number>()
  for (const { token_id } of placesOf(list)) {
    const before = tx.get('envelope', token_id) as EnvelopeRow
    const { lock, spend_seq } = withheld(tokenOf(before), ref)
    relist(tx, before, { ...before, lock, spend_seq })
    const keeper = coinKeeper(before)
    coins.set(keeper, (coins.get(keeper) ?? 0) + before.face)
  }
  for (const [debit, amount] of coins) {
    tx.post({ asset: 'coin', debit, credit: 'withheld', amount, reason: 'withheld', ref: digest })
  }
  return { digest, coins: Object.fromEntries(coins) }
}

/**
 * Withholds what of a bond has its home here: locks, coins, events and rows in one batch, since a bond has a thousand
 * tokens and hardly one falls. It waits for long moves of the same lists, so that their rows say what their leaves do.
 */
export const createWithhold =
  (store: Store, turns: Turns) =>
  async (fall: Fall): Promise<void> => {
    const { bond, locks, ref, isDone, beside } = fall
    const rows = await Promise.all(
      locks.map(async (digest) => {
        const place = await store.get('moveByDigest', digest)
        const move = place === undefined ? undefined : store.peek('move', place)
        assert(move?.op.op === 'lock' && move.op.ref === bondRef(bond), 'a lock of the bond was applied here')
        return { digest, from: move.from, list: await readList(store, 'moveList', digest) }
      }),
    )
    await turns.hold([...new Set(rows.map(({ from }) => from))], () =>
      store.commit((tx) => {
        if (isDone(tx)) return
        const tied = rows.filter(({ list }) => isTied(tx, list, bond))
        beside(
          tx,
          tied.map(({ digest, list }) => withholdPart(tx, list, { digest, ref })),
        )
      }),
    )
  }
