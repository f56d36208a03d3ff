import { assert } from '#core/assert.ts'
import { eventBytes, eventId, type MeshEvent, signEventWith } from '#core/events.ts'
import { makeHandshake } from '#core/handshake.ts'
import { type Bridge, createBridge } from './bridge.ts'
import { addressesOf, type NetworkContext } from './context.ts'
import { type Admitted, createMessageCheck, dropped } from './entrance.ts'
import type { AnyLastingType } from './event-type.ts'
import { eventTypeOf, lastingTypeOf } from './events/index.ts'
import { ADDRESSES_MAX } from './events/presence.ts'
import { bodyOf, frameOf } from './frame.ts'
import type { Channel, Transport } from './outlet.ts'
import { headEveryTicks, presenceEveryTicks } from './pace.ts'
import { channelOf, keepsNothing } from './routes.ts'
import { listenedShards, type Shard } from './shards.ts'
import { isTooLate } from './succession.ts'
import type { Entrance, MessageOutcome, Network } from './types.ts'

/** When someone new listens, a presence comes so many heads after the last one at the earliest. */
const PRESENCE_APART_HEADS = 4
/** How often the nodes that this one works with are looked at, for the shards to listen to. */
const LISTENED_EVERY_TICKS = 16

/** Events in and out. */
export interface Gossip {
  readonly receive: Network['receive']
  readonly announce: Network['announce']
  /** What comes round with the ticks: presence and the newest own heads. */
  beat(): void
  /** Someone new listens: presence is due, because gossip has no memory. */
  greet(): void
  /** The shards to listen to, as of now. */
  shards(): readonly Shard[]
}

/** By all transports, or by one. */
type Publish = (channel: Channel, event: Uint8Array, at: { meshTick: number; to?: Transport | undefined }) => void

/** Says an event on the channel that it travels on, if its type is gossiped: by all transports, or by one. */
type Say = (event: MeshEvent, meshTick: number, to?: Transport) => void

const sayer =
  ({ peers, options }: NetworkContext, publish: Publish): Say =>
  (event, meshTick, to) => {
    const kept = lastingTypeOf(event.type)
    const known = peers.heard(meshTick)
    const at = { known, peek: options.keeping?.store.peek ?? keepsNothing }
    const channel = kept === undefined ? eventTypeOf(event.type)?.channel : channelOf(kept, event, at)
    if (channel !== undefined) publish(channel, eventBytes(event), { meshTick, to })
  }

/** Hands an event to the transports, under a handshake of this node's in a private mesh. */
const publisher =
  (context: NetworkContext): Publish =>
  (channel, event, { meshTick, to }) => {
    const body = bodyOf(event)
    const [secret] = context.options.secrets
    const sender = context.nodeId
    const handshake = secret === undefined ? undefined : makeHandshake(secret, { sender, meshTick, body })
    const frame = frameOf(body, handshake)
    const outlets = [...context.outlets.values()].filter((it) => to === undefined || it.transport === to)
    const sent = outlets.map((it) => it.publish(channel, frame))
    for (const taken of sent.length === 0 ? [false] : sent) context.tally[taken ? 'published' : 'unpublished'] += 1
  }

type Drop = MessageOutcome & { readonly status: 'dropped' }

/** Effects of gossiped lasting events that may wait for the disk. */
const HEARD_MAX = 64

/** Applies a lasting event that proves itself as soon as it is heard; any other is a hint, and comes by sync. */
const hear = (context: NetworkContext, type: AnyLastingType, event: MeshEvent): Drop | undefined => {
  const { keeping, log } = context.options
  if (!type.atOnce || keeping === undefined) return undefined
  if (context.hearing >= HEARD_MAX) return dropped('refused', 'As many events wait for the disk as may.')
  context.hearing += 1
  keeping.store
    .commit((tx) => type.apply(tx, event, event.payload))
    .catch((error: unknown) => log.warn({ type: event.type, error }, 'event_not_applied'))
    .finally(() => {
      context.hearing -= 1
    })
  return undefined
}

/** Applies an event that was let in, unless its own effect refuses it. */
const apply = (context: NetworkContext, { type, event }: Admitted, meshTick: number): Drop | undefined => {
  const { peers, takeHead, nodeId } = context
  // Our own event, come back by HTTP: nothing to learn from it.
  if (event.sourceNodeId === nodeId) return undefined
  const store = context.options.keeping?.store
  const passedOn = store?.peek('successor', event.sourceNodeId)
  if (type.lasting ? isTooLate(passedOn, event) : passedOn !== undefined) {
    return dropped('refused', 'Another key took the place of the one that signed this.')
  }
  const acquaint = (node: string, at: readonly string[]): void => {
    for (const it of context.outlets.values()) it.acquaint(node, at)
  }
  if (type.lasting) {
    const refused = hear(context, type.kept, event)
    if (refused !== undefined) return refused
  } else {
    const refusal = type.fleeting.apply({ peers, meshTick, takeHead, acquaint }, event, event.payload)
    if (refusal !== undefined) return dropped(refusal.reason, refusal.detail)
  }
  peers.note(event.sourceNodeId, meshTick)
  return undefined
}

