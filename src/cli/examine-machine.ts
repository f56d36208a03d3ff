import { accessSync, constants, existsSync, statfsSync, statSync } from 'node:fs'
import { createServer } from 'node:net'
import { dirname, join } from 'node:path'
import type { LoadedConfig } from '#node/config.ts'
import { exposuresOf } from '#node/exposure.ts'
import { presenceOn } from '#node/runtime.ts'
import { OWNER_KEY_FILE } from './connection.ts'
import { type Finding, findings } from './finding.ts'

const NODE_MAJOR_MIN = 24
const FREE_BYTES_MIN = 1e9
/** Permission bits that anyone but the owner would have. */
const FOREIGN_BITS = 0o077
const SECRET_BYTES_MIN = 32
const IDENTITY_KEY_FILE = 'identity.key'

const nodeVersion = (): Finding => {
  const { ok, fail } = findings('node')
  const major = Number(process.versions.node.split('.')[0])
  const detail = `Node ${process.versions.node}`
  return major >= NODE_MAJOR_MIN ? ok(detail) : fail(detail, 'run it through `npm start` or `npx tickmesh`')
}

/** The nearest folder above that is there: where a missing one would be made. */
const standing = (directory: string): string => (existsSync(directory) ? directory : standing(dirname(directory)))

const dataDirectory = (directory: string): Finding => {
  const { ok, warn, fail } = findings('data')
  const there = standing(directory)
  try {
    if (!statSync(there).isDirectory()) return fail(`${there} is no directory`, 'name another with --data-dir')
    accessSync(there, constants.R_OK | constants.W_OK | constants.X_OK)
  } catch (error) {
    return fail(`${there} cannot be written to`, error instanceof Error ? error.message : String(error))
  }
  const { bavail, bsize } = statfsSync(there)
  const free = bavail * bsize
  const detail = `${directory}, ${(free / 1e9).toFixed(1)} GB free`
  if (free < FREE_BYTES_MIN) return fail(detail, 'make room: a full disk stops all sealing')
  return there === directory ? ok(detail) : warn(`${directory} is not there yet`, 'the first start makes it')
}

const keyModes = (directory: string): readonly Finding[] =>
  [IDENTITY_KEY_FILE, OWNER_KEY_FILE].flatMap((name): readonly Finding[] => {
    const file = join(directory, name)
    if (!existsSync(file)) return []
    const { ok, fail } = findings('keys')
    const mode = statSync(file).mode & 0o777
    const detail = `${name} has mode ${mode.toString(8)}`
    return [(mode & FOREIGN_BITS) === 0 ? ok(detail) : fail(detail, `chmod 600 ${file}`)]
  })

/** Doors that are open to the network, each with what to do; one line when there is none. */
const exposure = ({ config }: LoadedConfig): readonly Finding[] => {
  const { ok, warn } = findings('exposure')
  const open = exposuresOf(config)
  if (open.length === 0) return [ok(`the interface is for ${config.http.host}`)]
  return open.map(({ setting, host, hint }) => warn(`${setting} is ${host}, without TLS`, hint))
}

const meshSecret = ({ config: { mesh } }: LoadedConfig): Finding => {
  const { ok, warn } = findings('mesh secret')
  const bytes = new TextEncoder().encode(mesh.secret).length
  if (bytes === 0) return ok('none: an open mesh, the HTTP entrance is closed')
  return bytes >= SECRET_BYTES_MIN
    ? ok(`${bytes} bytes`)
    : warn(`${bytes} bytes`, `use at least ${SECRET_BYTES_MIN} random bytes`)
}

/** Why an address cannot be listened on, or undefined when it can. */
const portTrouble = (host: string, port: number): Promise<string | undefined> => {
  const { promise, resolve } = Promise.withResolvers<string | undefined>()
  const server = createServer()
  server.once('error', (error) => resolve(error.message))
  server.listen({ host, port, exclusive: true }, () => server.close(() => resolve(undefined)))
  return promise
}

/** Whether a node that is not running could have its ports. */
const ports = async ({ config, dataDirectory: directory }: LoadedConfig): Promise<readonly Finding[]> => {
  if (presenceOn(directory).kind === 'running') return []
  const { http, p2p } = config
  const wanted = [
    { name: 'http', setting: 'TICKMESH_HTTP_PORT', ...http },
    ...(p2p.enabled ? [{ name: 'p2p', setting: 'TICKMESH_P2P_PORT', ...p2p }] : []),
  ]
  return Promise.all(
    wanted.map(async ({ name, setting, host, port }) => {
      const { ok, fail } = findings('port')
      const trouble = await portTrouble(host, port)
      if (trouble !== undefined) return fail(`${name}: ${trouble}`, `${setting}=0 takes any free one`)
      return ok(port === 0 ? `${name}: any free one` : `${name}: ${port} is free`)
    }),
  )
}

/** What can be seen without a node: the machine, the settings, the data directory. */
export const examineMachine = async (loaded: LoadedConfig): Promise<readonly Finding[]> => [
  nodeVersion(),
  dataDirectory(loaded.dataDirectory),
  ...keyModes(loaded.dataDirectory),
  ...exposure(loaded),
  meshSecret(loaded),
  ...(await ports(loaded)),
]
