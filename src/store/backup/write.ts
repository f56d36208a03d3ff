import { createHash, type Hash } from 'node:crypto'
import { utf8 } from '#core/bytes.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { RawRow, Snapshot } from '#store/database.ts'
import { SEPARATOR } from '#store/key-parts.ts'
import { type ArchivePart, BLOCK_BYTES, documentBytes, type End, MAGIC, packBlock } from './format.ts'
import { headOf } from './head.ts'
import { encodeRows, isSound, prefixOf, rowBytes } from './row-codec.ts'

/** Blocks that are packed while the one before them is taken. */
const AHEAD = 2

/** How much of a snapshot is written. */
export type OnRows = (progress: { readonly rows: number; readonly bytes: number }) => void

export interface ArchiveOptions {
  /** Version of this release. */
  readonly release: string
  readonly onRows?: OnRows
  readonly signal?: AbortSignal
}

/** Adds rows up to what the end of an archive says of each table. */
export interface PartSums {
  readonly rows: number
  /** Takes the rows of a block, with the bytes in which they stand one behind the other. */
  add(rows: readonly RawRow[], encoded: Uint8Array): void
  parts(): ArchivePart[]
}

const beginsWith = (key: Uint8Array, start: Uint8Array): boolean => {
  for (let i = 0; i < start.length; i++) if (key[i] !== start[i]) return false
  return true
}

/** Counts and digests by table; rows come in order of their keys, so each table is one run of them. */
export const partSums = (): PartSums => {
  const done: ArchivePart[] = []
  let open: { prefix: string; start: Uint8Array; rows: number; bytes: number; hash: Hash } | undefined
  let rows = 0
  const close = (): void => {
    if (open === undefined) return
    const { prefix, rows: count, bytes, hash } = open
    done.push({ prefix, rows: count, bytes, sha256: hash.digest('hex') })
    open = undefined
  }
  return {
    get rows() {
      return rows
    },
    add: (run, encoded) => {
      let [from, at] = [0, 0]
      const take = (): void => {
        open?.hash.update(encoded.subarray(from, at))
        if (open !== undefined) open.bytes += at - from
        from = at
      }
      for (const row of run) {
        if (open === undefined || !beginsWith(row[0], open.start)) {
          take()
          close()
          const prefix = prefixOf(row[0])
          open = { prefix, start: utf8(`${prefix}${SEPARATOR}`), rows: 0, bytes: 0, hash: createHash('sha256') }
        }
        open.rows += 1
        at += rowBytes(row)
      }
      take()
      rows += run.length
    },
    parts: () => {
      close()
      return done
    },
  }
}

/** Rows in runs that each fill a block. */
async function* blocksOf(snapshot: Snapshot): AsyncGenerator<readonly RawRow[]> {
  let run: RawRow[] = []
  let bytes = 0
  for await (const chunk of snapshot.chunks()) {
    for (const row of chunk) {
      if (!isSound(row)) {
        throw new CorruptRow('database', Buffer.from(row[0]).toString(), 'the checksum does not fit; run tickmesh fsck')
      }
      run.push(row)
      bytes += rowBytes(row)
      if (bytes < BLOCK_BYTES) continue
      yield run
      run = []
      bytes = 0
    }
  }
  if (run.length > 0) yield run
}

/** A block that is being packed. A generator would wait for a bare promise. */
interface Packing {
  readonly block: Promise<Uint8Array>
}

/** The head, and the rows of a snapshot, packed, in order. */
async function* bodyOf(snapshot: Snapshot, options: ArchiveOptions): AsyncGenerator<Packing> {
  const { release, onRows, signal } = options
  yield { block: packBlock('head', documentBytes(await headOf(snapshot, release))) }
  const sums = partSums()
  let bytes = 0
  for await (const rows of blocksOf(snapshot)) {
    signal?.throwIfAborted()
    const raw = encodeRows(rows)
    sums.add(rows, raw)
    bytes += raw.length
    yield { block: packBlock('rows', raw) }
    onRows?.({ rows: sums.rows, bytes })
  }
  const said: End = { v: 1, rows: sums.rows, parts: sums.parts(), files: [] }
  yield { block: packBlock('end', documentBytes(said)) }
}

/**
 * An archive of a snapshot, without key files: equal data give equal bytes. Memory stays within a few blocks, and rows
 * that are written meanwhile are not in it.
 *
 * @throws BackupRefused when there is nothing of a node; CorruptRow for a row that is not what was written.
 */
export async function* archiveOf(snapshot: Snapshot, options: ArchiveOptions): AsyncGenerator<Uint8Array> {
  const whole = createHash('sha256').update(MAGIC)
  yield MAGIC
  const packing: Promise<Uint8Array>[] = []
  const next = async (): Promise<Uint8Array> => {
    const block = (await packing.shift()) as Uint8Array
    whole.update(block)
    return block
  }
  try {
    for await (const { block } of bodyOf(snapshot, options)) {
      packing.push(block)
      if (packing.length >= AHEAD) yield await next()
    }
    while (packing.length > 0) yield await next()
  } finally {
    await Promise.allSettled(packing)
  }
  yield whole.digest()
}
