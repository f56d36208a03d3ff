import { type CheckpointRow, checkpointKey, type LogPlace } from './rows/log.ts'
import type { Cosignature, CosignedRow } from './rows/witness.ts'
import type { SealLog } from './seal-log.ts'
import type { Store } from './store.ts'

type Reader = Pick<Store, 'peek'>

/** Of a log that nobody has cosigned. */
export const none: CosignedRow = { sizes: [], best: null, witnesses: {} }

/** How far a log of this node is cosigned. */
export const cosignedOf = (store: Reader, log: LogPlace): CosignedRow => store.peek('cosigned', log) ?? none

/** The cosignatures kept of the checkpoint of a size. */
export const cosignaturesAt = (store: Reader, log: LogPlace, size: number): readonly Cosignature[] =>
  store.peek('cosignature', checkpointKey(log, size))?.cosignatures ?? []

/** Witnesses that have cosigned a tree which holds the leaf. */
export const witnessedAt = ({ witnesses }: CosignedRow, index: number): number =>
  Object.values(witnesses).filter((size) => size > index).length

/** A checkpoint's note with the lines of its witnesses: what is shown and proved with. */
export const cosignedNote = (store: Reader, log: LogPlace, { note, size }: CheckpointRow): string =>
  note +
  cosignaturesAt(store, log, size)
    .map(({ line }) => line)
    .join('')

/**
 * The checkpoint to prove a leaf with: the newest one that met the quorum if it holds the leaf, else the first that
 * covers it. Undefined while the leaf is only promised.
 */
export const provingCheckpoint = async (
  store: Reader,
  log: SealLog,
  index: number,
): Promise<CheckpointRow | undefined> => {
  // Who knows that a log ended asks for the tree that its succession names: all that counts, without the succession.
  const end = log.ended ? await log.checkpointAt(log.size - 1) : undefined
  if (end !== undefined && end.size > index) return end
  const { best } = cosignedOf(store, log.name)
  const found = best !== null && best.size > index ? await log.checkpointAt(best.size) : undefined
  return found ?? (await log.checkpointFor(index))
}
