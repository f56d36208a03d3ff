import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Log } from '#core/telemetry.ts'
import { settle } from '#store/backup/moves.ts'
import { BackupRefused } from '#store/backup/refused.ts'
import type { Database } from '#store/database.ts'
import { checkWriteAheadLog } from '#store/level-files.ts'
import { databaseDirectory, lockDirectory, makeDirectory } from '#store/lock.ts'
import { type MigrateOptions, type MigrationProgress, migrate, stepsFrom } from '#store/migrations/migrate.ts'
import { openFiles, StoreRefused } from '#store/open.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { archiveOpen } from './backup.ts'
import { readRelease } from './process-view.ts'
import { backupsDirectory } from './storage.ts'

const CHANGELOG = new URL('../../CHANGELOG.md', import.meta.url)

/** What an upgrade of the data would do. */
export interface UpgradeView {
  /** Version of this release. */
  readonly release: string
  /** Schema of the data; null where there are none. */
  readonly schema: number | null
  /** The schema of this release. */
  readonly known: number
  /** Whether the data are those of a newer release, which this one refuses. */
  readonly newer: boolean
  readonly pending: readonly { readonly from: number; readonly to: number; readonly why: string }[]
  /** What the changelog says of this release. */
  readonly changes: string
}

/** The part of the changelog about a version: its own, else that of what is not released yet. */
export const changesOf = (text: string, version: string): string => {
  const parts = text.split(/^## /m).slice(1)
  const titled = (title: string): string | undefined =>
    parts.find((it) => it.split('\n', 1)[0]?.replaceAll(/[[\]]/g, '').split(' ')[0] === title)
  return (titled(version) ?? titled('Unreleased') ?? '').trim()
}

/** What this release would make of data of a schema. @param schema undefined where there are no data. */
export const upgradeView = (schema: number | undefined): UpgradeView => {
  const { version: release } = readRelease()
  return {
    release,
    schema: schema ?? null,
    known: SCHEMA,
    newer: (schema ?? 0) > SCHEMA,
    pending: stepsFrom(schema ?? SCHEMA).map(({ from, to, why }) => ({ from, to, why })),
    changes: changesOf(readFileSync(CHANGELOG, 'utf8'), release),
  }
}

const freeName = (folder: string): string => {
  for (let n = 1; ; n++) {
    const path = join(folder, `before-schema-${SCHEMA}-${n}.backup`)
    if (!existsSync(path)) return path
  }
}

interface Preceded {
  readonly directory: string
  readonly backup: boolean
  readonly onArchived?: (file: string) => void
}

/** Writes the archive that precedes a migration, with the keys that lie beside it. @throws StoreRefused */
const archiveBefore = async (database: Database, { directory, onArchived }: Preceded): Promise<void> => {
  const folder = backupsDirectory(directory)
  makeDirectory(folder)
  const file = freeName(folder)
  try {
    await archiveOpen(database, { directory, file, keys: true })
  } catch (cause) {
    const known = cause instanceof BackupRefused || (cause instanceof Error && 'syscall' in cause)
    if (!known) throw cause
    const advice = 'nothing was changed; upgrade.backup=false goes without an archive'
    throw new StoreRefused(`the archive before the migration cannot be written: ${cause.message}; ${advice}`)
  }
  onArchived?.(file)
}

/** How a node brings data of an older schema up at its start: preceded by an archive unless a setting says no. */
export const migrationOf =
  ({ directory, backup, log }: { readonly directory: string; readonly backup: boolean; readonly log: Log }) =>
  (database: Database): MigrateOptions => ({
    ...(backup && {
      before: () =>
        archiveBefore(database, { directory, backup, onArchived: (file) => log.info({ file }, 'migration_archived') }),
    }),
    onProgress: (progress) => log.info(progress, progress.done ? 'migrated' : 'migrating'),
  })

/** Opens a stopped node's data for a moment. @throws DirectoryInUse, StoreRefused, CorruptRow */
export const withData = async <T>(
  directory: string,
  work: (database: Database | undefined) => Promise<T>,
): Promise<T> => {
  const files = databaseDirectory(directory)
  if (!existsSync(directory)) return work(undefined)
  using _ = lockDirectory(directory)
  await settle(directory)
  if (!existsSync(join(files, 'CURRENT'))) return work(undefined)
  checkWriteAheadLog(files)
  await using database = await openFiles(files, false)
  return await work(database)
}

/** Says what an upgrade of a stopped node's data would do; changes nothing. */
export const checkUpgrade = (directory: string): Promise<UpgradeView> =>
  withData(directory, async (database) => upgradeView(await database?.get('schema', 'version')))

/** What an upgrade did. */
export interface Upgraded extends UpgradeView {
  /** The archive that was written first; null when there was nothing to do, or none was wanted. */
  readonly archive: string | null
}

/** Brings a stopped node's data up to this release. @throws StoreRefused for newer data, or an archive that fails. */
export const runUpgrade = (
  directory: string,
  { backup, onProgress }: { readonly backup: boolean; readonly onProgress: (progress: MigrationProgress) => void },
): Promise<Upgraded> =>
  withData(directory, async (database) => {
    const view = upgradeView(await database?.get('schema', 'version'))
    if (view.newer) {
      throw new StoreRefused(
        `the data have schema ${view.schema}, and this release knows up to ${SCHEMA}: use a newer one`,
      )
    }
    let archive: string | null = null
    const onArchived = (file: string): void => {
      archive = file
    }
    if (database !== undefined) {
      await migrate(database, {
        ...(backup && { before: () => archiveBefore(database, { directory, backup, onArchived }) }),
        onProgress,
      })
    }
    return { ...view, archive }
  })
