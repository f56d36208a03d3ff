/** The five fields of a pattern, in their order. */
export type CronField = 'minute' | 'hour' | 'day' | 'month' | 'weekday'

/** What a field may hold. */
export interface FieldForm {
  readonly field: CronField
  readonly low: number
  readonly high: number
  /** Three-letter words for the values from `low` on. */
  readonly names: readonly string[]
}

const MONTHS = ['JAN', 'FEB', 'MAR', 'APR', 'MAY', 'JUN', 'JUL', 'AUG', 'SEP', 'OCT', 'NOV', 'DEC']
const WEEKDAYS = ['SUN', 'MON', 'TUE', 'WED', 'THU', 'FRI', 'SAT']

/** Days of a week: Sunday is 0, and 7. */
const SUNDAY_AGAIN = 7

/** The fields as they stand in a pattern. */
export const fieldForms: readonly FieldForm[] = [
  { field: 'minute', low: 0, high: 59, names: [] },
  { field: 'hour', low: 0, high: 23, names: [] },
  { field: 'day', low: 1, high: 31, names: [] },
  { field: 'month', low: 1, high: 12, names: MONTHS },
  { field: 'weekday', low: 0, high: SUNDAY_AGAIN, names: WEEKDAYS },
]

/** The values of one field, and what is wrong with it; values mean nothing where a reason is given. */
export interface FieldReading {
  readonly values: readonly number[]
  readonly reasons: readonly string[]
}

const ITEM = /^(?:(\*)|([a-z]+|\d{1,4})(?:-([a-z]+|\d{1,4}))?)(?:\/(\d{1,4}))?$/i
/** What other programs have, and is not here: L and W where they stand by themselves, or behind a number. */
const OTHER = /[#?@]|(?<![a-z])[lw]+(?![a-z])/i

/** Whole steps within a field: 7 is Sunday once more, and no value of its own. */
const countOf = ({ low, high }: FieldForm): number => high - low + (high === SUNDAY_AGAIN ? 0 : 1)

/** A number or a word as a number; a text when it is none. SUN ends a week where it ends a range: FRI-SUN. */
const numberOf = (word: string, { names, low, high }: FieldForm, ends: boolean): number | string => {
  const named = names.indexOf(word.toUpperCase())
  if (named >= 0) return ends && named === 0 && high === SUNDAY_AGAIN ? SUNDAY_AGAIN : named + low
  if (!/^\d/.test(word)) return names.length === 0 ? `${word} is no number` : `${word} is none of ${names.join(' ')}`
  const value = Number(word)
  return value < low || value > high ? `${word} is not from ${low} to ${high}` : value
}

const strange = (item: string, form: FieldForm): string => {
  if (item === '') return 'a value is missing beside a comma'
  const [other] = OTHER.exec(item) ?? []
  const words = form.names.length === 0 ? 'numbers' : `numbers, names such as ${form.names[1]}`
  const only = other === undefined ? '' : `there is no ${other} here, only `
  return `${item} is no value, range or step: ${only}${words} and , - * /`
}

const stepOf = (text: string | undefined, form: FieldForm): number | string => {
  if (text === undefined) return 1
  const [step, most] = [Number(text), countOf(form)]
  return step < 1 || step > most ? `a step is from 1 to ${most}, not ${text}` : step
}

const rangeOf = (parts: RegExpExecArray, form: FieldForm): readonly [number, number] | string => {
  const [item, star, first = '', last, step] = parts
  if (star !== undefined) return [form.low, form.low + countOf(form) - 1]
  const from = numberOf(first, form, false)
  if (typeof from === 'string') return from
  if (last === undefined) {
    return step === undefined ? [from, from] : `a step follows * or a range: ${first}-${form.high}/${step}, not ${item}`
  }
  const to = last.toUpperCase() === first.toUpperCase() ? from : numberOf(last, form, true)
  if (typeof to === 'string') return to
  return from > to ? `${first}-${last} runs backwards: two ranges, or a list, say what is meant` : [from, to]
}

const itemOf = (item: string, form: FieldForm): readonly number[] | string => {
  const parts = ITEM.exec(item)
  if (parts === null || OTHER.test(item)) return strange(item, form)
  const range = rangeOf(parts, form)
  if (typeof range === 'string') return range
  const step = stepOf(parts[4], form)
  if (typeof step === 'string') return step
  const [from, to] = range
  return Array.from({ length: Math.floor((to - from) / step) + 1 }, (_, i) => from + i * step)
}

/** Reads one field: a list of values, ranges and steps. */
export const readField = (text: string, form: FieldForm): FieldReading => {
  const items = text.split(',').map((item) => itemOf(item, form))
  return {
    values: items.flatMap((it) => (typeof it === 'string' ? [] : it)),
    reasons: items.filter((it) => typeof it === 'string'),
  }
}
