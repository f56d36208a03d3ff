import { shards } from '#domain/network/shards.ts'
import { type Topic, topic } from '#mesh/topic.ts'

/** What is said of works, by whose they are: a topic for each first byte of SHA-256 of a node's id. */
export const shardTopics: readonly Topic[] = shards.map((channel) =>
  topic({ name: `/tickmesh/shard/1/${channel.slice(-2)}`, channel }),
)
