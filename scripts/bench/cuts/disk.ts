import { lstatSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Call } from './journal.ts'

/**
 * What a disk holds of a directory while a program works in it: what is synced, and what is not yet. A cut (cut.ts)
 * decides what of the latter is there afterwards.
 */

/** A change of a file's bytes. */
export type Write =
  | { readonly offset: number; readonly data: Uint8Array }
  /** A new size. */
  | { readonly size: number }

/** A file, whatever its names are. */
export interface FileNode {
  readonly kind: 'file'
  /** Bytes that are on disk for sure. */
  sound: Uint8Array
  /** What came after them, oldest first. */
  pending: Write[]
}

export interface DirectoryNode {
  readonly kind: 'directory'
  /** Names as the running program sees them. */
  readonly names: Map<string, DiskNode>
}

export type DiskNode = FileNode | DirectoryNode

/** A change of names: each is there whole or not at all. */
export interface NameChange {
  readonly what: 'made' | 'linked' | 'renamed' | 'unlinked'
  readonly node: DiskNode
  readonly from?: readonly [DirectoryNode, string]
  readonly to?: readonly [DirectoryNode, string]
  /** Whether a sync of one of its directories came after it. */
  sound: boolean
}

/** Syncs that a disk takes no notice of, to see that the loss is found. */
export type Deaf = 'file' | 'directory' | undefined

/** A disk as far as the calls have gone. */
export interface Disk {
  readonly root: DirectoryNode
  /** Names as they were when the recording began: those are sound. */
  readonly first: ReadonlyMap<DirectoryNode, ReadonlyMap<string, DiskNode>>
  readonly changes: readonly NameChange[]
  /** Changes of names that a journal holds which is written with every sync. */
  readonly journaled: number
  apply(call: Call): void
}

/** Applies writes to bytes; what is between is zero. */
export const withWrites = (bytes: Uint8Array, writes: readonly Write[]): Uint8Array => {
  let size = bytes.length
  let room = size
  for (const it of writes) {
    size = 'size' in it ? it.size : Math.max(size, it.offset + it.data.length)
    room = Math.max(room, size)
  }
  const all = new Uint8Array(room)
  all.set(bytes)
  let length = bytes.length
  for (const it of writes) {
    if ('size' in it) {
      if (it.size < length) all.fill(0, it.size, length)
      length = it.size
    } else {
      all.set(it.data, it.offset)
      length = Math.max(length, it.offset + it.data.length)
    }
  }
  return all.subarray(0, length)
}

const directoryNode = (): DirectoryNode => ({ kind: 'directory', names: new Map() })

/** A directory as it is in one moment: what names it holds, and files by their inodes. */
export type Image = ReadonlyMap<string, Image | { readonly inode: number; readonly bytes: Uint8Array }>

/** Reads a directory with all below it. */
export const imageOf = (path: string): Image =>
  new Map(
    readdirSync(path).map((name) => {
      const at = join(path, name)
      const about = lstatSync(at)
      const read = () => ({ inode: about.ino, bytes: new Uint8Array(readFileSync(at)) })
      return [name, about.isDirectory() ? imageOf(at) : read()]
    }),
  )

/** Takes a directory up: all of it is sound. */
const load = (image: Image, inodes: Map<number, FileNode>): DirectoryNode => {
  const directory = directoryNode()
  for (const [name, it] of image) {
    if (!('inode' in it)) {
      directory.names.set(name, load(it, inodes))
      continue
    }
    const file = inodes.get(it.inode) ?? { kind: 'file', sound: it.bytes, pending: [] }
    inodes.set(it.inode, file)
    directory.names.set(name, file)
  }
  return directory
}

const namesBelow = (
  directory: DirectoryNode,
  found = new Map<DirectoryNode, ReadonlyMap<string, DiskNode>>(),
): ReadonlyMap<DirectoryNode, ReadonlyMap<string, DiskNode>> => {
  found.set(directory, new Map(directory.names))
  for (const node of directory.names.values()) if (node.kind === 'directory') namesBelow(node, found)
  return found
}

/** Follows paths among the names that the program sees. */
const walker = (root: DirectoryNode) => {
  const nodeAt = (path: string): DiskNode => {
    let node: DiskNode = root
    for (const name of path === '' ? [] : path.split('/')) {
      const next: DiskNode | undefined = node.kind === 'directory' ? node.names.get(name) : undefined
      if (next === undefined) throw new Error(`the model has no ${path}`)
      node = next
    }
    return node
  }
  const placeOf = (path: string): readonly [DirectoryNode, string] => {
    const cut = path.lastIndexOf('/')
    const parent = nodeAt(cut < 0 ? '' : path.slice(0, cut))
    if (parent.kind !== 'directory') throw new Error(`the model has a file above ${path}`)
    return [parent, path.slice(cut + 1)]
  }
  return { nodeAt, placeOf }
}

