import { existsSync, readFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import type { TSchema } from 'typebox'
import { surelyFits } from '#core/plain-fit.ts'
import { redisTrouble } from './redis-address.ts'
import { type Config, otherVariables, type Setting, settings, settingsSchema } from './settings.ts'

/** Where a value came from. */
export type Origin = 'default' | 'file' | 'environment' | 'flag'

/** A configuration that cannot be used; the message names the setting and where it was set. */
export class ConfigError extends Error {
  override readonly name = 'ConfigError'
}

/** What a configuration is made of; everything has a default, so tests can pass plain values. */
export interface ConfigSources {
  /** Environment; only names that begin with TICKMESH_ or XDG_ are read. */
  readonly environment?: Readonly<Record<string, string | undefined>>
  /** Flags by setting path (`http.port`), as text or already typed. */
  readonly flags?: Readonly<Record<string, unknown>>
  /** Configuration file; absent: TICKMESH_CONFIG, else `tickmesh/config.json` in the XDG config home if it is there. */
  readonly file?: string
}

/** A loaded configuration: the values, and for `config show` where each came from. */
export interface LoadedConfig {
  readonly config: Config
  readonly origins: ReadonlyMap<string, { readonly origin: Origin; readonly detail: string }>
  /** The data directory, absolute. */
  readonly dataDirectory: string
}

const CONFIG_BYTES_MAX = 1_048_576
const DEFAULTS = new URL('../../config/default.json', import.meta.url)

type Tree = { [name: string]: unknown }
const isTree = (value: unknown): value is Tree => typeof value === 'object' && value !== null && !Array.isArray(value)

const readTree = (path: string | URL, what: string): Tree => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${what} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (text.length > CONFIG_BYTES_MAX) throw new ConfigError(`${what} is larger than ${CONFIG_BYTES_MAX} bytes`)
  let tree: unknown
  try {
    tree = JSON.parse(text)
  } catch (cause) {
    throw new ConfigError(`${what} is not JSON: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (!isTree(tree)) throw new ConfigError(`${what} is not a JSON object`)
  return tree
}

/** Names in a row that a file may nest: more than any setting has. */
const DEPTH_MAX = 8

/** The leaves of a tree by path. What is nested deeper than any setting is a leaf, and so no setting's name. */
const flatten = (tree: Tree, at = '', depth = 0): [string, unknown][] =>
  Object.entries(tree).flatMap(([name, value]) => {
    const path = at === '' ? name : `${at}.${name}`
    const group = isTree(value) && depth < DEPTH_MAX && (Object.keys(value).length > 0 || isGroup(path))
    return group ? flatten(value as Tree, path, depth + 1) : [[path, value] as [string, unknown]]
  })

/** Whether settings stand under a path. */
const isGroup = (path: string): boolean => settings.some((it) => it.path.startsWith(`${path}.`))

const kindOf = (schema: TSchema): { type: string; nullable: boolean } => {
  const { anyOf, type } = schema as { anyOf?: TSchema[]; type?: string }
  if (anyOf === undefined) return { type: type ?? 'string', nullable: false }
  const types = anyOf.map((part) => kindOf(part).type)
  return { type: types.find((it) => it !== 'null') ?? 'string', nullable: types.includes('null') }
}

/** Text from the environment or a flag as the setting's type; text that does not fit stays text, to be refused. */
const typed = (setting: Setting, value: unknown): unknown => {
  if (typeof value !== 'string') return value
  const { type, nullable } = kindOf(setting.schema)
  if (nullable && (value === '' || value === 'null')) return null
  if (type === 'integer' || type === 'number') return /^-?\d+(\.\d+)?$/.test(value) ? Number(value) : value
  if (type === 'boolean')
    return value === 'true' || value === '1' ? true : value === 'false' || value === '0' ? false : value
  if (type === 'array') return value === '' ? [] : value.split(',').map((part) => part.trim())
  return value
}

const setAt = (tree: Tree, path: string, value: unknown): void => {
  const names = path.split('.')
  const last = names.pop() ?? path
  let at = tree
  for (const name of names) {
    const next = at[name]
    at = isTree(next) ? next : {}
    if (next !== at) throw new ConfigError(`the defaults lack ${path}`)
  }
  at[last] = value
}

/** A secret may stand in a file of its own, as containers and services hand them in: `TICKMESH_MESH_SECRET_FILE`. */
const FILE_SUFFIX = '_FILE'
const SECRET_BYTES_MAX = 65_536

/** The text of a secret's file without the line feed that editors put at its end. */
const readSecret = (path: string, variable: string): string => {
  let text: string
  try {
    text = readFileSync(path, 'utf8')
  } catch (cause) {
    throw new ConfigError(`${variable} cannot be read: ${cause instanceof Error ? cause.message : String(cause)}`)
  }
  if (text.length > SECRET_BYTES_MAX) throw new ConfigError(`${variable} is larger than ${SECRET_BYTES_MAX} bytes`)
  return text.replace(/\r?\n$/, '')
}

const isGiven = (value: string | undefined): boolean => value !== undefined && value !== ''

interface FromEnvironment {
  readonly setting: Setting
  readonly value: unknown
  readonly variable: string
}

/** Every name that begins with TICKMESH_ must be known: a misspelt setting is refused, not ignored. */
const readEnvironment = (environment: Readonly<Record<string, string | undefined>>): FromEnvironment[] => {
  const byVariable = new Map(settings.map((it) => [it.variable, it]))
  const byFile = new Map(settings.filter((it) => it.secret).map((it) => [it.variable + FILE_SUFFIX, it]))
  return Object.entries(environment).flatMap(([variable, value]): FromEnvironment[] => {
    if (!variable.startsWith('TICKMESH_') || value === undefined || Object.hasOwn(otherVariables, variable)) return []
    const setting = byVariable.get(variable)
    if (setting !== undefined) return [{ setting, value: typed(setting, value), variable }]
    const secret = byFile.get(variable)
    if (secret === undefined) throw new ConfigError(`no setting is called ${variable}`)
    if (value === '') return []
    if (isGiven(environment[secret.variable])) throw new ConfigError(`${secret.variable} and ${variable} are both set`)
    return [{ setting: secret, value: readSecret(value, variable), variable }]
  })
}

const byPath = new Map(settings.map((it) => [it.path, it]))

const fileOf = ({ file, environment = {} }: ConfigSources): string | undefined => {
  const named = file ?? environment['TICKMESH_CONFIG']
  if (named !== undefined && named !== '') return named
  const home = environment['XDG_CONFIG_HOME'] || join(homedir(), '.config')
  const usual = join(home, 'tickmesh', 'config.json')
  return existsSync(usual) ? usual : undefined
}

/** The data directory that settings and the XDG rules lead to, absolute. */
const directoryOf = (data: string, environment: Readonly<Record<string, string | undefined>>): string =>
  data === '' ? join(environment['XDG_DATA_HOME'] || join(homedir(), '.local', 'share'), 'tickmesh') : resolve(data)

/**
 * Default < file < environment < flags.
 *
 * @throws ConfigError for a name that is no setting, a value that does not fit, or a file that cannot be read.
 */
export const loadConfig = (sources: ConfigSources = {}): LoadedConfig => {
  const { environment = {}, flags = {} } = sources
  const tree = readTree(DEFAULTS, 'config/default.json')
  const origins = new Map<string, { origin: Origin; detail: string }>()
  const defaults = flatten(tree)
  for (const [path] of defaults) if (!byPath.has(path)) throw new ConfigError(`config/default.json: no setting ${path}`)
  for (const { path } of settings) origins.set(path, { origin: 'default', detail: 'config/default.json' })
  const put = (setting: Setting, value: unknown, origin: Origin, detail: string): void => {
    setAt(tree, setting.path, value)
    origins.set(setting.path, { origin, detail })
  }
  const file = fileOf(sources)
  for (const [path, value] of file === undefined ? [] : flatten(readTree(file, file))) {
    const setting = byPath.get(path)
    if (setting === undefined) throw new ConfigError(`${file}: no setting is called ${path}`)
    put(setting, value, 'file', file ?? '')
  }
  for (const { setting, value, variable } of readEnvironment(environment)) put(setting, value, 'environment', variable)
  for (const [path, value] of Object.entries(flags)) {
    if (value === undefined) continue
    const setting = byPath.get(path)
    if (setting === undefined) throw new ConfigError(`no setting is called ${path}`)
    if (setting.secret) throw new ConfigError(`${path} is a secret: set it in a file or the environment, never by flag`)
    put(setting, typed(setting, value), 'flag', setting.flag)
  }
  const config = checked(tree, origins)
  const trouble = redisTrouble(config.mesh.redis)
  if (trouble !== undefined) throw new ConfigError(trouble)
  return { config, origins, dataDirectory: directoryOf(config.data, environment) }
}

/** The library that says what is wrong, loaded only then: no command waits for it that has nothing to hear. */
const validatorOf = (schema: TSchema) => {
  const { Compile } = createRequire(import.meta.url)('typebox/compile') as typeof import('typebox/compile')
  return Compile(schema)
}

const checked = (tree: Tree, origins: LoadedConfig['origins']): Config => {
  if (surelyFits(settingsSchema, tree)) return tree as unknown as Config
  const validator = validatorOf(settingsSchema)
  if (validator.Check(tree)) return tree as Config
  const [first] = validator.Errors(tree)
  const path = (first?.instancePath ?? '').slice(1).replaceAll('/', '.')
  const from = origins.get(path) ?? origins.get(path.replace(/\.\d+$/, ''))
  // The value itself may be a secret, so the message names the setting and the rule only.
  throw new ConfigError(
    `${path || 'configuration'}: ${first?.message ?? 'refused'} (from ${from?.detail ?? 'defaults'})`,
  )
}

/** One line of `config show`. A secret's value never leaves: it reads `set` or `unset`. */
export interface ShownSetting {
  readonly path: string
  readonly value: unknown
  readonly origin: Origin
  readonly from: string
  readonly variable: string
  readonly flag: string
  readonly unit: string | null
  readonly description: string
}

/** Every setting with its value and origin. */
export const showConfig = ({ config, origins }: LoadedConfig): readonly ShownSetting[] => {
  const values = new Map(flatten(config as unknown as Tree))
  return settings.map((setting) => {
    const value = values.get(setting.path)
    const from = origins.get(setting.path)
    return {
      path: setting.path,
      value: setting.secret ? (value === '' ? 'unset' : 'set') : value,
      origin: from?.origin ?? 'default',
      from: from?.detail ?? '',
      variable: setting.variable,
      flag: setting.flag,
      unit: setting.unit ?? null,
      description: setting.description,
    }
  })
}

export { settings }
