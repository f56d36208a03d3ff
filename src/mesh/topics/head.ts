import { topic } from '#mesh/topic.ts'

/** Announced log heads, in the same form as events; they come with every tick in which a log grew. */
export const headTopic = topic({ name: '/tickmesh/head/1', channel: 'head' })
