/** Times of the clock and of the calendar as people say them, as fields of cron. */

/** A time of the day that a sentence names. */
export interface ClockTime {
  readonly hour: number
  readonly minute: number
  readonly start: number
  readonly end: number
  readonly text: string
}

/** What a sentence says of days: fields of cron, and the hour that goes with the word where no time is named. */
interface Days {
  readonly day?: string
  readonly month?: string
  readonly weekday?: string
  readonly hour?: number
}

/** What a sentence says of when: its times, and the rest with spaces in their place. */
export interface SaidTimes {
  readonly times: readonly ClockTime[]
  readonly rest: string
}

const TIME = new RegExp(
  [
    String.raw`(?<![\d.,:])(?:`,
    String.raw`(\d{1,2}):(\d{2})(?:\s?([ap])\.?m\b\.?)?|`,
    String.raw`(\d{1,2})\s?(?:([ap])\.?m\b\.?|o['’]?clock\b)`,
    String.raw`)(?![\d:])|\b(noon|midnight)\b`,
  ].join(''),
  'giu',
)
const NOON = 12

const hourOf = (said: number, half: string | undefined): number => {
  if (half === undefined) return said
  return (said % NOON) + (half.toLowerCase() === 'p' ? NOON : 0)
}

/** The times of the day that a sentence names; what is none (`25:00`) stays. */
export const timesOf = (sentence: string): SaidTimes => {
  const times: ClockTime[] = []
  const rest = sentence.replace(TIME, (text: string, ...found: readonly unknown[]) => {
    const [a, minutes, half, b, otherHalf, word] = found as (string | undefined)[]
    const start = found.find((it) => typeof it === 'number') as number
    const plain = word === undefined ? Number(a ?? b) : word.toLowerCase() === 'noon' ? NOON : 0
    const hour = hourOf(plain, half ?? otherHalf)
    const minute = Number(minutes ?? 0)
    if (hour > 23 || minute > 59) return text
    times.push({ hour, minute, start, end: start + text.length, text })
    return ' '.repeat(text.length)
  })
  return { times, rest }
}

const WEEKDAYS = ['sunday', 'monday', 'tuesday', 'wednesday', 'thursday', 'friday', 'saturday']
const WEEKDAY = new RegExp(String.raw`\b(${WEEKDAYS.join('|')})s?\b`, 'giu')
const EACH = '(?:every|each|once (?:a|per)|per)'

/** Words of the calendar; the first that fits wins. */
const CALENDAR: readonly (readonly [RegExp, Days])[] = [
  [/\b(?:weekdays?|working days?|work ?days?|business days?)\b/iu, { day: '*', month: '*', weekday: '1-5' }],
  [/\bweekends?\b/iu, { day: '*', month: '*', weekday: '0,6' }],
  [/\b(?:quarterly|(?:every|each) quarter)\b/iu, { day: '1', month: '1,4,7,10', weekday: '*' }],
  [/\b(?:yearly|annual(?:ly)?|(?:every|each) year)\b/iu, { day: '1', month: '1', weekday: '*' }],
  [
    /\b(?:monthly|first (?:day )?of (?:the|each|every|a) month|1st of (?:the|each|every) month|month[- ]end)\b/iu,
    { day: '1', month: '*', weekday: '*' },
  ],
  [
    new RegExp(String.raw`\b(?:${EACH}|end of (?:the|each|every)) month\b`, 'iu'),
    { day: '1', month: '*', weekday: '*' },
  ],
  [new RegExp(String.raw`\b(?:weekly|${EACH} week)\b`, 'iu'), { day: '*', month: '*', weekday: '1' }],
  [new RegExp(String.raw`\b(?:nightly|tonight|(?:at|by) night|${EACH} night)\b`, 'iu'), { day: '*', month: '*' }],
  [new RegExp(String.raw`\b${EACH} morning\b`, 'iu'), { day: '*', month: '*', weekday: '*', hour: 7 }],
  [
    new RegExp(String.raw`\b(?:${EACH} (?:evening|afternoon)|in the evening)\b`, 'iu'),
    { day: '*', month: '*', hour: 18 },
  ],
  [new RegExp(String.raw`\b(?:daily|a day|${EACH} day)\b`, 'iu'), { day: '*', month: '*', weekday: '*' }],
]

const DAY_OF_MONTH = /\bon the (\d{1,2})(?:st|nd|rd|th)\b/iu
const EVERY = /\bevery (?:(\d{1,4}) )?(minute|hour)s?\b/iu
const MINUTES = 60
const HOURS = 24

/** A step that cron has: one that divides the hour or the day. */
const stepped = (sentence: string): string | undefined => {
  const [, said, unit] = EVERY.exec(sentence) ?? []
  const step = Number(said ?? 1)
  if (unit === undefined || step < 1) return undefined
  if (unit.toLowerCase() === 'minute') {
    if (step < MINUTES && MINUTES % step === 0) return `*/${step} * * * *`
    return step === MINUTES ? '0 * * * *' : undefined
  }
  return step < HOURS && HOURS % step === 0 ? `0 ${step === 1 ? '*' : `*/${step}`} * * *` : undefined
}

const daysOf = (sentence: string): Days => {
  const named = [...sentence.matchAll(WEEKDAY)].map(([, day = '']) => WEEKDAYS.indexOf(day.toLowerCase()))
  if (named.length > 0) return { day: '*', month: '*', weekday: [...new Set(named)].sort((a, b) => a - b).join(',') }
  const date = Number(DAY_OF_MONTH.exec(sentence)?.[1])
  if (date >= 1 && date <= 31) return { day: String(date), month: '*', weekday: '*' }
  return CALENDAR.find(([form]) => form.test(sentence))?.[1] ?? {}
}

/**
 * The schedule that a sentence says, where it says any: what it leaves out stands as in `standing`, five fields.
 *
 * @param sentence with digits for numbers; its times may have been taken out.
 */
export const scheduleOf = (
  sentence: string,
  time: Pick<ClockTime, 'hour' | 'minute'> | undefined,
  standing: string,
): string | undefined => {
  const step = time === undefined ? stepped(sentence) : undefined
  if (step !== undefined) return step
  const days = daysOf(sentence)
  if (time === undefined && Object.keys(days).length === 0) return undefined
  const [minute = '0', hour = '0', day = '*', month = '*', weekday = '*'] = standing.split(' ')
  const at = time ?? (days.hour === undefined ? undefined : { hour: days.hour, minute: 0 })
  const fields = [at?.minute ?? minute, at?.hour ?? hour, days.day ?? day, days.month ?? month, days.weekday ?? weekday]
  return fields.join(' ')
}
