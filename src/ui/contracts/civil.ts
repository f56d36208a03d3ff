import { isoOf } from '#core/iso.ts'
import { NS_PER_SECOND, SECONDS_PER_DAY, SECONDS_PER_HOUR } from '#core/time.ts'

/** From the first day of Unix time on. */
const WEEKDAYS = ['Thu', 'Fri', 'Sat', 'Sun', 'Mon', 'Tue', 'Wed']

/** What a clock shows at some second of it: `2027-03-28 03:00`, with its seconds where it has some. */
export const civilText = (civil: number): string =>
  isoOf(BigInt(Math.floor(civil)) * NS_PER_SECOND)
    .slice(0, 19)
    .replace('T', ' ')
    .replace(/:00$/, '')

/** Seconds east of UTC as clocks write them: `+02:00`. */
const offsetText = (offset: number): string => {
  const size = Math.abs(offset)
  const parts = [Math.floor(size / SECONDS_PER_HOUR), Math.floor(size / 60) % 60]
  return `${offset < 0 ? '−' : '+'}${parts.map((it) => String(it).padStart(2, '0')).join(':')}`
}

/** An instant as a clock with this offset shows it: `Sun 2027-03-28 03:00 +02:00`. Unix seconds. */
export const clockText = (instant: number, offset: number): string => {
  const civil = Math.floor(instant) + offset
  return `${WEEKDAYS[Math.floor(civil / SECONDS_PER_DAY) % WEEKDAYS.length]} ${civilText(civil)} ${offsetText(offset)}`
}
