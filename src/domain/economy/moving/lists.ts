import { concat } from '#core/bytes.ts'
import { ENTRY_BYTES, packSorted, rootBuilder, type TokenList, type TokenPlace } from '#core/token/list.ts'
import { breathe } from '#core/wait.ts'
import { under } from '#store/layout.ts'
import { chunkKey, chunksOf } from '#store/op-lists.ts'
import type { Store } from '#store/store.ts'

/** Lists of ops, however long: nothing else waits for one of them. */

/** Tokens that are hashed, or sorted, before others have their turn. */
const HASHED_AT_ONCE = 1_024
/** Tokens that are laid where they belong before others have their turn. */
const SORTED_AT_ONCE = 8_192

/** Digits of an id; tokens whose ids begin with the same ones are sorted at once. */
const PREFIX_DIGITS = 2

/**
 * Packs places of any number in the order of their ids, with turns for others between.
 *
 * @throws Fault INVALID_INPUT when a token stands twice.
 */
export const packLong = async (places: readonly TokenPlace[]): Promise<TokenList> => {
  if (places.length <= HASHED_AT_ONCE) return packSorted(places)
  const alike = new Map<string, TokenPlace[]>()
  for (const [i, place] of places.entries()) {
    if (i % SORTED_AT_ONCE === 0) await breathe()
    const prefix = place.token_id.slice(0, PREFIX_DIGITS)
    const some = alike.get(prefix)
    if (some === undefined) alike.set(prefix, [place])
    else some.push(place)
  }
  const packed: Uint8Array[] = []
  let sorted = 0
  for (const prefix of [...alike.keys()].sort()) {
    const some = alike.get(prefix) ?? []
    sorted += some.length
    packed.push(packSorted(some))
    if (sorted < HASHED_AT_ONCE) continue
    sorted = 0
    await breathe()
  }
  return concat(...packed)
}

/** `tokens_root` of a list of any length, with turns for others between. */
export const rootOfLong = async (list: TokenList): Promise<string> => {
  const builder = rootBuilder()
  const step = HASHED_AT_ONCE * ENTRY_BYTES
  for (let at = 0; at < list.length; at += step) {
    if (at > 0) await breathe()
    builder.add(list.subarray(at, at + step))
  }
  return builder.root()
}

/**
 * Keeps a long list, chunk by chunk: it counts for nothing until its op is applied. Whoever applies the op takes its
 * draft away in the same batch.
 */
export const keepList = async (store: Store, digest: string, list: TokenList): Promise<void> => {
  let at = 0
  for (const chunk of chunksOf(list)) {
    const key = chunkKey(digest, at)
    await store.commit((tx) => {
      tx.put('moveDraft', digest, true)
      tx.put('moveList', key, chunk)
    })
    at += 1
  }
}

/** Removes lists whose op was never applied: what a crash between list and leaf left. */
export const dropUnused = async (store: Store): Promise<void> => {
  for await (const [digest] of store.range('moveDraft')) {
    for await (const [key] of store.range('moveList', under(digest))) {
      await store.commit((tx) => tx.del('moveList', key))
    }
    await store.commit((tx) => tx.del('moveDraft', digest))
  }
}
