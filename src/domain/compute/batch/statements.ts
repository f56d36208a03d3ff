import {
  type BatchOutcome,
  callsRoot,
  closeLeaf,
  countsOf,
  openLeaf,
  outcomesRoot,
  type SignedClosing,
  type SignedOpening,
  signClosingWith,
  signOpeningWith,
} from '#core/batch/forms.ts'
import { fromUtf8, toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { type Purpose, purposes } from '#core/digest.ts'
import { leafHash } from '#core/merkle.ts'
import type { ComputePorts } from '#domain/compute/types.ts'
import type { BatchOutcomeRow, BatchRow } from '#store/rows/batch.ts'
import type { Transaction } from '#store/transaction.ts'
import { recordOf } from './prepare.ts'
import type { PreparedCall } from './types.ts'

type Ports = Pick<ComputePorts, 'store' | 'signer' | 'node'>

/** What is signed of an outcome: of a refusal its code, since its words may change. */
export const statedOf = (row: BatchOutcomeRow): BatchOutcome =>
  row.outcome === 'sealed' ? row : { outcome: row.outcome, code: row.problem.code }

/** A batch before its first run. */
export interface NewBatch {
  readonly id: string
  readonly caller: Caller
  readonly zid: string
  readonly price: number
  readonly calls: readonly PreparedCall[]
}

/** Appends the opening, and writes down what it takes to go on after a restart. @returns the row */
export const openIn = (tx: Transaction, { store, signer, node }: Ports, opening: NewBatch): BatchRow => {
  const { id, caller, zid, price, calls } = opening
  const { origin, base } = store.log
  const root = callsRoot(calls.map(({ call }) => call))
  const { tick } = tx
  const at = tx.append(purposes.batchOpen, async (index) => {
    const said = { v: 1, node: node.id, log: origin, index, batch: id, zid, calls: calls.length } as const
    return openLeaf(await signOpeningWith(signer, { ...said, root, price, tick }))
  })
  const row: BatchRow = {
    v: 1,
    id,
    caller,
    count: calls.length,
    opened: base + at,
    closed: null,
    mesh_tick: tx.meshTick,
  }
  tx.put('batch', id, row)
  tx.put('batchCalls', id, utf8(JSON.stringify(calls.map(recordOf))))
  return row
}

/** Appends the closing. @param opening hash of the leaf that opened it @returns the row as it is now */
export const closeIn = (
  tx: Transaction,
  { store, signer, node }: Ports,
  { row, opening, outcomes }: { row: BatchRow; opening: string; outcomes: readonly BatchOutcomeRow[] },
): BatchRow => {
  const { origin, base } = store.log
  const stated = outcomes.map(statedOf)
  const { tick } = tx
  const at = tx.append(purposes.batchClose, async (index) => {
    const said = { v: 1, node: node.id, log: origin, index, batch: row.id, opening, calls: row.count } as const
    const came = { ...countsOf(stated), outcomes: outcomesRoot(stated) }
    return closeLeaf(await signClosingWith(signer, { ...said, ...came, tick }))
  })
  const closed: BatchRow = { ...row, closed: base + at }
  tx.put('batch', row.id, closed)
  return closed
}

const leafAt = async ({ store }: Pick<Ports, 'store'>, serial: number): Promise<Uint8Array> => {
  const { log, index } = store.leafAt(serial)
  const leaf = await log.leaf(index)
  if (leaf === undefined) throw new Error(`leaf ${serial} of a batch is missing`)
  return leaf
}

const inLeaf = async <T>(ports: Pick<Ports, 'store'>, serial: number, purpose: Purpose): Promise<T> =>
  JSON.parse(fromUtf8(await leafAt(ports, serial)).slice(purpose.length + 1)) as T

/** What a batch was opened with. */
export const openingOf = (ports: Pick<Ports, 'store'>, row: BatchRow): Promise<SignedOpening> =>
  inLeaf(ports, row.opened, purposes.batchOpen)

/** Hash of the leaf that opened it, hex. */
export const openingHash = async (ports: Pick<Ports, 'store'>, row: BatchRow): Promise<string> =>
  toHex(leafHash(await leafAt(ports, row.opened)))

/** What it was closed with. */
export const closingOf = (ports: Pick<Ports, 'store'>, closed: number): Promise<SignedClosing> =>
  inLeaf(ports, closed, purposes.batchClose)
