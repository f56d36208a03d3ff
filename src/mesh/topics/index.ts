import type { Topic } from '#mesh/topic.ts'
import { eventTopic } from './event.ts'
import { headTopic } from './head.ts'

/** Every gossip topic of this node. */
export const topics: readonly Topic[] = [eventTopic, headTopic]
