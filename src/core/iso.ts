import { civilOf, daysOf } from './civil.ts'
import type { Instant } from './tick.ts'
import { MS_PER_SECOND, NS_PER_MS, SECONDS_PER_DAY, SECONDS_PER_HOUR } from './time.ts'

const MS_PER_DAY = SECONDS_PER_DAY * MS_PER_SECOND

const pad = (value: number, digits: number): string => String(value).padStart(digits, '0')

/** An instant as ISO 8601 in UTC with milliseconds, cut off, not rounded. Years 1970 to 9999. */
export const isoOf = (instant: Instant): string => {
  const ms = Number(instant / NS_PER_MS)
  const inDay = ms % MS_PER_DAY
  const { year, month, day } = civilOf(Math.floor(ms / MS_PER_DAY))
  const [hours, minutes] = [Math.floor(inDay / 3_600_000), Math.floor(inDay / 60_000) % 60]
  const seconds = Math.floor(inDay / MS_PER_SECOND) % 60
  const time = `${pad(hours, 2)}:${pad(minutes, 2)}:${pad(seconds, 2)}.${pad(inDay % 1000, 3)}`
  return `${pad(year, 4)}-${pad(month, 2)}-${pad(day, 2)}T${time}Z`
}

const ISO = /^(\d{4})-(\d\d)-(\d\d)T(\d\d):(\d\d)(?::(\d\d)(?:\.(\d{1,3}))?)?(?:Z|([+-])(\d\d):(\d\d))$/

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
