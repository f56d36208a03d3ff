import { fromUtf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json } from '#core/canonical.ts'
import { EVENT_BYTES_MAX, eventId, type MeshEvent, parseEvent } from '#core/events.ts'
import { Fault, type FaultCode } from '#core/fault.ts'
import { checkHandshake, type HandshakeVerdict } from '#core/handshake.ts'
import { parseJson } from '#core/json.ts'
import { misfit } from '#core/schema.ts'
import type { AnyEventType, AnyLastingType, Peek } from './event-type.ts'
import { eventTypeOf, lastingTypeOf } from './events/index.ts'
import { eventIn, FRAME_BYTES_MORE, openFrame } from './frame.ts'
import type { Channel } from './outlet.ts'
import { type Remembered, remembered } from './remembered.ts'
import { hasCome, keepsNothing, mayCome } from './routes.ts'
import type { Entrance, MessageOutcome } from './types.ts'
import type { DropReason } from './views.ts'

/** Ticks and handshakes that the replay cache keeps: a handshake may arrive 120 ticks early and as many late. */
const REPLAY_TICKS = 241
const REPLAY_ENTRIES_MAX = 65_536

/** What each reason tells an HTTP caller, and whether a peer that passes such a message on must have known better. */
const reasons: Readonly<Record<DropReason, { readonly code: FaultCode; readonly blame: boolean }>> = {
  too_large: { code: 'BODY_TOO_LARGE', blame: true },
  secret_missing: { code: 'MESH_SECRET_MISSING', blame: false },
  missing: { code: 'MISSING_HANDSHAKE', blame: true },
  stale: { code: 'STALE_HANDSHAKE', blame: false },
  bad: { code: 'BAD_HANDSHAKE', blame: true },
  lifted: { code: 'BAD_HANDSHAKE', blame: true },
  malformed: { code: 'MALFORMED_JSON', blame: true },
  not_canonical: { code: 'NOT_CANONICAL', blame: true },
  bad_signature: { code: 'BAD_SIGNATURE', blame: true },
  schema: { code: 'INVALID_INPUT', blame: true },
  unknown_type: { code: 'INVALID_INPUT', blame: false },
  stale_event: { code: 'INVALID_INPUT', blame: false },
  refused: { code: 'NODE_BUSY', blame: false },
}

/** A drop, as {@link MessageOutcome}. */
export const dropped = (reason: DropReason, detail?: string): MessageOutcome & { readonly status: 'dropped' } => {
  const { code, blame } = reasons[reason]
  return { status: 'dropped', reason, blame, fault: new Fault(code, detail) }
}

/** A type that this node speaks: gossip only, with its effect on memory, or lasting. */
export type SpokenType =
  | { readonly lasting: false; readonly channel: Channel; readonly fleeting: AnyEventType }
  | { readonly lasting: true; readonly kept: AnyLastingType }

/** An event that passed every check but its effect. */
export interface Admitted {
  readonly status: 'admitted'
  readonly type: SpokenType
  readonly event: MeshEvent
  readonly id: string
  /** The handshake's MAC, for the replay cache; undefined in an open mesh. */
  readonly mac: string | undefined
}

/** A message that was answered before: `replayed` by its handshake, `duplicate` by the event's id, which is the key. */
export interface RepeatedMessage {
  readonly status: 'repeated'
  readonly by: 'replayed' | 'duplicate'
  readonly key: string
  readonly eventType: string | null
}

export type Admission = Admitted | RepeatedMessage | (MessageOutcome & { readonly status: 'dropped' })

/** All checks of a message from the mesh, in protocol.md's order. They change nothing but their own memory. */
export interface MessageCheck {
  check(data: Uint8Array, entrance: Entrance, meshTick: number): Admission
  /** Remembers what was applied, so that a repeat is known. A message that failed is checked anew each time. */
  remember(admitted: Pick<Admitted, 'id' | 'mac'>, meshTick: number): void
}

type Drop = MessageOutcome & { readonly status: 'dropped' }
type Handshake = Extract<HandshakeVerdict, { readonly ok: true }> | undefined

const isDrop = (it: unknown): it is Drop => (it as Drop | undefined)?.status === 'dropped'

