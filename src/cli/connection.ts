import { existsSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import type { Client, ClientOptions } from '#gateway/client.ts'
import { type LoadedConfig, loadConfig } from '#node/config.ts'
import { presenceOn, type Runtime } from '#node/runtime.ts'
import type { Invocation } from './command.ts'
import { keptDemoKey, mintDemoKey, ofDemoKey } from './demo-key.ts'
import { exits } from './exit.ts'
import { clientOf } from './over-http.ts'
import { CliError } from './problem.ts'
import { startWords } from './start-words.ts'

/** The owner's account key, readable by the owner's user alone. */
export const OWNER_KEY_FILE = 'owner.key'

/** The configuration that a command's flags, its environment and its files lead to. */
export const configOf = ({ settings, configFile }: Invocation): LoadedConfig =>
  loadConfig({
    environment: process.env,
    flags: settings,
    ...(configFile !== undefined && { file: configFile }),
  })

/** The node that runs on a data directory. @throws CliError saying what is there instead. */
const localNode = (directory: string): Runtime => {
  const presence = presenceOn(directory)
  if (presence.kind === 'running') return presence.runtime
  const none = `no node runs on ${directory}`
  const advice = `start one with: ${startWords()}`
  const message = {
    none: () => `${none}; ${advice}`,
    gone: (pid = 0) => `${none}: process ${pid} ended without stopping; ${advice}`,
    held: (pid = 0) => `process ${pid} holds ${directory} and is not ready; try again in a moment`,
  }[presence.kind]('pid' in presence ? presence.pid : undefined)
  const [exit, code] =
    presence.kind === 'held' ? ([exits.tryLater, 'NODE_NOT_READY'] as const) : ([exits.network, 'NO_NODE'] as const)
  throw new CliError(exit, message, { code, details: { data_directory: directory } })
}

/** The address of a node that was named: by `--url`, else by TICKMESH_URL. @throws CliError for what is none. */
export const namedUrl = ({ options: { url } }: Invocation): string | undefined => {
  const [named, by] = typeof url === 'string' ? [url, '--url'] : [process.env['TICKMESH_URL'] ?? '', 'TICKMESH_URL']
  if (named === '') return undefined
  if (URL.canParse(named) && /^https?:$/.test(new URL(named).protocol)) return named
  throw new CliError(exits.usage, `${by} is not an http address; write it like https://node.example`, {
    code: 'CONFIG',
  })
}

/** Bytes of a file with a key. */
const KEY_BYTES_MAX = 4_096

const givenKey = (): string | undefined => {
  const given = process.env['TICKMESH_KEY']?.trim() ?? ''
  if (given !== '') return given
  const file = process.env['TICKMESH_KEY_FILE'] ?? ''
  if (file === '') return undefined
  const text = statSync(file).size > KEY_BYTES_MAX ? '' : readFileSync(file, 'utf8').trim()
  if (text !== '') return text
  throw new CliError(exits.usage, `TICKMESH_KEY_FILE names ${file}, which holds no key`, { code: 'CONFIG' })
}

/** The owner's key opens the node of its own directory and is shown to no other. */
const ownerKey = (directory: string): string | undefined => {
  const file = join(directory, OWNER_KEY_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

/** The node that runs on this data directory, and its owner's key. @throws CliError where one of them is missing. */
export const ownNode = (invocation: Invocation): { readonly url: string; readonly key: string } => {
  const { dataDirectory } = configOf(invocation)
  const { url } = localNode(dataDirectory)
  const key = ownerKey(dataDirectory)
  if (key !== undefined) return { url, key }
  throw new CliError(exits.failure, `there is no ${OWNER_KEY_FILE} in ${dataDirectory}`, { code: 'NO_KEY' })
}

/** A way to a node. */
export interface Connection {
  readonly client: Client
  readonly url: string
  /** Whether a key is presented, and whether it is a demo key that was kept for this node. */
  readonly key: 'none' | 'given' | 'demo'
  /** The key itself, for what the client does not speak (a socket); never told to anybody else. */
  readonly bearer?: string
  /** Node id of the own node, as its data directory has it and not as the node itself says; of a named one none. */
  readonly nodeId?: string
}

/**
 * Reaches the node that `--url` or TICKMESH_URL names, else the one that runs on this data directory; with the key of
 * TICKMESH_KEY or the file of TICKMESH_KEY_FILE, else, on this data directory, the owner's, else the demo key that was
 * kept for a named one.
 *
 * @throws CliError when there is none.
 */
export const connect = (invocation: Invocation, options: Partial<ClientOptions> = {}): Connection => {
  const { dataDirectory } = configOf(invocation)
  const named = namedUrl(invocation)
  const own = named === undefined ? localNode(dataDirectory) : undefined
  const url = named ?? own?.url ?? ''
  const given = givenKey() ?? (own === undefined ? undefined : ownerKey(dataDirectory))
  const key = given ?? (named === undefined ? undefined : keptDemoKey(named))
  const client = clientOf({ ...options, url, ...(key !== undefined && { key }) })
  const kind = key === undefined ? 'none' : given === undefined ? 'demo' : 'given'
  return {
    ...{ client, url, key: kind },
    ...(key !== undefined && { bearer: key }),
    ...(own !== undefined && { nodeId: own.node }),
  }
}

/**
 * Does what costs credits: where nobody gave a key for a named node, with a demo key, which that node makes when there
 * is none yet.
 *
 * @throws what the work throws; a demo key that no longer pays with what to do.
 */
export const computing = async <T>(invocation: Invocation, work: (to: Connection) => Promise<T>): Promise<T> => {
  const to = connect(invocation)
  if (to.key === 'given') return work(to)
  const { io, signal } = invocation
  let { client } = to
  if (to.key === 'none') client = clientOf({ url: to.url, key: await mintDemoKey(io, to, signal) })
  try {
    return await work({ ...to, client, key: 'demo' })
  } catch (error) {
    throw ofDemoKey(error, to.url)
  }
}
