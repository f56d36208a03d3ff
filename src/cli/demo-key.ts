import { mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs'
import { homedir } from 'node:os'
import { dirname, join } from 'node:path'
import type { Client } from '#gateway/client.ts'
import { NodeRefusal } from '#gateway/client.ts'
import type { Io } from './io.ts'

/** Demo keys that are kept, one for each address of a node; the oldest goes. */
const KEPT_MAX = 64
/** Readable by this user alone. */
const FILE_MODE = 0o600
const FOLDER_MODE = 0o700

type Kept = Readonly<Record<string, string>>

/** Where they are kept: in the XDG state home. */
const fileOf = (): string => {
  const home = process.env['XDG_STATE_HOME'] || join(homedir(), '.local', 'state')
  return join(home, 'tickmesh', 'demo-keys.json')
}

/** What is kept; nothing where the file is not there, or no such file. */
const readKept = (): Kept => {
  try {
    const value = JSON.parse(readFileSync(fileOf(), 'utf8')) as unknown
    if (typeof value !== 'object' || value === null) return {}
    return Object.fromEntries(Object.entries(value).filter(([, key]) => typeof key === 'string')) as Kept
  } catch {
    return {}
  }
}

/** Keeps these whole or not at all. @throws the system's error */
const writeKept = (kept: Kept): void => {
  const file = fileOf()
  mkdirSync(dirname(file), { recursive: true, mode: FOLDER_MODE })
  const aside = `${file}.${process.pid}.part`
  writeFileSync(aside, `${JSON.stringify(kept)}\n`, { mode: FILE_MODE })
  renameSync(aside, file)
}

const placeOf = (url: string): string => new URL(url).origin

/** The demo key that is kept for a node. */
export const keptDemoKey = (url: string): string | undefined => readKept()[placeOf(url)]

/** Drops the demo key of a node: it is spent, or the node knows it no more. */
const forget = (url: string): void => {
  const { [placeOf(url)]: _, ...rest } = readKept()
  writeKept(rest)
}

/** Has a node make a demo key, keeps it and says so. @throws NodeRefusal, where the node makes none */
export const mintDemoKey = async (
  io: Io,
  { client, url }: { readonly client: Client; readonly url: string },
  signal: AbortSignal,
): Promise<string> => {
  const { key, computeBudget } = await client.call('economy.mint-demo-key', {}, { signal })
  const others = Object.entries(readKept()).filter(([place]) => place !== placeOf(url))
  writeKept(Object.fromEntries([...others.slice(1 - KEPT_MAX), [placeOf(url), key]]))
  io.say(`${placeOf(url)} gave a demo key of ${computeBudget} credits; it is kept in ${fileOf()}`)
  return key
}

/** What to do where a demo key no longer pays; other errors stay as they are. */
export const ofDemoKey = (error: unknown, url: string): unknown => {
  if (!(error instanceof NodeRefusal)) return error
  const say = (more: string) => new NodeRefusal({ ...error.problem, detail: `${error.message} ${more}` }, url)
  if (error.code === 'UNAUTHENTICATED') {
    forget(url)
    return say('The node knows the kept demo key no more; the same command takes a new one.')
  }
  if (error.code !== 'INSUFFICIENT_BALANCE') return error
  const account = `${placeOf(url)}/#settings makes an account with a key, for TICKMESH_KEY`
  return say(`The demo key is spent: ${account}; or run a node of your own: tickmesh start`)
}
