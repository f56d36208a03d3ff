import type { ChannelGapReason } from '#core/channel/entries.ts'
import type { ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'

type Rhythm = Pick<ChannelRow, 'created_mesh' | 'interval'>

/** The newest due mesh tick of a channel at or before a mesh tick: on the grid of its creation. */
export const dueBy = ({ created_mesh, interval }: Rhythm, meshTick: number): number =>
  meshTick - ((((meshTick - created_mesh) % interval) + interval) % interval)

/** The first due mesh tick after a mesh tick. */
export const dueAfter = (row: Rhythm, meshTick: number): number => dueBy(row, meshTick) + row.interval

/** Due ticks of a channel that were not sealed. */
export interface ChannelGap {
  readonly from: number
  readonly to: number
  readonly missed: number
}

/** The due ticks that lie between what was sealed or said and a mesh tick, that itself left out. */
export const gapBefore = (
  { interval }: Rhythm,
  { next_due }: Pick<ChannelHeadRow, 'next_due'>,
  before: number,
): ChannelGap | undefined => {
  if (next_due === null || next_due >= before) return undefined
  const missed = Math.ceil((before - next_due) / interval)
  return { from: next_due, to: next_due + (missed - 1) * interval, missed }
}

/**
 * Why due ticks were missed.
 *
 * @param awakeSince mesh tick since which the node has followed the ticks without a hole.
 */
export const reasonOf = (
  { status }: Pick<ChannelHeadRow, 'status'>,
  { from }: ChannelGap,
  awakeSince: number,
): ChannelGapReason => {
  if (status === 'starved' || status === 'stopped') return status
  return from < awakeSince ? 'down' : 'late'
}

/** A gap, and why it is there. */
export interface ReasonedGap extends ChannelGap {
  readonly reason: ChannelGapReason
}

/**
 * The gaps between what was sealed or said and a mesh tick: due ticks that were refused, and behind them those of the
 * node or of how the channel stands.
 */
export const gapsBefore = (
  row: Rhythm,
  head: Pick<ChannelHeadRow, 'status' | 'next_due' | 'refused_to'>,
  { before, awakeSince }: { readonly before: number; readonly awakeSince: number },
): readonly ReasonedGap[] => {
  const found = gapBefore(row, head, before)
  if (found === undefined) return []
  const { from, to } = found
  const { interval } = row
  const refusedTo = Math.min(head.refused_to ?? from - interval, to)
  // What lies before is said, and need not lie on the grid: the channel may have had another rhythm then.
  const refused = refusedTo < from ? 0 : (refusedTo - from) / interval + 1
  const rest = { from: from + refused * interval, to, missed: found.missed - refused }
  return [
    ...(refused > 0 ? [{ from, to: refusedTo, missed: refused, reason: 'refused' as const }] : []),
    ...(rest.missed > 0 ? [{ ...rest, reason: reasonOf(head, rest, awakeSince) }] : []),
  ]
}
