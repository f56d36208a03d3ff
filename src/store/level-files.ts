import { closeSync, fstatSync, openSync, readdirSync, readFileSync, readSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import { fromUtf8 } from '#core/bytes.ts'
import { crc32c } from '#core/crc32c.ts'
import { CorruptRow } from './corrupt-row.ts'
import { type Breach, breachIn, damaged, isCut, masked, records } from './level-log.ts'
import { decodeRow, parseDatabaseKey } from './rows.ts'

/**
 * LevelDB's files, read without LevelDB: it drops a damaged batch of its write-ahead log without a word and does not
 * check its tables when it reads. Formats: LevelDB doc/table_format.md, db/version_edit.cc; logs are level-log.ts's.
 */

/** Reads the parts of a record; running over its end is damage. */
const reader = (bytes: Uint8Array, fail: () => CorruptRow) => {
  let at = 0
  const byte = (): number => {
    const value = bytes[at]
    if (value === undefined) throw fail()
    at += 1
    return value
  }
  const varint = (): number => {
    let value = 0
    let scale = 1
    for (let i = 0; i < 8; i++) {
      const part = byte()
      value += (part & 0x7f) * scale
      if (part < 0x80) return value
      scale *= 128
    }
    throw fail()
  }
  const slice = (length: number): Uint8Array => {
    if (at + length > bytes.length) throw fail()
    at += length
    return bytes.subarray(at - length, at)
  }
  return {
    byte,
    varint,
    slice,
    text: (): Uint8Array => slice(varint()),
    get done() {
      return at >= bytes.length
    },
  }
}

/** The first row of a write batch whose own sum does not fit, or undefined. */
const badRowOfBatch = (data: Uint8Array): CorruptRow | undefined => {
  const fail = (): CorruptRow => new CorruptRow('file', '', 'the batch is cut short')
  try {
    const it = reader(data.subarray(12), fail)
    while (!it.done) {
      const deletion = it.byte() === 0
      const key = fromUtf8(it.text())
      if (deletion) continue
      const bad = badRow(key, it.text())
      if (bad !== undefined) return bad
    }
  } catch {
    return undefined // The structure itself is damaged; the file and the place are all that can be named.
  }
  return undefined
}

const badRow = (key: string, stored: Uint8Array): CorruptRow | undefined => {
  const parsed = parseDatabaseKey(key)
  if (parsed === undefined) return undefined
  try {
    decodeRow(parsed.table, parsed.key, stored)
    return undefined
  } catch (cause) {
    return cause instanceof CorruptRow ? cause : undefined
  }
}

/** Tells what is broken, by the row where one can be named. @throws CorruptRow */
const refuse = (file: string, bytes: Uint8Array, { fragment }: Breach): never => {
  for (const _ of records(file, bytes, badRowOfBatch));
  throw damaged(file, fragment.offset, 'a gap')
}

/** The live files by the manifest: tables that hold rows, and the first write-ahead log that counts. */
interface Live {
  readonly tables: ReadonlySet<number>
  readonly logNumber: number
}

const applyEdit = (
  data: Uint8Array,
  fail: () => CorruptRow,
  live: { tables: Set<number>; logNumber: number },
): void => {
  const it = reader(data, fail)
  while (!it.done) {
    const tag = it.varint()
    if (tag === 1) it.text()
    else if (tag === 2) live.logNumber = it.varint()
    else if (tag === 3 || tag === 4 || tag === 9) it.varint()
    else if (tag === 5) {
      it.varint()
      it.text()
    } else if (tag === 6) {
      it.varint()
      live.tables.delete(it.varint())
    } else if (tag === 7) {
      it.varint()
      live.tables.add(it.varint())
      it.varint()
      it.text()
      it.text()
    } else throw fail()
  }
}

interface Manifest {
  readonly file: string
  readonly bytes: Uint8Array
  /** Bytes of its edits, without a last one that a power cut broke off: nothing was done on it yet. */
  readonly wholeBytes: number
}

const manifestIn = (directory: string): Manifest => {
  const file = readFileSync(join(directory, 'CURRENT'), 'utf8').trim()
  if (!/^MANIFEST-\d+$/.test(file)) throw damaged('CURRENT', 0, 'a name that is no manifest')
  let bytes: Uint8Array
  try {
    bytes = readFileSync(join(directory, file))
  } catch {
    throw damaged('CURRENT', 0, `the name of ${file}, which is not there,`)
  }
  const breach = breachIn(bytes)
  return { file, bytes, wholeBytes: breach !== undefined && isCut(bytes, breach) ? breach.recordAt : bytes.length }
}

/**
 * Cuts a last edit off that a power cut broke off in the manifest. LevelDB syncs an edit before it acts on it and opens
 * nothing behind one whose sum does not fit, so that a node would never start again. For whoever has met that: nobody
 * else has the database open then.
 *
 * @returns whether there was one.
 */
export const mendManifest = (directory: string): boolean => {
  const { file, bytes, wholeBytes } = manifestIn(directory)
  if (wholeBytes === bytes.length) return false
  truncateSync(join(directory, file), wholeBytes)
  return true
}

const readManifest = (directory: string): Live => {
  const { file, bytes, wholeBytes } = manifestIn(directory)
  const live = { tables: new Set<number>(), logNumber: 0 }
  for (const edit of records(file, bytes.subarray(0, wholeBytes), () => undefined)) {
    applyEdit(edit, () => damaged(file, 0, 'an edit that cannot be read'), live)
  }
  return live
}

const FOOTER_BYTES = 48
const TRAILER_BYTES = 5
const MAGIC = [0x57, 0xfb, 0x80, 0x8b, 0x24, 0x75, 0x47, 0xdb]

interface Handle {
  readonly offset: number
  readonly size: number
}

/** Entries of an uncompressed block: keys share the beginning of the one before. */
function* entries(block: Uint8Array, fail: () => CorruptRow): Generator<readonly [Uint8Array, Uint8Array]> {
  if (block.length < 4) throw fail()
  const restarts = new DataView(block.buffer, block.byteOffset).getUint32(block.length - 4, true)
  const end = block.length - 4 - restarts * 4
  if (end < 0) throw fail()
  const it = reader(block.subarray(0, end), fail)
  let key = new Uint8Array(0)
  while (!it.done) {
    const [shared, fresh, size] = [it.varint(), it.varint(), it.varint()]
    if (shared > key.length) throw fail()
    key = new Uint8Array([...key.subarray(0, shared), ...it.slice(fresh)])
    yield [key, it.slice(size)]
  }
}

/** The first row of a table's block whose own sum does not fit; its keys end in eight bytes of sequence and type. */
const badRowOfBlock = (block: Uint8Array, fail: () => CorruptRow): CorruptRow | undefined => {
  try {
    for (const [key, stored] of entries(block, fail)) {
      const bad = key[key.length - 8] === 1 ? badRow(fromUtf8(key.subarray(0, -8)), stored) : undefined
      if (bad !== undefined) return bad
    }
  } catch {
    return undefined
  }
  return undefined
}

/** Checks every block of a table file. @throws CorruptRow naming the row, or the file and the place. */
const checkTable = (file: string, bytes: Uint8Array): void => {
  const footerAt = bytes.length - FOOTER_BYTES
  const magic = bytes.subarray(bytes.length - MAGIC.length)
  if (footerAt < 0 || MAGIC.some((byte, i) => magic[i] !== byte)) throw damaged(file, footerAt, 'a footer')
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const fail = (): CorruptRow => damaged(file, footerAt, 'a place that cannot be read')
  const handleOf = (it: ReturnType<typeof reader>): Handle => ({ offset: it.varint(), size: it.varint() })
  const blockAt = ({ offset, size }: Handle, rows: boolean): Uint8Array => {
    const end = offset + size
    if (end + TRAILER_BYTES > footerAt) throw damaged(file, footerAt, 'a place outside of the file')
    const block = bytes.subarray(offset, end)
    if (masked(crc32c(bytes, offset, end + 1)) !== view.getUint32(end + 1, true)) {
      throw (rows ? badRowOfBlock(block, fail) : undefined) ?? damaged(file, offset, 'a damaged block')
    }
    if (bytes[end] !== 0) throw damaged(file, offset, 'a compressed block, which this store does not write,')
    return block
  }
  const footer = reader(bytes.subarray(footerAt, footerAt + 40), fail)
  const meta = blockAt(handleOf(footer), false)
  const index = blockAt(handleOf(footer), false)
  for (const [, handle] of entries(meta, fail)) blockAt(handleOf(reader(handle, fail)), false)
  for (const [, handle] of entries(index, fail)) blockAt(handleOf(reader(handle, fail)), true)
}

const numberOf = (file: string): number => Number.parseInt(file, 10)

/** Names of the files that hold rows now. @throws CorruptRow for a manifest that cannot be read. */
export const liveFiles = (
  directory: string,
): { readonly logs: readonly string[]; readonly tables: readonly string[] } => {
  const live = readManifest(directory)
  const files = readdirSync(directory).sort()
  const tables = files.filter((it) => /^\d+\.(ldb|sst)$/.test(it) && live.tables.has(numberOf(it)))
  const found = new Set(tables.map(numberOf))
  for (const number of live.tables) {
    if (!found.has(number)) throw damaged(`${number}.ldb`, 0, 'the file is missing;')
  }
  return { logs: files.filter((it) => /^\d+\.log$/.test(it) && numberOf(it) >= live.logNumber), tables }
}

/** Reads whole files into one memory, which each next one overwrites: thousands of files leave nothing behind. */
const fileReader = () => {
  let held = new Uint8Array(0)
  return (path: string): Uint8Array => {
    const file = openSync(path, 'r')
    try {
      const { size } = fstatSync(file)
      if (held.length < size) held = new Uint8Array(size)
      let at = 0
      while (at < size) {
        const bytes = readSync(file, held, at, size - at, at)
        if (bytes === 0) break
        at += bytes
      }
      return held.subarray(0, at)
    } finally {
      closeSync(file)
    }
  }
}

/**
 * Checks every byte that LevelDB would read, before it does.
 *
 * @param directory of the database.
 * @param onFile told of each file before it is read.
 * @throws CorruptRow naming the row, or the table `file` with the file's name where no row can be named.
 */
export const checkFiles = (directory: string, onFile: (file: string) => void = () => undefined): void => {
  const { logs, tables } = liveFiles(directory)
  const read = fileReader()
  for (const file of tables) {
    onFile(file)
    checkTable(file, read(join(directory, file)))
  }
  for (const file of logs) {
    onFile(file)
    const bytes = read(join(directory, file))
    const breach = breachIn(bytes)
    if (breach !== undefined && !isCut(bytes, breach)) refuse(file, bytes, breach)
  }
}

/**
 * Checks the write-ahead log alone, as every start does. Damage that no other record follows is a write that a power
 * cut broke off before it was acknowledged, which LevelDB leaves out; damage in the middle would be left out as well,
 * with what was acknowledged.
 *
 * @throws CorruptRow
 */
export const checkWriteAheadLog = (directory: string): void => {
  for (const file of liveFiles(directory).logs) {
    const bytes = readFileSync(join(directory, file))
    const breach = breachIn(bytes)
    if (breach !== undefined && !breach.isLast) refuse(file, bytes, breach)
  }
}
