import Type from 'typebox'
import type { Json } from '#core/canonical.ts'
import { count, credits, finite, hex64, meshTick, model, oneOf, orNull, slug, tick, tokenId } from '#core/schema.ts'
import type { View } from '#core/view.ts'

/** What channels answer, and the bounds of what they are asked. */

/** Mesh ticks between due ticks. */
export const INTERVAL_TICKS_MAX = 1_000_000
/** Characters of a text that is looked at as a template: one that is only too long for one is told so as its fault. */
export const TEMPLATE_CHARS_MAX = 65_536

/** What answers carry whose body somebody's template made: no script runs in it, and nothing is loaded. */
export const outputHeaders = {
  'Content-Security-Policy': "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
  'X-Content-Type-Options': 'nosniff',
} as const

const named = () => Type.Unsafe<Readonly<Record<string, Json>>>(Type.Record(Type.String(), Type.Unknown()))

/** The newest sealed tick of a channel. */
export const channelHead = model('StreamHead', {
  epoch: count(),
  count: count(),
  tick: tick(),
  mesh_tick: meshTick(),
  state: hex64({ description: 'Digest that binds the tick to the one before it.' }),
  value: orNull(finite()),
  unit: Type.String(),
  errorPct: finite({ minimum: 0, description: 'Measured error of the tick, in percent.' }),
  errorSum: finite({ minimum: 0, description: 'Errors of the epoch added up, in percent.' }),
  token_id: tokenId(),
  seq: count({ description: 'Number of its entry in the chain of the machine.' }),
})
export type ChannelHeadView = View<typeof channelHead>

export const channelStatuses = ['open', 'starved', 'stopped', 'closed'] as const

/** What a channel is and where it stands, in a list as by itself. */
const summaryMembers = {
  id: Type.String({ description: 'Id of the channel.' }),
  slug: slug({ description: 'The machine whose chain holds an entry of each tick.' }),
  solver: orNull(Type.String()),
  operators: orNull(Type.Unsafe<readonly string[]>(Type.Array(Type.String()))),
  mode: oneOf(['fresh', 'continue']),
  onBound: oneOf(['stop', 'restart']),
  status: oneOf(channelStatuses),
  autotick: Type.Boolean(),
  tickIntervalTicks: count(),
  outputFormat: oneOf(['json', 'template']),
  contentType: Type.String(),
  contract: orNull(Type.String({ description: 'Contract that gets an event of each tick.' })),
  epoch: count({ description: 'Epochs begun.' }),
  count: count({ description: 'Ticks of this epoch.' }),
  sealed: count({ description: 'Ticks of all epochs.' }),
  head: orNull(channelHead, { description: 'The newest tick; null before the first.' }),
  price: credits({ description: 'Credits of one tick.' }),
  next_due: orNull(meshTick(), {
    description: 'First due mesh tick that is neither sealed nor said to be missed; null without autotick.',
  }),
  missed: count({ description: 'Due ticks that were not sealed, and never will be.' }),
  refusals: count({ description: 'Refusals in a row; five stop it.' }),
  last_fault: orNull(Type.Object({ code: Type.String(), detail: Type.String(), mesh_tick: meshTick() }), {
    description: 'The last refusal of a tick.',
  }),
  took_ms: orNull(finite({ minimum: 0 }), { description: 'Running mean of what a tick takes, in milliseconds.' }),
  created_tick: tick(),
} as const

/** A channel in a list: without what may be long, its inputs, template and oracles. */
export const channelSummary = model('StreamSummary', summaryMembers)
export type ChannelSummary = View<typeof channelSummary>

/** A channel and where it stands. */
export const channel = model('Stream', {
  ...summaryMembers,
  inputs: named(),
  template: orNull(Type.String()),
  oracles: named(),
})
export type ChannelView = View<typeof channel>

/** A page of the channels of an account, newest first. */
export const channelPage = model('StreamPage', {
  total: count(),
  limit: count(),
  offset: count(),
  streams: Type.Array(channelSummary),
})
export type ChannelPage = View<typeof channelPage>

/** What the answer of a tick says beside the result and the receipt. */
export const besideTick = model('StreamTick', {
  id: Type.String(),
  status: oneOf(channelStatuses),
  epoch: count(),
  count: count(),
  state: hex64(),
  errorSum: finite({ minimum: 0 }),
  seq: count(),
})
export type BesideTick = View<typeof besideTick>
