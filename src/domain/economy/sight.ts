import type { Caller } from '#core/caller.ts'
import { HOUSE } from '#core/ids.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import { payerOf } from './holds.ts'
import { readLeaf } from './record.ts'

/** Who is shown an envelope, and by what. */

/** What a row names in place of a key where a channel had an envelope sealed. */
export const channelSealer = (id: string): string => `channel:${id}`

/** Whether an envelope stands in the caller's own list: an account's, or that of the minted demo key that made it. */
export const isOwn = (row: EnvelopeRow, caller: Caller): boolean =>
  caller.kind !== 'machine' &&
  caller.kind !== 'channel' &&
  row.listed_under !== HOUSE &&
  payerOf(caller).list === row.listed_under

/**
 * Whether a credential shows an envelope: its owner's, that of the minted demo key that made it, the node owner's. A
 * machine's key that may write is shown what a key of that machine had sealed: anyone with the role of an admin makes
 * such keys, and token ids can be computed, so the rest of what the owner has is none of its business. The key of a
 * channel is shown what the channel sealed, whoever asked for the tick, while that is its owner's.
 */
export const maySee = (row: EnvelopeRow, caller: Caller): boolean => {
  if (caller.kind === 'owner') return true
  if (caller.kind === 'channel') {
    return row.listed_under === caller.zid && row.sealed_by?.key === channelSealer(caller.channel)
  }
  if (caller.kind !== 'machine') return isOwn(row, caller)
  const { scope, slug } = caller.machine
  return scope !== 'read' && row.listed_under === caller.zid && row.sealed_by?.slug === slug
}

/** The nonce of an envelope's claim. */
export const nonceOf = async (store: Store, row: EnvelopeRow): Promise<string | undefined> => {
  const { log, index } = store.leafAt(row.index)
  const leaf = await log.leaf(index)
  return leaf === undefined ? undefined : readLeaf(leaf).claim.nonce
}

/**
 * Whether its nonce opens an envelope: what was made without a key or with the shared one belongs to no credential, and
 * what its owner opened to others is read by whoever has the link. Token ids can be computed by anyone; but the claim's
 * nonce leaves the node only with the answer to that call, and with the bundle.
 */
export const isOpen = (row: EnvelopeRow): boolean => row.listed_under === HOUSE || row.shared === true

/** Whether a nonce that was presented opens an envelope. */
export const opens = async (store: Store, row: EnvelopeRow, nonce: string | undefined): Promise<boolean> =>
  nonce !== undefined && isOpen(row) && (await nonceOf(store, row)) === nonce
