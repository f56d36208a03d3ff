import { TICK_SECONDS } from '#core/tick.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'
import { isTicking, type StandingChannel } from './channel-store.ts'

/** What channels that tick by themselves ask of a node, and what channels have asked so far. */
export interface ChannelLoad {
  /** Channels that tick by themselves and are paid for: one that starves seals nothing. */
  readonly ticking: number
  /** Due ticks of those in a day. */
  readonly ticksPerDay: number
  /** Ticks that all channels have sealed. */
  readonly sealed: number
}

/** Adds up what channels ask of their node. */
export const channelLoad = (channels: Iterable<StandingChannel>): ChannelLoad => {
  let [ticking, perTick, sealed] = [0, 0, 0]
  for (const it of channels) {
    sealed += it.head.sealed
    if (!isTicking(it) || it.head.status !== 'open') continue
    ticking += 1
    perTick += 1 / it.row.interval
  }
  return { ticking, ticksPerDay: (perTick * SECONDS_PER_DAY) / TICK_SECONDS, sealed }
}