/** Carries a change of names out on whichever names are given; one whose like was dropped before it does nothing. */
export const rename = (
  { node, from, to }: NameChange,
  namesOf: (directory: DirectoryNode) => Map<string, DiskNode>,
): void => {
  if (from !== undefined && namesOf(from[0]).get(from[1]) === node) namesOf(from[0]).delete(from[1])
  if (to !== undefined) namesOf(to[0]).set(to[1], node)
}

/** Whether a change of names is one in this directory. */
export const isIn = ({ from, to }: NameChange, directory: DirectoryNode): boolean =>
  from?.[0] === directory || to?.[0] === directory

/** Opens the model of a disk that holds a directory. @param deaf syncs that it does not hear. */
export const createDisk = (image: Image, deaf?: Deaf): Disk => {
  const inodes = new Map<number, FileNode>()
  const root = load(image, inodes)
  const first = namesBelow(root)
  const { nodeAt, placeOf } = walker(root)
  const changes: NameChange[] = []
  let journaled = 0

  const change = (made: Omit<NameChange, 'sound'>): void => {
    changes.push({ ...made, sound: false })
    rename(changes.at(-1) as NameChange, (directory) => directory.names)
  }
  const fileOf = (inode: number): FileNode => {
    const file = inodes.get(inode)
    if (file === undefined) throw new Error(`the model has no file ${inode}`)
    return file
  }
  const opened = ({ path: at, inode, made }: Extract<Call, { kind: 'opened' }>): void => {
    if (!made) return void fileOf(inode).pending.push({ size: 0 })
    const file: FileNode = { kind: 'file', sound: new Uint8Array(0), pending: [] }
    inodes.set(inode, file)
    change({ what: 'made', node: file, to: placeOf(at) })
  }
  /** Names that a directory's sync makes sound, and with a move those that were before it at its other end. */
  const settle = (directory: DirectoryNode, until: number): void => {
    for (let i = until - 1; i >= 0; i--) {
      const it = changes[i] as NameChange
      if (it.sound || !isIn(it, directory)) continue
      it.sound = true
      for (const [other] of [it.from, it.to].filter((end) => end !== undefined)) {
        if (other !== directory) settle(other, i)
      }
    }
  }
  const synced = ({ path: at, inode, isDirectory }: Extract<Call, { kind: 'synced' }>): void => {
    if (deaf === (isDirectory ? 'directory' : 'file')) return
    journaled = changes.length
    if (isDirectory) {
      const directory = nodeAt(at)
      if (directory.kind === 'directory') settle(directory, changes.length)
      return
    }
    const file = fileOf(inode)
    file.sound = withWrites(file.sound, file.pending)
    file.pending = []
  }
  return {
    root,
    first,
    changes,
    get journaled() {
      return journaled
    },
    apply: (call) => {
      if (call.kind === 'opened') opened(call)
      else if (call.kind === 'written') fileOf(call.inode).pending.push(call)
      else if (call.kind === 'resized') fileOf(call.inode).pending.push(call)
      else if (call.kind === 'synced') synced(call)
      else if (call.kind === 'made-directory') change({ what: 'made', node: directoryNode(), to: placeOf(call.path) })
      else if (call.kind === 'linked') change({ what: 'linked', node: nodeAt(call.path), to: placeOf(call.to) })
      else if (call.kind === 'renamed') {
        change({ what: 'renamed', node: nodeAt(call.path), from: placeOf(call.path), to: placeOf(call.to) })
      } else if (call.kind === 'unlinked') {
        change({ what: 'unlinked', node: nodeAt(call.path), from: placeOf(call.path) })
      }
    },
  }
}

const PRIVATE_DIRECTORY = 0o700
const PRIVATE_FILE = 0o600

/** Writes names and bytes into an empty directory. */
export const writeTree = (
  path: string,
  directory: DirectoryNode,
  {
    namesOf,
    bytesOf,
  }: {
    readonly namesOf: (directory: DirectoryNode) => ReadonlyMap<string, DiskNode>
    readonly bytesOf: (file: FileNode) => Uint8Array
  },
): void => {
  for (const [name, node] of namesOf(directory)) {
    const at = join(path, name)
    if (node.kind === 'file') writeFileSync(at, bytesOf(node), { mode: PRIVATE_FILE })
    else {
      mkdirSync(at, { mode: PRIVATE_DIRECTORY })
      writeTree(at, node, { namesOf, bytesOf })
    }
  }
}
