import { createReadStream, existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { splitRoute } from '#core/route.ts'
import { settleRotation } from '#domain/identity/succession.ts'
import { NodeRefusal, NodeUnreachable } from '#gateway/client.ts'
import { endpointOf } from '#gateway/endpoint-of.ts'
import type { Problem } from '#gateway/problem.ts'
import { type ArchiveKey, decrypted, encrypted, type Opening } from '#store/backup/age.ts'
import { type Composed, composed } from '#store/backup/compose.ts'
import type { ArchiveHead, End } from '#store/backup/format.ts'
import { checkHead } from '#store/backup/head.ts'
import { readKeyFiles } from '#store/backup/key-files.ts'
import { settle } from '#store/backup/moves.ts'
import { writeNewFile } from '#store/backup/new-file.ts'
import { readArchive } from '#store/backup/read.ts'
import { BackupRefused } from '#store/backup/refused.ts'
import { nodeOfKeys, type Restored, restore, type Unpacked, unpackInto } from '#store/backup/restore.ts'
import { archiveOf } from '#store/backup/write.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import type { Database } from '#store/database.ts'
import type { FsckReport } from '#store/fsck/report.ts'
import { checkWriteAheadLog } from '#store/level-files.ts'
import { databaseDirectory, lockDirectory } from '#store/lock.ts'
import { migrate } from '#store/migrations/migrate.ts'
import { openFiles, StoreRefused } from '#store/open.ts'
import { fsck } from './fsck.ts'
import { readRelease } from './process-view.ts'

export type { ArchiveKey, Opening } from '#store/backup/age.ts'
export type { Composed } from '#store/backup/compose.ts'
export type { ArchiveHead, End } from '#store/backup/format.ts'
export { type BackupCode, BackupRefused } from '#store/backup/refused.ts'
export type { Restored } from '#store/backup/restore.ts'

/** What is being done, and how much of it. */
export interface BackupProgress {
  readonly stage: string
  readonly rows?: number
  readonly bytes?: number
}
type OnProgress = (progress: BackupProgress) => void

/** A node that runs on the data, and the key of its owner. */
export interface RunningNode {
  readonly url: string
  readonly key: string
}

export interface CreateOptions {
  readonly directory: string
  /** Path of the archive. */
  readonly file: string
  /** The node that has the database open; without one it is opened here. */
  readonly running?: RunningNode
  readonly sealing?: ArchiveKey
  /** Whether the key files are put in. */
  readonly keys: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

export interface Created extends Composed {
  readonly file: string
  readonly bytes: number
  readonly encrypted: boolean
}

/** An archive without keys, as a running node sends it. @throws NodeRefusal, NodeUnreachable */
async function* fromNode({ url, key }: RunningNode, signal: AbortSignal | undefined): AsyncGenerator<Uint8Array> {
  const unreachable = (cause: unknown): NodeUnreachable => {
    signal?.throwIfAborted()
    return new NodeUnreachable(
      `the node at ${url} broke off: ${cause instanceof Error ? cause.message : String(cause)}`,
    )
  }
  const { method, path } = splitRoute(endpointOf('explorer.snapshot').route)
  const response = await fetch(`${url}${path}`, {
    method,
    headers: { authorization: `Bearer ${key}` },
    redirect: 'error',
    ...(signal === undefined ? {} : { signal }),
  }).catch((cause: unknown) => {
    throw unreachable(cause)
  })
  if (!response.ok || response.body === null) {
    const problem = (await response.json().catch(() => undefined)) as Problem | undefined
    if (typeof problem?.code === 'string') throw new NodeRefusal(problem, url)
    throw unreachable(new Error(`status ${response.status}`))
  }
  const reader = response.body.getReader()
  try {
    for (;;) {
      const { done, value } = await reader.read().catch((cause: unknown) => {
        throw unreachable(cause)
      })
      if (done) return
      yield value
    }
  } finally {
    await reader.cancel().catch(() => undefined)
  }
}

/** An archive without keys of a directory that no node has open. @throws DirectoryInUse, StoreRefused, CorruptRow */
async function* fromFiles(directory: string, { onProgress, signal }: CreateOptions): AsyncGenerator<Uint8Array> {
  const files = databaseDirectory(directory)
  if (!existsSync(directory)) throw new StoreRefused(`${directory} holds no data of a node`)
  await settleRotation(directory)
  using _ = lockDirectory(directory)
  await settle(directory)
  if (!existsSync(join(files, 'CURRENT'))) throw new StoreRefused(`${directory} holds no data of a node`)
  checkWriteAheadLog(files)
  await using database = await openFiles(files, false)
  yield* snapshotOf(database, { onProgress, signal })
}

interface SnapshotOptions {
  readonly onProgress?: OnProgress | undefined
  readonly signal?: AbortSignal | undefined
}

/** An archive, without keys, of a database as it is now. */
export async function* snapshotOf(
  database: Pick<Database, 'snapshot'>,
  { onProgress, signal }: SnapshotOptions,
): AsyncGenerator<Uint8Array> {
  await using snapshot = database.snapshot()
  yield* archiveOf(snapshot, {
    release: readRelease().version,
    onRows: ({ rows, bytes }) => onProgress?.({ stage: 'reading', rows, bytes }),
    ...(signal === undefined ? {} : { signal }),
  })
}

const PROGRESS_BYTES = 4 * 1_048_576

/** Writes an archive of what `source` gives and of the key files of the directory. */
const writeArchive = async (source: AsyncIterable<Uint8Array>, options: CreateOptions): Promise<Created> => {
  const { directory, file, sealing, keys, onProgress, signal } = options
  let whole: Composed | undefined
  let reportedBytes = 0
  const files = (head: ArchiveHead) => {
    if (!keys) return []
    const found = readKeyFiles(directory)
    if (nodeOfKeys(found) !== head.node) {
      throw new BackupRefused('BACKUP_KEYS', `the keys in ${directory} are not those of node ${head.node}`)
    }
    return found
  }
  const archive = composed(source, {
    files,
    onBytes: (bytes) => {
      signal?.throwIfAborted()
      if (bytes - reportedBytes < PROGRESS_BYTES) return
      reportedBytes = bytes
      onProgress?.({ stage: 'writing', bytes })
    },
    onWhole: (it) => {
      whole = it
    },
  })
  const bytes = await writeNewFile(file, sealing === undefined ? archive : await encrypted(archive, sealing))
  if (whole === undefined) throw new Error('an archive that was written is whole')
  return { ...(whole as Composed), file, bytes, encrypted: sealing !== undefined }
}

/**
 * Writes an archive of a node's data and keys, whether the node runs or not: it appears whole or not at all.
 *
 * @throws BackupRefused, DirectoryInUse, StoreRefused, CorruptRow, NodeRefusal, NodeUnreachable
 */
export const createBackup = (options: CreateOptions): Promise<Created> => {
  const { directory, running, signal } = options
  return writeArchive(running === undefined ? fromFiles(directory, options) : fromNode(running, signal), options)
}

/** Writes an archive of a database that this process has open already. */
export const archiveOpen = (database: Pick<Database, 'snapshot'>, options: CreateOptions): Promise<Created> =>
  writeArchive(snapshotOf(database, options), options)

const openArchive = (file: string, opening: Opening): Promise<AsyncIterable<Uint8Array>> =>
  decrypted(createReadStream(file, { highWaterMark: 1_048_576 }), opening)

export interface BackupVerifyOptions {
  readonly file: string
  readonly opening: Opening
  /** Only digests and order: the rows are not put into a database and looked at. */
  readonly quick: boolean
  /** Folder for the unpacked rows; the system's temporary one when left out. */
  readonly work?: string
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** What a verification found. What failed is thrown instead. */
export interface Verified {
  readonly head: ArchiveHead
  readonly end: End
  readonly sha256: string
  /** What fsck said of the rows; null with `quick`. */
  readonly report: FsckReport | null
}

const readThrough = async ({ file, opening, onProgress, signal }: BackupVerifyOptions): Promise<Verified> => {
  let head: ArchiveHead | undefined
  let rows = 0
  for await (const piece of readArchive(await openArchive(file, opening))) {
    signal?.throwIfAborted()
    if (piece.kind === 'head') head = piece.head
    if (piece.kind === 'rows') {
      rows += piece.rows.length
      onProgress?.({ stage: 'reading', rows })
    }
    if (piece.kind === 'end' && head !== undefined) {
      return { head, end: piece.end, sha256: piece.sha256, report: null }
    }
  }
  throw new BackupRefused('BACKUP_DAMAGED', 'the archive has no end')
}

/** Looks at every row of what was unpacked, as it is after the migrations that its next start would run. */
const examine = async (
  folder: string,
  { head }: Unpacked,
  { onProgress, signal }: Pick<BackupVerifyOptions, 'onProgress' | 'signal'>,
): Promise<FsckReport> => {
  {
    await using database = await openFiles(databaseDirectory(folder), false)
    await checkHead(database, head)
    await migrate(database)
  }
  return fsck({
    directory: folder,
    onProgress: ({ stage, done }) => onProgress?.({ stage: `checking ${stage}`, rows: done }),
    ...(signal === undefined ? {} : { signal }),
  })
}

/**
 * Verifies an archive: every byte against its digests, then the rows in a database of their own: chains, trees, notes,
 * signatures and sums, by all the rules of fsck.
 *
 * @throws BackupRefused for an archive that is not what was written, or that cannot be looked at; CorruptRow for one
 * whose rows contradict each other.
 */
export const verifyBackup = async (options: BackupVerifyOptions): Promise<Verified> => {
  const { file, opening, quick, work = tmpdir(), onProgress, signal } = options
  if (quick) return readThrough(options)
  const folder = mkdtempSync(join(work, 'tickmesh-verify-'))
  try {
    const unpacked = await unpackInto(folder, await openArchive(file, opening), {
      keys: 'leave',
      onUnpacked: ({ rows, bytes }) => onProgress?.({ stage: 'unpacking', rows, bytes }),
      ...(signal === undefined ? {} : { signal }),
    })
    const report = await examine(folder, unpacked, options)
    if (report.bad !== null) throw new CorruptRow(report.bad.table, report.bad.key, report.bad.what)
    return { head: unpacked.head, end: unpacked.end, sha256: unpacked.sha256, report }
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
}

export interface RestoreFileOptions {
  readonly directory: string
  readonly file: string
  readonly opening: Opening
  readonly force: boolean
  /** Whether the archive is verified to its last row before anything is touched. */
  readonly check: boolean
  readonly onProgress?: OnProgress
  readonly signal?: AbortSignal
}

/** Puts an archive into a data directory. @throws as {@link restore} does. */
export const restoreBackup = async (options: RestoreFileOptions): Promise<Restored> => {
  const { directory, file, opening, force, check, onProgress, signal } = options
  if (check) await verifyBackup({ ...options, quick: false })
  return restore({
    directory,
    source: await openArchive(file, opening),
    force,
    onUnpacked: ({ rows, bytes }) => onProgress?.({ stage: 'unpacking', rows, bytes }),
    ...(signal === undefined ? {} : { signal }),
  })
}
