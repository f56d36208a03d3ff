import { existsSync, readdirSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { ConfigError, type LoadedConfig } from '#node/config.ts'
import { exposuresOf } from '#node/exposure.ts'
import type { PolicyName } from '#node/policy.ts'
import { presenceOn } from '#node/runtime.ts'
import { examineGrowth } from './examine-growth.ts'
import { type Finding, findings } from './finding.ts'

/** Permission bits that anyone but the owner would have. */
const FOREIGN_BITS = 0o077
const SECRET_BYTES_MIN = 32
/** What a file with a key is called, whichever release made it. */
const KEY_FILE = /\.(?:key|secret)$/
/** How long a stopped node's data are read before that is left to `fsck`. */
const READ_MS_MAX = 10_000

const keyModes = async (directory: string): Promise<readonly Finding[]> => {
  if (!existsSync(directory) || !statSync(directory).isDirectory()) return []
  const { keyFiles } = await import('#node/init.ts')
  const names = new Set([...Object.values(keyFiles), ...readdirSync(directory).filter((it) => KEY_FILE.test(it))])
  const { ok, fail } = findings('keys')
  return [...names].flatMap((name): readonly Finding[] => {
    const file = join(directory, name)
    const mode = (statSync(file, { throwIfNoEntry: false })?.mode ?? -1) & 0o777
    if (!existsSync(file)) return []
    const detail = `${name} has mode ${mode.toString(8)}`
    return [(mode & FOREIGN_BITS) === 0 ? ok(detail) : fail(detail, `chmod 600 ${file}`)]
  })
}

const exposure = ({ config }: LoadedConfig): readonly Finding[] => {
  const { ok, warn } = findings('exposure')
  const found = exposuresOf(config)
  if (found.length === 0) return [ok(`the interface is for ${config.http.host}`)]
  return found.map(({ setting, host, hint }) => warn(`${setting} is ${host}`, hint))
}

const meshSecrets = ({ config: { mesh } }: LoadedConfig): readonly Finding[] =>
  Object.entries({ 'mesh secret': mesh.secret, 'mesh secret before': mesh.secretPrevious }).flatMap(([name, value]) => {
    const { ok, warn } = findings(name)
    const bytes = new TextEncoder().encode(value).length
    if (bytes === 0) {
      return name === 'mesh secret' ? [ok('none: an open mesh, the entrances over HTTP and Redis are closed')] : []
    }
    return bytes >= SECRET_BYTES_MIN
      ? [ok(`${bytes} bytes`)]
      : [warn(`${bytes} bytes`, `use at least ${SECRET_BYTES_MIN} random bytes`)]
  })

/** The policy of the settings by its name, and what is to be said of it; no name for what is no policy. */
const examinePolicy = async (path: string): Promise<{ readonly finding: Finding; readonly policy?: PolicyName }> => {
  const { ok, fail } = findings('policy')
  const { readPolicy } = await import('#node/policy.ts')
  try {
    const { name } = readPolicy(path)
    return { finding: ok(path === '' ? 'open: no policy file' : path), policy: name }
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return { finding: fail(error.message, 'a node does not start with it; mend it, or unset mesh.policy') }
  }
}

/** Whether this release may use the data of a stopped node. */
const schema = async (directory: string): Promise<readonly Finding[]> => {
  const { ok, warn, fail } = findings('schema')
  const { checkUpgrade } = await import('#node/upgrade.ts')
  const view = await checkUpgrade(directory)
  if (view.schema === null) return [ok(`no data yet; this release writes schema ${view.known}`)]
  const detail = `the data have schema ${view.schema}, this release ${view.known}`
  if (view.newer) return [fail(detail, 'use the newer release that wrote them')]
  return [
    view.pending.length === 0 ? ok(detail) : warn(detail, 'the next start, or `tickmesh upgrade`, brings them up'),
  ]
}

/** Hashes a stopped node's logs again and holds every index against them, as far as that is done in a moment. */
const logs = async (directory: string, signal: AbortSignal): Promise<readonly Finding[]> => {
  const { ok, warn, fail } = findings('log')
  const { fsck, isOutOfReach } = await import('#node/fsck.ts')
  const late = AbortSignal.timeout(READ_MS_MAX)
  try {
    const { bad, leaves } = await fsck({
      directory,
      signal: AbortSignal.any([signal, late]),
      onProgress: () => undefined,
    })
    const read = `${leaves.seal} leaves of seals, ${leaves.events} of events`
    if (bad === null) return [ok(`${read}: head and index agree`)]
    return [
      fail(`${[bad.table, bad.key].join(' ').trim()}: ${bad.what}`, 'restore a backup; `tickmesh fsck` tells more'),
    ]
  } catch (error) {
    signal.throwIfAborted()
    if (late.aborted) return [warn(`not read whole within ${READ_MS_MAX / 1000} s`, '`tickmesh fsck` takes its time')]
    if (isOutOfReach(error)) return []
    throw error
  }
}

/** What the channels of a stopped node will write when it runs again. */
const growth = async (directory: string): Promise<readonly Finding[]> => {
  const { readGrowth } = await import('#node/growth.ts')
  const found = await readGrowth(directory)
  return found === undefined ? [] : [examineGrowth(found)]
}

/** What a stopped node's database says; a running node answers for its own. */
const stopped = async (directory: string, signal: AbortSignal): Promise<readonly Finding[]> => {
  const { kind } = presenceOn(directory)
  if (kind === 'running' || kind === 'held') return []
  const { fail } = findings('schema')
  try {
    const form = await schema(directory)
    // Rows of another form are not to be read.
    const isReadable = form.every(({ state }) => state === 'ok')
    return [...form, ...(isReadable ? await growth(directory) : []), ...(await logs(directory, signal))]
  } catch (error) {
    signal.throwIfAborted()
    return [fail(error instanceof Error ? error.message : String(error), '`tickmesh fsck` tells more')]
  }
}

/** What the data directory and the settings say, with a node running or not. */
export const examineData = async (
  loaded: LoadedConfig,
  signal: AbortSignal,
): Promise<{ readonly found: readonly Finding[]; readonly policy?: PolicyName }> => {
  const { dataDirectory: directory, config } = loaded
  const { finding, policy } = await examinePolicy(config.mesh.policy)
  const found = [
    ...(await keyModes(directory)),
    ...exposure(loaded),
    ...meshSecrets(loaded),
    finding,
    ...(await stopped(directory, signal)),
  ]
  return { found, ...(policy !== undefined && { policy }) }
}
