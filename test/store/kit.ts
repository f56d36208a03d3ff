import { utf8 } from '#core/bytes.ts'
import { purposes, signedBytes } from '#core/digest.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import { createSigner } from '#ports/signer.node.ts'
import { openStore } from '#store/open.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { type FixedClock, fixedClock } from '../kit/clock.ts'

/** Parts that every store test needs: one identity key, a clock that stands still, leaves that are not envelopes. */

export const SEED = new Uint8Array(32).fill(7)
export const signer: Signer = createSigner(SEED)
export const NODE = nodeIdOf(signer.publicKey)

/** Opens the store of a directory with the test key. */
export const open = (directory: string, clock: FixedClock = fixedClock()): Promise<Store> =>
  openStore({ directory, clock, signer })

/** Appends a ledger-like leaf that holds a text. */
export const appendText = (tx: Transaction, text: string): number =>
  tx.append(purposes.ledger, (index) => signedBytes(purposes.ledger, { index, text }))

/** Free credits out of nothing. */
export const give = (tx: Transaction, account: string, amount: number): void =>
  tx.post({ asset: 'free', debit: 'issued:test', credit: account, amount, reason: 'test', ref: 'test' })

/** All items of an async iterable. */
export const all = async <T>(items: AsyncIterable<T>): Promise<T[]> => {
  const found: T[] = []
  for await (const item of items) found.push(item)
  return found
}

/** A blob that a table may hold. */
export const bytes = (text: string): Uint8Array => utf8(text)