const reasonOfCode: Partial<Record<FaultCode, DropReason>> = {
  BODY_TOO_LARGE: 'too_large',
  MISSING_HANDSHAKE: 'missing',
  BAD_HANDSHAKE: 'bad',
  STALE_HANDSHAKE: 'stale',
  MALFORMED_JSON: 'malformed',
  NOT_CANONICAL: 'not_canonical',
  INVALID_INPUT: 'schema',
  BAD_SIGNATURE: 'bad_signature',
  BAD_PUBLIC_KEY: 'bad_signature',
}

const dropOf = (fault: unknown): Drop => {
  const reason = fault instanceof Fault ? reasonOfCode[fault.code] : undefined
  if (reason === undefined) throw fault
  return dropped(reason, (fault as Fault).message)
}

const parsed = (bytes: Uint8Array): Json | undefined => {
  try {
    return JSON.parse(fromUtf8(bytes)) as Json
  } catch {
    return undefined
  }
}

/** What HTTP brings must mean the same to all readers: of a doubled name two of them would see two events. */
const readBody = (body: Uint8Array, { kind }: Entrance): Json =>
  kind === 'http' ? parseJson(body, EVENT_BYTES_MAX) : (JSON.parse(fromUtf8(body)) as Json)

/**
 * The event's canonical bytes. HTTP takes any spelling of JSON and what counts is its canonical form; a message of the
 * mesh must be in that form, of which frame.ts has checked the outside.
 */
const eventBytesOf = (body: Uint8Array, entrance: Entrance): Uint8Array | Drop => {
  let value: Json
  try {
    value = readBody(body, entrance)
  } catch (cause) {
    return cause instanceof Fault ? dropOf(cause) : dropped('malformed', 'The body is not JSON in UTF-8.')
  }
  const event = (value as { event?: Json } | null)?.event
  const names = typeof value === 'object' && value !== null ? Object.keys(value) : []
  if (event === undefined || names.length !== 1) return dropped('schema', 'The body is {event}, and nothing else.')
  if (entrance.kind !== 'http') return eventIn(body) ?? dropped('not_canonical')
  try {
    return canonicalBytes(event)
  } catch (fault) {
    return dropOf(fault)
  }
}

/** How far a lasting event's tick may lie from now when it is gossiped: older ones come by sync. */
const LASTING_TICKS_OLD_MAX = 120

const spoken = (type: string): SpokenType | undefined => {
  const fleeting = eventTypeOf(type)
  if (fleeting !== undefined) return { lasting: false, channel: fleeting.channel, fleeting }
  const kept = lastingTypeOf(type)
  return kept === undefined ? undefined : { lasting: true, kept }
}

/** Whether events of a type may come in this way, whatever they say. HTTP takes all that is gossiped. */
const isWayIn = (type: SpokenType, entrance: Entrance): boolean => {
  if (entrance.kind === 'http') return !type.lasting || type.kept.shard !== 'nowhere'
  return type.lasting ? mayCome(type.kept, entrance.channel) : entrance.channel === type.channel
}

/** What of an event does not fit its type. */
const misfitOf = (type: SpokenType, event: MeshEvent): string | undefined => {
  const wrong = misfit(type.lasting ? type.kept.payload : type.fleeting.payload, event.payload)
  if (wrong !== undefined) return `/payload${wrong}`
  if (type.lasting) return type.kept.check(event, event.payload)
  return event.seq === 0 ? undefined : '/seq: an event that is gossip only has no place in a log'
}

/** A type that this release cannot know is no one's fault: a newer node may speak it. */
const withoutBlame = (drop: Drop, bytes: Uint8Array): Drop => {
  if (drop.reason !== 'schema') return drop
  const type = (parsed(bytes) as { type?: unknown } | null)?.type
  return typeof type === 'string' && spoken(type) === undefined ? dropped('unknown_type', unknownType(type)) : drop
}
const unknownType = (type: string): string => `This node takes no events of type ${JSON.stringify(type.slice(0, 64))}.`

/**
 * @param secrets the mesh secret and, while it is being changed, the one before; none in an open mesh.
 * @param peek reads what is kept here, by which the shard of an event is known.
 */
