import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import type { BlobName, Blobs } from '#domain/network/works/types.ts'
import { BLOB_BYTES_MAX } from '#store/blobs.ts'
import { LENT_ROWS_MAX, type LentTotalRow } from '#store/lent.ts'
import type { Store } from '#store/store.ts'
import type { Transaction } from '#store/transaction.ts'
import { blobKey } from './names.ts'

const ALL = 'all'
/** Beats between two looks for what is over, and what one look takes away. */
const SWEEP_EVERY_BEATS = 64
const SWEPT_MAX = 256

/** What is kept for others, in the store. */
export interface BlobKeep extends Pick<Blobs, 'put' | 'extend'> {
  get(name: BlobName): Promise<Uint8Array | undefined>
  /** Takes away what is over, a few at a time. */
  beat(): Promise<void>
}

const totalOf = (tx: Transaction): LentTotalRow => tx.get('lentTotal', ALL) ?? { rows: 0, bytes: 0 }

/** When each value that is kept is over, by its key: of the rows alone it would take a look at all of them. */
const createEnds = (store: Store) => {
  const ends = new Map<string, number>()
  let isLoaded = false
  const set = (tx: Transaction, key: string, until: number): void => tx.onDurable(() => void ends.set(key, until))
  const forget = (tx: Transaction, key: string): void => tx.onDurable(() => void ends.delete(key))
  return {
    set,
    hasOver: (meshTick: number): boolean => [...ends.values()].some((until) => until < meshTick),
    load: async (): Promise<void> => {
      if (isLoaded) return
      for await (const [key, { until }] of store.range('lent')) if (!ends.has(key)) ends.set(key, until)
      isLoaded = true
    },
    /** Takes away what is over until it is enough. */
    sweep: (tx: Transaction, isEnough: (swept: number, total: LentTotalRow) => boolean): void => {
      let { rows, bytes } = totalOf(tx)
      let swept = 0
      for (const [key, until] of ends) {
        if (isEnough(swept, { rows, bytes })) break
        if (until >= tx.meshTick) continue
        const row = tx.get('lent', key)
        if (row !== undefined && row.until >= tx.meshTick) continue
        forget(tx, key)
        if (row === undefined) continue
        tx.del('lent', key)
        tx.del('lentBytes', key)
        swept += 1
        rows -= 1
        bytes -= row.size
      }
      if (swept > 0) tx.put('lentTotal', ALL, { rows, bytes })
    },
  }
}

/** @param bytesMax of all that is kept together. */
export const createBlobKeep = (store: Store, bytesMax: number): BlobKeep => {
  const ends = createEnds(store)
  let beats = 0

  const longer = (tx: Transaction, key: string, until: number): string | undefined => {
    const row = tx.get('lent', key)
    if (row !== undefined && row.until < until) {
      tx.put('lent', key, { ...row, until })
      ends.set(tx, key, until)
    }
    return row?.sha256
  }

  return {
    put: (tx, name, value, until) => {
      const key = blobKey(name)
      const known = longer(tx, key, until)
      if (known !== undefined) return known
      if (value.length > BLOB_BYTES_MAX) throw new Fault('BODY_TOO_LARGE', `At most ${BLOB_BYTES_MAX} bytes.`)
      const name256 = toHex(sha256(value))
      if (name.kind === 'bytes' && name.sha256 !== name256) {
        throw new Fault('DIGEST_MISMATCH', 'A value is kept under its own name alone.')
      }
      const fits = ({ rows, bytes }: LentTotalRow): boolean => bytes + value.length <= bytesMax && rows < LENT_ROWS_MAX
      if (!fits(totalOf(tx))) ends.sweep(tx, (_, total) => fits(total))
      const { rows, bytes } = totalOf(tx)
      if (!fits({ rows, bytes })) {
        throw new Fault('NODE_BUSY', 'No more is kept for others until some of it is over.')
      }
      tx.put('lent', key, { size: value.length, sha256: name256, until })
      tx.put('lentBytes', key, value)
      tx.put('lentTotal', ALL, { rows: rows + 1, bytes: bytes + value.length })
      ends.set(tx, key, until)
      return name256
    },
    extend: (tx, name, until) => void longer(tx, blobKey(name), until),
    get: (name) => store.get('lentBytes', blobKey(name)),
    beat: async () => {
      beats += 1
      await ends.load()
      if (beats % SWEEP_EVERY_BEATS !== 0 || !ends.hasOver(store.now().meshTick)) return
      await store.commit((tx) => ends.sweep(tx, (swept) => swept === SWEPT_MAX))
    },
  }
}
