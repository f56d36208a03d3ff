import type { ChannelLoad } from '#domain/channels/load.ts'
import type { NodeStatus } from './views.ts'

/** What a store takes on disk. */
export interface StoreSize {
  /** Bytes of the database. */
  readonly bytes: number
  /** Leaves of its seal logs, through all eras. */
  readonly leaves: number
  /** Bytes free where it lies. */
  readonly free: number
}

/** Leaves from which on a store says by itself what one takes: before, what every store begins with counts too much. */
const LEAVES_MIN = 10_000
/** Bytes of a sealed tick of a closed form, measured over a million of them: a guess for a store that is small yet. */
const BYTES_PER_TICK = 7_000
/** Leaves that belong to a tick at most: its envelope, the head of its machine and the end of its mesh tick. */
const LEAVES_PER_TICK_MAX = 3

/** A store of nothing but ticks is divided by them; in any other, a tick takes no more than its leaves. */
const bytesPerTick = ({ bytes, leaves }: StoreSize, sealed: number): number =>
  (bytes / leaves) * Math.min(LEAVES_PER_TICK_MAX, leaves / Math.max(1, sealed))

/** How long the disk lasts when the channels go on that tick by themselves, and nothing else is written. */
export const growthOf = (load: ChannelLoad, size: StoreSize): NodeStatus['storage']['growth'] => {
  const measured = size.leaves >= LEAVES_MIN
  const perTick = Math.ceil(measured ? bytesPerTick(size, load.sealed) : BYTES_PER_TICK)
  const perDay = Math.ceil(load.ticksPerDay * perTick)
  return {
    ...{ channels: load.ticking, ticks_per_day: load.ticksPerDay, bytes_per_tick: perTick, measured },
    ...{ bytes_per_day: perDay, days: perDay === 0 ? null : size.free / perDay },
  }
}
