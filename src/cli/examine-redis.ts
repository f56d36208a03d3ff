import { isLoopback } from '#gateway/address.ts'
import { ConfigError, type LoadedConfig } from '#node/config.ts'
import { type Finding, findings } from './finding.ts'

/** What can be done about each way in which a Redis is not to be had. */
const hints: Readonly<Record<string, string>> = {
  unreachable: 'start it, or mend mesh.redis.url; the node runs without and joins when it comes',
  silent: 'something takes the connection and does not answer; the node runs without and joins when it does',
  refused:
    'mend the files of user and password; the user needs +ping +subscribe +unsubscribe +publish and the channels',
  tls: 'name its authority in mesh.redis.caFile; the host must be the one that the certificate names',
  protocol: 'something other than a Redis listens there: mend mesh.redis.url',
  lost: 'it ends connections as they are made: its own log says why; with TLS write rediss://',
}

/** Whether gossip can go over the Redis of the settings. A node runs without it too, so nothing but a refusal fails. */
export const examineRedis = async ({ config }: LoadedConfig): Promise<Finding> => {
  const { ok, warn, fail } = findings('redis')
  const { url } = config.mesh.redis
  if (url === '') return ok('no setting names one')
  const { probeRedis, readRedis } = await import('#node/redis.ts')
  try {
    const place = readRedis(config)
    if (place === undefined) return ok('no setting names one')
    if (config.mesh.secret === '' && config.mesh.secretPrevious === '') {
      return warn(
        `${url} is set, and the entrance stays closed: there is no mesh secret`,
        'set TICKMESH_MESH_SECRET_FILE',
      )
    }
    const reason = await probeRedis(place, config.mesh.redis.channel)
    if (reason === undefined) {
      const isShown = place.tls === undefined && 'host' in place.at && !isLoopback(place.at.host)
      return isShown && place.password !== undefined
        ? warn(`${url} answers; the password goes there unencrypted`, 'write rediss:// where the Redis speaks TLS')
        : ok(`${url} answers`)
    }
    return warn(`${url}: ${reason}`, hints[reason] ?? 'the node runs without it')
  } catch (error) {
    if (!(error instanceof ConfigError)) throw error
    return fail(error.message, 'a node does not start with it; mend it, or unset mesh.redis.url')
  }
}
