import type { Random } from '../../../kit/random.ts'

/** A pattern that was drawn, and what it means, without the reader that is tested. */
export interface Drawn {
  readonly text: string
  /** As croner must be told it: `+` joins two day fields that must both fit. */
  readonly forCroner: string
  /** Whether minute and hour are one number each. */
  readonly isFixed: boolean
  readonly everyRepeat: boolean
  /** Whether a 30 or 31 February would be due where another day is not. */
  readonly hasLastDays: boolean
  /** Whether a minute is due by the calendar. @param civil in civil seconds */
  fits(civil: number): boolean
}

interface Field {
  readonly text: string
  readonly values: ReadonlySet<number>
}

const spread = (from: number, to: number, step = 1): readonly number[] =>
  Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)

/** What is drawn of a field: values up to `near`, steps over all of it. */
interface Bounds {
  readonly low: number
  readonly near: number
  readonly high: number
}

const item = (random: Random, { low, near, high }: Bounds): { text: string; values: readonly number[] } => {
  const [a, b] = [random.integer(low, near), random.integer(low, near)]
  const [from, to] = [Math.min(a, b), Math.max(a, b)]
  const step = random.integer(1, Math.min(high - low, 20))
  const kind = random.integer(0, 9)
  if (kind < 5) return { text: String(a), values: [a] }
  if (kind < 7) return { text: `${from}-${to}`, values: spread(from, to) }
  if (kind === 7) return { text: `${from}-${to}/${step}`, values: spread(from, to, step) }
  return { text: `*/${step}`, values: spread(low, high, step) }
}

const field = (random: Random, bounds: Bounds, starShare: number): Field => {
  if (random.next() < starShare) return { text: '*', values: new Set(spread(bounds.low, bounds.high)) }
  const items = Array.from({ length: random.pick([1, 1, 1, 2, 3]) }, () => item(random, bounds))
  return { text: items.map((it) => it.text).join(','), values: new Set(items.flatMap((it) => it.values)) }
}

const WEEKDAYS = ['SUN', 'mon', 'TUE', 'wed', 'THU', 'Fri', 'SAT']

/** 7 and names stand for weekdays now and then. */
const respelt = (random: Random, weekday: Field): Field => {
  if (!/^\d$/.test(weekday.text)) return weekday
  const value = Number(weekday.text)
  if (value === 0 && random.next() < 0.5) return { ...weekday, text: '7' }
  return random.next() < 0.3 ? { ...weekday, text: WEEKDAYS[value] ?? '' } : weekday
}

const isOne = ({ text, values }: Field): boolean => !/[*/]/.test(text) && values.size === 1

/** A pattern whose hour is near the hours in which clocks are changed, more often than not. */
export const drawPattern = (random: Random): Drawn => {
  const minute = field(random, { low: 0, near: 59, high: 59 }, 0.15)
  const hour = field(random, { low: 0, near: random.pick([3, 23]), high: 23 }, 0.15)
  // Up to 28, so that every month has one.
  const day = field(random, { low: 1, near: 28, high: 31 }, 0.75)
  const month = field(random, { low: 1, near: 12, high: 12 }, 0.8)
  const weekday = respelt(random, field(random, { low: 0, near: 6, high: 6 }, 0.75))
  const both = day.text.startsWith('*') || weekday.text.startsWith('*')
  const bothByCroner = day.text === '*' || weekday.text === '*'
  const text = [minute, hour, day, month, weekday].map((it) => it.text).join(' ')
  return {
    text,
    forCroner: both && !bothByCroner ? text.replace(/(\S+)$/, '+$1') : text,
    isFixed: isOne(minute) && isOne(hour),
    everyRepeat: minute.text.startsWith('*') || hour.text.startsWith('*'),
    hasLastDays: weekday.text !== '*' || (day.text !== '*' && (day.values.has(30) || day.values.has(31))),
    fits: (civil) => {
      const date = new Date(civil * 1_000)
      const byDay = day.values.has(date.getUTCDate())
      const byWeekday = weekday.values.has(date.getUTCDay())
      return (
        civil % 60 === 0 &&
        minute.values.has(date.getUTCMinutes()) &&
        hour.values.has(date.getUTCHours()) &&
        month.values.has(date.getUTCMonth() + 1) &&
        (both ? byDay && byWeekday : byDay || byWeekday)
      )
    },
  }
}
