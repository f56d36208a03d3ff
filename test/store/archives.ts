import { createHash } from 'node:crypto'
import { composed } from '#store/backup/compose.ts'
import { MAGIC } from '#store/backup/format.ts'
import { type ArchiveFile, readArchive } from '#store/backup/read.ts'
import { archiveOf } from '#store/backup/write.ts'
import { openDatabase } from '#store/database.ts'
import { databaseDirectory } from '#store/lock.ts'
import type { Store } from '#store/store.ts'
import { appendText, bytes, open, SEED } from './kit.ts'

/** What tests of archives have in common: small stores, their archives, and archives put together by hand. */

/** The key files of the test's node. */
export const KEY_FILES: readonly ArchiveFile[] = [
  { name: 'identity.key', bytes: bytes(`${Buffer.from(SEED).toString('hex')}\n`) },
  { name: 'vault.key', bytes: bytes(`${'ab'.repeat(32)}\n`) },
]

export async function* inChunks(whole: Uint8Array, size = 4_096): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < whole.length; at += size) yield whole.subarray(at, at + size)
}

export const collect = async (source: AsyncIterable<Uint8Array>): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  for await (const part of source) parts.push(part)
  return new Uint8Array(Buffer.concat(parts))
}

/** An archive of a store as it is, with key files or without. */
export const archiveFrom = (store: Pick<Store, 'snapshot'>, files?: readonly ArchiveFile[]): Promise<Uint8Array> => {
  const bare = async function* (): AsyncGenerator<Uint8Array> {
    await using snapshot = store.snapshot()
    yield* archiveOf(snapshot, { release: '1.2.3' })
  }
  if (files === undefined) return collect(bare())
  return collect(composed(bare(), { files: () => files, onWhole: () => undefined }))
}

/** Makes a store with so many leaves, closes it, and gives an archive of it. */
export const storeWith = async (directory: string, leaves: number, files = KEY_FILES): Promise<Uint8Array> => {
  await using store = await open(directory)
  for (let i = store.log.size; i < leaves; i++) await store.commit((tx) => appendText(tx, `leaf ${i}`))
  return await archiveFrom(store, files)
}

/** All rows of a stopped store, in order, as hex. */
export const rowsIn = async (directory: string): Promise<readonly string[]> => {
  await using database = await openDatabase(databaseDirectory(directory), false)
  const rows: string[] = []
  for await (const [key, value] of database.raw()) rows.push(`${key} ${Buffer.from(value).toString('hex')}`)
  return rows
}

/** Reads an archive to its end. @throws what is wrong with it */
export const readAll = async (whole: Uint8Array, chunk?: number) => {
  const rows: string[] = []
  const files: string[] = []
  let ended = false
  for await (const piece of readArchive(inChunks(whole, chunk))) {
    if (piece.kind === 'rows') {
      for (const [key, value] of piece.rows) rows.push(`${Buffer.from(key)} ${Buffer.from(value).toString('hex')}`)
    }
    if (piece.kind === 'file') files.push(piece.name)
    if (piece.kind === 'end') ended = true
  }
  return { rows, files, ended }
}

/** An archive of these blocks, with a digest that fits: what someone would send who knows the form. */
export const sealed = (blocks: readonly Uint8Array[], magic: Uint8Array = MAGIC): Uint8Array => {
  const body = Buffer.concat([magic, ...blocks])
  return new Uint8Array(Buffer.concat([body, createHash('sha256').update(body).digest()]))
}
