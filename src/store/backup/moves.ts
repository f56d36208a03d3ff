import { existsSync, mkdirSync, readdirSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { open } from 'node:fs/promises'
import { join } from 'node:path'
import { CorruptRow } from '#store/corrupt-row.ts'
import { lockDirectory } from '#store/lock.ts'
import { FILE_NAME } from './format.ts'
import { syncDirectory } from './new-file.ts'

/**
 * A restore takes the place of what is in a data directory by renames inside it (the directory itself may be a mount,
 * and cannot be renamed). Several renames are not one, so what is to be done is written down first: before that file
 * is there nothing has changed, and after it whoever comes next finishes.
 */
const INTENT_FILE = 'restore.json'
const DATABASE = 'db'
const STAGING = /^restoring-[0-9a-f]{16}$/
const ASIDE = /^replaced-[0-9]{1,6}$/
const MODE = 0o600
const PRIVATE = 0o700

/** What is moved where. */
export interface Intent {
  /** Folder of what comes. */
  readonly staging: string
  /** Folder for what goes. */
  readonly aside: string
  /** Names that go. */
  readonly old: readonly string[]
  /** Names that come. */
  readonly fresh: readonly string[]
}

const isName = (name: unknown): boolean => typeof name === 'string' && (name === DATABASE || FILE_NAME.test(name))

const readIntent = (directory: string): Intent | undefined => {
  const path = join(directory, INTENT_FILE)
  if (!existsSync(path)) return undefined
  const { staging, aside, old, fresh } = JSON.parse(readFileSync(path, 'utf8')) as Partial<Intent>
  const fits =
    STAGING.test(staging ?? '') && ASIDE.test(aside ?? '') && [...(old ?? []), ...(fresh ?? [])].every(isName)
  if (!fits || old === undefined || fresh === undefined) {
    throw new CorruptRow('file', path, 'it does not say what a restore was about to do')
  }
  return { staging: staging as string, aside: aside as string, old, fresh }
}

/** Does what is left of an intent: each step is done or is not, and which is seen from where the names are. */
const finish = async (directory: string, { staging, aside, old, fresh }: Intent): Promise<void> => {
  const at = (...names: readonly string[]): string => join(directory, ...names)
  if (old.length > 0) mkdirSync(at(aside), { recursive: true, mode: PRIVATE })
  for (const name of old) {
    if (!existsSync(at(aside, name)) && existsSync(at(name))) renameSync(at(name), at(aside, name))
  }
  if (old.length > 0) await syncDirectory(at(aside))
  for (const name of fresh) if (existsSync(at(staging, name))) renameSync(at(staging, name), at(name))
  await syncDirectory(directory)
  rmSync(at(staging), { recursive: true, force: true })
  rmSync(at(INTENT_FILE), { force: true })
  await syncDirectory(directory)
}

/** Makes the moves: all of them, or none if this process dies before they are written down. The caller has the lock. */
export const moveIn = async (directory: string, intent: Intent): Promise<void> => {
  const path = join(directory, INTENT_FILE)
  const aside = join(directory, intent.staging, INTENT_FILE)
  writeFileSync(aside, `${JSON.stringify(intent)}\n`, { mode: MODE, flag: 'wx' })
  const file = await open(aside, 'r')
  await file.sync().finally(() => file.close())
  renameSync(aside, path)
  await syncDirectory(directory)
  await finish(directory, intent)
}

/** A folder for what goes that is not there yet. */
export const freeAside = (directory: string): string => {
  for (let n = 1; ; n++) if (!existsSync(join(directory, `replaced-${n}`))) return `replaced-${n}`
}

/** Finishes a restore that was cut off, and clears what one left that never began. The caller has the lock. */
export const settle = async (directory: string): Promise<void> => {
  const intent = readIntent(directory)
  if (intent !== undefined) await finish(directory, intent)
  for (const name of readdirSync(directory)) {
    if (STAGING.test(name)) rmSync(join(directory, name), { recursive: true, force: true })
  }
}

/** Whether a restore that was cut off is to be finished; looks, and changes nothing. */
export const isRestoring = (directory: string): boolean => existsSync(join(directory, INTENT_FILE))

/**
 * Before a data directory is used: finishes a restore that was cut off while it put things in their places.
 *
 * @throws DirectoryInUse while one is at it.
 */
export const settleRestore = async (directory: string): Promise<void> => {
  if (!isRestoring(directory)) return
  using _ = lockDirectory(directory)
  await settle(directory)
}
