import Type from 'typebox'
import { closed, hex64, meshTick, oneOf, text } from '#core/schema.ts'
import { contributionModes } from '#core/work/mode.ts'
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
    mode: Type.Optional(oneOf(contributionModes, { description: 'What it does with its threads.' })),
    kernels: Type.Optional(hex64({ description: 'Digest of the names and bytes of its kernels.' })),
  }),

  apply: (
    { peers, acquaint, meshTick: now },
    { sourceNodeId },
    { addresses, genesisTick, registry_version, version, mode = null, kernels = null },
  ) => {
    peers.note(sourceNodeId, now, { genesisTick, registry_version, version, mode, kernels })
    acquaint(sourceNodeId, addresses)
    return undefined
  },
})
