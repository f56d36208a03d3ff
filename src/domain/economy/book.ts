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

const addToCount = (tx: Transaction, key: string, step: 1 | -1): void => {
  const count = (tx.get('folder', key) ?? 0) + step
  assert(count >= 0, 'a folder holds no less than nothing')
  if (count === 0) tx.del('folder', key)
  else tx.put('folder', key, count)
}

/** Writes a new envelope and every index of it. */
export const enter = (tx: Transaction, row: EnvelopeRow): void => {
  const { token_id: token, index, listed_under: list, folder } = row
  assert(tx.get('envelope', token) === undefined, 'a token is minted once')
  tx.put('envelope', token, row)
  tx.put('envelopeByOwner', ownerKey(list, index), token)
  tx.put('envelopeByFolder', inFolderKey(list, folder, index), token)
  addToCount(tx, folderKey(list, folder), 1)
  if (!row.published) return
  tx.put('envelopePublished', seqKey(index), token)
  addToCount(tx, folderKey(PUBLISHED, ''), 1)
}

/** Files an envelope in another folder of its list. */
export const refile = (tx: Transaction, row: EnvelopeRow, folder: string): void => {
  if (row.folder === folder) return
  const { token_id: token, index, listed_under: list } = row
  tx.put('envelope', token, { ...row, folder })
  tx.del('envelopeByFolder', inFolderKey(list, row.folder, index))
  tx.put('envelopeByFolder', inFolderKey(list, folder, index), token)
  addToCount(tx, folderKey(list, row.folder), -1)
  addToCount(tx, folderKey(list, folder), 1)
}
