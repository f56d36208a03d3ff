import type { Random } from '../../../test/kit/random.ts'
import {
  type DirectoryNode,
  type Disk,
  type DiskNode,
  type FileNode,
  isIn,
  type NameChange,
  rename,
  type Write,
  withWrites,
  writeTree,
} from './disk.ts'

/**
 * What a cut leaves of what was not synced.
 *
 * Of the bytes of a file: nothing; the beginning of what was written, torn at a byte; any of its pages, with zeros in
 * the place of those that are missing; its new size and zeros; or all. Of the names: a beginning of all changes, which
 * every sync takes along (a journal of metadata, as ext4, XFS and btrfs have); or of each directory a beginning of its
 * own, which only a sync of that directory takes along (POSIX, and no more).
 */
export const fates = ['dropped', 'torn', 'pages', 'zeros', 'kept'] as const
export type Fate = (typeof fates)[number]
export const orders = ['journal', 'directory'] as const
export type Order = (typeof orders)[number]

/** How a cut is drawn: `mixed` draws a fate for each file. */
export interface Mode {
  readonly order: Order
  readonly fate: Fate | 'mixed'
  /** How many of the names that may be missing are. */
  readonly names: 'none' | 'some' | 'all'
}

/** What a cut dropped. */
export interface Dropped {
  writes: number
  bytes: number
  names: number
  renames: number
}

const PAGE_BYTES = 4_096
const SECTOR_BYTES = 512

const bytesOfWrite = (it: Write): number => ('size' in it ? 0 : it.data.length)

const torn = ({ sound, pending }: FileNode, random: Random): Uint8Array => {
  const count = random.integer(0, pending.length - 1)
  const next = pending[count] as Write
  const kept = pending.slice(0, count)
  if ('size' in next) return withWrites(sound, kept)
  return withWrites(sound, [
    ...kept,
    { offset: next.offset, data: next.data.subarray(0, random.integer(0, next.data.length)) },
  ])
}

/** Pages that the writes touched, each there or not; the end may be torn at a sector. */
const paged = ({ sound, pending }: FileNode, random: Random): Uint8Array => {
  const all = new Uint8Array(withWrites(sound, pending))
  for (let at = 0; at < all.length; at += PAGE_BYTES) {
    const end = Math.min(at + PAGE_BYTES, all.length)
    const touched = pending.some((it) => !('size' in it) && it.offset < end && it.offset + it.data.length > at)
    if (!touched || random.next() < 0.5) continue
    // A page that was sound in part keeps that part: it is written over by the same bytes.
    all.fill(0, at, end)
    all.set(sound.subarray(at, Math.min(end, sound.length)), at)
  }
  if (random.next() < 0.5 || all.length <= sound.length) return all
  const sectors = Math.floor((all.length - sound.length) / SECTOR_BYTES)
  return all.subarray(0, Math.min(all.length, sound.length + random.integer(0, sectors) * SECTOR_BYTES))
}

const zeroed = ({ sound, pending }: FileNode): Uint8Array => {
  const all = new Uint8Array(withWrites(sound, pending).length)
  all.set(sound.subarray(0, all.length))
  return all
}

const bytesAfter = (file: FileNode, fate: Fate, random: Random): Uint8Array => {
  if (file.pending.length === 0 || fate === 'dropped') return file.sound
  if (fate === 'torn') return torn(file, random)
  if (fate === 'pages') return paged(file, random)
  if (fate === 'zeros') return zeroed(file)
  return withWrites(file.sound, file.pending)
}

/** A number of changes between those that are sure and all. */
const drawn = (low: number, high: number, { names }: Mode, random: Random): number =>
  names === 'all' ? low : names === 'none' ? high : random.integer(low, high)

/** Which changes of names are there after a cut. */
const keptChanges = (disk: Disk, mode: Mode, random: Random): ReadonlySet<NameChange> => {
  const { changes, journaled } = disk
  if (mode.order === 'journal') return new Set(changes.slice(0, drawn(journaled, changes.length, mode, random)))
  const directories = new Set(changes.flatMap(({ from, to }) => [from?.[0], to?.[0]]).filter((it) => it !== undefined))
  const dropped = new Set<NameChange>()
  for (const directory of directories) {
    const own = changes.filter((it) => isIn(it, directory))
    const sound = own.findLastIndex((it) => it.sound) + 1
    for (const it of own.slice(drawn(sound, own.length, mode, random))) dropped.add(it)
  }
  // A move between two directories is there in both or in neither, and nothing of a directory that came after what is
  // missing of it.
  for (let before = -1; before !== dropped.size; ) {
    before = dropped.size
    for (const directory of directories) {
      const own = changes.filter((it) => isIn(it, directory))
      const at = own.findIndex((it) => dropped.has(it))
      if (at >= 0) for (const it of own.slice(at)) dropped.add(it)
    }
  }
  return new Set(changes.filter((it) => !dropped.has(it)))
}

/** Puts into an empty directory what a cut now leaves. @returns what it dropped */
export const cutInto = (path: string, disk: Disk, { mode, random }: { mode: Mode; random: Random }): Dropped => {
  const kept = keptChanges(disk, mode, random)
  const names = new Map<DirectoryNode, Map<string, DiskNode>>()
  const namesOf = (directory: DirectoryNode): Map<string, DiskNode> => {
    const found = names.get(directory) ?? new Map(disk.first.get(directory) ?? [])
    names.set(directory, found)
    return found
  }
  for (const it of disk.changes) if (kept.has(it)) rename(it, namesOf)
  const gone = disk.changes.filter((it) => !kept.has(it))
  const dropped: Dropped = {
    ...{ writes: 0, bytes: 0, names: gone.length, renames: gone.filter((it) => it.what === 'renamed').length },
  }
  const known = new Map<FileNode, Uint8Array>()
  const bytesOf = (file: FileNode): Uint8Array => {
    const before = known.get(file)
    if (before !== undefined) return before
    const bytes = bytesAfter(file, mode.fate === 'mixed' ? random.pick(fates) : mode.fate, random)
    known.set(file, bytes)
    if (file.pending.length > 0) {
      const whole = withWrites(file.sound, file.pending)
      if (Buffer.compare(whole, bytes) !== 0) {
        dropped.writes += file.pending.length
        dropped.bytes += file.pending.reduce((sum, it) => sum + bytesOfWrite(it), 0)
      }
    }
    return bytes
  }
  writeTree(path, disk.root, { namesOf, bytesOf })
  return dropped
}
