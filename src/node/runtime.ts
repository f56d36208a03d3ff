import { readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { holderOf } from '#store/lock.ts'

/** Where a node that is ready says how to reach it. */
const FILE = 'node.json'
/** Readable by this user alone: it tells where the node is, not how to use it. */
const MODE = 0o600

/** What the file of a running node holds. */
export interface Runtime {
  readonly pid: number
  readonly url: string
  readonly node: string
  /** Directory of its register files; null where it writes none. */
  readonly registers?: string | null
}

/** What is known of the node on a data directory, from its files alone. */
export type Presence =
  | { readonly kind: 'running'; readonly runtime: Runtime }
  /** A process holds the directory and is not ready: it starts, stops, or is no node. */
  | { readonly kind: 'held'; readonly pid: number }
  /** A node was here and ended without a word. */
  | { readonly kind: 'gone'; readonly pid: number }
  | { readonly kind: 'none' }

const read = (directory: string): Runtime | undefined => {
  try {
    const { pid, url, node, registers } = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as Partial<Runtime>
    return pid === undefined || url === undefined || node === undefined
      ? undefined
      : { pid, url, node, ...(registers === undefined ? {} : { registers }) }
  } catch {
    return undefined // Not there, or torn by whatever ended the node: either way it says nothing.
  }
}

/**
 * Looks for the node of a data directory. A file that a dead process left is never taken for a running node: the pid
 * may long be another program's, and so may the port.
 */
export const presenceOn = (directory: string): Presence => {
  const runtime = read(directory)
  const holder = holderOf(directory)
  if (holder !== undefined)
    return runtime?.pid === holder ? { kind: 'running', runtime } : { kind: 'held', pid: holder }
  return runtime === undefined ? { kind: 'none' } : { kind: 'gone', pid: runtime.pid }
}

/** Says that the node on a data directory is ready, until disposed. Readers see the whole of it or nothing. */
export const announce = (directory: string, runtime: Runtime): Disposable => {
  const file = join(directory, FILE)
  const fresh = `${file}.${runtime.pid}`
  writeFileSync(fresh, `${JSON.stringify(runtime)}\n`, { mode: MODE })
  renameSync(fresh, file)
  return { [Symbol.dispose]: () => rmSync(file, { force: true }) }
}
