import { Fault } from '#core/fault.ts'
import type { Instant } from '#core/tick.ts'
import { dayPeriod } from './calendar.ts'

export interface KeylessLimits {
  /** Work units (about 1e6 floating-point operations) of one keyless call. */
  readonly workMax: number
  /** Work units of one address bucket in a UTC day. */
  readonly workPerDay: number
  /** Address buckets that are remembered; the one that came first makes room. */
  readonly bucketsMax: number
}

/**
 * The work budget of callers without a key, per address bucket and UTC day. It is kept in memory: a restart forgives
 * the day, which costs the node one more budget per bucket and no value.
 */
export const createBudget = ({ workMax, workPerDay, bucketsMax }: KeylessLimits, now: () => Instant) => {
  const spent = new Map<string, { readonly until: number; readonly work: number }>()

  return (bucket: string, work: number): void => {
    if (!(work <= workMax)) {
      const detail = `Without a key one call may take ${workMax} work units; this one takes ${work}.`
      throw new Fault('WORK_LIMIT_EXCEEDED', detail, { work, limit: workMax })
    }
    const { endMeshTick, secondsLeft } = dayPeriod(now())
    const before = spent.get(bucket)
    const today = before?.until === endMeshTick ? before.work : 0
    if (today + work > workPerDay) {
      const detail = `Without a key one address has ${workPerDay} work units a day, and ${today} are spent.`
      throw new Fault('DAILY_LIMIT_EXCEEDED', detail, {
        limit: workPerDay,
        spent: today,
        work,
        retry_after_seconds: secondsLeft,
      })
    }
    if (before === undefined && spent.size >= bucketsMax) {
      const oldest = spent.keys().next()
      if (!oldest.done) spent.delete(oldest.value)
    }
    spent.set(bucket, { until: endMeshTick, work: today + work })
  }
}
