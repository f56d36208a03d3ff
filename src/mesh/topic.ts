import type { Channel } from '#domain/network/outlet.ts'

/** One gossip topic, whole. What its messages must fulfil is the domain's to say; the topic names the way in. */
export interface Topic {
  readonly name: `/tickmesh/${string}/${number}` | `/tickmesh/shard/${number}/${string}`
  /** The domain's word for it. */
  readonly channel: Channel
}

/** Writes a topic down. */
export const topic = (definition: Topic): Topic => definition
