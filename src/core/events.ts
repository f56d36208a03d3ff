import Type from 'typebox'
import { toHex } from './bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from './canonical.ts'
import { purposes, signedBytes } from './digest.ts'
import { Fault } from './fault.ts'
import { type Signer, signValue, signValueWith, verifyByNode } from './keys.ts'
import { leafHash } from './merkle.ts'
import { anything, closed, count, meshTick, misfit, nodeId, oneOf, signature } from './schema.ts'

/** Bytes of an event's canonical form, and so of a gossiped body. */
export const EVENT_BYTES_MAX = 65_535

/** Kinds of event: lasting ones are leaves of their source's event log, the others are gossip and decide nothing. */
export const lastingEvents = [
  'bond',
  'bond.release',
  'work',
  'close',
  'challenge',
  'reveal',
  'ruling',
  'withheld',
  'proposal',
  'stake',
  'resolve',
  'evidence',
  'succession',
  'identity.assert',
] as const
export const fleetingEvents = ['presence', 'head'] as const
export type EventName = (typeof lastingEvents)[number] | (typeof fleetingEvents)[number]

const eventTypes: readonly EventName[] = [...lastingEvents, ...fleetingEvents]

/** Form of every event, whatever its payload. */
export const eventSchema = closed(
  {
    v: Type.Literal(1),
    type: oneOf(eventTypes, { description: 'Kind of event.' }),
    sourceNodeId: nodeId(),
    seq: count({ description: "Index in the source's event log; 0 for events that are gossip only." }),
    tick: meshTick(),
    payload: anything({ description: 'By the kind of event.' }),
    signature: signature(),
  },
  { description: 'A mesh event, signed by the node it names.' },
)

/** A statement of one node to all: signed by the key that its node id contains. */
export interface MeshEvent<P extends Json = Json> {
  readonly v: 1
  readonly type: EventName
  /** Node id of the author. */
  readonly sourceNodeId: string
  /** Index in the source's event log; 0 for events that are gossip only. */
  readonly seq: number
  /** Mesh tick. */
  readonly tick: number
  readonly payload: P
  /** Ed25519 over (`tickmesh/event/1`, the event without this member), 128 hex digits. */
  readonly signature: string
}
export type UnsignedEvent<P extends Json = Json> = Omit<MeshEvent<P>, 'signature'>

const unsigned = ({ signature: _, ...rest }: MeshEvent): Json => rest as unknown as Json

/** Signs an event with its author's identity key. @throws Fault NOT_CANONICAL */
export const signEvent = <P extends Json>(seed: Uint8Array, event: UnsignedEvent<P>): MeshEvent<P> =>
  ({ ...event, signature: signValue(seed, purposes.event, event as unknown as Json) }) as MeshEvent<P>

/** As {@link signEvent}, on the signer's thread. */
export const signEventWith = async <P extends Json>(signer: Signer, event: UnsignedEvent<P>): Promise<MeshEvent<P>> =>
  ({ ...event, signature: await signValueWith(signer, purposes.event, event as unknown as Json) }) as MeshEvent<P>

/** The bytes that travel. */
export const eventBytes = (event: MeshEvent): Uint8Array => canonicalBytes(event as unknown as Json)

/** Leaf data in the event log: `tickmesh/event-leaf/1`, LF, JCS of the whole event. */
export const eventLeaf = (event: MeshEvent): Uint8Array => signedBytes(purposes.eventLeaf, event as unknown as Json)

/** An event's id: its leaf hash, 64 hex digits. */
export const eventId = (event: MeshEvent): string => toHex(leafHash(eventLeaf(event)))

/**
 * Reads an event from the bytes that travelled, in the order protocol.md gives: size, JSON, canonical form, members,
 * signature. The payload's own schema is the caller's to check.
 *
 * @throws Fault BODY_TOO_LARGE | MALFORMED_JSON | NOT_CANONICAL | INVALID_INPUT | BAD_SIGNATURE
 */
export const parseEvent = (bytes: Uint8Array): MeshEvent => {
  if (bytes.length > EVENT_BYTES_MAX) throw new Fault('BODY_TOO_LARGE', `An event is at most ${EVENT_BYTES_MAX} bytes.`)
  const value = parseCanonical(bytes)
  const wrong = misfit(eventSchema, value)
  if (wrong !== undefined) throw new Fault('INVALID_INPUT', wrong)
  const event = value as unknown as MeshEvent
  if (!verifyEvent(event)) throw new Fault('BAD_SIGNATURE', 'The event is not signed by its source.')
  return event
}

/** Whether an event is signed by the key inside its own `sourceNodeId`, and that key is sound. */
export const verifyEvent = (event: MeshEvent): boolean =>
  verifyByNode(event.sourceNodeId, purposes.event, unsigned(event), event.signature)
