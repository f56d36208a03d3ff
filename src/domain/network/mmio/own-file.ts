import {
  closeSync,
  constants,
  fchmodSync,
  fstatSync,
  lstatSync,
  openSync,
  type Stats,
  unlinkSync,
  writeSync,
} from 'node:fs'
import { PAGE_BYTES } from '#core/mmio/table.ts'

/** Permission bits, and those by which others than the owner of a file may write it. */
const PERMISSIONS = 0o777
const OTHERS_WRITE = 0o022

/** A file at our path that is not ours to touch; the message says what a person can do. */
export class FileRefused extends Error {
  override readonly name = 'FileRefused'
}

const codeOf = (error: unknown): string | undefined => (error as { readonly code?: string } | undefined)?.code

/** What stands at a path; undefined where nothing does. */
export const statOf = (path: string): Stats | undefined => {
  try {
    return lstatSync(path)
  } catch (error) {
    if (codeOf(error) === 'ENOENT') return undefined
    throw error
  }
}

/** Who this process acts as; undefined on systems without users. */
const ownUser = (): number | undefined => process.geteuid?.()

/** @throws FileRefused for a link, no regular file, one with a second name, or one that another user owns. */
const assertOwn = (path: string, stat: Stats): void => {
  const refuse = (what: string): never => {
    throw new FileRefused(`${path} ${what}; remove it and it is made again`)
  }
  if (stat.isSymbolicLink()) refuse('is a symbolic link')
  if (!stat.isFile()) refuse('is no regular file')
  const user = ownUser()
  if (user !== undefined && stat.uid !== user) refuse('belongs to another user')
  if (stat.nlink > 1) refuse('has a second name')
}

/** @throws FileRefused for a file that others than its owner may have written. */
const assertOwnersAlone = (path: string, { mode }: Stats): void => {
  if ((mode & OTHERS_WRITE) === 0) return
  throw new FileRefused(`${path} may be written by others than its owner; chmod go-w it, or remove it`)
}

const FLAGS = constants.O_RDWR | constants.O_NOFOLLOW

/** Makes a file of exactly these bytes, all of them taken on the disk, so that no later write needs room. */
const make = (path: string, mode: number, bytes: Uint8Array): number => {
  const file = openSync(path, FLAGS | constants.O_CREAT | constants.O_EXCL, mode)
  try {
    fchmodSync(file, mode)
    if (writeSync(file, bytes, 0, bytes.length, 0) < bytes.length) throw new Error(`${path}: no room`)
    return file
  } catch (error) {
    closeSync(file)
    unlinkSync(path)
    throw error
  }
}

/** An open file of this process's own, and whether it was made just now. */
export interface OwnFile {
  readonly file: number
  readonly isNew: boolean
}

/** How a file is opened. */
export interface OwnFileOptions {
  readonly mode: number
  /** What a new one holds. */
  readonly first: Uint8Array
}

/**
 * Opens the file of {@link PAGE_BYTES} at a path, without following links. One of another size is no page and is made
 * again; one of the right size keeps its inode, and gets the permissions that it should have.
 *
 * @throws FileRefused for what is not ours; an error of the file system.
 */
export const openOwnFile = (path: string, { mode, first }: OwnFileOptions): OwnFile => {
  const stat = statOf(path)
  if (stat !== undefined) {
    assertOwn(path, stat)
    assertOwnersAlone(path, stat)
    if (stat.size === PAGE_BYTES) {
      const file = openSync(path, FLAGS)
      try {
        if (!isStill(file, path)) throw new FileRefused(`${path} changed while it was opened`)
        if ((stat.mode & PERMISSIONS) !== mode) fchmodSync(file, mode)
      } catch (error) {
        closeSync(file)
        throw error
      }
      return { file, isNew: false }
    }
    unlinkSync(path)
  }
  return { file: make(path, mode, first), isNew: true }
}

/** Whether an open file is still what stands at its path, whole and the owner's alone to write. */
export const isStill = (file: number, path: string): boolean => {
  const stat = statOf(path)
  const open = fstatSync(file)
  if (stat === undefined || stat.ino !== open.ino || stat.dev !== open.dev) return false
  return open.size === PAGE_BYTES && open.nlink === 1 && (open.mode & OTHERS_WRITE) === 0
}
