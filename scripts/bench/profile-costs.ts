import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** One function at one place of the call tree (Chrome's cpuprofile). */
interface Place {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

export interface Profile {
  readonly nodes: readonly Place[]
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

/** What a sealed call is made of, by the nearest file of ours that asked for the work; the first that fits counts. */
const KINDS: readonly (readonly [string, RegExp])[] = [
  ['HTTP and gateway', /^src\/(?:gateway|api)\//],
  ['computing and its check', /^src\/numerics\//],
  [
    'canonical form, digests, signing',
    /^src\/(?:ports\/|core\/(?:canonical|digest|envelope|arrays|bytes|keys|merkle|hex))/,
  ],
  ['rows, batches and the log', /^src\/store\//],
  ['identity, ledger, holds', /^src\/domain\/(?:economy|identity|credentials)\//],
  ['orchestration of a call', /^src\/(?:domain|core|node)\//],
]

/** Which part a frame belongs to: a layer's folder of ours, a library, Node itself, or the machine below. */
const partOf = ({ callFrame: { url, functionName } }: Place): string => {
  const library = /node_modules\/((?:@[^/]+\/)?[^/]+)/.exec(url)?.[1]
  if (library !== undefined) return library
  const own = /\/src\/(\w+\/\w+)/.exec(url)?.[1]
  if (own !== undefined) return own
  if (url.startsWith('node:')) return /^node:(?:internal\/)?(\w+)/.exec(url)?.[0] ?? url
  return functionName === '' ? '(native)' : functionName
}

const nameOf = ({ callFrame: { url, functionName, lineNumber } }: Place): string => {
  const file = url.replace(/^.*\/(?=(?:src|node_modules)\/)/, '')
  return `${functionName === '' ? '(anonymous)' : functionName}  ${file}${url === '' ? '' : `:${lineNumber + 1}`}`
}

const placeOf = (url: string): string => url.replace(/^.*\/(?=src\/)/, '')

/** The part of a call that work belongs to, by whoever of ours asked for it. */
const kindOf = (owner: Place | undefined, { callFrame: { url, functionName } }: Place): string => {
  if (functionName === '(garbage collector)') return 'collector'
  if (owner !== undefined) return KINDS.find(([, form]) => form.test(placeOf(owner.callFrame.url)))?.[0] ?? 'other'
  // Node's own work for a connection, and libraries of the server, before anything of ours is asked.
  return /node:(?:_http|net|internal\/(?:stream|http))|node_modules\/koa/.test(url) || /^writev?/.test(functionName)
    ? 'HTTP and gateway'
    : 'runtime: promises, timers, events'
}

const isOurs = ({ callFrame: { url } }: Place): boolean => url.includes('/src/') && !url.includes('node_modules')

/** A stretch of a profile, in microseconds since the process began. */
export interface Stretch {
  readonly fromUs: number
  readonly toUs: number
}

/**
 * Where the time went: by the frame itself, by its part, by the function of ours that asked for it, and by all of ours
 * that it happened within. What is behind a wait counts for whoever took it up again.
 */
export const costs = ({ nodes, samples, timeDeltas }: Profile, { fromUs, toUs }: Stretch) => {
  const byId = new Map(nodes.map((it) => [it.id, it]))
  const parents = new Map(nodes.flatMap((it) => (it.children ?? []).map((child) => [child, it] as const)))
  const self = new Map<string, number>()
  const part = new Map<string, number>()
  const asked = new Map<string, number>()
  const within = new Map<string, number>()
  const kinds = new Map<string, number>()
  const add = (to: Map<string, number>, name: string, us: number): void => void to.set(name, (to.get(name) ?? 0) + us)
  let busy = 0
  let idle = 0
  let now = 0
  for (const [i, id] of samples.entries()) {
    const place = byId.get(id)
    const us = timeDeltas[i] ?? 0
    now += us
    if (place === undefined || now < fromUs || now > toUs) continue
    if (place.callFrame.functionName === '(idle)') {
      idle += us
      continue
    }
    busy += us
    add(self, nameOf(place), us)
    add(part, partOf(place), us)
    const ours = new Set<string>()
    let asker: Place | undefined
    for (let at: Place | undefined = place; at !== undefined; at = parents.get(at.id)) {
      if (!isOurs(at)) continue
      asker ??= at
      ours.add(nameOf(at))
    }
    const [owner = `(nobody of ours) ${partOf(place)}`] = ours
    add(asked, owner, us)
    add(kinds, kindOf(asker, place), us)
    for (const name of ours) add(within, name, us)
  }
  return { self, part, asked, within, kinds, busy, idle }
}

/** `CPU.<date>.<time>.<process>.<thread>.<count>.cpuprofile`; the main thread's number is 0. */
const OF_MAIN = /^CPU\.\d+\.\d+\.\d+\.0\.\d+\.cpuprofile$/

/** The profile of the main thread: a worker's may be longer and busier. @throws Error where there is none */
export const ofMainThread = (directory: string): Profile => {
  const file = readdirSync(directory).find((name) => OF_MAIN.test(name))
  if (file === undefined) throw new Error('the node wrote no profile of its main thread')
  return JSON.parse(readFileSync(join(directory, file), 'utf8')) as Profile
}
