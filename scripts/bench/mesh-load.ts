import { Agent, request } from 'node:http'

/** One kind of call that a node gets at a steady pace. */
export interface Work {
  readonly kind: string
  /** Calls a second, to this node alone. */
  readonly perSecond: number
  /** Method, path, headers and body of the next call. */
  readonly next: (count: number) => Outgoing
}

export interface Outgoing {
  readonly path: string
  readonly headers: Readonly<Record<string, string>>
  readonly body: string
}

/** What became of the calls of one kind. */
export interface Tally {
  readonly kind: string
  /** Milliseconds from the call to the last byte, of those answered 2xx. */
  readonly ms: number[]
  /** Calls by status, `broken` without one. */
  readonly statuses: Map<string, number>
  /** Calls that were due while too many were under way: they were not made. */
  skipped: number
}

/** Calls under way at one node; what is due beyond is skipped and counted, so that the load stays bounded. */
const UNDER_WAY_MAX = 32
const SOCKETS_MAX = 16
const TIMEOUT_MS = 30_000

const agent = new Agent({ keepAlive: true, maxSockets: SOCKETS_MAX })

const ask = (url: string, { path, headers, body }: Outgoing): Promise<string> => {
  const { promise, resolve } = Promise.withResolvers<string>()
  const head = { 'Content-Type': 'application/json', 'Content-Length': String(Buffer.byteLength(body)), ...headers }
  const call = request(
    new URL(path, url),
    { method: 'POST', agent, headers: head, timeout: TIMEOUT_MS },
    (response) => {
      response.resume()
      response.on('end', () => resolve(String(response.statusCode)))
      response.on('error', () => resolve('broken'))
    },
  )
  call.on('timeout', () => call.destroy())
  call.on('error', () => resolve('broken'))
  call.end(body)
  return promise
}

/**
 * Sends calls to a node at a fixed pace, whether or not earlier ones were answered, until the signal aborts; resolves
 * when the last one is answered.
 */
export const drive = async (url: string, work: Work, signal: AbortSignal): Promise<Tally> => {
  const tally: Tally = { kind: work.kind, ms: [], statuses: new Map(), skipped: 0 }
  const underWay = new Set<Promise<void>>()
  let count = 0
  const once = async (): Promise<void> => {
    const began = performance.now()
    const status = await ask(url, work.next(count++))
    tally.statuses.set(status, (tally.statuses.get(status) ?? 0) + 1)
    if (status.startsWith('2')) tally.ms.push(performance.now() - began)
  }
  const { promise: over, resolve: end } = Promise.withResolvers<void>()
  const beat = setInterval(() => {
    if (underWay.size >= UNDER_WAY_MAX) {
      tally.skipped += 1
      return
    }
    const call: Promise<void> = once().finally(() => underWay.delete(call))
    underWay.add(call)
  }, 1000 / work.perSecond)
  signal.addEventListener('abort', () => end(), { once: true })
  if (signal.aborted) end()
  await over
  clearInterval(beat)
  await Promise.all(underWay)
  return tally
}

/** Several tallies of one kind as one. */
export const joined = (kind: string, tallies: readonly Tally[]): Tally => {
  const of = tallies.filter((it) => it.kind === kind)
  const statuses = new Map<string, number>()
  for (const [status, count] of of.flatMap((it) => [...it.statuses])) {
    statuses.set(status, (statuses.get(status) ?? 0) + count)
  }
  return { kind, ms: of.flatMap((it) => it.ms), statuses, skipped: of.reduce((sum, it) => sum + it.skipped, 0) }
}

/** The value below which a share of some measurements lies; NaN of none. */
export const quantile = (values: readonly number[], share: number): number => {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

/** Ends the connections that the load kept open. */
export const hangUp = (): void => agent.destroy()
