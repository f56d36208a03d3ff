import Type from 'typebox'
import { closed, meshTick, text } from '#core/schema.ts'
import { eventType } from '#domain/network/event-type.ts'

/** Addresses one presence may name. */
export const ADDRESSES_MAX = 8

/** A node says that it is there, what it runs and where it listens. Sent every few ticks; gossip only. */
export const presence = eventType({
  type: 'presence',
  channel: 'event',
  ticksOldMax: 120,
  payload: closed({
    addresses: Type.Array(text(256), { maxItems: ADDRESSES_MAX, description: 'Multiaddrs it listens on.' }),
    genesisTick: meshTick(),
    registry_version: text(128),
    version: text(64),
  }),

  apply: (
    { peers, acquaint, meshTick: now },
    { sourceNodeId },
    { addresses, genesisTick, registry_version, version },
  ) => {
    peers.note(sourceNodeId, now, { genesisTick, registry_version, version })
    acquaint(sourceNodeId, addresses)
    return undefined
  },
})
