import { toHex } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import { sha256 } from '#crypto'
import type { BlobName, Blobs } from '#domain/network/works/types.ts'
import { BLOB_BYTES_MAX } from '#store/blobs.ts'
import { LENT_ROWS_MAX } from '#store/lent.ts'
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

const longer = (tx: Transaction, key: string, until: number): string | undefined => {
  const row = tx.get('lent', key)
  if (row !== undefined && row.until < until) tx.put('lent', key, { ...row, until })
  return row?.sha256
}

/** @param bytesMax of all that is kept together. */
export const createBlobKeep = (store: Store, bytesMax: number): BlobKeep => {
  let beats = 0

  const sweep = async (): Promise<void> => {
    const { meshTick } = store.now()
    const over: string[] = []
    for await (const [key, { until }] of store.range('lent')) {
      if (until < meshTick) over.push(key)
      if (over.length === SWEPT_MAX) break
    }
    if (over.length === 0) return
    await store.commit((tx) => {
      let { rows, bytes } = tx.get('lentTotal', ALL) ?? { rows: 0, bytes: 0 }
      for (const key of over) {
        const row = tx.get('lent', key)
        if (row === undefined || row.until >= meshTick) continue
        tx.del('lent', key)
        tx.del('lentBytes', key)
        rows -= 1
        bytes -= row.size
      }
      tx.put('lentTotal', ALL, { rows, bytes })
    })
  }

  return {
    put: (tx, name, value, until) => {
      const key = blobKey(name)
      const known = longer(tx, key, until)
      if (known !== undefined) return known
      const { rows, bytes } = tx.get('lentTotal', ALL) ?? { rows: 0, bytes: 0 }
      if (value.length > BLOB_BYTES_MAX) throw new Fault('BODY_TOO_LARGE', `At most ${BLOB_BYTES_MAX} bytes.`)
      if (bytes + value.length > bytesMax || rows >= LENT_ROWS_MAX) {
        throw new Fault('NODE_BUSY', 'No more is kept for others until some of it is over.')
      }
      const name256 = toHex(sha256(value))
      tx.put('lent', key, { size: value.length, sha256: name256, until })
      tx.put('lentBytes', key, value)
      tx.put('lentTotal', ALL, { rows: rows + 1, bytes: bytes + value.length })
      return name256
    },
    extend: (tx, name, until) => void longer(tx, blobKey(name), until),
    get: (name) => store.get('lentBytes', blobKey(name)),
    beat: async () => {
      beats += 1
      if (beats % SWEEP_EVERY_BEATS === 0) await sweep()
    },
  }
}
