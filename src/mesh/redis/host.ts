import type { Clock } from '#core/clock.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import { underway } from '#core/underway.ts'
import type { Channel } from '#domain/network/outlet.ts'
import { remembered } from '#domain/network/remembered.ts'
import type { Network } from '#domain/network/types.ts'
import type { RedisStatus } from '#domain/network/views.ts'
import { outbox } from '#mesh/outbox.ts'
import { createPatience } from '#mesh/patience.ts'
import { commonTopics, topics } from '#mesh/topics/index.ts'
import { openLink, type RedisLink, type RedisPlace } from './link.ts'
import { type LinkFault, reasonOf } from './reason.ts'

/** Messages of a tick that are looked at; what is beyond that is counted and dropped unread. */
const MESSAGES_PER_TICK_MAX = 4_096
/** Messages that were sent and not answered yet: the outgoing bytes are bounded by it. */
const UNANSWERED_MAX = 32
/** How often Redis is asked whether it is still there. */
const CHECK_EVERY_TICKS = 4
/** Own messages that are known again when Redis brings them back. */
const OWN_MAX = 1_024
const OWN_TICKS = 16
/** They end in the MAC of their handshake, which no other message has. */
const OWN_TAIL_BYTES = 66

export interface RedisOptions {
  readonly place: RedisPlace
  /** What the names of the channels begin with. */
  readonly channel: string
  readonly network: Network
  readonly clock: Clock
  readonly log: Log
  readonly meter: Meter
  /** The node's tick. */
  readonly tick: () => number
}

/** Gossip over Redis, while it is to be had. Disposing closes its connections. */
export interface RedisGossip extends AsyncDisposable {
  status(): RedisStatus
  /** Lets it read on, and looks whether Redis still answers. Once a tick. */
  beat(): void
}

/** How it stands, told once for each change and not for each attempt. */
const createStanding = ({ log, tick }: Pick<RedisOptions, 'log' | 'tick'>) => {
  let state: RedisStatus['state'] = 'connecting'
  let reason: LinkFault | null = null
  let since = tick()
  /** What was told since it was connected last: of two connections each may fail in its own way, by turns. */
  const told = new Set<LinkFault>()
  return {
    now: () => ({ state, reason, since }),
    set: (isUp: boolean, why: LinkFault | undefined): void => {
      const next = isUp ? 'connected' : why === undefined ? state : 'failed'
      if (next === state && (why ?? null) === reason) return
      if (next !== state) since = tick()
      if (next === 'connected' && state !== next) {
        log.info({}, 'redis_connected')
        told.clear()
      } else if (why !== undefined && !told.has(why)) {
        log.warn({ reason: why }, 'redis_failed')
        told.add(why)
      }
      state = next
      reason = isUp ? null : (why ?? reason)
    },
  }
}

/** The names of the channels, both ways: as the topics of libp2p are called, below a beginning of one's own. */
const namesOf = (channel: string) => {
  const name = (topic: string): string => `${channel}${topic.slice('/tickmesh'.length)}`
  return {
    of: new Map<Channel, string>(topics.map((it) => [it.channel, name(it.name)])),
    back: new Map<string, Channel>(topics.map((it) => [name(it.name), it.channel])),
  }
}

/** Listens to the channels that are wanted and no others, on whatever connection there is. */
const createHearing = (names: ReadonlyMap<Channel, string>) => {
  let wanted: ReadonlySet<Channel> = new Set(commonTopics.map((it) => it.channel))
  const namesOfAll = (channels: Iterable<Channel>): string[] => [...channels].map((it) => names.get(it) ?? '')
  return {
    isWanted: (channel: Channel): boolean => wanted.has(channel),
    greet: (client: RedisLink['client']) => client.subscribe(...namesOfAll(wanted)),
    /** @returns what is to be changed on a connection that is up. */
    want: (shards: readonly Channel[]) => {
      const before = wanted
      wanted = new Set([...commonTopics.map((it) => it.channel), ...shards])
      const without = (a: ReadonlySet<Channel>, b: ReadonlySet<Channel>) =>
        namesOfAll([...a].filter((it) => !b.has(it)))
      return { more: without(wanted, before), fewer: without(before, wanted) }
    },
  }
}

/** Gossip in: what is within the tick's share goes through the door of the domain. */
const createEar = (
  { network, clock, meter }: Pick<RedisOptions, 'network' | 'clock' | 'meter'>,
  isOwn: (data: Uint8Array) => boolean,
) => {
  const patience = createPatience(clock)
  let looked = 0
  let passedOver = 0
  return {
    passedOver: () => passedOver,
    beat: () => {
      looked = 0
    },
    hear: (channel: Channel, data: Uint8Array): void => {
      if (isOwn(data)) return
      looked += 1
      const look = () => network.receive(data, { kind: 'redis', channel })
      if (looked <= MESSAGES_PER_TICK_MAX && patience.spend('redis', look) !== undefined) return
      passedOver += 1
      meter.count('redis_passed_over_total')
    },
  }
}

