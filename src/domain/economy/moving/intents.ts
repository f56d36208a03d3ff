import { countOf, findIn, placesOf, type TokenList } from '#core/token/list.ts'
import type { SignedOp } from '#core/token/op.ts'
import { breathe } from '#core/wait.ts'
import type { Snapshot } from '#store/database.ts'
import { seqKey, seqOf } from '#store/layout.ts'
import { readList } from '#store/op-lists.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import { type Card, cardOf } from './card.ts'
import { dropUnused } from './lists.ts'
import { appliedContextOf, movedRow, moveToken, namedBy, type Successions } from './rows.ts'

/** Rows of a long move that one transaction writes: sealing goes on beside it, and waits for one of these at most. */
const ROWS_AT_ONCE = 128

/** Rows that are read before others have their turn, when a move is taken up again. */
const READ_AT_ONCE = 256

/** What belongs to a long move beside its op. */
export interface LongMove {
  readonly list: TokenList
  /** Mesh tick of its leaf: what its tokens' locks were held against. */
  readonly meshTick: number
  /** Owner of its tokens before it. */
  readonly from: string
  readonly card: Promise<Card>
}

/** A long move whose rows are not all written. */
interface Intent extends LongMove {
  readonly signed: SignedOp
  readonly written: PromiseWithResolvers<void>
  done: number
}

/** A long move under way, as it stands in a snapshot, for one of the two lists that it concerns. */
export interface Passage {
  /** Whether its tokens leave the list; else they come to it. */
  readonly leaves: boolean
  readonly card: Card
  /** Tokens, in the order of the op's list, whose rows are written in the snapshot. */
  readonly done: number
  has(tokenId: string): boolean
  /** A row of the snapshot as the op leaves it. */
  through(row: EnvelopeRow): EnvelopeRow
}

export interface Intents {
  /** Takes a long move up, once its leaf is durable. */
  open(serial: number, signed: SignedOp, of: LongMove): void
  /** Writes the rows that are left. */
  settle(serial: number): Promise<void>
  /** A row as the open intents leave it. */
  through(row: EnvelopeRow): EnvelopeRow
  /**
   * The long move that takes tokens from a list or brings them there in a snapshot: one at most, since a long move
   * holds both lists until its rows are written. Rows of one that changes no owner are waited for, and then a newer
   * snapshot is wanted: `stale`.
   */
  passage(list: string, snapshot: Pick<Snapshot, 'get'>): Promise<Passage | 'stale' | undefined>
  /** Takes up what a crash left, each under the lists of its owners, and drops lists that were never used. */
  resume(
    hold: (owners: readonly string[], work: () => Promise<void>) => Promise<void>,
  ): Promise<{ readonly rows: Promise<void> }>
}

/** Where the tokens of a list stand, by their rows. */
const readCard = async (store: Store, list: TokenList): Promise<Card> => {
  const card = cardOf(countOf(list))
  let at = 0
  for (const { token_id } of placesOf(list)) {
    if (at % READ_AT_ONCE === 0) await breathe()
    card.note(at, store.peek('envelope', token_id) as EnvelopeRow)
    at += 1
  }
  return card.finish()
}

/** A row as a long move leaves it. */
type Through = (intent: Intent, row: EnvelopeRow) => EnvelopeRow

const createThrough =
  (store: Store, known: Successions): Through =>
  ({ signed, list, meshTick }, row) => {
    const place = findIn(list, row.token_id)
    // One whose row is written stands at a later count.
    if (place === undefined || place.spend_seq !== row.spend_seq) return row
    const context = appliedContextOf(signed, meshTick, { tx: { get: store.peek }, known })
    return movedRow(row, place, { op: signed.op, context })
  }

const passageIn = async (
  { open, through }: { readonly open: ReadonlyMap<number, Intent>; readonly through: Through },
  list: string,
  snapshot: Pick<Snapshot, 'get'>,
): Promise<Passage | 'stale' | undefined> => {
  for (const [serial, intent] of open) {
    const { signed, from } = intent
    const to = 'to' in signed.op ? signed.op.to : from
    if (from !== list && to !== list) continue
    const done = (await snapshot.get('intent', seqKey(serial)))?.done
    // It was taken before the leaf, or after the last row.
    if (done === undefined) continue
    if (from === to) {
      await intent.written.promise
      return 'stale'
    }
    return {
      ...{ leaves: from === list, card: await intent.card, done },
      has: (token) => findIn(intent.list, token) !== undefined,
      through: (row) => through(intent, row),
    }
  }
  return undefined
}

/** Long moves whose leaves are durable: what they say holds at once, and their rows follow in batches. */
export const createIntents = (store: Store, known: Successions): Intents => {
  const open = new Map<number, Intent>()
  const through = createThrough(store, known)

  const writeSome = (serial: number, { signed, list, meshTick, done }: Intent, to: number): Promise<void> =>
    store.commit((tx) => {
      const how = { op: signed.op, context: appliedContextOf(signed, meshTick, { tx, known }), serial: seqKey(serial) }
      for (const place of placesOf(list, done, to)) moveToken(tx, place, how)
      if (to < countOf(list)) tx.put('intent', seqKey(serial), { done: to })
      else tx.del('intent', seqKey(serial))
    })

  const settle = async (serial: number): Promise<void> => {
    const intent = open.get(serial)
    if (intent === undefined) return
    const count = countOf(intent.list)
    try {
      while (intent.done < count) {
        const to = Math.min(intent.done + ROWS_AT_ONCE, count)
        await writeSome(serial, intent, to)
        intent.done = to
      }
    } catch (cause) {
      intent.written.reject(cause)
      throw cause
    }
    open.delete(serial)
    intent.written.resolve()
  }

  const enter = (serial: number, signed: SignedOp, of: LongMove & { readonly done: number }): Intent => {
    const intent = { signed, ...of, written: Promise.withResolvers<void>() }
    // Whoever waits for it is told; that nobody does is no fault.
    intent.written.promise.catch(() => undefined)
    open.set(serial, intent)
    return intent
  }

  const reopen = async (serial: number, done: number): Promise<Intent | undefined> => {
    const row = await store.get('move', seqKey(serial))
    if (row === undefined) return undefined
    const { op, public_key, signature, digest, mesh_tick: meshTick } = row
    const list = await readList(store, 'moveList', digest)
    const of = { list, meshTick, from: row.from, card: readCard(store, list), done }
    return enter(serial, { op, public_key, signature }, of)
  }

  return {
    open: (serial, signed, of) => void enter(serial, signed, { ...of, done: 0 }),
    settle,
    through: (row) => {
      for (const intent of open.values()) {
        const after = through(intent, row)
        if (after !== row) return after
      }
      return row
    },
    passage: (list, snapshot) => passageIn({ open, through }, list, snapshot),
    resume: async (hold) => {
      const left: Promise<void>[] = []
      for await (const [key, { done }] of store.range('intent')) {
        const serial = seqOf(key)
        const intent = await reopen(serial, done)
        const row = await store.get('move', key)
        if (intent === undefined || row === undefined) continue
        const owners = [...new Set([row.from, ...namedBy(intent.signed)])]
        const work = async (): Promise<void> => {
          // What the lists are shown by is read from rows as they were.
          await intent.card
          await settle(serial)
        }
        left.push(hold(owners, work))
      }
      await dropUnused(store)
      return { rows: Promise.all(left).then(() => undefined) }
    },
  }
}
