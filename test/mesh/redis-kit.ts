import { type Log, noMeter } from '#core/telemetry.ts'
import type { RedisStatus } from '#domain/network/views.ts'
import { createRedis, type RedisGossip } from '#mesh/redis/host.ts'
import type { RedisPlace } from '#mesh/redis/link.ts'
import { silentLog } from '#node/log.ts'
import { type Party, party } from '../domain/network/party.ts'
import type { Random } from '../kit/random.ts'
import { until } from '../kit/until.ts'

/** A node on a real Redis, as far as gossip goes. */
export interface OnRedis extends AsyncDisposable, Omit<Party, typeof Symbol.dispose> {
  readonly redis: RedisGossip
  /** Events of its log, with the reason where there is one. */
  readonly lines: string[]
  /** What was counted, by the name of the metric. */
  readonly counted: Map<string, number>
  readonly state: () => RedisStatus['state']
  /** Resolves when it is connected. */
  joined(signal: AbortSignal): Promise<void>
  /** Lets a tick pass. */
  tick(): void
}

/** A network service joined to a Redis; its other transport keeps what it is given. */
export const onRedisWith =
  (random: Random) =>
  (place: RedisPlace, channel = 'tickmesh', partners: () => readonly string[] = () => []): OnRedis => {
    const it = party(random, { partners })
    const lines: string[] = []
    const keep = (fields: object, event: string): void =>
      void lines.push([event, ...Object.values(fields as { reason?: string })].join(' '))
    const log: Log = { ...silentLog, info: keep, warn: keep, error: keep }
    const counted = new Map<string, number>()
    const count = (name: string): void => void counted.set(name, (counted.get(name) ?? 0) + 1)
    const meter = { ...noMeter, count }
    const redis = createRedis({
      place,
      channel,
      network: it.network,
      clock: it.clock,
      log,
      meter,
      tick: it.meshTick,
    })
    const tick = (): void => {
      it.clock.advanceTicks(1)
      redis.beat()
    }
    return {
      ...it,
      ...{ redis, lines, counted, tick },
      state: () => redis.status().state,
      joined: async (signal) => {
        await until(() => redis.status().state === 'connected', signal)
      },
      [Symbol.asyncDispose]: async () => {
        await redis[Symbol.asyncDispose]()
        it[Symbol.dispose]()
      },
    }
  }
