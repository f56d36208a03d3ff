import type { AnyEventType, AnyLastingType } from '#domain/network/event-type.ts'
import { bond } from './bond.ts'
import { bondRelease } from './bond-release.ts'
import { challenge, reveal, ruling } from './disputes.ts'
import { evidence } from './evidence.ts'
import { head } from './head.ts'
import { identityAssert } from './identity-assert.ts'
import { presence } from './presence.ts'
import { proposal } from './proposal.ts'
import { resolve } from './resolve.ts'
import { stake } from './stake.ts'
import { succession } from './succession.ts'
import { withheld } from './withheld.ts'
import { close, works } from './works.ts'

/** Every type of mesh event that is gossip only and that this node speaks. */
export const eventTypes: readonly AnyEventType[] = [presence, head]

/** Every lasting type whose effect this node knows. Leaves of other types are kept and not interpreted. */
export const lastingTypes: readonly AnyLastingType[] = [
  bond,
  bondRelease,
  challenge,
  close,
  evidence,
  identityAssert,
  proposal,
  resolve,
  reveal,
  ruling,
  stake,
  succession,
  withheld,
  works,
]

/** The type of that name, or undefined for one that lasts or that this release does not know. */
export const eventTypeOf = (type: string): AnyEventType | undefined => eventTypes.find((it) => it.type === type)

/** The lasting type of that name, or undefined for any other. */
export const lastingTypeOf = (type: string): AnyLastingType | undefined => lastingTypes.find((it) => it.type === type)
