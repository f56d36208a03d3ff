import type { Topic } from '#mesh/topic.ts'
import { eventTopic } from './event.ts'
import { headTopic } from './head.ts'
import { shardTopics } from './shard.ts'

/** Gossip topics that every node listens to; of the others each listens to a few. */
export const commonTopics: readonly Topic[] = [eventTopic, headTopic]

/** Every gossip topic. */
export const topics: readonly Topic[] = [...commonTopics, ...shardTopics]
