import { encodeTlogProof } from '#core/tlog-proof.ts'
import { cosignedNote, provingCheckpoint } from './cosigned.ts'
import type { Store } from './store.ts'

/**
 * C2SP tlog-proof of a leaf of the seal logs, under the checkpoint that proves most. @returns undefined while the leaf
 * is only promised
 */
export const leafProof = async (store: Store, serial: number): Promise<string | undefined> => {
  const { log, index } = store.leafAt(serial)
  const checkpoint = await provingCheckpoint(store, log, index)
  if (checkpoint === undefined) return undefined
  const path = await log.inclusion(index, checkpoint.size)
  return encodeTlogProof({ index, path, checkpoint: cosignedNote(store, log.name, checkpoint) })
}
