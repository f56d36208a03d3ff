import { createHash } from 'node:crypto'
import { equalBytes, toHex } from '#core/bytes.ts'
import type { RawRow } from '#store/database.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import {
  AGE_FAMILY,
  type ArchiveHead,
  type BlockHeader,
  type BlockKind,
  DIGEST_BYTES,
  type End,
  FILE_NAME,
  FILES_MAX,
  HEADER_BYTES,
  MAGIC,
  MAGIC_FAMILY,
  readEnd,
  readHead,
  readHeader,
  unpackBlock,
} from './format.ts'
import { BackupRefused, damaged } from './refused.ts'
import { decodeRows } from './row-codec.ts'
import { partSums } from './write.ts'

/** A key file of an archive. */
export interface ArchiveFile {
  readonly name: string
  readonly bytes: Uint8Array
}

/** What an archive holds, as it is read: a head, runs of rows, key files, and the end. */
export type Piece =
  | { readonly kind: 'head'; readonly head: ArchiveHead }
  | { readonly kind: 'rows'; readonly rows: readonly RawRow[]; readonly bytes: number }
  | ({ readonly kind: 'file' } & ArchiveFile)
  | { readonly kind: 'end'; readonly end: End; readonly sha256: string }

/** A block as it stands in the archive. */
export interface PackedBlock {
  readonly header: BlockHeader
  /** Header and packed bytes. */
  readonly whole: Uint8Array
  readonly packed: Uint8Array
}

/** Takes exact numbers of bytes off a stream; it keeps no more than was asked for and one chunk. */
const byteReader = (source: AsyncIterable<Uint8Array>) => {
  const chunks = source[Symbol.asyncIterator]()
  let held: Uint8Array[] = []
  let bytes = 0
  let at = 0
  const fill = async (wanted: number): Promise<void> => {
    while (bytes < wanted) {
      const { done, value } = await chunks.next()
      if (done === true) return
      held.push(value)
      bytes += value.length
    }
  }
  return {
    get at() {
      return at
    },
    /** As many bytes, or those that are left. */
    take: async (wanted: number): Promise<Uint8Array> => {
      await fill(wanted)
      const all = held.length === 1 ? (held[0] as Uint8Array) : Buffer.concat(held)
      const taken = all.subarray(0, wanted)
      const rest = all.subarray(taken.length)
      held = rest.length === 0 ? [] : [rest]
      bytes = rest.length
      at += taken.length
      return taken
    },
    close: async (): Promise<void> => {
      await chunks.return?.()
    },
  }
}

const checkMagic = (found: Uint8Array): void => {
  if (equalBytes(found, MAGIC)) return
  const begins = (with_: Uint8Array): boolean => equalBytes(found.subarray(0, with_.length), with_)
  if (begins(AGE_FAMILY.subarray(0, MAGIC.length))) {
    throw new BackupRefused('BACKUP_LOCKED', 'the archive is encrypted: a passphrase or an identity is needed')
  }
  if (begins(MAGIC_FAMILY)) throw new BackupRefused('BACKUP_NEWER', 'a later release of tickmesh wrote this archive')
  throw new BackupRefused('BACKUP_UNKNOWN', 'this is no archive of tickmesh')
}

/** What may stand after a block of a kind. */
const order: Readonly<Record<BlockKind | 'begin', readonly BlockKind[]>> = {
  begin: ['head'],
  head: ['rows'],
  rows: ['rows', 'file', 'end'],
  file: ['file', 'end'],
  end: [],
}

/**
 * The blocks of an archive as they stand, in their order, up to and with its end; then the digest over all of it is
 * held against the bytes, and nothing may follow.
 *
 * @returns SHA-256 of the whole, hex. @throws BackupRefused
 */
export async function* packedBlocks(source: AsyncIterable<Uint8Array>): AsyncGenerator<PackedBlock, string> {
  const reader = byteReader(source)
  const hash = createHash('sha256')
  const exact = async (bytes: number): Promise<Uint8Array> => {
    const at = reader.at
    const taken = await reader.take(bytes)
    if (taken.length < bytes) throw damaged(`byte ${at}`, 'the archive is cut short')
    return taken
  }
  try {
    const magic = await reader.take(MAGIC.length)
    checkMagic(magic)
    hash.update(magic)
    let last: BlockKind | 'begin' = 'begin'
    while (last !== 'end') {
      const at = reader.at
      const front = await exact(HEADER_BYTES)
      const header = readHeader(front, at)
      if (!order[last].includes(header.kind)) throw damaged(`byte ${at}`, `a ${header.kind} block stands after ${last}`)
      const packed = await exact(header.packedBytes)
      const whole = Buffer.concat([front, packed])
      hash.update(whole)
      yield { header, whole, packed }
      last = header.kind
    }
    const said = await exact(DIGEST_BYTES)
    const found = hash.digest()
    if (!equalBytes(found, said)) throw damaged('digest', 'the bytes of the archive are not those that were written')
    if ((await reader.take(1)).length > 0) throw damaged(`byte ${reader.at - 1}`, 'something follows the archive')
    return toHex(found)
  } finally {
    await reader.close()
  }
}

