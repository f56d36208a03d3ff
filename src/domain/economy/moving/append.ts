import { assert } from '#core/assert.ts'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import { nodeIdOf, type Signer } from '#core/keys.ts'
import type { TokenList } from '#core/token/list.ts'
import { moveLeaf, type SignedOp } from '#core/token/op.ts'
import { receiptOf, signReceiptWith, type TokenReceipt } from '#core/token/receipt.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { MoveRow } from '#store/rows/move.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { noteFor } from './note.ts'

/** An op that this home applied, and where. */
export interface AppliedMove {
  readonly row: MoveRow
  /** Serial number of the leaf. */
  readonly serial: number
  readonly receipt: TokenReceipt
  /** Its list, where whoever applied it just now has it in hand. */
  readonly list?: TokenList
}

/** An op in a transaction. */
export interface Appended {
  /** Serial number of the leaf. */
  readonly serial: number
  /** What it comes to; there once the transaction is durable. */
  readonly made: () => AppliedMove
}

/** What else belongs to the batch that makes an op durable, such as the answer under an Idempotency-Key. */
export type InBatch = (tx: Transaction, digest: string) => void

/** An op by its name, with what its caller wants beside it. */
export interface NamedOp {
  readonly digest: string
  readonly beside: InBatch | undefined
}

/** An op whose tokens were looked at. */
export interface WeighedOp extends NamedOp {
  /** The owner of all of them. */
  readonly from: string
  /** Sum of their faces. */
  readonly weight: number
}

/** Holds home and owner of a token against those of the op it is in. @throws Fault INVALID_INPUT */
export const assertAlike = (store: Store, row: EnvelopeRow, { home, from }: { home: string; from: string }): void => {
  const { token_id, index, listed_under } = row
  if (store.leafAt(index).log.origin !== home) {
    throw new Fault('INVALID_INPUT', 'A token of the list has another home.', { token_id })
  }
  if (listed_under !== from) throw new Fault('INVALID_INPUT', 'The tokens of a list have one owner.', { token_id })
}

/**
 * Appends the leaf of an op, moves its coins and keeps its receipt and indexes, in the caller's transaction. The
 * rows of its tokens are the caller's to write.
 */
export const createAppend = (store: Store, signer: Signer) => {
  const node = nodeIdOf(signer.publicKey)
  return (tx: Transaction, signed: SignedOp, { digest, from, weight, beside }: WeighedOp): Appended => {
    const { op } = signed
    const index = tx.append(purposes.tokenMove, () => moveLeaf(signed))
    const serial = store.log.base + index
    const [place, meshTick] = [seqKey(serial), tx.meshTick]
    if ('to' in op && op.to !== from) {
      tx.post({ asset: 'coin', debit: from, credit: op.to, amount: weight, reason: op.op, ref: digest })
      tx.put('moveByZid', keyOf(op.to, place), true)
      noteFor(tx, node, { to: op.to, place })
    }
    tx.put('moveByDigest', digest, place)
    tx.put('moveByZid', keyOf(from, place), true)
    let made: AppliedMove | undefined
    tx.late(async (put) => {
      const receipt = receiptOf(op, { log: store.log.origin, index, weight, meshTick, digest })
      const receipt_signature = await signReceiptWith(signer, receipt)
      const row: MoveRow = { ...signed, digest, from, weight, mesh_tick: meshTick, tick: tx.tick, receipt_signature }
      put('move', place, row)
      made = { row, serial, receipt }
    })
    beside?.(tx, digest)
    return {
      serial,
      made: () => {
        assert(made !== undefined, 'a durable op has its receipt')
        return made
      },
    }
  }
}

export type Append = ReturnType<typeof createAppend>