const receiver = (
  context: NetworkContext,
  check: ReturnType<typeof createMessageCheck>,
  { say, bridge }: { readonly say: Say; readonly bridge: Bridge },
): Network['receive'] => {
  const { tally, activity, options } = context
  const drop = (outcome: Drop): MessageOutcome => {
    tally.dropped[outcome.reason] += 1
    options.meter.count('gossip_dropped_total', { reason: outcome.reason })
    return outcome
  }
  /** What came by HTTP nobody else says; what came by one transport the other may bring too, so it is waited for. */
  const passOn = ({ event, id, mac }: Admitted, { kind }: Entrance, meshTick: number): void => {
    if (kind === 'http') return say(event, meshTick)
    for (const to of context.outlets.keys()) {
      if (to !== kind && !bridge.hold(to, { event, id, mac }, meshTick)) tally.unpublished += 1
    }
  }
  return (data: Uint8Array, entrance: Entrance): MessageOutcome => {
    const { meshTick } = context.moment()
    const checked = check.check(data, entrance, meshTick)
    if (checked.status === 'dropped') return drop(checked)
    if (checked.status === 'repeated') {
      tally.repeated[checked.by] += 1
      if (entrance.kind !== 'http') bridge.heard(entrance.kind, checked.key)
      return { status: 'duplicate', eventType: checked.eventType }
    }
    const { event, id } = checked
    const refused = apply(context, checked, meshTick)
    if (refused !== undefined) return drop(refused)
    check.remember(checked, meshTick)
    tally.received[entrance.kind] += 1
    options.meter.count('gossip_received_total', { entrance: entrance.kind })
    activity.add(meshTick)
    passOn(checked, entrance, meshTick)
    return { status: 'received', eventType: event.type, id }
  }
}

/** The way in and out of events: checks in the order of the protocol, each refusal counted by its reason. */
export const createGossip = (context: NetworkContext): Gossip => {
  const { options, nodeId, moment } = context
  const check = createMessageCheck(options.secrets, options.keeping?.store.peek)
  const publishEvent = sayer(context, publisher(context))
  const bridge = createBridge(nodeId)

  const announce: Network['announce'] = async (type, payload) => {
    const { meshTick } = moment()
    const unsigned = { v: 1, type, sourceNodeId: nodeId, seq: 0, tick: meshTick, payload } as const
    const event = await signEventWith(options.signer, unsigned)
    assert(eventTypeOf(type) !== undefined, 'every type that is announced is in the registry')
    const id = eventId(event)
    check.remember({ id, mac: undefined }, meshTick)
    publishEvent(event, meshTick)
    return id
  }

  if (options.keeping !== undefined) {
    options.keeping.recorder.listener = (event) => {
      const { meshTick } = moment()
      check.remember({ id: eventId(event), mac: undefined }, meshTick)
      publishEvent(event, meshTick)
    }
  }

  const say = (...it: Parameters<Network['announce']>): void => {
    announce(...it).catch((error: unknown) => options.log.error({ error }, 'announcement_failed'))
  }

  const shards = (): readonly Shard[] => listenedShards(nodeId, options.partners?.() ?? [])
  let listenedSince = Number.NEGATIVE_INFINITY
  let presentSince = Number.NEGATIVE_INFINITY
  let isDue = false
  let headsSince = Number.NEGATIVE_INFINITY
  /** What was announced last, one note for each own log. */
  let announced: readonly (string | undefined)[] = []
  const sayHeads = (meshTick: number): void => {
    const heads = [options.ownHead(), options.keeping?.store.events.checkpoint?.note]
    const fresh = heads.filter((note, i) => note !== undefined && note !== announced[i]) as readonly string[]
    if (fresh.length === 0) return
    for (const note of fresh) say('head', { note })
    announced = heads
    headsSince = meshTick
  }
  return {
    receive: receiver(context, check, { say: publishEvent, bridge }),
    shards,
    announce,
    greet: () => {
      isDue = true
    },
    beat: () => {
      const { meshTick } = moment()
      for (const { event, to } of bridge.due(meshTick)) {
        if (context.outlets.has(to)) publishEvent(event, meshTick, to)
      }
      if (context.outlets.size === 0) return
      if (meshTick - listenedSince >= LISTENED_EVERY_TICKS) {
        listenedSince = meshTick
        for (const it of context.outlets.values()) it.listen(shards())
      }
      const nodes = context.peers.heard(meshTick)
      const everyTicks = headEveryTicks(nodes)
      if (meshTick - headsSince >= everyTicks) sayHeads(meshTick)
      if (meshTick - presentSince < (isDue ? PRESENCE_APART_HEADS * everyTicks : presenceEveryTicks(nodes))) return
      presentSince = meshTick
      isDue = false
      const { genesisMeshTick: genesisTick, registryVersion: registry_version, version } = options
      const addresses = addressesOf(context).slice(0, ADDRESSES_MAX)
      const { mode, kernels } = options.contributes?.() ?? {}
      const part = mode === undefined || kernels === undefined ? {} : { mode, kernels }
      say('presence', { addresses, genesisTick, registry_version, version, ...part })
    },
  }
}
