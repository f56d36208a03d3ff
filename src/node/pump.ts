import type { Log } from '#core/telemetry.ts'
import { meshTickStart } from '#core/tick.ts'
import { NS_PER_MS } from '#core/time.ts'
import type { Sleep } from '#core/wait.ts'
import type { Economy } from '#domain/economy/economy.ts'
import type { Store } from '#store/store.ts'

/** After a boundary, so that the clock has surely passed it. */
const AFTER_BOUNDARY_MS = 2
/** Lapsed answers and quotas are removed about every 50 s. */
const SWEEP_EVERY_BEATS = 64
/** The longest the tick pump sleeps: the wall clock is compared at least this often. */
const PUMP_MS_MAX = 1000

/** What of a node's ports the pump goes by. */
interface PumpPorts {
  readonly sleep: Sleep
  readonly log: Log
  /** Whether it follows the ticks by itself. */
  readonly follows: boolean
}

/** Runs `work` just after each tick boundary, until the signal aborts. What fails every time is told once. */
const followTicks = async (store: Store, { sleep, log }: PumpPorts, work: () => Promise<void>, signal: AbortSignal) => {
  let logged = ''
  while (!signal.aborted) {
    const { instant, meshTick } = store.now()
    const untilNext = Number((meshTickStart(meshTick + 1) - instant) / NS_PER_MS) + AFTER_BOUNDARY_MS
    await sleep(Math.min(untilNext, PUMP_MS_MAX), signal)
    if (signal.aborted) return
    try {
      await work()
      logged = ''
    } catch (error) {
      if (String(error) !== logged) log.error({ error }, 'tick_failed')
      logged = String(error)
    }
  }
}

/** The tick pump, while it runs. */
export interface Pump extends AsyncDisposable {
  beat(): Promise<void>
  /** Also does this from now on, right after each tick's checkpoint. */
  join(work: () => void): void
}

interface PumpParts {
  readonly economy: Economy
  readonly compare: () => void
  /** Makes durable what is counted, if anything was. It is waited for, so that no write of a tick comes in the next. */
  readonly keep: () => Promise<void>
}

/** The tick pump, the one driver of all that comes round: closes ticks, tells the mesh, sweeps what has lapsed. */
export const pumpOf = (
  { store, ports }: { readonly store: Store; readonly ports: PumpPorts },
  { economy, compare, keep }: PumpParts,
): Pump => {
  const stop = new AbortController()
  const joined: (() => void)[] = []
  let beats = 0
  const beat = async (): Promise<void> => {
    compare()
    try {
      await store.closeTick()
      await keep()
    } finally {
      // A store that cannot write any more keeps nobody from hearing of this node.
      for (const work of joined) work()
    }
    beats += 1
    if (beats % SWEEP_EVERY_BEATS === 0) await economy.sweep()
  }
  const following = ports.follows ? followTicks(store, ports, beat, stop.signal) : Promise.resolve()
  return {
    beat,
    join: (work) => void joined.push(work),
    [Symbol.asyncDispose]: () => {
      stop.abort()
      return following
    },
  }
}
