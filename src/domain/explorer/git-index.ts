import { readFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Bytes of an index; a checkout with a larger one is not of this project. */
const INDEX_BYTES_MAX = 16_777_216
const HEADER_BYTES = 12
const SIGNATURE = 'DIRC'
const VERSIONS = [2, 3]
/** Where an entry has its flags, and what of them says that two more bytes follow (version 3). */
const FLAGS_AT = 60
const EXTENDED = 0x4000
const ALIGNMENT = 8

/** Names in an index of version 2 or 3 (gitformat-index(5)); undefined for anything else. */
export const namesInIndex = (bytes: Buffer): ReadonlySet<string> | undefined => {
  if (bytes.length < HEADER_BYTES || bytes.length > INDEX_BYTES_MAX) return undefined
  if (bytes.toString('latin1', 0, 4) !== SIGNATURE || !VERSIONS.includes(bytes.readUInt32BE(4))) return undefined
  const names = new Set<string>()
  let at = HEADER_BYTES
  for (let left = bytes.readUInt32BE(8); left > 0; left--) {
    if (at + FLAGS_AT + 2 > bytes.length) return undefined
    const extended = (bytes.readUInt16BE(at + FLAGS_AT) & EXTENDED) !== 0
    const from = at + FLAGS_AT + 2 + (extended ? 2 : 0)
    const to = bytes.indexOf(0, from)
    if (to === -1) return undefined
    names.add(bytes.toString('utf8', from, to))
    // One to eight zero bytes follow, so that the next entry begins at a multiple of eight from this one.
    at += (Math.floor((to - at) / ALIGNMENT) + 1) * ALIGNMENT
  }
  return names
}

/** Names that the checkout at `root` tracks; undefined when it is none, or one whose index is of another form. */
export const trackedNames = async (root: string): Promise<ReadonlySet<string> | undefined> => {
  try {
    return namesInIndex(await readFile(join(root, '.git', 'index')))
  } catch {
    return undefined
  }
}
