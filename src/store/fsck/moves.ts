import { fromHex } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { nodeOfLog } from '#core/ids.ts'
import { verifyValue } from '#core/keys.ts'
import { moved, type TokenRow } from '#core/token/decide.ts'
import { countOf, findIn, placesOf, type TokenList, tokensRoot } from '#core/token/list.ts'
import { opDigest, opPurpose, type SignedOp } from '#core/token/op.ts'
import { receiptOf, verifyReceipt } from '#core/token/receipt.ts'
import { speaksFor } from '#core/token/speaks.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import type { Rows, TableName } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { EraRow } from '#store/rows/era.ts'
import type { MoveRow } from '#store/rows/move.ts'
import type { MovesCheck } from './leaf-context.ts'
import { coinOf } from './ledger.ts'
import { listReader } from './op-lists.ts'
import type { Fsck } from './report.ts'

const refuse = (table: TableName, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

const sameOp = (row: MoveRow, { op, public_key, signature }: SignedOp): boolean =>
  opDigest(row.op) === opDigest(op) && row.public_key === public_key && row.signature === signature

const NO_BOND = 'it is withheld, and no bond tied it'

/** Changes of a token by ops: that its bond fell is none. */
const opsOf = ({ lock, spend_seq }: Pick<EnvelopeRow, 'lock' | 'spend_seq'>): number =>
  lock?.kind === 'withheld' ? spend_seq - 1 : spend_seq

/** Told of the face of each token that an op changed. */
type Weigh = (place: string, face: number) => void

/** Makes the row of a token again from its ops, one after another, by the rules of its home. */
const tokenReplay = (
  { database }: Fsck<Rows>,
  listOf: (digest: string) => Promise<TokenList>,
  { eras, weigh }: { readonly eras: readonly Pick<EraRow, 'succession'>[]; readonly weigh: Weigh },
): MovesCheck['row'] => {
  const successions = eras.map(({ succession }) => succession).filter((it) => it !== null)
  const speaks = (publicKey: string) => (owner: string) =>
    speaksFor(publicKey, owner, { accountKey: (zid) => database.peek('account', zid)?.public_key, successions })

  const stateAfter = async (state: TokenRow, place: string): Promise<TokenRow> => {
    const { token_id, spend_seq } = state
    const move = database.peek('move', place)
    if (move === undefined) return refuse('move', place, `token ${token_id} names it, and it is missing`)
    const { op, public_key: publicKey, mesh_tick: meshTick, digest, from } = move
    if (findIn(await listOf(digest), token_id)?.spend_seq !== spend_seq) {
      return refuse('envelope', token_id, 'an op that is said to have changed it does not list it')
    }
    if (from !== state.owner) return refuse('move', place, `token ${token_id} was not its owner's`)
    try {
      const context = { publicKey, speaksFor: speaks(publicKey), meshTick, released: () => true }
      return moved(state, { token_id, spend_seq }, { op, context })
    } catch (cause) {
      if (!(cause instanceof Fault)) throw cause
      return refuse('move', place, `token ${token_id} could not be changed so: ${cause.message}`)
    }
  }

  return async (row, owner) => {
    const { token_id, soulbound } = row
    let state: TokenRow = { token_id, owner, soulbound, lock: null, spend_seq: 0 }
    for (let seq = 1; seq <= opsOf(row); seq += 1) {
      const key = keyOf(token_id, seqKey(seq))
      const place = database.peek('moveOfToken', key)
      if (place === undefined) return refuse('moveOfToken', key, 'the row is missing')
      state = await stateAfter(state, place)
      weigh(place, row.face)
    }
    if (row.lock?.kind === 'withheld') {
      // No op withholds: whether the lock of a bond stood before, and that bond fell, is held against its own rows.
      if (state.owner !== row.listed_under || state.lock?.kind !== 'bond') refuse('envelope', token_id, NO_BOND)
      return
    }
    const fits = state.owner === row.listed_under && canonical(state.lock as Json) === canonical(row.lock as Json)
    if (!fits) refuse('envelope', token_id, 'its owner or lock is not what its ops made of it')
  }
}

/** The weight of each op is the sum of the faces of its tokens. */
const weighing = ({ database }: Fsck<Rows>, listOf: (digest: string) => Promise<TokenList>) => {
  const weights = new Map<string, number>()
  const weigh: Weigh = (place, face) => void weights.set(place, (weights.get(place) ?? 0) + face)

  /** Tokens whose rows an intent has still to write are as its op found them. @returns the sum of their faces */
  const leftOf = async (place: string, { from, digest }: MoveRow, done: number): Promise<number> => {
    let left = 0
    for (const { token_id, spend_seq } of placesOf(await listOf(digest), done)) {
      const row = database.peek('envelope', token_id)
      if (row?.spend_seq !== spend_seq || row.listed_under !== from) {
        return refuse('intent', place, `token ${token_id} is not as its op found it`)
      }
      left += row.face
    }
    return left
  }

  const checkWeights = async (coins: Map<string, number>): Promise<void> => {
    for await (const [place, { done }] of database.range('intent')) {
      const move = database.peek('move', place)
      if (move === undefined) return refuse('intent', place, 'its op is missing')
      const left = await leftOf(place, move, done)
      weigh(place, left)
      if (!('to' in move.op)) continue
      coins.set(move.from, (coins.get(move.from) ?? 0) - left)
      coins.set(move.op.to, (coins.get(move.op.to) ?? 0) + left)
    }
    for (const [place, weight] of weights) {
      if (database.peek('move', place)?.weight !== weight) refuse('move', place, `its tokens weigh ${weight}`)
    }
  }
  return { weigh, checkWeights }
}

/** Checks of moves; made once for the walk over all logs. */
export const createMovesCheck = (fsck: Fsck<Rows>, eras: readonly Pick<EraRow, 'succession'>[]): MovesCheck => {
  const { database, step } = fsck
  const listOf = listReader(database, 'moveList')
  /** How many ops, changes of tokens and places in lists of owners there must be, and what envelopes went through. */
  const due = { ops: 0, changes: 0, places: 0, gone: 0 }
  const { weigh, checkWeights } = weighing(fsck, listOf)
  const replay = tokenReplay(fsck, listOf, { eras, weigh })

  const checkOwners = ({ from, op }: MoveRow, place: string): void => {
    const owners = new Set([from, ...('to' in op ? [op.to] : [])])
    due.places += owners.size
    for (const zid of owners) {
      const key = keyOf(zid, place)
      if (database.peek('moveByZid', key) === undefined) refuse('moveByZid', key, 'the row is missing')
    }
  }

  const checkList = async ({ op, digest }: MoveRow, place: string): Promise<void> => {
    const list = await listOf(digest)
    if (countOf(list) !== op.count || tokensRoot(list) !== op.tokens_root) {
      refuse('moveList', digest, 'the list does not have the root that its op names')
    }
    const done = database.peek('intent', place)?.done
    due.changes += done ?? op.count
    if (done === undefined) return
    if (!(Number.isInteger(done) && done >= 0 && done < op.count)) refuse('intent', place, 'it counts past its list')
    for (const { token_id, spend_seq } of placesOf(list, done)) {
      const key = keyOf(token_id, seqKey(spend_seq + 1))
      if (database.peek('moveOfToken', key) !== undefined) refuse('intent', place, 'more is done than it counts')
    }
  }

  return {
    leaf: async ({ signed: { node, origin, base }, movements }, leaf, body) => {
      step('logs')
      const signed = body as unknown as SignedOp
      const { op, public_key, signature } = signed
      const place = seqKey(base + leaf.index)
      const row = database.peek('move', place)
      if (row === undefined) return refuse('move', place, 'the row is missing')
      const named = database.peek('moveByDigest', row.digest) === place
      if (!sameOp(row, signed) || opDigest(op) !== row.digest || !named)
        refuse('move', place, 'its leaf says something else')
      const value = op as unknown as Json
      if (!verifyValue(fromHex(public_key), opPurpose(op), value, signature)) {
        refuse('leaf', leaf.key, 'the signature does not verify')
      }
      const { weight, mesh_tick: meshTick, receipt_signature } = row
      const receipt = receiptOf(op, { log: origin, index: leaf.index, weight, meshTick })
      if (nodeOfLog(origin) !== node || !verifyReceipt(receipt, receipt_signature)) {
        refuse('move', place, 'its receipt is not signed by this node')
      }
      const owned = 'to' in op && op.to !== row.from
      const coins = owned ? await movements.takeMove(row.digest) : undefined
      if (owned && coins !== coinOf({ debit: row.from, credit: op.to, amount: weight })) {
        refuse('move', place, 'its coins did not move with it')
      }
      due.ops += 1
      checkOwners(row, place)
      await checkList(row, place)
      return row.tick
    },
    row: async (row, owner) => {
      await replay(row, owner)
      due.gone += opsOf(row)
    },
    leftOvers: async (coins) => {
      const expected: readonly (readonly [TableName, number])[] = [
        ['move', due.ops],
        ['moveByDigest', due.ops],
        ['moveByZid', due.places],
        ['moveOfToken', due.changes],
      ]
      for (const [table, count] of expected) {
        const found = await database.count(table)
        if (found !== count) refuse(table, '', `there are ${found} rows, and the leaves of ops give ${count}`)
      }
      // No two changes have one place in a list, so as many places as changes means that no place was used twice.
      if (due.gone !== due.changes) {
        refuse('moveOfToken', '', `envelopes changed ${due.gone} times, and the leaves of ops give ${due.changes}`)
      }
      await checkWeights(coins)
    },
  }
}
