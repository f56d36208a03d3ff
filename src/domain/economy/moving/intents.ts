import type { OpContext } from '#core/token/decide.ts'
import { countOf, findIn, placesOf, type TokenList } from '#core/token/list.ts'
import type { SignedOp } from '#core/token/op.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import { readList } from '#store/op-lists.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { dropUnused } from './lists.ts'
import { contextOf, movedRow, moveToken, namedBy, type Successions } from './rows.ts'

/** Rows of a long move that one transaction writes: sealing goes on beside it, and waits for one of these at most. */
const ROWS_AT_ONCE = 128

/** A long move whose rows are not all written. */
interface Intent {
  readonly signed: SignedOp
  readonly list: TokenList
  /** Mesh tick of its leaf: what its tokens' locks were held against. */
  readonly meshTick: number
  done: number
}

export interface Intents {
  /** Takes a long move up, once its leaf is durable. */
  open(serial: number, signed: SignedOp, of: { readonly list: TokenList; readonly meshTick: number }): void
  /** Writes the rows that are left. */
  settle(serial: number): Promise<void>
  /** A row as the open intents leave it. */
  through(row: EnvelopeRow): EnvelopeRow
  /** Takes up what a crash left, each under the lists of its owners, and drops lists that were never used. */
  resume(
    hold: (owners: readonly string[], work: () => Promise<void>) => Promise<void>,
  ): Promise<{ readonly rows: Promise<void> }>
}

/** Long moves whose leaves are durable: what they say holds at once, and their rows follow in batches. */
export const createIntents = (store: Store, known: Successions): Intents => {
  const open = new Map<number, Intent>()

  /** That a bond's lock might end was decided with the leaf. */
  const appliedContext = (signed: SignedOp, meshTick: number, tx: Pick<Transaction, 'get'>): OpContext => ({
    ...contextOf(signed, meshTick, { tx, known }),
    released: () => true,
  })

  const writeSome = (serial: number, { signed, list, meshTick, done }: Intent, to: number): Promise<void> =>
    store.commit((tx) => {
      const how = { op: signed.op, context: appliedContext(signed, meshTick, tx), serial: seqKey(serial) }
      for (const place of placesOf(list, done, to)) moveToken(tx, place, how)
      if (to < countOf(list)) tx.put('intent', seqKey(serial), { done: to })
      else tx.del('intent', seqKey(serial))
    })

  const settle = async (serial: number): Promise<void> => {
    const intent = open.get(serial)
    if (intent === undefined) return
    const count = countOf(intent.list)
    while (intent.done < count) {
      const to = Math.min(intent.done + ROWS_AT_ONCE, count)
      await writeSome(serial, intent, to)
      intent.done = to
    }
    open.delete(serial)
  }

  const reopen = async (serial: number, done: number): Promise<Intent | undefined> => {
    const row = await store.get('move', seqKey(serial))
    if (row === undefined) return undefined
    const { op, public_key, signature, digest, mesh_tick: meshTick } = row
    const list = await readList(store, 'moveList', digest)
    const intent = { signed: { op, public_key, signature }, list, meshTick, done }
    open.set(serial, intent)
    return intent
  }

  return {
    open: (serial, signed, { list, meshTick }) => void open.set(serial, { signed, list, meshTick, done: 0 }),
    settle,
    through: (row) => {
      for (const { signed, list, meshTick } of open.values()) {
        const place = findIn(list, row.token_id)
        // One whose row is written stands at a later count.
        if (place === undefined || place.spend_seq !== row.spend_seq) continue
        const context = appliedContext(signed, meshTick, { get: store.peek })
        return movedRow(row, place, { op: signed.op, context })
      }
      return row
    },
    resume: async (hold) => {
      const left: Promise<void>[] = []
      for await (const [key, { done }] of store.range('intent')) {
        const serial = seqOf(key)
        const intent = await reopen(serial, done)
        const row = await store.get('move', key)
        if (intent === undefined || row === undefined) continue
        const owners = [...new Set([row.from, ...namedBy(intent.signed)])]
        left.push(hold(owners, () => settle(serial)))
      }
      await dropUnused(store)
      return { rows: Promise.all(left).then(() => undefined) }
    },
  }
}
