import { topic } from '#mesh/topic.ts'

/** Signed events of every type but heads and those about works: `{event}`, with `handshake` in a private mesh. */
export const eventTopic = topic({ name: '/tickmesh/event/1', channel: 'event' })
