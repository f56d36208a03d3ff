import { Fault } from '#core/fault.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import type { ChannelRow } from '#store/rows/channel.ts'
import { isTicking } from './channel-store.ts'
import type { ChannelContext } from './context.ts'

/** Of the time that the threads have, what channels may take that tick by themselves. */
const SHARE_MAX = 0.6

type TickCost = Pick<ChannelRow, 'interval' | 'expected_ms'>

/** Milliseconds that a channel needs of each mesh tick: as measured, or as expected before it has ticked. */
const neededMs = ({ expected_ms, interval }: TickCost, took_ms: number | null): number =>
  (took_ms ?? expected_ms) / interval

/**
 * Asks whether there is room for a channel that ticks by itself, by what ticks were measured to take.
 *
 * @param row as it is to be.
 * @throws Fault CAPACITY_EXCEEDED with what it needs and what is free, both in milliseconds of a mesh tick.
 */
export const assertCapacity = (
  { channels, threads }: Pick<ChannelContext, 'channels' | 'threads'>,
  row: TickCost & Pick<ChannelRow, 'id'>,
  took_ms: number | null,
): void => {
  const whole = SHARE_MAX * threads * TICK_SECONDS * MS_PER_SECOND
  let taken = 0
  for (const it of channels.all()) {
    if (isTicking(it) && it.row.id !== row.id) taken += neededMs(it.row, it.head.took_ms)
  }
  const needed_ms = neededMs(row, took_ms)
  const free_ms = Math.max(0, whole - taken)
  if (needed_ms <= free_ms) return
  const said = `It needs ${needed_ms.toFixed(1)} ms of each tick, and ${free_ms.toFixed(1)} ms are free.`
  throw new Fault('CAPACITY_EXCEEDED', said, { needed_ms, free_ms })
}
