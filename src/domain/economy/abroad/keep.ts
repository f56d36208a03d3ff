import { assert } from '#core/assert.ts'
import { countOf, placesOf, type TokenList } from '#core/token/list.ts'
import { opDigest } from '#core/token/op.ts'
import {
  type AwayMoveRow,
  type AwayTokenRow,
  awayKey,
  concernedBy,
  PLACES_PER_LEAF,
  type Receipted,
} from '#store/away.ts'
import { folderPart, keyOf, seqKey } from '#store/layout.ts'
import { chunkKey, chunksOf, readList } from '#store/op-lists.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'

/** What is written of tokens and ops of other homes. */

/** Tokens whose ways one transaction writes. */
export const WAYS_AT_ONCE = 1_024

const addToFolder = (tx: Transaction, { owner, folder }: AwayTokenRow, step: 1 | -1): void => {
  const key = keyOf(owner, folderPart(folder))
  const count = (tx.get('awayFolder', key) ?? 0) + step
  assert(count >= 0, 'a folder holds no less than nothing')
  if (count === 0) tx.del('awayFolder', key)
  else tx.put('awayFolder', key, count)
}

const addBytes = (tx: Transaction, owner: string, step: number): void => {
  const bytes = (tx.get('awayBytes', owner) ?? 0) + step
  assert(bytes >= 0, 'what is kept has no fewer bytes than none')
  if (bytes === 0) tx.del('awayBytes', owner)
  else tx.put('awayBytes', owner, bytes)
}

const filedKey = ({ owner, folder, serial }: AwayTokenRow): string => keyOf(owner, folderPart(folder), seqKey(serial))

/** Writes a token with its indexes; its bundle is the caller's to write. */
export const enter = (tx: Transaction, row: AwayTokenRow): void => {
  list(tx, row)
  addBytes(tx, row.owner, row.bytes)
}

/** Takes a token from its owner's list: it went on, or its home says it is not the owner's. Its way stays. */
export const leave = (tx: Transaction, row: AwayTokenRow): void => {
  unlist(tx, row)
  addBytes(tx, row.owner, -row.bytes)
  // It names its token, so nothing else has this bundle; who brings the token again brings it along.
  tx.del('blob', row.bundle)
}

const list = (tx: Transaction, row: AwayTokenRow): void => {
  const key = awayKey(row.owner, row.serial)
  tx.put('awayToken', key, row)
  tx.put('awayByToken', row.token_id, key)
  tx.put('awayByFolder', filedKey(row), row.token_id)
  addToFolder(tx, row, 1)
}

const unlist = (tx: Transaction, row: AwayTokenRow): void => {
  tx.del('awayToken', awayKey(row.owner, row.serial))
  tx.del('awayByToken', row.token_id)
  tx.del('awayByFolder', filedKey(row))
  addToFolder(tx, row, -1)
}

/** Files a token in another folder of its list. */
export const refile = (tx: Transaction, row: AwayTokenRow, folder: string): void => {
  unlist(tx, row)
  list(tx, { ...row, folder })
}

/** The token of an id, if it is one of another home that somebody here owns. */
export const tokenIn = ({ get }: Pick<Transaction, 'get'>, tokenId: string): AwayTokenRow | undefined => {
  const key = get('awayByToken', tokenId)
  return key === undefined ? undefined : get('awayToken', key)
}

/** The tokens of a list that somebody here owns. */
export const heldIn = (store: Store, list: TokenList): readonly AwayTokenRow[] =>
  [...placesOf(list)].flatMap(({ token_id }) => tokenIn({ get: store.peek }, token_id) ?? [])

/** Drops the list of an op of `count` tokens. */
export const dropList = (tx: Transaction, digest: string, list: TokenList): void => {
  for (const [at] of [...chunksOf(list)].entries()) tx.del('awayList', chunkKey(digest, at))
}

/** The list of an op; empty where there is none. */
export const listOf = (store: Store, digest: string): Promise<TokenList> => readList(store, 'awayList', digest)

/** Keeps what a home said of an op, among the moves of those here whom it concerns; nothing if it is known. */
export const keepMove = (
  tx: Transaction,
  store: Store,
  move: Receipted & Pick<AwayMoveRow, 'proof' | 'received'>,
): void => {
  const digest = opDigest(move.op)
  if (tx.get('awayMove', digest) !== undefined) return
  const leaves = store.log.base + store.log.size
  let place = Math.max(tx.get('awayPlace', 'all') ?? 0, Math.max(0, leaves - 1) * PLACES_PER_LEAF + 1)
  // Those are the places of this node's own ops.
  if (place % PLACES_PER_LEAF === 0) place += 1
  tx.put('awayPlace', 'all', place + 1)
  const { op, public_key, signature, receipt, receipt_signature, proof, received } = move
  const row = { op, public_key, signature, receipt, receipt_signature, proof, received }
  tx.put('awayMove', digest, { ...row, digest, place, tick: tx.tick })
  for (const zid of concernedBy(move)) {
    if (tx.get('account', zid) !== undefined) tx.put('awayMoveByZid', keyOf(zid, seqKey(place)), digest)
  }
}

/** Two ops that a home applied to one token at one count of its changes, by their digests. */
export interface Twice {
  readonly token_id: string
  readonly spend_seq: number
  readonly digests: readonly [string, string]
}

/**
 * Writes which op changed the tokens of a list. @returns the first of them that another op changed at the same count:
 * its home has spent it twice.
 */
export const keepWays = async (store: Store, digest: string, list: TokenList): Promise<Twice | undefined> => {
  let twice: Twice | undefined
  for (let at = 0; at < countOf(list); at += WAYS_AT_ONCE) {
    const places = [...placesOf(list, at, Math.min(at + WAYS_AT_ONCE, countOf(list)))]
    const found = await store.commit((tx): Twice | undefined => {
      let first: Twice | undefined
      for (const { token_id, spend_seq } of places) {
        const key = keyOf(token_id, seqKey(spend_seq + 1))
        const before = tx.get('awayOfToken', key)
        if (before === undefined) tx.put('awayOfToken', key, digest)
        else if (before !== digest) first ??= { token_id, spend_seq, digests: [before, digest] }
      }
      return first
    })
    twice ??= found
  }
  return twice
}
