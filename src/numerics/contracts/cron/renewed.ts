import { SECONDS_PER_DAY } from '#core/time.ts'
import { CHANGES_MAX, offsetAt, SPAN_SECONDS_MAX, type ZoneTable, zoneOf } from './zone.ts'

/** Seconds that a table has ahead of it at least: ten years. */
const AHEAD_SECONDS_MIN = 3_653 * SECONDS_PER_DAY

interface Span {
  readonly from: number
  readonly until: number
}

/** The offsets of a part of time, each from an instant on: what a table does not cover is as its nearest end. */
const stepsOf = (table: ZoneTable, { from, until }: Span): ZoneTable['changes'] => {
  if (from >= until) return []
  const within = table.changes.filter(({ at }) => at > from && at < until)
  return [{ at: from, offset: offsetAt(zoneOf(table), from) }, ...within]
}

const sameSteps = (a: ZoneTable['changes'], b: ZoneTable['changes']): boolean =>
  a.length === b.length && a.every(({ at, offset }, i) => b[i]?.at === at && b[i]?.offset === offset)

/** Whether two tables tell the same time in a part of it that both cover. */
export const sameTime = (a: ZoneTable, b: ZoneTable, of: Span): boolean => {
  const span = { from: Math.max(of.from, a.from, b.from), until: Math.min(of.until, a.until, b.until) }
  return sameSteps(stepsOf(a, span), stepsOf(b, span))
}

/** What one table says of before an instant, and another from it on. */
const joined = (
  old: ZoneTable,
  fresh: ZoneTable,
  { from, at }: { readonly from: number; readonly at: number },
): ZoneTable => {
  const { zone, until } = fresh
  const steps = [...stepsOf(old, { from, until: at }), ...stepsOf(fresh, { from: Math.max(from, at), until })]
  const told = steps.filter(({ offset }, i) => offset !== steps[i - 1]?.offset)
  const [{ offset } = fresh, ...changes] = told
  return { v: 1, zone, from, until, offset, changes }
}

/**
 * The table that takes the place of another, where the rules of its zone are others from an instant on, or its last
 * years come near; undefined where it may stay. What lies before the instant stays as it was.
 *
 * @param fresh the zone as it is known now.
 * @param at Unix seconds.
 */
export const renewedZone = (old: ZoneTable, fresh: ZoneTable, at: number): ZoneTable | undefined => {
  const ends = old.until - at < AHEAD_SECONDS_MIN && fresh.until > old.until
  const same = sameTime(old, fresh, { from: at, until: Number.POSITIVE_INFINITY })
  if (same && !ends) return undefined
  const whole = joined(old, fresh, { from: old.from, at })
  // What was years ago is left out where a table would grow beyond what one may be.
  const fits = whole.changes.length <= CHANGES_MAX && whole.until - whole.from <= SPAN_SECONDS_MAX
  return fits ? whole : joined(old, fresh, { from: fresh.from, at })
}
