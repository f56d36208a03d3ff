import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { folderPart, keyOf, seqKey } from '#store/layout.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Transaction } from '#store/transaction.ts'

/** Characters of a folder's name. */
export const FOLDER_CHARS_MAX = 128
/** The list under which the public record is counted. */
export const PUBLISHED = 'published'

/** Key of an envelope in its owner's list; newest last. */
export const ownerKey = (list: string, index: number): string => keyOf(list, seqKey(index))
/** Key of an envelope in one folder of a list. */
export const inFolderKey = (list: string, folder: string, index: number): string =>
  keyOf(list, folderPart(folder), seqKey(index))
/** Key of how many envelopes a folder holds. */
export const folderKey = (list: string, folder: string): string => keyOf(list, folderPart(folder))

/** @throws Fault INVALID_INPUT for a name that cannot be shown or kept. */
export const assertFolder = (folder: string): void => {
  const fits = folder.length <= FOLDER_CHARS_MAX && folder.isWellFormed() && !/\p{Cc}/u.test(folder)
  if (!fits) {
    const detail = `A folder's name has at most ${FOLDER_CHARS_MAX} characters, none of them a control character.`
    throw new Fault('INVALID_INPUT', detail, { folder })
  }
}

/** Key of an envelope among those of a list that may move. */
export const movableKey = (list: string, index: number): string => keyOf(list, seqKey(index))
/** Key of an envelope whose lock ends by the clock. */
export const timedKey = (list: string, until: number, index: number): string =>
  keyOf(list, seqKey(until), seqKey(index))

const addToCount = (tx: Transaction, table: 'folder' | 'movable', key: string, step: 1 | -1): void => {
  const count = (tx.get(table, key) ?? 0) + step
  assert(count >= 0, 'a list holds no less than nothing')
  if (count === 0) tx.del(table, key)
  else tx.put(table, key, count)
}

/** Whether it may move, once a lock that ends by the clock stands no more. */
const mayMove = ({ soulbound, lock }: EnvelopeRow): boolean => !soulbound && (lock === null || lock.until !== null)

/** The places of an envelope in the indexes of its list. */
const list = (tx: Transaction, row: EnvelopeRow): void => {
  const { token_id: token, index, listed_under: owner, folder, lock } = row
  tx.put('envelopeByOwner', ownerKey(owner, index), token)
  tx.put('envelopeByFolder', inFolderKey(owner, folder, index), token)
  addToCount(tx, 'folder', folderKey(owner, folder), 1)
  if (!mayMove(row)) return
  tx.put('envelopeMovable', movableKey(owner, index), token)
  addToCount(tx, 'movable', owner, 1)
  if (lock !== null && lock.until !== null) tx.put('envelopeTimed', timedKey(owner, lock.until, index), token)
}

const unlist = (tx: Transaction, row: EnvelopeRow): void => {
  const { index, listed_under: owner, folder, lock } = row
  tx.del('envelopeByOwner', ownerKey(owner, index))
  tx.del('envelopeByFolder', inFolderKey(owner, folder, index))
  addToCount(tx, 'folder', folderKey(owner, folder), -1)
  if (!mayMove(row)) return
  tx.del('envelopeMovable', movableKey(owner, index))
  addToCount(tx, 'movable', owner, -1)
  if (lock !== null && lock.until !== null) tx.del('envelopeTimed', timedKey(owner, lock.until, index))
}

/** Writes a new envelope and every index of it. Its id follows from its place in the log, so there is none like it. */
export const enter = (tx: Transaction, row: EnvelopeRow): void => {
  tx.put('envelope', row.token_id, row)
  list(tx, row)
  if (!row.published) return
  tx.put('envelopePublished', seqKey(row.index), row.token_id)
  addToCount(tx, 'folder', folderKey(PUBLISHED, ''), 1)
}

/** Writes another owner, folder or lock of an envelope, with the indexes that follow from it. */
export const relist = (tx: Transaction, before: EnvelopeRow, after: EnvelopeRow): void => {
  unlist(tx, before)
  tx.put('envelope', after.token_id, after)
  list(tx, after)
}

/** Files an envelope in another folder of its list. */
export const refile = (tx: Transaction, row: EnvelopeRow, folder: string): void => {
  if (row.folder !== folder) relist(tx, row, { ...row, folder })
}
