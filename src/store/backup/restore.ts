import { randomBytes } from 'node:crypto'
import { existsSync, mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { open, statfs } from 'node:fs/promises'
import { join } from 'node:path'
import { fromHex, fromUtf8 } from '#core/bytes.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { createSink } from '#store/database.ts'
import { checkWriteAheadLog } from '#store/level-files.ts'
import { databaseDirectory, lockDirectory } from '#store/lock.ts'
import { openFiles, StoreRefused } from '#store/open.ts'
import type { ArchiveHead, End } from './format.ts'
import { checkHead, headOf, standing } from './head.ts'
import { keyFileNames, readKeyFiles, WITNESS_KEY } from './key-files.ts'
import { freeAside, moveIn, settle } from './moves.ts'
import { syncDirectory } from './new-file.ts'
import { type ArchiveFile, type Piece, readArchive } from './read.ts'
import { BackupRefused, damaged } from './refused.ts'
import { markUnconfirmed } from './unconfirmed.ts'

/** How far the rows of an archive are unpacked. */
export type OnUnpacked = (progress: { readonly rows: number; readonly bytes: number }) => void

export interface Unpacked {
  readonly head: ArchiveHead
  readonly end: End
  /** SHA-256 of the archive, hex. */
  readonly sha256: string
  /** Names of the key files that were unpacked. */
  readonly files: readonly string[]
}

interface UnpackOptions {
  /** Leaves the key files out: a look at the rows needs none, and a kill would leave them where it looked. */
  readonly keys?: 'leave'
  readonly onHead?: (head: ArchiveHead) => Promise<void>
  readonly onUnpacked?: OnUnpacked
  readonly signal?: AbortSignal
}

/** Bytes of disk that an archive may not take: the node, and others, live there too. */
const RESERVE_BYTES = 256 * 1_048_576
/** Bytes between two looks at the disk. */
const LOOK_EVERY_BYTES = 32 * 1_048_576
const PRIVATE = 0o700
const MODE = 0o600
const IDENTITY = 'identity.key'

/** However little an archive weighs, what it unfolds to must not fill the disk. */
const diskWatch = (directory: string) => {
  let looked = LOOK_EVERY_BYTES
  return async (bytes: number): Promise<void> => {
    looked += bytes
    if (looked < LOOK_EVERY_BYTES) return
    looked = 0
    const { bavail, bsize } = await statfs(directory)
    if (bavail * bsize < RESERVE_BYTES) {
      throw new BackupRefused('BACKUP_NO_SPACE', `the disk of ${directory} has less than ${RESERVE_BYTES} bytes left`)
    }
  }
}

const writeKeyFile = async (directory: string, { name, bytes }: ArchiveFile): Promise<void> => {
  const file = await open(join(directory, name), 'wx', MODE)
  try {
    await file.writeFile(bytes)
    await file.sync()
  } finally {
    await file.close()
  }
}

/** Puts what an archive holds into an empty folder, durably. It is to be believed when this resolves. */
export const unpackInto = async (
  folder: string,
  source: AsyncIterable<Uint8Array>,
  { onHead, onUnpacked, signal, keys }: UnpackOptions,
): Promise<Unpacked> => {
  const watch = diskWatch(folder)
  await using sink = await createSink(databaseDirectory(folder))
  let head: ArchiveHead | undefined
  let last: Extract<Piece, { kind: 'end' }> | undefined
  let [rows, bytes] = [0, 0]
  const files: string[] = []
  for await (const piece of readArchive(source)) {
    signal?.throwIfAborted()
    if (piece.kind === 'head') {
      head = piece.head
      await onHead?.(head)
    } else if (piece.kind === 'rows') {
      await watch(piece.bytes)
      await sink.put(piece.rows)
      rows += piece.rows.length
      bytes += piece.bytes
      onUnpacked?.({ rows, bytes })
    } else if (piece.kind === 'file') {
      // Whoever made the archive: under older data a witness key could be made to break its word.
      if (keys === 'leave' || piece.name === WITNESS_KEY) continue
      await writeKeyFile(folder, piece)
      files.push(piece.name)
    } else last = piece
  }
  if (head === undefined || last === undefined) throw damaged('end', 'the archive has none')
  await sink.finish()
  return { head, end: last.end, sha256: last.sha256, files }
}

export interface RestoreOptions {
  readonly directory: string
  /** The archive's bytes, decrypted. */
  readonly source: AsyncIterable<Uint8Array>
  /** Also over data that go further, are another node's, or cannot be read. */
  readonly force: boolean
  readonly onUnpacked?: OnUnpacked
  readonly signal?: AbortSignal
}

export interface Restored extends Unpacked {
  /** Where the data that were here are now; undefined when there were none. */
  readonly aside: string | undefined
}

/** How far the data of a directory go; undefined when there are none. @throws BackupRefused HEAD_UNKNOWN */
const headHere = async (directory: string): Promise<ArchiveHead | undefined> => {
  const files = databaseDirectory(directory)
  if (!existsSync(files)) return undefined
  try {
    // LevelDB would leave a damaged batch out, and the data would seem to end before it.
    if (existsSync(join(files, 'CURRENT'))) checkWriteAheadLog(files)
    await using database = await openFiles(files, false)
    return await headOf(database, '')
  } catch (cause) {
    const known = cause instanceof CorruptRow || cause instanceof StoreRefused || cause instanceof BackupRefused
    if (!known) throw cause
    if (cause instanceof BackupRefused && cause.code === 'BACKUP_EMPTY') return undefined
    throw new BackupRefused('HEAD_UNKNOWN', `how far the data in ${directory} go cannot be read: ${cause.message}`)
  }
}

/** Refuses an archive from which the data that are here could not have come. */
const checkStanding = (here: ArchiveHead, archive: ArchiveHead): void => {
  const found = standing(here, archive)
  if (found.kind === 'other') {
    throw new BackupRefused(
      'OTHER_NODE',
      `the data here are those of node ${here.node}, and the archive is of ${archive.node}`,
    )
  }
  if (found.kind === 'ahead') {
    const { origin, size } = found.log
    throw new BackupRefused(
      'LOG_ROLLED_BACK',
      `the data here have ${size} leaves of ${origin}, and the archive ${found.archived}: ` +
        'to go on from there would sign a second history',
    )
  }
}

/** The node that key files make; undefined without an identity among them. */
export const nodeOfKeys = (files: readonly ArchiveFile[]): string | undefined => {
  const found = files.find(({ name }) => name === IDENTITY)
  const text = found === undefined ? '' : fromUtf8(found.bytes).trim()
  return /^[0-9a-f]{64}$/.test(text) ? nodeIdOf(publicKeyOfSeed(fromHex(text))) : undefined
}

/** Data without their keys start nothing: the archive brings them, or they are here. */
const checkKeys = (directory: string, folder: string, { head, files }: Unpacked): void => {
  const [where, name] = files.length > 0 ? [folder, 'the archive'] : [directory, directory]
  const node = nodeOfKeys(readKeyFiles(where))
  if (node === head.node) return
  const what = node === undefined ? `no ${IDENTITY}` : `the keys of ${node}`
  throw new BackupRefused('BACKUP_KEYS', `${name} holds ${what}, and the data are of node ${head.node}`)
}

/** The staged database against the archive's head, its notes, and the data here. */
const checkStaged = async (folder: string, { head }: Unpacked, here: ArchiveHead | undefined): Promise<void> => {
  await using database = await openFiles(databaseDirectory(folder), false)
  const rootOf = await checkHead(database, head)
  for (const { origin, size, root } of here?.logs ?? []) {
    if (size > 0 && (await rootOf(origin, size)) !== root) {
      throw new BackupRefused('LOG_ROLLED_BACK', `${origin} has other leaves here than in the archive`)
    }
  }
}

/** A node that ends is sure to leave its data and keys together: only then is the folder moved in. */
const syncFolder = async (folder: string): Promise<void> => {
  await syncDirectory(databaseDirectory(folder))
  await syncDirectory(folder)
}

/**
 * Puts an archive into a data directory, in the place of what is there, which is moved aside. The directory is as it
 * was until everything was read, checked and is on disk; then the moves happen, and a kill between two of them is made
 * good by whoever opens the directory next.
 *
 * @throws DirectoryInUse while a node runs there; BackupRefused, CorruptRow for an archive that is refused.
 */
export const restore = async (options: RestoreOptions): Promise<Restored> => {
  const { directory, source, force, onUnpacked, signal } = options
  const isNew = !existsSync(directory)
  const locked = lockDirectory(directory)
  const staging = `restoring-${randomBytes(8).toString('hex')}`
  const folder = join(directory, staging)
  try {
    await settle(directory)
    const here = await headHere(directory).catch((cause: unknown) => {
      if (force && cause instanceof BackupRefused) return undefined
      throw cause
    })
    mkdirSync(folder, { mode: PRIVATE })
    const onHead = async (head: ArchiveHead): Promise<void> => {
      if (here !== undefined && !force) checkStanding(here, head)
    }
    const unpacked = await unpackInto(folder, source, {
      onHead,
      ...(onUnpacked === undefined ? {} : { onUnpacked }),
      ...(signal === undefined ? {} : { signal }),
    })
    checkKeys(directory, folder, unpacked)
    await checkStaged(folder, unpacked, force ? undefined : here)
    signal?.throwIfAborted()
    await syncFolder(folder)
    const keys = keyFileNames(directory)
    const old = [
      ...(existsSync(databaseDirectory(directory)) ? ['db'] : []),
      ...(unpacked.files.length > 0 ? keys : keys.filter((name) => name === WITNESS_KEY)),
    ]
    const aside = freeAside(directory)
    markUnconfirmed(directory)
    await moveIn(directory, { staging, aside, old, fresh: ['db', ...unpacked.files] })
    return { ...unpacked, aside: old.length > 0 ? join(directory, aside) : undefined }
  } catch (cause) {
    // Once the moves are written down the folder is theirs, and whoever comes next needs it.
    if (!existsSync(join(directory, 'restore.json'))) rmSync(folder, { recursive: true, force: true })
    throw cause
  } finally {
    locked[Symbol.dispose]()
    if (isNew) removeEmpty(directory)
  }
}

const removeEmpty = (directory: string): void => {
  try {
    rmdirSync(directory)
  } catch {
    // It holds what was restored.
  }
}
