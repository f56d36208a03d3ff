import type { Instant } from './tick.ts'
import { MS_PER_SECOND, NS_PER_MS, SECONDS_PER_DAY, SECONDS_PER_HOUR } from './time.ts'

const MS_PER_DAY = SECONDS_PER_DAY * MS_PER_SECOND
const DAYS_PER_ERA = 146_097
/** Days from 0000-03-01 to 1970-01-01. */
const EPOCH_SHIFT_DAYS = 719_468

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')

/**
 * An instant as ISO 8601 in UTC with milliseconds, cut off, not rounded. Years 1970 to 9999.
 * Source: days to civil date after H. Hinnant, "chrono-Compatible Low-Level Date Algorithms".
 */
export const isoOf = (instant: Instant): string => {
  const ms = Number(instant / NS_PER_MS)
  const shifted = Math.floor(ms / MS_PER_DAY) + EPOCH_SHIFT_DAYS
  const inDay = ms % MS_PER_DAY
  const era = Math.floor(shifted / DAYS_PER_ERA)
  const dayOfEra = shifted - era * DAYS_PER_ERA
  const [leaps, centuries, eraEnd] = [1_460, 36_524, 146_096].map((days) => Math.floor(dayOfEra / days))
  const yearOfEra = Math.floor((dayOfEra - (leaps ?? 0) + (centuries ?? 0) - (eraEnd ?? 0)) / 365)
  const dayOfYear = dayOfEra - (365 * yearOfEra + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100))
  const monthFromMarch = Math.floor((5 * dayOfYear + 2) / 153)
  const day = dayOfYear - Math.floor((153 * monthFromMarch + 2) / 5) + 1
  const month = monthFromMarch < 10 ? monthFromMarch + 3 : monthFromMarch - 9
  const year = yearOfEra + era * 400 + (month <= 2 ? 1 : 0)
  const [hours, minutes] = [Math.floor(inDay / 3_600_000), Math.floor(inDay / 60_000) % 60]
  const seconds = Math.floor(inDay / MS_PER_SECOND) % 60
  const time = `${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(inDay % 1000, 3)}`
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${time}Z`
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d))$/

/** Days from 1970-01-01 of a civil date. Source: the inverse of the algorithm above, same paper. */
const daysOf = (year: number, month: number, day: number): number => {
  const y = month <= 2 ? year - 1 : year
  const era = Math.floor(y / 400)
  const yearOfEra = y - era * 400
  const dayOfYear = Math.floor((153 * (month > 2 ? month - 3 : month + 9) + 2) / 5) + day - 1
  const dayOfEra = yearOfEra * 365 + Math.floor(yearOfEra / 4) - Math.floor(yearOfEra / 100) + dayOfYear
  return era * DAYS_PER_ERA + dayOfEra - EPOCH_SHIFT_DAYS
}

/** Unix milliseconds of an ISO 8601 time with zone, or undefined for anything else. Years 1970 to 9999. */
export const parseIsoMs = (text: string): number | undefined => {
  const parts = ISO.exec(text)
  if (parts === null) return undefined
  const [year = 0, month = 0, day = 0, hour = 0, minute = 0] = parts.slice(1, 6).map(Number)
  const second = Number(parts[6] ?? 0)
  const ms = Number((parts[7] ?? '').padEnd(3, '0'))
  const shift = (parts[8] === '-' ? -1 : 1) * (Number(parts[9] ?? 0) * 60 + Number(parts[10] ?? 0))
  const days = daysOf(year, month, day)
  const seconds = days * SECONDS_PER_DAY + hour * SECONDS_PER_HOUR + (minute - shift) * 60 + second
  const fits = days >= 0 && hour < 24 && minute < 60 && second < 60 && month >= 1 && month <= 12 && seconds >= 0
  // A day that its month does not have comes back as another one.
  return fits && sameDay(days, text) ? seconds * 1_000 + ms : undefined
}

const sameDay = (days: number, text: string): boolean =>
  isoOf(BigInt(days) * BigInt(MS_PER_DAY) * NS_PER_MS).slice(0, 10) === text.slice(0, 10)
