import { X509Certificate } from 'node:crypto'
import { readFileSync } from 'node:fs'
import type { Clock } from '#core/clock.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import { KeyFileRefused, readSecretFile } from '#domain/identity/node-keys.ts'
import type { Network } from '#domain/network/types.ts'
import type { RedisStatus } from '#domain/network/views.ts'
import type { RedisLink, RedisPlace } from '#mesh/redis/link.ts'
import type { Store } from '#store/store.ts'
import { ConfigError } from './config.ts'
import { redisAddress } from './redis-address.ts'
import type { Config } from './settings.ts'

/** Longest user name or password, in characters. */
const SECRET_LENGTH_MAX = 4_096

const saying = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What a file of a secret holds. @throws ConfigError when it is not there, not readable, empty, or read by others. */
const secretIn = (setting: string, path: string): string | undefined => {
  if (path === '') return undefined
  let text: string | undefined
  try {
    text = readSecretFile(path)
  } catch (error) {
    if (error instanceof KeyFileRefused) throw new ConfigError(`${setting}: ${error.message}`)
    throw new ConfigError(`${setting} cannot be read: ${saying(error)}`)
  }
  if (text === undefined) throw new ConfigError(`${setting} cannot be read: there is no ${path}`)
  if (text === '' || text.length > SECRET_LENGTH_MAX) {
    throw new ConfigError(`${setting} ${path} holds no text of 1 to ${SECRET_LENGTH_MAX} characters`)
  }
  return text
}

/** Certificates that are trusted. @throws ConfigError for what is none. */
const certificatesIn = (path: string): string | undefined => {
  if (path === '') return undefined
  try {
    const ca = readFileSync(path, 'utf8')
    if (!ca.includes('-----BEGIN CERTIFICATE-----')) throw new Error(`${path} holds no certificate in PEM`)
    void new X509Certificate(ca)
    return ca
  } catch (error) {
    throw new ConfigError(`mesh.redis.caFile cannot be used: ${saying(error)}`)
  }
}

/**
 * Where the Redis of the settings is, and as whom it is spoken to; undefined where none is set. The files are read
 * once: a new password takes a restart.
 *
 * @throws ConfigError for a file that cannot be used, and what to do.
 */
export const readRedis = ({ mesh: { redis } }: Config): RedisPlace | undefined => {
  if (redis.url === '') return undefined
  const { at, isTls } = redisAddress(redis.url)
  return {
    at,
    user: secretIn('mesh.redis.userFile', redis.userFile),
    password: secretIn('mesh.redis.passwordFile', redis.passwordFile),
    tls: isTls ? { ca: certificatesIn(redis.caFile) } : undefined,
  }
}

/** Whether a Redis lets this node in. @returns why not, in a word; it takes some seconds where nobody answers. */
export const probeRedis = async (place: RedisPlace, channel: string): Promise<string | undefined> => {
  const { openLink } = await import('#mesh/redis/link.ts')
  const found = Promise.withResolvers<string | undefined>()
  const greet = async (client: RedisLink['client']): Promise<unknown> => {
    await client.ping()
    return client.subscribe(`${channel}/event/1`)
  }
  using _ = openLink(place, { greet, changed: found.resolve })
  return await found.promise
}

/** The entrance over Redis, whatever became of it. */
export interface RedisEntrance extends AsyncDisposable {
  status(): RedisStatus
  /** Once a tick, where a Redis is set and there is a secret. */
  readonly beat: (() => void) | undefined
}

const still = (status: RedisStatus): RedisEntrance => ({
  status: () => status,
  beat: undefined,
  [Symbol.asyncDispose]: async () => undefined,
})

/** Opens the entrance over Redis. Without a mesh secret it stays closed: nothing would tell members from strangers. */
export const redisOf = async (
  {
    config,
    place,
    ports: { clock, log },
    store,
    metrics: meter,
  }: {
    readonly config: Config
    readonly place: RedisPlace | undefined
    readonly ports: { readonly clock: Clock; readonly log: Log }
    readonly store: Store
    readonly metrics: Meter
  },
  network: Network,
): Promise<RedisEntrance> => {
  const none = { failures: 0, passed_over: 0 }
  if (place === undefined) return still({ state: 'off', reason: null, since: null, ...none })
  const tick = (): number => store.now().tick
  if (config.mesh.secret === '' && config.mesh.secretPrevious === '') {
    log.warn({ reason: 'MESH_SECRET_MISSING' }, 'redis_closed')
    return still({ state: 'closed', reason: 'MESH_SECRET_MISSING', since: tick(), ...none })
  }
  // A node without Redis does without its client.
  const { createRedis } = await import('#mesh/redis/host.ts')
  return createRedis({ place, channel: config.mesh.redis.channel, network, clock, log, meter, tick })
}
