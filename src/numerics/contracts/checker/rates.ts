import { TICK_SECONDS } from '#core/tick.ts'
import { SECONDS_PER_DAY } from '#core/time.ts'
import { duesAfter, readCron, type ZoneTable, zoneOf } from '#numerics/contracts/cron/cron.ts'
import { LOW_MINUTES } from '#numerics/contracts/cron/pattern.ts'
import type { Trigger } from '#numerics/contracts/definition/schema.ts'

const MINUTE_SECONDS = 60
const HOUR_MINUTES = 60
const DAY_MINUTES = 1_440
const YEAR_SECONDS = 366 * SECONDS_PER_DAY
/** Ticks of a day, with their fraction. */
const DAY_TICKS = SECONDS_PER_DAY / TICK_SECONDS
/** Due instants of all patterns of a definition that are counted one by one, on days on which clocks change. */
export const COUNTED_MAX = 20_000

/** What civil triggers are looked at with. */
export interface Clocks {
  /** The zone of triggers that name none. */
  readonly timezone: string
  /** Tables of zones; without one, a clock is taken to run evenly. */
  readonly zones: Readonly<Record<string, ZoneTable>>
  /** Unix seconds from which one looks on. */
  readonly from: number
  /** Due instants that may still be counted one by one. */
  readonly counted: { left: number }
}

const bit = (word: number, at: number): boolean => ((word >>> at) & 1) === 1

/** Due minutes of a day that is due, in order. */
const minutesOf = (expression: string): readonly number[] => {
  const { cron } = readCron(expression)
  if (cron === undefined) return []
  const { hours, minutesLow, minutesHigh } = cron
  return Array.from({ length: DAY_MINUTES }, (_, i) => i).filter((i) => {
    const [hour, minute] = [Math.floor(i / HOUR_MINUTES), i % HOUR_MINUTES]
    const due = minute < LOW_MINUTES ? bit(minutesLow, minute) : bit(minutesHigh, minute - LOW_MINUTES)
    return due && bit(hours, hour)
  })
}

/** Due instants of the days of the coming year on which the clock changes: the most of one day. */
const onChangedDays = (
  { expression, most }: { readonly expression: string; readonly most: number },
  table: ZoneTable,
  { from, counted }: Clocks,
): number => {
  const { cron } = readCron(expression)
  if (cron === undefined) return 0
  const zone = zoneOf(table)
  let found = 0
  for (const { at } of table.changes.filter((it) => it.at >= from && it.at < from + YEAR_SECONDS)) {
    if (counted.left < most) return most
    const day = at - (at % SECONDS_PER_DAY)
    const dues = duesAfter(cron, zone, { after: day - 1, until: day + SECONDS_PER_DAY - 1, countMax: most })
    counted.left -= dues.length
    found = Math.max(found, dues.length)
  }
  return found
}

const cronPerDay = (trigger: Extract<Trigger, { kind: 'cron' }>, clocks: Clocks): number => {
  const { expression, timezone = clocks.timezone } = trigger
  const minutes = minutesOf(expression)
  const each = new Set(minutes.map((it) => it % HOUR_MINUTES)).size
  const most = Math.min(minutes.length + each, (DAY_MINUTES / HOUR_MINUTES) * each)
  const table = Object.hasOwn(clocks.zones, timezone) ? clocks.zones[timezone] : undefined
  const changed = table === undefined ? 0 : onChangedDays({ expression, most }, table, clocks)
  return Math.max(minutes.length, changed)
}

/** How often a trigger pulls in a day at most; undefined where only others decide that. */
export const perDay = (trigger: Trigger, clocks: Clocks): number | undefined => {
  switch (trigger.kind) {
    case 'one_shot':
      return 1
    case 'recurring':
      return Math.ceil(DAY_TICKS / trigger.every_ticks)
    case 'after':
      return Math.ceil(DAY_TICKS / trigger.ticks)
    case 'cron':
      return cronPerDay(trigger, clocks)
    default:
      return undefined
  }
}

/** Seconds from one pull of a trigger to the next at least; undefined where nothing says so. */
export const periodSeconds = (trigger: Trigger): number | undefined => {
  switch (trigger.kind) {
    case 'recurring':
      return trigger.every_ticks * TICK_SECONDS
    case 'after':
      return trigger.ticks * TICK_SECONDS
    case 'cron': {
      const minutes = minutesOf(trigger.expression)
      const [first = 0] = minutes
      const gaps = minutes.map((it, i) => (minutes[i + 1] ?? DAY_MINUTES + first) - it)
      return Math.min(...gaps, DAY_MINUTES) * MINUTE_SECONDS
    }
    default:
      return undefined
  }
}
