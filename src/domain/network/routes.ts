import type { MeshEvent } from '#core/events.ts'
import type { AnyLastingType, Peek } from './event-type.ts'
import type { Channel } from './outlet.ts'
import { mayTravel, type Shard, saidOn } from './shards.ts'

/** What a network reads that keeps nothing. */
export const keepsNothing: Peek = () => undefined

const isShard = (channel: Channel): channel is Shard => channel.startsWith('shard/')

/** Whether events of a lasting type may come on a channel at all, whatever they say. */
export const mayCome = ({ shard }: AnyLastingType, channel: Channel): boolean => {
  if (shard === undefined) return channel === 'event'
  return shard !== 'nowhere' && isShard(channel)
}

/** Whether an event may come on a channel that its type travels on. Its payload's form has been checked. */
export const hasCome = ({ shard }: AnyLastingType, event: MeshEvent, at: { channel: Channel; peek: Peek }): boolean =>
  typeof shard !== 'function' || !isShard(at.channel) || mayTravel(at.channel, shard(event, event.payload, at.peek))

/**
 * The channel that a node says an event on; undefined for a type that is not gossiped.
 *
 * @param known how many nodes it has heard of.
 */
export const channelOf = (
  { shard }: AnyLastingType,
  event: MeshEvent,
  { known, peek }: { readonly known: number; readonly peek: Peek },
): Channel | undefined => {
  if (shard === 'nowhere') return undefined
  return shard === undefined ? 'event' : saidOn(shard(event, event.payload, peek), known)
}
