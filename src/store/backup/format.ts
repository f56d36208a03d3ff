import { promisify } from 'node:util'
import { constants, zstdCompress, zstdDecompress } from 'node:zlib'
import Type, { type Static, type TSchema } from 'typebox'
import { Compile } from 'typebox/compile'
import { utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { closed, count, hex64, nodeId, oneOf, orNull, text } from '#core/schema.ts'
import { BLOB_BYTES_MAX } from '#store/blobs.ts'
import { ERAS_MAX } from '#store/eras.ts'
import { logNames } from '#store/rows/log.ts'
import { damaged } from './refused.ts'

/**
 * The archive's form: protocols/wire/backup.md. Equal data give equal bytes, and nothing in it is a path.
 */

/** First line of an archive. */
export const MAGIC = utf8('tickmesh/backup/1\n')
/** What a later form would begin with, too. */
export const MAGIC_FAMILY = utf8('tickmesh/backup/')
/** What an encrypted archive begins with. */
export const AGE_FAMILY = utf8('age-encryption.org/')

/** What a block holds, in the order in which the blocks of an archive stand. */
export const blockKinds = { head: 1, rows: 2, file: 3, end: 4 } as const
export type BlockKind = keyof typeof blockKinds

/** Kind (u8), bytes unpacked and bytes that follow (u32, big-endian). */
export const HEADER_BYTES = 9
/** SHA-256 over all that stands before it: the last bytes. */
export const DIGEST_BYTES = 32
/** Bytes of rows after which a block ends. */
export const BLOCK_BYTES = 1_048_576
const ROW_EXTRA_BYTES = 65_536 + 1_024
/** Bytes of an unpacked block: a row is never divided, and the largest is a blob. */
export const BLOCK_BYTES_MAX = BLOCK_BYTES + BLOB_BYTES_MAX + ROW_EXTRA_BYTES
/** What cannot be packed grows a little. */
const packedBytesMax = (rawBytes: number): number => rawBytes + Math.floor(rawBytes / 128) + 1_024
/** Bytes of head or end. */
export const DOCUMENT_BYTES_MAX = 1_048_576
/** Bytes of a key file. */
export const FILE_BYTES_MAX = 65_536
/** Key files of an archive. */
export const FILES_MAX = 64
/** Tables of a database. */
const PARTS_MAX = 1_024

/** Names that a file of an archive may have: those of key files, which are in no folder. */
export const FILE_NAME = /^[a-z][a-z0-9-]{0,40}\.(key|secret)$/

const log = closed({
  name: oneOf(logNames),
  /** Its name in notes. */
  origin: text(256),
  size: count(),
  root: hex64(),
  /** The newest signed note, which may be of a smaller size; null before the first, and for eras that are over. */
  note: orNull(text(65_536)),
})

const head = closed({
  v: Type.Literal(1),
  /** Version of the release that wrote it. */
  release: text(64),
  schema: count({ minimum: 1 }),
  node: nodeId(),
  genesis_mesh_tick: count(),
  last_tick: count(),
  /** The logs of all eras, the oldest first. */
  logs: Type.Array(log, { maxItems: logNames.length * (ERAS_MAX + 1) }),
})

const end = closed({
  v: Type.Literal(1),
  rows: count(),
  parts: Type.Array(
    closed({
      /** Prefix of a table. */
      prefix: text(8),
      rows: count({ minimum: 1 }),
      bytes: count(),
      sha256: hex64(),
    }),
    { maxItems: PARTS_MAX },
  ),
  files: Type.Array(closed({ name: text(64), bytes: count(), sha256: hex64() }), { maxItems: FILES_MAX }),
})

/** What an archive says first: whose data, of which schema, and how far the logs had come. */
export type ArchiveHead = Static<typeof head>
/** What it says last: what must have been in it. */
export type End = Static<typeof end>
export type ArchivePart = End['parts'][number]
export type LogHead = ArchiveHead['logs'][number]

const heads = Compile(head)
const ends = Compile(end)

const read = <S extends TSchema>(part: string, check: { Check(value: unknown): boolean }, bytes: Uint8Array) => {
  let value: Json
  try {
    value = parseCanonical(bytes)
  } catch (cause) {
    throw damaged(part, cause instanceof Error ? cause.message : 'it is not JSON')
  }
  if (!check.Check(value)) throw damaged(part, 'it does not say what it must')
  return value as unknown as Static<S>
}

/** @throws BackupRefused */
export const readHead = (bytes: Uint8Array): ArchiveHead => read<typeof head>('head', heads, bytes)
/** @throws BackupRefused */
export const readEnd = (bytes: Uint8Array): End => read<typeof end>('end', ends, bytes)
/** Bytes of a head or an end. */
export const documentBytes = (value: ArchiveHead | End): Uint8Array => canonicalBytes(value as unknown as Json)

const pack = promisify(zstdCompress)
const unpack = promisify(zstdDecompress)
/** Of a gigabyte of rows, level 1 leaves a twentieth more than level 3, in half the time. */
const LEVEL = 1

/** A block as it stands in the archive: header, then the packed bytes. */
export const packBlock = async (kind: BlockKind, raw: Uint8Array): Promise<Uint8Array> => {
  const packed = await pack(raw, { params: { [constants.ZSTD_c_compressionLevel]: LEVEL } })
  const block = Buffer.allocUnsafe(HEADER_BYTES + packed.length)
  block.writeUInt8(blockKinds[kind], 0)
  block.writeUInt32BE(raw.length, 1)
  block.writeUInt32BE(packed.length, 5)
  block.set(packed, HEADER_BYTES)
  return block
}

/** A block's header. */
export interface BlockHeader {
  readonly kind: BlockKind
  readonly rawBytes: number
  readonly packedBytes: number
}

const kindOf = new Map(Object.entries(blockKinds).map(([name, code]) => [code as number, name as BlockKind]))

/** @throws BackupRefused for a kind that there is not, or a size beyond the bounds. */
export const readHeader = (bytes: Uint8Array, at: number): BlockHeader => {
  const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.length)
  const kind = kindOf.get(view.getUint8(0))
  const [rawBytes, packedBytes] = [view.getUint32(1), view.getUint32(5)]
  if (kind === undefined) throw damaged(`byte ${at}`, 'no block begins like this')
  const max = { head: DOCUMENT_BYTES_MAX, rows: BLOCK_BYTES_MAX, file: FILE_BYTES_MAX + 64, end: DOCUMENT_BYTES_MAX }
  if (rawBytes < 1 || rawBytes > max[kind] || packedBytes < 1 || packedBytes > packedBytesMax(rawBytes)) {
    throw damaged(`byte ${at}`, 'a block of a size that none has')
  }
  return { kind, rawBytes, packedBytes }
}

/** What a block holds. Memory for no more than the header says is ever taken. @throws BackupRefused */
export const unpackBlock = async ({ kind, rawBytes }: BlockHeader, packed: Uint8Array): Promise<Uint8Array> => {
  let raw: Uint8Array
  try {
    raw = await unpack(packed, { maxOutputLength: rawBytes, chunkSize: Math.max(rawBytes, 64) })
  } catch {
    throw damaged(kind, 'a block cannot be unpacked')
  }
  if (raw.length !== rawBytes) throw damaged(kind, 'a block has another size than it says')
  return raw
}
