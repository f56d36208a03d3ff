import { readdirSync, readFileSync, statSync } from 'node:fs'
import { join } from 'node:path'
import { type Client, createClient } from '#gateway/client.ts'
import { quantile } from './mesh-load.ts'

/** A node under watch. */
export interface Watched {
  readonly name: string
  readonly url: string
  readonly directory: string
  readonly pid: number
}

const CALL_TIMEOUT_MS = 10_000

/** A client without a key, patient enough for a busy node. */
export const clientOf = ({ url }: { readonly url: string }): Client => createClient({ url, timeoutMs: CALL_TIMEOUT_MS })

/** What a node says of the mesh, as far as it is compared. */
export interface Seen {
  readonly node: string
  readonly published: number
  readonly unpublished: number
  readonly received: number
  readonly repeated: number
  readonly dropped: Readonly<Record<string, number>>
  readonly meshSize: number
  readonly compatible: number
  /** Event logs of others: leaves applied here, and the newest size that was signed, by node. */
  readonly sources: ReadonlyMap<string, { readonly size: number; readonly noted: number }>
}

/** A node's own account of the mesh. */
export const look = async (it: Watched): Promise<Seen> => {
  const status = await clientOf(it).call('network.mesh-status', {})
  const { received, repeated, dropped, published, unpublished } = status.counters
  return {
    node: status.node,
    published,
    unpublished,
    received: received.libp2p,
    repeated: repeated.duplicate + repeated.replayed,
    dropped,
    meshSize: status.meshSize,
    compatible: status.peers.filter((peer) => peer.connected && peer.state === 'compatible').length,
    sources: new Map(status.sources.map(({ node, size, noted }) => [node, { size, noted }])),
  }
}

const TRIES_MAX = 40
const APART_MS = 250

/** All nodes at one moment in which nothing moves, so that what was sent and what arrived can be compared. */
export const lookAll = async (nodes: readonly Watched[]): Promise<readonly Seen[]> => {
  const sum = (all: readonly Seen[]): number => all.reduce((total, it) => total + it.published + it.received, 0)
  let last = await Promise.all(nodes.map(look))
  for (let i = 0; i < TRIES_MAX; i++) {
    await new Promise((resolve) => setTimeout(resolve, APART_MS))
    const next = await Promise.all(nodes.map(look))
    const still = sum(next) === sum(last)
    last = next
    if (still) break
  }
  return last
}

/** One look at a process. */
export interface Sample {
  /** Seconds since the load began. */
  readonly at: number
  readonly rssBytes: number
  /** Resident memory that is the process's own: LevelDB maps its files, and those pages count as resident too. */
  readonly ownBytes: number
  readonly heapBytes: number
  /** 99th percentile since the sample before. */
  readonly loopLagMs: number
  readonly cpuSeconds: number
}

/** Anonymous pages of a process; not a number where the system does not tell. */
const ownBytesOf = (pid: number): number => {
  try {
    return Number(/RssAnon:\s+(\d+) kB/.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1]) * 1024
  } catch {
    return Number.NaN
  }
}

/** Reads a node's own metrics. */
export const sample = async ({ url, pid }: Watched, at: number): Promise<Sample> => {
  const text = await (await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })).text()
  const value = (name: string): number => Number(new RegExp(`^tickmesh_${name} (\\S+)$`, 'm').exec(text)?.[1])
  return {
    at,
    rssBytes: value('process_resident_memory_bytes'),
    ownBytes: ownBytesOf(pid),
    heapBytes: value('nodejs_heap_size_used_bytes'),
    loopLagMs: value('nodejs_eventloop_lag_p99_seconds') * 1000,
    cpuSeconds: value('process_cpu_seconds_total'),
  }
}

/** What a node says of its syncs since its start: leaves applied, and syncs given up by reason. */
export interface Synced {
  readonly leaves: number
  readonly refused: Readonly<Record<string, number>>
}

/** Reads a node's own counts of syncs. */
export const synced = async ({ url }: Watched): Promise<Synced> => {
  const text = await (await fetch(new URL('/metrics', url), { signal: AbortSignal.timeout(CALL_TIMEOUT_MS) })).text()
  const refused = [...text.matchAll(/^tickmesh_sync_refused_total\{reason="(\w+)"\} (\d+)$/gm)]
  const [, leaves] = /^tickmesh_sync_leaves_total (\d+)$/m.exec(text) ?? []
  return {
    leaves: Number(leaves ?? 0),
    refused: Object.fromEntries(refused.map(([, reason = '', count]) => [reason, Number(count)])),
  }
}

/** Bytes of the files under a folder. A file that goes away meanwhile counts as none. */
export const bytesIn = (directory: string): number =>
  readdirSync(directory, { recursive: true, encoding: 'utf8' }).reduce((sum, name) => {
    const found = statSync(join(directory, name), { throwIfNoEntry: false })
    return sum + (found?.isFile() === true ? found.size : 0)
  }, 0)

/** Bytes a minute by which a line through the samples rises (least squares). */
export const slopePerMinute = (samples: readonly Sample[], of: (it: Sample) => number): number => {
  const n = samples.length
  const mean = (get: (it: Sample) => number): number => samples.reduce((sum, it) => sum + get(it), 0) / n
  const [t, v] = [mean((it) => it.at), mean(of)]
  const over = samples.reduce((sum, it) => sum + (it.at - t) * (of(it) - v), 0)
  const under = samples.reduce((sum, it) => sum + (it.at - t) * (it.at - t), 0)
  return (over / under) * 60
}

/** Typical of some samples: the median. */
export const typical = (values: readonly number[]): number => quantile(values, 0.5)