export const createMessageCheck = (secrets: readonly Uint8Array[], peek: Peek = keepsNothing): MessageCheck => {
  const macs: Remembered = remembered(REPLAY_TICKS, REPLAY_ENTRIES_MAX)
  const ids: Remembered = remembered(REPLAY_TICKS, REPLAY_ENTRIES_MAX)

  /** Header, syntax, window, MAC, and that the handshake was made for this message by who sent it. */
  const handshakeOf = (header: string | undefined, body: Uint8Array, entrance: Entrance, meshTick: number) => {
    const verdict = checkHandshake({ header, body, secrets, meshTick })
    if (verdict.ok) {
      if (entrance.kind !== 'libp2p' || verdict.sender === entrance.from) return verdict
      return dropped('lifted', 'The handshake was made by another node than the one that published this.')
    }
    const mac = /^v1;[^;]+;[0-9]+;([0-9a-f]{64})$/.exec(header ?? '')?.[1]
    const known = verdict.code === 'BAD_HANDSHAKE' && mac !== undefined && macs.has(mac)
    return known ? dropped('lifted', verdict.why) : dropped(reasonOfCode[verdict.code] ?? 'bad', verdict.why)
  }

  const read = (bytes: Uint8Array): MeshEvent | Drop => {
    try {
      return parseEvent(bytes)
    } catch (fault) {
      return withoutBlame(dropOf(fault), bytes)
    }
  }

  const admit = (event: MeshEvent, entrance: Entrance, meshTick: number): Admission => {
    const type = spoken(event.type)
    if (type === undefined) return dropped('unknown_type', unknownType(event.type))
    if (!isWayIn(type, entrance)) return dropped('schema', `Events of type ${event.type} do not travel this way.`)
    const wrong = misfitOf(type, event)
    if (wrong !== undefined) return dropped('schema', wrong)
    const channel = entrance.kind !== 'http' && type.lasting ? entrance.channel : undefined
    if (channel !== undefined && type.lasting && !hasCome(type.kept, event, { channel, peek })) {
      return dropped('schema', 'It travels on the topic of another shard.')
    }
    const ticksOldMax = type.lasting ? LASTING_TICKS_OLD_MAX : type.fleeting.ticksOldMax
    if (Math.abs(event.tick - meshTick) > ticksOldMax) {
      return dropped('stale_event', `The event is of mesh tick ${event.tick}, too far from ${meshTick}.`)
    }
    const id = eventId(event)
    if (ids.has(id)) return { status: 'repeated', by: 'duplicate', key: id, eventType: event.type }
    return { status: 'admitted', type, event, id, mac: undefined }
  }

  return {
    check: (data, entrance, meshTick) => {
      const isHttp = entrance.kind === 'http'
      if (entrance.kind !== 'libp2p' && secrets.length === 0) return dropped('secret_missing')
      const bytesMax = EVENT_BYTES_MAX + (isHttp ? 0 : FRAME_BYTES_MORE)
      if (data.length > bytesMax) return dropped('too_large', `An event's body is at most ${EVENT_BYTES_MAX} bytes.`)
      const { body, handshake: header } = isHttp ? { body: data, handshake: entrance.handshake } : openFrame(data)
      if (body.length > EVENT_BYTES_MAX) return dropped('too_large', `A body is at most ${EVENT_BYTES_MAX} bytes.`)

      const handshake: Handshake | Drop =
        secrets.length === 0 ? undefined : handshakeOf(header, body, entrance, meshTick)
      if (isDrop(handshake)) return handshake
      macs.forget(meshTick)
      ids.forget(meshTick)
      if (handshake !== undefined && macs.has(handshake.mac)) {
        return { status: 'repeated', by: 'replayed', key: handshake.mac, eventType: null }
      }

      const bytes = eventBytesOf(body, entrance)
      if (isDrop(bytes)) return bytes
      const event = read(bytes)
      if (isDrop(event)) return event
      const verdict = admit(event, entrance, meshTick)
      return verdict.status === 'admitted' ? { ...verdict, mac: handshake?.mac } : verdict
    },
    remember: ({ id, mac }, meshTick) => {
      ids.add(id, meshTick)
      if (mac !== undefined) macs.add(mac, meshTick)
    },
  }
}
