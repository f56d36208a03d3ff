import { type CivilDate, civilOf, daysOf } from '#core/civil.ts'
import { type Cron, LOW_MINUTES } from './pattern.ts'

/**
 * Due minutes of a pattern in civil time, of which no zone is known here. Civil seconds count from 1970-01-01T00:00 by
 * the clock on the wall, and every day has 86,400 of them.
 */

const MINUTE = 60
const HOURS = 24
const DAY_MINUTES = 1_440
const WEEK = 7
/** 1970-01-01 was a Thursday. */
const EPOCH_WEEKDAY = 4
const NONE = -1

/** The lowest bit of a word at or above a place, or NONE. */
const bitFrom = (word: number, from: number): number => {
  const rest = (word >>> from) << from
  return rest === 0 ? NONE : 31 - Math.clz32(rest & -rest)
}

/** The highest bit of a word at or below a place, or NONE. */
const bitTo = (word: number, to: number): number => {
  const rest = to < 0 ? 0 : word & (-1 >>> (31 - to))
  return rest === 0 ? NONE : 31 - Math.clz32(rest)
}

const minuteFrom = ({ minutesLow, minutesHigh }: Cron, from: number): number => {
  const low = from < LOW_MINUTES ? bitFrom(minutesLow, from) : NONE
  if (low !== NONE) return low
  const high = bitFrom(minutesHigh, Math.max(0, from - LOW_MINUTES))
  return high === NONE ? NONE : high + LOW_MINUTES
}

const minuteTo = ({ minutesLow, minutesHigh }: Cron, to: number): number => {
  const high = bitTo(minutesHigh, to - LOW_MINUTES)
  return high === NONE ? bitTo(minutesLow, Math.min(to, LOW_MINUTES - 1)) : high + LOW_MINUTES
}

/** The first due minute of a due day at or after one, or NONE. */
const inDayFrom = (cron: Cron, from: number): number => {
  const hour = Math.floor(from / MINUTE)
  const due = bitFrom(cron.hours, hour)
  if (due === hour) {
    const minute = minuteFrom(cron, from - hour * MINUTE)
    if (minute !== NONE) return hour * MINUTE + minute
  }
  const next = due === hour ? bitFrom(cron.hours, hour + 1) : due
  return next === NONE ? NONE : next * MINUTE + minuteFrom(cron, 0)
}

/** The last due minute of a due day at or before one, or NONE. */
const inDayTo = (cron: Cron, to: number): number => {
  const hour = Math.floor(to / MINUTE)
  const due = bitTo(cron.hours, hour)
  if (due === hour) {
    const minute = minuteTo(cron, to - hour * MINUTE)
    if (minute !== NONE) return hour * MINUTE + minute
  }
  const next = due === hour ? bitTo(cron.hours, hour - 1) : due
  return next === NONE ? NONE : next * MINUTE + minuteTo(cron, MINUTE - 1)
}

const lengthOf = (year: number, month: number): number => {
  if (month === 2) return year % 4 === 0 && (year % 100 !== 0 || year % 400 === 0) ? 29 : 28
  return month === 4 || month === 6 || month === 9 || month === 11 ? 30 : 31
}

/** Due days of a month as bits from the first on. @param start day number of its first */
const daysDue = ({ days, months, weekdays, eitherDay }: Cron, { year, month }: CivilDate, start: number): number => {
  if (((months >>> (month - 1)) & 1) === 0) return 0
  const first = (((start + EPOCH_WEEKDAY) % WEEK) + WEEK) % WEEK
  const week = ((weekdays >>> first) | (weekdays << (WEEK - first))) & 0x7f
  const byWeekday = week | (week << 7) | (week << 14) | (week << 21) | (week << 28)
  return (eitherDay ? days | byWeekday : days & byWeekday) & (0x7fffffff >>> (31 - lengthOf(year, month)))
}

const monthAfter = ({ year, month }: CivilDate): CivilDate =>
  month === 12 ? { year: year + 1, month: 1, day: 1 } : { year, month: month + 1, day: 1 }

const monthBefore = ({ year, month }: CivilDate): CivilDate =>
  month === 1 ? { year: year - 1, month: 12, day: 31 } : { year, month: month - 1, day: 31 }

/** The first due day at or after one and before another, or the latter. */
const dayFrom = (cron: Cron, from: number, end: number): number => {
  for (let date = civilOf(from); ; date = monthAfter(date)) {
    const start = daysOf(date.year, date.month, 1)
    if (start >= end) return end
    const day = bitFrom(daysDue(cron, date, start), date.day - 1)
    if (day !== NONE) return Math.min(end, start + day)
  }
}

/** The last due day at or before one and at or after another, or the day before the latter. */
const dayTo = (cron: Cron, to: number, first: number): number => {
  for (let date = civilOf(to); ; date = monthBefore(date)) {
    const start = daysOf(date.year, date.month, 1)
    const day = bitTo(daysDue(cron, date, start), date.day - 1)
    if (day !== NONE) return Math.max(first - 1, start + day)
    if (start <= first) return first - 1
  }
}

/** The first due minute from civil second `from` on and before `end`, in civil seconds; `end` where there is none. */
export const firstMinute = (cron: Cron, from: number, end: number): number => {
  const minutes = Math.ceil(from / MINUTE)
  const today = Math.floor(minutes / DAY_MINUTES)
  const endDay = Math.ceil(end / (DAY_MINUTES * MINUTE))
  let day = dayFrom(cron, today, endDay)
  let minute = day === today ? inDayFrom(cron, minutes - day * DAY_MINUTES) : NONE
  if (minute === NONE) {
    if (day === today) day = dayFrom(cron, today + 1, endDay)
    minute = bitFrom(cron.hours, 0) * MINUTE + minuteFrom(cron, 0)
  }
  return day >= endDay ? end : Math.min(end, (day * DAY_MINUTES + minute) * MINUTE)
}

/** The last due minute up to civil second `to`, in civil seconds; below `first` where there is none from it on. */
export const lastMinute = (cron: Cron, to: number, first: number): number => {
  const minutes = Math.floor(to / MINUTE)
  const today = Math.floor(minutes / DAY_MINUTES)
  const firstDay = Math.floor(first / (DAY_MINUTES * MINUTE))
  let day = dayTo(cron, today, firstDay)
  let minute = day === today ? inDayTo(cron, minutes - day * DAY_MINUTES) : NONE
  if (minute === NONE) {
    if (day === today) day = dayTo(cron, today - 1, firstDay)
    minute = bitTo(cron.hours, HOURS - 1) * MINUTE + minuteTo(cron, MINUTE - 1)
  }
  return (day * DAY_MINUTES + minute) * MINUTE
}
