import Type, { type Static } from 'typebox'
import { count, finite, hex64, meshTick, misfit, oneOf, orNull, tokenId } from '#core/schema.ts'
import { channelStateDigest } from './state.ts'

/** Type of the entry of a sealed tick. */
export const STREAM_TICK = 'stream_tick'
/** Of due ticks that were not sealed, and never will be. */
export const STREAM_GAP = 'stream_gap'
/** Of a channel that was made, and of one that stopped, starved, goes on again or is closed. */
export const STREAM_CREATED = 'stream_created'
export const STREAM_STATUS = 'stream_status'

/** Why due ticks were not sealed. */
export const gapReasons = ['late', 'refused', 'down', 'starved', 'stopped'] as const
export type ChannelGapReason = (typeof gapReasons)[number]

const tickBody = Type.Object({
  channel: Type.String(),
  epoch: count({ minimum: 1 }),
  count: count({ minimum: 1 }),
  state: hex64(),
  previous: orNull(hex64()),
  inputs_digest: hex64(),
  result_digest: hex64(),
  value: orNull(finite()),
  unit: Type.String(),
  errorPct: finite({ minimum: 0 }),
  token_id: tokenId(),
})
/** What the entry of a tick says, beside what every entry does. */
export type ChannelTickBody = Static<typeof tickBody>

const gapBody = Type.Object({
  channel: Type.String(),
  epoch: count({ minimum: 1 }),
  from_mesh: meshTick(),
  to_mesh: meshTick(),
  missed: count({ minimum: 1 }),
  reason: oneOf(gapReasons),
})
/** What the entry of a gap says. Both ends are due ticks that were missed. */
export type ChannelGapBody = Static<typeof gapBody>

/** Where a walk along the ticks of a channel stands. */
export interface ChannelPlace {
  readonly epoch: number
  readonly count: number
  readonly state: string
}

/** What the entries of one channel come to. */
export interface ChannelWalk {
  /** Takes the next entry of the channel. @returns why it does not follow, or undefined */
  take(type: string, body: unknown): string | undefined
  readonly head: ChannelPlace | undefined
  /** Ticks of all epochs. */
  readonly sealed: number
  /** Due ticks that gaps say. */
  readonly missed: number
}

const tickFault = (before: ChannelPlace | undefined, it: ChannelTickBody): string | undefined => {
  const goesOn = before !== undefined && it.epoch === before.epoch && it.count === before.count + 1
  const begins = it.epoch === (before?.epoch ?? 0) + 1 && it.count === 1
  if (!goesOn && !begins) return 'a tick is missing, doubled or out of order'
  if (it.previous !== (goesOn ? before.state : null)) return 'it does not name the tick before it'
  return channelStateDigest(it) === it.state ? undefined : 'its state is another one'
}

/** Why a gap cannot stand behind another one; each is a run of due ticks at one distance. */
const gapFault = (
  before: number | undefined,
  { from_mesh: from, to_mesh: to, missed }: ChannelGapBody,
): string | undefined => {
  if (before !== undefined && from <= before) return 'it says again that a tick was missed'
  const even = missed === 1 ? from === to : to > from && (to - from) % (missed - 1) === 0
  return even ? undefined : 'there are not so many due ticks between its ends'
}

/**
 * Walks along the entries of one channel in the order of its chain: no tick without the one before it, none twice, and
 * none missed twice.
 */
export const channelWalk = (): ChannelWalk => {
  let head: ChannelPlace | undefined
  let [sealed, missed] = [0, 0]
  let gapTo: number | undefined
  return {
    take: (type, body) => {
      if (type === STREAM_GAP) {
        const wrong = misfit(gapBody, body) ?? gapFault(gapTo, body as ChannelGapBody)
        if (wrong !== undefined) return wrong
        missed += (body as ChannelGapBody).missed
        gapTo = (body as ChannelGapBody).to_mesh
        return undefined
      }
      if (type !== STREAM_TICK) return undefined
      const wrong = misfit(tickBody, body) ?? tickFault(head, body as ChannelTickBody)
      if (wrong !== undefined) return wrong
      const { epoch, count: no, state } = body as ChannelTickBody
      head = { epoch, count: no, state }
      sealed += 1
      return undefined
    },
    get head() {
      return head
    },
    get sealed() {
      return sealed
    },
    get missed() {
      return missed
    },
  }
}
