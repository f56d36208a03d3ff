import { existsSync, readFileSync } from 'node:fs'
import { digest, purposes } from '#core/digest.ts'
import type { ProcessView } from '#domain/explorer/service.ts'
import type { NodeStatus } from '#domain/explorer/views.ts'
import { hashedSoFar } from '#ports/tally.ts'
import { storageOf } from './storage.ts'

const PACKAGE = new URL('../../package.json', import.meta.url)
/** The lock file of a clone, and the same bytes under the name that npm puts into packages. */
const LOCKS = ['package-lock.json', 'npm-shrinkwrap.json'].map((it) => new URL(`../../${it}`, import.meta.url))
/** Unit in which the system counts what a process wrote to disk. */
const BLOCK_BYTES = 512
const DIGITS = 16

interface Release {
  readonly version: string
  readonly build: string
}

/** The version of package.json, and a digest over it and the lock file: what exactly was installed. */
export const readRelease = (): Release => {
  const { version } = JSON.parse(readFileSync(PACKAGE, 'utf8')) as { version: string }
  const lock = LOCKS.find((it) => existsSync(it)) ?? PACKAGE
  const build = digest(purposes.build, { package: readFileSync(PACKAGE, 'utf8'), lock: readFileSync(lock, 'utf8') })
  return { version, build: build.slice(0, DIGITS) }
}

/** What this process says of itself. */
export const processView = (release: Release, state: () => NodeStatus['state'], directory: string): ProcessView => ({
  version: release.version,
  build: release.build,
  nodeVersion: process.version,
  platform: `${process.platform} ${process.arch}`,
  state,
  uptimeSeconds: () => process.uptime(),
  rssBytes: () => process.memoryUsage.rss(),
  storage: storageOf(directory),
  bytesErased: () => hashedSoFar() + process.resourceUsage().fsWrite * BLOCK_BYTES,
})
