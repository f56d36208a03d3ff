import { existsSync, readFileSync } from 'node:fs'
import { parse } from 'yaml'

/** The top folder of the project. */
export const top = new URL('../..', import.meta.url)

/** A file of the project as text. */
export const read = (path: string): string => readFileSync(new URL(path, top), 'utf8')

/** A YAML file of the project, with its merge keys resolved. A repeated key or an unknown anchor throws. */
export const yaml = <T>(path: string): T => parse(read(path), { merge: true, strict: true, uniqueKeys: true }) as T

/** Whether a path of the project is there. */
export const isThere = (path: string): boolean => existsSync(new URL(path, top))

/** One service of the compose file, as far as it is looked at. */
export interface Service {
  readonly image: string
  readonly build?: { readonly context: string; readonly dockerfile: string }
  readonly user?: string
  readonly environment?: Readonly<Record<string, string>>
  readonly ports?: readonly string[]
  readonly volumes?: readonly string[]
  readonly secrets?: readonly string[]
  readonly networks?: readonly string[]
  readonly command?: readonly string[]
  readonly depends_on?: Readonly<Record<string, object>>
  readonly healthcheck?: { readonly test: readonly string[] }
  readonly read_only?: boolean
  readonly cap_drop?: readonly string[]
  readonly security_opt?: readonly string[]
  readonly tmpfs?: readonly string[]
  readonly stop_grace_period?: string
  readonly deploy?: { readonly resources?: { readonly limits?: Readonly<Record<string, unknown>> } }
}

/** The compose file, as far as it is looked at. */
export interface Compose {
  readonly services: Readonly<Record<string, Service>>
  readonly networks: Readonly<Record<string, object>>
  readonly volumes: Readonly<Record<string, object>>
  readonly secrets: Readonly<Record<string, { readonly file: string }>>
}

/** The compose file. */
export const compose = (): Compose => yaml<Compose>('docker/compose.yml')

/** The services that are nodes of ours. */
export const nodesOf = ({ services }: Compose): readonly (readonly [string, Service])[] =>
  Object.entries(services).filter(([, { image }]) => image === 'tickmesh')
