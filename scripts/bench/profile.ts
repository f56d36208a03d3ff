import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { bench, wholeOr } from './bench.ts'
import { startChildNode } from './child-node.ts'
import { grantOwner, load, UNLIMITED } from './sealed.ts'

/** One function at one place of the call tree (Chrome's cpuprofile). */
interface Place {
  readonly id: number
  readonly callFrame: { readonly functionName: string; readonly url: string; readonly lineNumber: number }
  readonly children?: readonly number[]
}

interface Profile {
  readonly nodes: readonly Place[]
  readonly samples: readonly number[]
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[]
}

const ROWS = 25
const WARM_SECONDS = 3
const INTERVAL_US = 500

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

const isOurs = ({ callFrame: { url } }: Place): boolean => url.includes('/src/') && !url.includes('node_modules')

/** A stretch of a profile, in microseconds since the process began. */
interface Stretch {
  readonly fromUs: number
  readonly toUs: number
}

/**
 * Where the time went: by the frame itself, by its part, by the function of ours that asked for it, and by all of ours
 * that it happened within. What is behind a wait counts for whoever took it up again.
 */
const costs = ({ nodes, samples, timeDeltas }: Profile, { fromUs, toUs }: Stretch) => {
  const byId = new Map(nodes.map((it) => [it.id, it]))
  const parents = new Map(nodes.flatMap((it) => (it.children ?? []).map((child) => [child, it] as const)))
  const self = new Map<string, number>()
  const part = new Map<string, number>()
  const asked = new Map<string, number>()
  const within = new Map<string, number>()
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
    for (let at: Place | undefined = place; at !== undefined; at = parents.get(at.id)) {
      if (isOurs(at)) ours.add(nameOf(at))
    }
    const [owner = `(nobody of ours) ${partOf(place)}`] = ours
    add(asked, owner, us)
    for (const name of ours) add(within, name, us)
  }
  return { self, part, asked, within, busy, idle }
}

const print = (title: string, all: ReadonlyMap<string, number>, busy: number): void => {
  console.log(`\n${title}`)
  const rows = [...all].sort(([, a], [, b]) => b - a).slice(0, ROWS)
  for (const [name, us] of rows) console.log(`${((100 * us) / busy).toFixed(1).padStart(6)} %  ${name}`)
}

/** The profile of the main thread: the one that was busy longest. */
const longest = (directory: string, stretch: Stretch): Profile => {
  const all = readdirSync(directory)
    .filter((name) => name.endsWith('.cpuprofile'))
    .map((name) => JSON.parse(readFileSync(join(directory, name), 'utf8')) as Profile)
  const [first] = all.sort((a, b) => costs(b, stretch).busy - costs(a, stretch).busy)
  if (first === undefined) throw new Error('the node wrote no profile')
  return first
}

/** What holds the sealed calls: the node's main thread under load, sampled. */
export const profile = bench({
  name: 'profile',
  summary: 'where the main thread of a node spends its time on sealed calls [seconds]',
  async run([seconds]) {
    const directory = mkdtempSync(join(tmpdir(), 'tickmesh-profile-'))
    const profiles = join(directory, 'profiles')
    const args = ['--cpu-prof', `--cpu-prof-dir=${profiles}`, `--cpu-prof-interval=${INTERVAL_US}`]
    try {
      const began = performance.now()
      const sinceUs = (): number => (performance.now() - began) * 1000
      const node = await startChildNode(join(directory, 'data'), UNLIMITED, args)
      let [calls, fromUs, toUs] = [0, 0, 0]
      try {
        await grantOwner(node)
        const target = { url: `${node.url}/api/svc/compute`, key: node.ownerKey }
        await load({ title: 'warming up', ...target }, WARM_SECONDS)
        fromUs = sinceUs()
        calls = await load({ title: 'sealed compute, sampled', ...target }, wholeOr(seconds, 15))
        toUs = sinceUs()
      } finally {
        await node.end('SIGTERM')
      }
      const stretch = { fromUs, toUs }
      const { self, part, asked, within, busy, idle } = costs(longest(profiles, stretch), stretch)
      console.log(`main thread: ${(busy / 1e6).toFixed(1)} s busy, ${(idle / 1e6).toFixed(1)} s idle`)
      console.log(`${(busy / calls).toFixed(0)} us of the main thread a call`)
      print('by part', part, busy)
      print('by function', self, busy)
      print('by the function of ours that asked for it', asked, busy)
      print('within functions of ours', within, busy)
    } finally {
      rmSync(directory, { recursive: true, force: true })
    }
  },
})
