import { Redis, type RedisOptions } from 'ioredis'
import { createFraming } from './framing.ts'
import { type LinkFault, reasonOf, Unreadable } from './reason.ts'

/** Where a Redis is, and as whom it is spoken to. */
export interface RedisPlace {
  readonly at: { readonly path: string } | { readonly host: string; readonly port: number }
  /** Over TLS; the certificates that are trusted, in PEM, or those of the system. */
  readonly tls?: { readonly ca?: string | undefined } | undefined
  readonly user?: string | undefined
  readonly password?: string | undefined
}

/** How long a connection, and an answer, may take. */
const CONNECT_MS_MAX = 3_000
const ANSWER_MS_MAX = 3_000
/** Pauses between attempts. With the longest of each, a Redis that is back is found within ten seconds. */
const PAUSE_MS_MIN = 200
const PAUSE_MS_MAX = 3_000
/** Doublings of the pause that there can be. */
const DOUBLINGS_MAX = 8
/** Bytes that are read in a tick; the rest waits in the socket, and Redis gives up a reader for whom too much waits. */
const BYTES_PER_TICK_MAX = 4_194_304

/** One connection, which is made anew whenever it ends. */
export interface RedisLink extends Disposable {
  readonly client: Redis
  /** Whether it is connected and was answered. */
  isUp(): boolean
  /** Gives up the connection that there is, for a reason; another one follows. */
  drop(reason: LinkFault): void
  /** Lets it read on; call it once a tick. */
  beat(): void
  /** Asks whether Redis still answers, unless it was heard of; drops the connection if it does not. Never throws. */
  check(): Promise<void>
}

export interface LinkPorts {
  /** What a new connection begins with; it counts as up when that is answered. */
  readonly greet: (client: Redis) => Promise<unknown>
  /** Something changed: it is up, or is not, and why. */
  readonly changed: (reason: LinkFault | undefined) => void
}

/** Nothing is kept for later and nothing is sent twice; of Redis' commands only those that we ask for are sent. */
const optionsOf = ({ at, tls, user, password }: RedisPlace, pauseMs: () => number) =>
  ({
    ...at,
    ...(tls === undefined ? {} : { tls: tls.ca === undefined ? {} : { ca: tls.ca } }),
    ...(user === undefined ? {} : { username: user }),
    ...(password === undefined ? {} : { password }),
    protocol: 2,
    lazyConnect: true,
    enableOfflineQueue: false,
    enableReadyCheck: false,
    disableClientInfo: true,
    autoResubscribe: false,
    autoResendUnfulfilledCommands: false,
    maxRetriesPerRequest: 0,
    connectTimeout: CONNECT_MS_MAX,
    commandTimeout: ANSWER_MS_MAX,
    retryStrategy: pauseMs,
  }) satisfies RedisOptions

/** Follows what a connection reads, ahead of the client, and stops reading where a tick's share is used up. */
const createFlow = (client: Redis) => {
  let bytes = 0
  let isHeard = false
  return {
    follow: (): void => {
      const { stream } = client
      const framing = createFraming()
      stream.prependListener('data', (chunk: Buffer) => {
        const fault = framing.take(chunk)
        if (fault !== undefined) stream.destroy(new Unreadable(fault))
        isHeard = true
        bytes += chunk.length
        if (bytes > BYTES_PER_TICK_MAX) stream.pause()
      })
    },
    beat: (): void => {
      if (bytes > BYTES_PER_TICK_MAX) client.stream.resume()
      bytes = 0
    },
    /** Whether anything was read since this was asked last. */
    wasHeard: (): boolean => {
      const was = isHeard
      isHeard = false
      return was
    },
  }
}

/** Begins to connect; goes on for ever until disposed. */
export const openLink = (place: RedisPlace, { greet, changed }: LinkPorts): RedisLink => {
  let up = false
  let stopped = false
  let failures = 0
  let reason: LinkFault | undefined
  let isChecked = false
  const pauseMs = (): number => Math.min(PAUSE_MS_MIN * 2 ** Math.min(failures, DOUBLINGS_MAX), PAUSE_MS_MAX)
  const client = new Redis(optionsOf(place, pauseMs))
  const flow = createFlow(client)

  const drop = (why: LinkFault): void => {
    reason ??= why
    client.stream?.destroy()
  }

  /** A connection is up by its first answers: a Redis that stands still takes connections too. */
  const begin = async (): Promise<void> => {
    const { stream } = client
    try {
      await greet(client)
      if (stream.destroyed || stopped) return
      up = true
      failures = 0
      reason = undefined
      changed(undefined)
    } catch (error) {
      if (client.stream === stream) drop(reasonOf(error))
    }
  }

  client.on('connect', flow.follow)
  client.on('ready', () => void begin())
  client.on('error', (error) => {
    reason = reasonOf(error)
  })
  client.on('close', () => {
    if (stopped) return
    up = false
    failures += 1
    changed(reason ?? 'lost')
    reason = undefined
  })
  client.connect().catch(() => undefined)

  return {
    client,
    isUp: () => up,
    drop,
    beat: flow.beat,
    check: async () => {
      if (!up || isChecked || flow.wasHeard()) return
      const { stream } = client
      isChecked = true
      try {
        await client.ping()
      } catch (error) {
        if (client.stream === stream) drop(reasonOf(error))
      }
      isChecked = false
    },
    [Symbol.dispose]: () => {
      stopped = true
      up = false
      client.disconnect()
      client.stream?.destroy()
    },
  }
}
