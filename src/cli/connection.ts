import { existsSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '#gateway/client.ts'
import { type LoadedConfig, loadConfig } from '#node/config.ts'
import type { Invocation } from './command.ts'
import { exits } from './exit.ts'
import { CliError } from './problem.ts'

/** Where a running node says how to reach it; written when it is ready, removed when it stops. */
export const RUNTIME_FILE = 'node.json'
/** The owner's account key, readable by the owner's user alone. */
export const OWNER_KEY_FILE = 'owner.key'

/** What {@link RUNTIME_FILE} holds. */
export interface Runtime {
  readonly pid: number
  readonly url: string
  readonly node: string
}

/** The configuration that a command's flags, its environment and its files lead to. */
export const configOf = ({ settings, configFile }: Invocation): LoadedConfig =>
  loadConfig({
    environment: process.env,
    flags: settings,
    ...(configFile !== undefined && { file: configFile }),
  })

/** What the node on this data directory says of itself, or undefined when none is ready there. */
export const runtimeOf = (dataDirectory: string): Runtime | undefined => {
  const file = join(dataDirectory, RUNTIME_FILE)
  return existsSync(file) ? (JSON.parse(readFileSync(file, 'utf8')) as Runtime) : undefined
}

/** A key comes from the environment, else the owner's from the data directory; never from a flag. */
const keyOf = (dataDirectory: string): string | undefined => {
  const given = process.env['TICKMESH_KEY']
  if (given !== undefined && given !== '') return given
  const file = join(dataDirectory, OWNER_KEY_FILE)
  return existsSync(file) ? readFileSync(file, 'utf8').trim() : undefined
}

export interface Connection {
  readonly client: Client
  readonly url: string
  /** Whether calls carry a key. */
  readonly keyed: boolean
  readonly loaded: LoadedConfig
}

/**
 * Reaches the node that TICKMESH_URL names, else the one that runs on this data directory.
 *
 * @throws CliError when there is none.
 */
export const connect = (invocation: Invocation): Connection => {
  const loaded = configOf(invocation)
  const named = process.env['TICKMESH_URL']
  const url = named !== undefined && named !== '' ? named : runtimeOf(loaded.dataDirectory)?.url
  if (url === undefined) {
    throw new CliError(exits.failure, `no node runs on ${loaded.dataDirectory}; start one with: npm start`, {
      code: 'NO_NODE',
    })
  }
  const key = keyOf(loaded.dataDirectory)
  return { client: createClient({ url, ...(key !== undefined && { key }) }), url, keyed: key !== undefined, loaded }
}
