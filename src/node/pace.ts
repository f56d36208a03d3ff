import { readFileSync, renameSync, writeFileSync } from 'node:fs'
import { cpus } from 'node:os'
import { join } from 'node:path'
import type { Log } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Compute } from '#domain/compute/service.ts'

/** Where it is kept how fast this machine was found to be. */
const FILE = 'pace.json'
const MODE = 0o600
/** How long a node has been up before it measures: whoever starts one wants to use it first. */
const SETTLE_MS = 10_000
/** How often it looks whether nobody computes. */
const LOOK_MS = 5_000

/** What a measurement holds for: another processor or engine is another machine. */
const machine = (): string => `${cpus()[0]?.model ?? 'unknown'}, Node ${process.version}`

/** The slowness that was kept for this machine; undefined where there is none. */
const keptIn = (directory: string): number | undefined => {
  try {
    const kept = JSON.parse(readFileSync(join(directory, FILE), 'utf8')) as { machine?: unknown; slowness?: unknown }
    const { slowness } = kept
    return kept.machine === machine() && typeof slowness === 'number' && slowness > 0 ? slowness : undefined
  } catch {
    return undefined // not there, or not ours: it is measured
  }
}

const keep = (directory: string, slowness: number): void => {
  const fresh = join(directory, `${FILE}.${process.pid}`)
  writeFileSync(fresh, `${JSON.stringify({ machine: machine(), slowness })}\n`, { mode: MODE })
  renameSync(fresh, join(directory, FILE))
}

const atRest = (compute: Compute): boolean => {
  const { waiting, jobs } = compute.load()
  return waiting === 0 && !jobs.has('running') && !jobs.has('queued')
}

interface Around {
  readonly log: Log
  readonly sleep: Sleep
  readonly signal: AbortSignal
}

/**
 * Quotes go by how fast this machine was found to be: once, in two seconds, when it first has nothing else to do. What
 * goes wrong is told to the log; quotes then go by the table alone. Ends when the signal aborts.
 */
export const keepPace = async (compute: Compute, directory: string, { log, sleep, signal }: Around): Promise<void> => {
  const kept = keptIn(directory)
  if (kept !== undefined) return compute.adoptSlowness(kept)
  await sleep(SETTLE_MS, signal)
  while (!signal.aborted && !atRest(compute)) await sleep(LOOK_MS, signal)
  if (signal.aborted) return
  try {
    const slowness = await compute.measureSlowness(signal)
    keep(directory, slowness)
    log.info({ slowness }, 'pace measured')
  } catch (error) {
    if (!signal.aborted) log.warn({ error: String(error) }, 'pace not measured')
  }
}