/** Knows what this node said itself, which Redis brings back to it. */
const createOwn = (tick: () => number) => {
  const own = remembered(OWN_TICKS, OWN_MAX)
  const keyOf = (data: Uint8Array): string => Buffer.from(data.subarray(-OWN_TAIL_BYTES)).toString('latin1')
  return {
    add: (data: Uint8Array): void => own.add(keyOf(data), tick()),
    has: (data: Uint8Array): boolean => own.has(keyOf(data)),
  }
}

/** Gossip out: says one message after the other, and waits where too many are not answered yet. */
const createVoice = (
  speaker: RedisLink,
  {
    names,
    own,
    changed,
  }: {
    readonly names: ReadonlyMap<Channel, string>
    readonly own: ReturnType<typeof createOwn>
    readonly changed: (why: LinkFault | undefined) => void
  },
) => {
  /** Redis takes no messages of this user, though it answers. */
  let isMute = false
  const unanswered = new Set<Promise<void>>()
  const say = async (name: string, data: Uint8Array): Promise<void> => {
    const { stream } = speaker.client
    try {
      await speaker.client.publish(name, Buffer.from(data))
      if (!isMute) return
      isMute = false
      changed(undefined)
    } catch (error) {
      const why = reasonOf(error)
      if (why === 'refused') {
        isMute = true
        changed(why)
      } else if (speaker.client.stream === stream) speaker.drop(why)
    }
  }
  return {
    isMute: (): boolean => isMute,
    /** What is not connected says nothing: gossip has no memory. */
    send: async ({ channel, data }: { readonly channel: Channel; readonly data: Uint8Array }): Promise<void> => {
      const name = names.get(channel)
      if (name === undefined || !speaker.isUp()) return
      own.add(data)
      const sent = say(name, data).finally(() => unanswered.delete(sent))
      unanswered.add(sent)
      if (unanswered.size >= UNANSWERED_MAX) await Promise.race(unanswered)
    },
  }
}

/**
 * Joins the network domain to a Redis that other nodes share: one connection listens and one speaks. Redis is asked for
 * PING, SUBSCRIBE, UNSUBSCRIBE and PUBLISH, and AUTH where there is a password. It never fails: a Redis that is not
 * there is looked for until disposed.
 */
export const createRedis = (options: RedisOptions): RedisGossip => {
  const { place, channel, network, log, meter, tick } = options
  const stop = new AbortController()
  const work = underway()
  const opened = new AsyncDisposableStack()
  // Once its connections are closed nothing has anything to wait for.
  opened.defer(work.ended)
  const names = namesOf(channel)
  const hearing = createHearing(names.of)
  const standing = createStanding(options)
  const own = createOwn(tick)
  const ear = createEar(options, own.has)
  let failures = 0
  let beats = 0
  const changed = (why: LinkFault | undefined): void => {
    if (why !== undefined) {
      failures += 1
      meter.count('redis_failures_total', { reason: why })
    }
    const wasUp = standing.now().state === 'connected'
    const isUp = listener.isUp() && speaker.isUp() && !voice.isMute()
    standing.set(isUp, why)
    // Whoever is there has heard nothing of this node yet, or not for a while.
    if (isUp && !wasUp) network.peering.listening(network.nodeId)
  }

  const greet = (client: RedisLink['client']): Promise<unknown> => hearing.greet(client)
  const listener: RedisLink = opened.use(openLink(place, { greet, changed }))
  const speaker: RedisLink = opened.use(openLink(place, { greet: (client) => client.ping(), changed }))
  const voice = createVoice(speaker, { names: names.of, own, changed })
  listener.client.on('messageBuffer', (name: Buffer, data: Buffer) => {
    const found = names.back.get(name.toString('latin1'))
    if (found !== undefined && hearing.isWanted(found)) ear.hear(found, data)
  })

  const mail = outbox(voice.send)

  /** Listens to what is new and no more to what is over; who cannot is made anew and asks for all. */
  const listen = (shards: readonly Channel[]): void => {
    const { more, fewer } = hearing.want(shards)
    if (!listener.isUp()) return
    const { client } = listener
    const asked = [
      ...(more.length === 0 ? [] : [client.subscribe(...more)]),
      ...(fewer.length === 0 ? [] : [client.unsubscribe(...fewer)]),
    ]
    work.add(
      Promise.all(asked).then(
        () => undefined,
        (error: unknown) => listener.drop(reasonOf(error)),
      ),
    )
  }

  opened.defer(() => stop.abort(new Error('the node is stopping')))
  work.add(mail.run(stop.signal))
  opened.use(
    network.attach({
      transport: 'redis',
      publish: (to, data) => speaker.isUp() && mail.push({ channel: to, data }),
      listen,
      addresses: () => [],
      acquaint: () => undefined,
    }),
  )
  log.debug({ channel }, 'redis_begun')
  return {
    status: () => ({ ...standing.now(), failures, passed_over: ear.passedOver() }),
    beat: () => {
      beats += 1
      ear.beat()
      for (const it of [listener, speaker]) {
        it.beat()
        if (beats % CHECK_EVERY_TICKS === 0) work.add(it.check())
      }
    },
    [Symbol.asyncDispose]: () => opened.disposeAsync(),
  }
}
