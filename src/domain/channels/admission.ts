import { Fault } from '#core/fault.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import type { ChannelRow } from '#store/rows/channel.ts'
import { type ChannelStore, isTicking } from './channel-store.ts'

/** Of the time of the threads, and of the loop, what channels that tick by themselves may take. */
const SHARE_MAX = 0.6
/** A seal takes so many times what its plan does of the loop: leaf, signature, rows and write come after it. */
const SEAL_OVER_PLAN = 2.5
/** What a plan is expected to take before one was measured, in milliseconds. */
const PLAN_MS_EXPECTED = 0.12
/** Weight of the newest group in the running mean. */
const NEWEST_SHARE = 0.1

type TickCost = Pick<ChannelRow, 'interval' | 'expected_ms' | 'solver'>

/** What sealing one tick takes of the loop, as measured. */
export interface SealPace {
  /** Milliseconds. */
  readonly ms: number
  /** A group of this many seals was planned in so many milliseconds. */
  learn(count: number, planMs: number): void
}

/** Nothing was measured yet. */
export const createSealPace = (): SealPace => {
  let plan = PLAN_MS_EXPECTED
  return {
    get ms() {
      return plan * SEAL_OVER_PLAN
    },
    learn: (count, planMs) => {
      plan += NEWEST_SHARE * (planMs / count - plan)
    },
  }
}

/** Milliseconds of each mesh tick. */
interface Needs {
  readonly threads: number
  readonly loop: number
}

/** What a channel needs: as measured, or as expected before it has ticked. Operators are computed on the loop. */
const needsOf = ({ expected_ms, interval, solver }: TickCost, took_ms: number | null, sealMs: number): Needs => {
  const computing = (took_ms ?? expected_ms) / interval
  const sealing = sealMs / interval
  return solver === null ? { threads: computing, loop: computing + sealing } : { threads: computing, loop: sealing }
}

const refuse = (of: string, needed_ms: number, free_ms: number): never => {
  const said = `It needs ${needed_ms.toFixed(2)} ms of each tick of ${of}, and ${free_ms.toFixed(2)} ms are free.`
  throw new Fault('CAPACITY_EXCEEDED', said, { needed_ms, free_ms })
}

/** What admission goes by. */
interface Capacity {
  readonly channels: Pick<ChannelStore, 'all'>
  readonly threads: number
  readonly seals: SealPace
}

/**
 * Asks whether there is room for a channel that ticks by itself, by what ticks were measured to take: of the threads
 * that compute, and of the loop that seals for all.
 *
 * @param row as it is to be.
 * @throws Fault CAPACITY_EXCEEDED with what it needs and what is free, both in milliseconds of a mesh tick.
 */
export const assertCapacity = (
  { channels, threads, seals }: Capacity,
  row: TickCost & Pick<ChannelRow, 'id'>,
  took_ms: number | null,
): void => {
  const whole = SHARE_MAX * TICK_SECONDS * MS_PER_SECOND
  let [computing, loop] = [0, 0]
  for (const it of channels.all()) {
    if (!isTicking(it) || it.row.id === row.id) continue
    const needs = needsOf(it.row, it.head.took_ms, seals.ms)
    computing += needs.threads
    loop += needs.loop
  }
  const needs = needsOf(row, took_ms, seals.ms)
  const [freeThreads, freeLoop] = [Math.max(0, whole * threads - computing), Math.max(0, whole - loop)]
  if (needs.threads > freeThreads) refuse('the threads that compute', needs.threads, freeThreads)
  if (needs.loop > freeLoop) refuse('the loop that seals', needs.loop, freeLoop)
}
