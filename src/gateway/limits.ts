import { RateLimiterMemory, RateLimiterRes } from 'rate-limiter-flexible'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'

/** What of the settings bounds the calls. */
export interface LimitSettings {
  readonly anonymousCallsPerMinute: number
  readonly keyCallsPerMinute: number
  readonly bucketsMax: number
}

/** Where a caller stands in its minute. */
export interface Allowance {
  readonly limit: number
  readonly remaining: number
  readonly resetSeconds: number
}

const WINDOW_SECONDS = 60
/** Calls a minute of a machine's key that was made for the tier `low`. */
const LOW_TIER_CALLS_PER_MINUTE = 60

/** An endpoint with a bound of its own, per address bucket. */
export interface OwnLimit {
  readonly id: string
  readonly callsPerMinute: number
}

/** Counts calls by key, or by address bucket where there is none. */
export interface Limits {
  /**
   * @param own counts this endpoint by itself, whatever the caller presents.
   * @param calls how many calls it counts; 1 unless said.
   * @throws Fault RATE_LIMITED
   */
  take(
    caller: Caller,
    of?: { readonly own?: OwnLimit | undefined; readonly calls?: number | undefined },
  ): Promise<Allowance>
  /** Counts a call whose credential was refused against its bucket. @throws Fault RATE_LIMITED */
  takeBucket(bucket: string): Promise<Allowance>
}

/**
 * Counters in memory, one per bucket or key. No more than `bucketsMax` are kept: beyond that, newcomers share one
 * counter until a minute has passed, so a flood of addresses costs memory for none of them.
 */
export const createLimits = (settings: LimitSettings): Limits => {
  const limiter = (points: number) => new RateLimiterMemory({ points, duration: WINDOW_SECONDS })
  const anonymous = limiter(settings.anonymousCallsPerMinute)
  const keyed = limiter(settings.keyCallsPerMinute)
  const slow = limiter(Math.min(LOW_TIER_CALLS_PER_MINUTE, settings.keyCallsPerMinute))
  /** One for each endpoint that has a bound of its own. */
  const owned = new Map<string, RateLimiterMemory>()
  let known = new Set<string>()
  let knownSince = performance.now()

  const bounded = (name: string): string => {
    if (performance.now() - knownSince > WINDOW_SECONDS * 1000) {
      known = new Set()
      knownSince = performance.now()
    }
    if (known.has(name)) return name
    if (known.size >= settings.bucketsMax) return 'everyone else'
    known.add(name)
    return name
  }
  const take = async (counter: RateLimiterMemory, name: string, calls = 1): Promise<Allowance> => {
    const allowance = (result: RateLimiterRes): Allowance => ({
      limit: counter.points,
      remaining: result.remainingPoints,
      resetSeconds: Math.ceil(result.msBeforeNext / 1000),
    })
    try {
      return allowance(await counter.consume(bounded(name), calls))
    } catch (refusal) {
      if (!(refusal instanceof RateLimiterRes)) throw refusal
      const { limit, resetSeconds } = allowance(refusal)
      throw new Fault('RATE_LIMITED', undefined, { limit, retry_after_seconds: resetSeconds })
    }
  }
  const counterOf = ({ id, callsPerMinute }: OwnLimit): RateLimiterMemory => {
    const counter = owned.get(id) ?? limiter(callsPerMinute)
    owned.set(id, counter)
    return counter
  }
  return {
    take: (caller, { own, calls } = {}) => {
      if (own !== undefined) return take(counterOf(own), `b:${caller.bucket}`, calls)
      const publisher = caller.kind === 'anonymous' ? caller.publisher : undefined
      if (publisher !== undefined) return take(keyed, `k:${publisher.keyId}`, calls)
      if (caller.kind === 'anonymous' || caller.shared) return take(anonymous, `b:${caller.bucket}`, calls)
      const low = caller.kind === 'machine' && caller.tier === 'low'
      return take(low ? slow : keyed, `k:${caller.keyId}`, calls)
    },
    takeBucket: (bucket) => take(anonymous, `b:${bucket}`),
  }
}

/** The headers that tell a caller where it stands, under both names in use. */
export const allowanceHeaders = ({ limit, remaining, resetSeconds }: Allowance): Record<string, string> => ({
  'RateLimit-Limit': String(limit),
  'RateLimit-Remaining': String(remaining),
  'RateLimit-Reset': String(resetSeconds),
  'X-RateLimit-Limit': String(limit),
  'X-RateLimit-Remaining': String(remaining),
  'X-RateLimit-Reset': String(resetSeconds),
})

/** The same for a caller that was refused. */
export const refusedHeaders = (details: Readonly<Record<string, unknown>>): Record<string, string> => {
  const { limit, retry_after_seconds: reset } = details
  if (typeof limit !== 'number' || typeof reset !== 'number') return {}
  return allowanceHeaders({ limit, remaining: 0, resetSeconds: reset })
}