/** A file's block: its name, a line feed, its bytes. @throws BackupRefused for a name that no key file has. */
const readFile = (raw: Uint8Array): ArchiveFile => {
  const split = raw.subarray(0, 65).indexOf(0x0a)
  const name = split < 1 ? '' : Buffer.from(raw.subarray(0, split)).toString('latin1')
  if (!FILE_NAME.test(name)) throw damaged('file', 'a name that no key file has')
  return { name, bytes: raw.subarray(split + 1) }
}

const sha256Hex = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex')

/** Holds what was read against what the archive itself says of it. */
const createChecks = () => {
  const sums = partSums()
  const files: End['files'] = []
  let before: Uint8Array | undefined
  return {
    rows: (rows: readonly RawRow[], raw: Uint8Array): void => {
      for (const [key] of rows) {
        if (before !== undefined && Buffer.compare(before, key) >= 0) throw damaged('rows', 'rows are out of order')
        before = key
      }
      before = before === undefined ? undefined : Uint8Array.from(before) // The block need not be kept for a key.
      sums.add(rows, raw)
    },
    file: ({ name, bytes }: ArchiveFile): void => {
      if (files.length >= FILES_MAX) throw damaged('file', 'there are too many')
      const last = files.at(-1)?.name
      if (last !== undefined && last >= name) throw damaged(name, 'a file twice or out of order')
      files.push({ name, bytes: bytes.length, sha256: sha256Hex(bytes) })
    },
    end: (said: End): void => {
      const parts = sums.parts()
      if (said.rows !== sums.rows) throw damaged('end', `it counts ${said.rows} rows, and ${sums.rows} are there`)
      for (const [i, part] of parts.entries()) {
        const it = said.parts[i]
        const fits = it?.prefix === part.prefix && it.rows === part.rows && it.bytes === part.bytes
        if (!fits || it.sha256 !== part.sha256) throw damaged(`table ${part.prefix}`, 'it is not what was written')
      }
      if (said.parts.length !== parts.length) throw damaged('end', 'it names tables that are not there')
      for (const [i, file] of files.entries()) {
        const it = said.files[i]
        const fits = it?.name === file.name && it.bytes === file.bytes && it.sha256 === file.sha256
        if (!fits) throw damaged(file.name, 'it is not what was written')
      }
      if (said.files.length !== files.length) throw damaged('end', 'it names files that are not there')
    },
  }
}

const pieceOf = (header: BlockHeader, raw: Uint8Array, { rows, file, end }: ReturnType<typeof createChecks>): Piece => {
  if (header.kind === 'head') {
    const head = readHead(raw)
    if (head.schema > SCHEMA) {
      const known = `this release knows up to ${SCHEMA}`
      throw new BackupRefused(
        'BACKUP_NEWER',
        `the data in it have schema ${head.schema}, and ${known}: use a newer one`,
      )
    }
    return { kind: 'head', head }
  }
  if (header.kind === 'rows') {
    const found = decodeRows(raw)
    rows(found, raw)
    return { kind: 'rows', rows: found, bytes: raw.length }
  }
  if (header.kind === 'file') {
    const found = readFile(raw)
    file(found)
    return { kind: 'file', ...found }
  }
  const said = readEnd(raw)
  end(said)
  return { kind: 'end', end: said, sha256: '' }
}

/** Blocks with what they hold; the next one is unpacked while the present one is used. */
async function* unpacked(
  source: AsyncIterable<Uint8Array>,
): AsyncGenerator<readonly [BlockHeader, Uint8Array], string> {
  const blocks = packedBlocks(source)
  let ahead: { header: BlockHeader; raw: Promise<Uint8Array> } | undefined
  try {
    for (;;) {
      const next = await blocks.next().catch((cause: unknown) => ({ cause }))
      // What is wrong with a block is told before what is wrong behind it.
      if (ahead !== undefined) yield [ahead.header, await ahead.raw]
      ahead = undefined
      if ('cause' in next) throw next.cause
      const { done, value } = next
      if (done === true) return value
      ahead = { header: value.header, raw: unpackBlock(value.header, value.packed) }
      ahead.raw.catch(() => undefined) // It is awaited above, unless the reader leaves first.
    }
  } finally {
    await blocks.return('')
  }
}

/**
 * Reads an archive piece by piece. What it gives must not be believed before the `end` piece: that comes last, after
 * every count, every digest and the order of everything were held against the bytes.
 *
 * @throws BackupRefused, naming the part that is wrong.
 */
export async function* readArchive(source: AsyncIterable<Uint8Array>): AsyncGenerator<Piece> {
  const checks = createChecks()
  const blocks = unpacked(source)
  let last: Piece | undefined
  try {
    for (;;) {
      const { done, value } = await blocks.next()
      if (done === true) {
        if (last?.kind === 'end') yield { ...last, sha256: value }
        return
      }
      const [header, raw] = value
      const piece = pieceOf(header, raw, checks)
      if (piece.kind === 'end') last = piece
      else yield piece
    }
  } finally {
    await blocks.return('')
  }
}
