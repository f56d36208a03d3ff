import type { Json } from '#core/canonical.ts'
import type { ChannelHead, ChannelHeadRow, ChannelRow } from '#store/rows/channel.ts'
import { dueBy, gapBefore } from './due.ts'
import type { ChannelHeadView, ChannelSummary, ChannelView } from './views.ts'

/** The head as its readers see it. */
export const channelHeadView = (head: ChannelHead): ChannelHeadView => {
  const { error_pct: errorPct, error_sum: errorSum, ...rest } = head
  return { ...rest, errorPct, errorSum }
}

/** A channel as it stands in a list. @param meshTick of now: due ticks that were missed so far are counted. */
export const channelSummaryView = (row: ChannelRow, head: ChannelHeadRow, meshTick: number): ChannelSummary => {
  const gap = gapBefore(row, head, dueBy(row, meshTick))
  return {
    ...{ id: row.id, slug: row.slug, solver: row.solver, operators: row.operators },
    ...{ mode: row.mode, onBound: row.on_bound, status: head.status, autotick: row.autotick },
    ...{ tickIntervalTicks: row.interval, outputFormat: row.output_format, contentType: row.content_type },
    ...{ contract: row.contract, price: row.price },
    ...{ epoch: head.epoch, count: head.count, sealed: head.sealed, head: head.head && channelHeadView(head.head) },
    ...{ next_due: head.next_due, missed: head.missed + (gap?.missed ?? 0), refusals: head.refusals },
    ...{ last_fault: head.last_fault, took_ms: head.took_ms, created_tick: row.created_tick },
  }
}

/** A channel as its readers see it. @param meshTick of now */
export const channelView = (row: ChannelRow, head: ChannelHeadRow, meshTick: number): ChannelView => ({
  ...channelSummaryView(row, head, meshTick),
  ...{ inputs: row.inputs, template: row.template, oracles: row.oracles },
})

/** What an entry says of a new channel to whoever sees the machine. */
export const createdBody = (row: ChannelRow): Readonly<Record<string, Json>> => ({
  channel: row.id,
  solver: row.revision ?? row.solver,
  operators: row.operators === null ? null : [...row.operators],
  mode: row.mode,
  onBound: row.on_bound,
  autotick: row.autotick,
  tickIntervalTicks: row.interval,
})
