import { accessSync, constants, realpathSync, statfsSync, statSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { toHex, utf8 } from '#core/bytes.ts'
import { valueIn } from '#core/mmio/page.ts'
import { sha256 } from '#crypto'
import { layoutDigest } from '#domain/network/mmio/layout.ts'
import type { LoadedConfig } from './config.ts'

/** Digits that tell the nodes of one user apart. */
const DIGITS = 16
/** File systems that live in memory, by the number that Linux gives them: tmpfs and ramfs. */
const IN_MEMORY: ReadonlySet<number> = new Set([0x01021994, 0x858458f6])

const modes = { owner: 0o600, group: 0o640, all: 0o644 } as const

/** Whether a directory is on a memory file system that this user may write. */
const isInMemory = (directory: string): boolean => {
  try {
    accessSync(directory, constants.W_OK | constants.X_OK)
    return statSync(directory).isDirectory() && IN_MEMORY.has(statfsSync(directory).type)
  } catch {
    return false
  }
}

const realOf = (directory: string): string => {
  try {
    return realpathSync(directory)
  } catch {
    return resolve(directory)
  }
}

/** Where the register files of a node are, and with which permissions. */
export interface RegisterPlace {
  readonly directory: string
  readonly mode: number
}

/**
 * The place of a node's register files: as set, else a directory of this user and this data directory on a memory file
 * system, else in the data directory. Undefined where the page is switched off.
 */
export const registerPlaceOf = ({
  config: { mmio },
  dataDirectory,
}: Pick<LoadedConfig, 'config' | 'dataDirectory'>): RegisterPlace | undefined => {
  if (!mmio.enabled) return undefined
  const mode = modes[mmio.readers]
  if (mmio.directory !== '') return { directory: resolve(mmio.directory), mode }
  const user = process.getuid?.() ?? 0
  const name = `tickmesh-${user}-${toHex(sha256(utf8(realOf(dataDirectory)))).slice(0, DIGITS)}`
  // The user's own runtime directory lets nobody else in, so what others may read is not put there.
  const runtime = mmio.readers === 'owner' ? (process.env['XDG_RUNTIME_DIR'] ?? '') : ''
  const base = [runtime, '/dev/shm'].find((it) => it !== '' && isInMemory(it))
  return { directory: base === undefined ? join(dataDirectory, 'mmio') : join(base, name), mode }
}

/** Whether a page was written by a release with this release's table. Offsets are the same in all of them. */
export const isOwnLayout = (page: Uint8Array): boolean => valueIn(page, 'layout_digest') === layoutDigest()
