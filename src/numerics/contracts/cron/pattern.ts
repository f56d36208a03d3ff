import { type CronField, fieldForms, readField } from './fields.ts'

/** Characters of a pattern: more than a list of all minutes has. */
export const PATTERN_CHARS_MAX = 256
const FIELDS = 5
const WEEK = 7
/** Minutes in the lower of the two words. */
export const LOW_MINUTES = 30

/** A pattern as sets: bit i of a word stands for the i-th value of the field. */
export interface Cron {
  readonly pattern: string
  /** Minutes 0 to 29, and 30 to 59. */
  readonly minutesLow: number
  readonly minutesHigh: number
  readonly hours: number
  /** Bit 0 is the first of the month. */
  readonly days: number
  /** Bit 0 is January. */
  readonly months: number
  /** Bit 0 is Sunday. */
  readonly weekdays: number
  /** Whether a day is due when day or weekday fits: where neither field begins with `*`. Else both must fit. */
  readonly eitherDay: boolean
  /** Whether a minute that comes twice is due twice: minute or hour begins with `*`. */
  readonly everyRepeat: boolean
}

/** What is wrong with a pattern. */
export interface CronFault {
  /** `pattern` is all of it. */
  readonly field: CronField | 'pattern'
  readonly reason: string
}

/** A pattern as read: what it says, or every fault of it. */
export type CronReading =
  | { readonly cron: Cron; readonly faults: readonly [] }
  | { readonly cron: undefined; readonly faults: readonly CronFault[] }

/** Days of the months in a leap year. */
const MONTH_DAYS = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31]

const bitsOf = (values: readonly number[], low: number): number =>
  values.reduce((bits, it) => bits | (1 << (it - low)), 0)

const refused = (faults: readonly CronFault[]): CronReading => ({ cron: undefined, faults })
const wrong = (reason: string): CronReading => refused([{ field: 'pattern', reason }])

/** Whether no month of the pattern, in no year, has a day of it. */
const neverDue = ({ eitherDay, days, months }: Cron): boolean =>
  !eitherDay &&
  MONTH_DAYS.every((length, month) => ((months >>> month) & 1) === 0 || (days & (0x7fffffff >>> (31 - length))) === 0)

/**
 * Reads a pattern of five fields: minute, hour, day, month, weekday; numbers, names of months and weekdays, and
 * `, - * /`. One that would never be due, such as 31 February, is refused too.
 */
export const readCron = (pattern: string): CronReading => {
  if (pattern.length > PATTERN_CHARS_MAX) return wrong(`a pattern has at most ${PATTERN_CHARS_MAX} characters`)
  const texts = pattern.split(/[ \t]+/).filter((it) => it !== '')
  if (texts.length !== FIELDS) {
    const names = pattern.includes('@') ? ', and no names such as @daily' : ''
    return wrong(`a pattern has ${FIELDS} fields, minute hour day month weekday, not ${texts.length}${names}`)
  }
  const fields = fieldForms.map((form, i) => ({ ...form, ...readField(texts[i] ?? '', form) }))
  const faults = fields.flatMap(({ field, reasons }) => reasons.map((reason) => ({ field, reason })))
  if (faults.length > 0) return refused(faults)
  const [minutes = [], hours = [], days = [], months = [], weekdays = []] = fields.map(({ values }) => values)
  const starred = texts.map((it) => it.startsWith('*'))
  const cron: Cron = {
    pattern,
    minutesLow: bitsOf(
      minutes.filter((it) => it < LOW_MINUTES),
      0,
    ),
    minutesHigh: bitsOf(
      minutes.filter((it) => it >= LOW_MINUTES),
      LOW_MINUTES,
    ),
    hours: bitsOf(hours, 0),
    days: bitsOf(days, 1),
    months: bitsOf(months, 1),
    weekdays: bitsOf(
      weekdays.map((it) => it % WEEK),
      0,
    ),
    eitherDay: starred[2] !== true && starred[4] !== true,
    everyRepeat: starred[0] === true || starred[1] === true,
  }
  if (neverDue(cron)) return refused([{ field: 'day', reason: 'never fires: no month that it names has such a day' }])
  return { cron, faults: [] }
}
