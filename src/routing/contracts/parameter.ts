import type { Json } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { commensurable, fromSi, parseUnit, toSi, type Unit } from '#core/units.ts'
import type { ParameterType, TemplateParameter } from '#numerics/contracts/templates/parameter.ts'
import { type Amount, amountsOf } from '#routing/amounts.ts'
import { unitOrNone } from '#routing/word-units.ts'

/** Characters of a text that a parameter holds, unless it says another number. */
const CHARS_DEFAULT = 120
const URL_CHARS_MAX = 2_048
/** Significant digits of a number that was converted: less than a double has, more than anybody measures. */
const DIGITS = 12

/** A value of a parameter: what a definition takes in its place; null where an optional one stays empty. */
export type ParameterValue = number | string | boolean | null

/** A value, or why it is none. */
export type ParameterRead = { readonly value: ParameterValue } | { readonly why: string }

const SECOND = parseUnit('s')
const right = (value: ParameterValue): ParameterRead => ({ value })
const wrong = (why: string): ParameterRead => ({ why })

const within = (
  { min = -Number.MAX_VALUE, max = Number.MAX_VALUE }: TemplateParameter,
  value: number,
): ParameterRead => (value >= min && value <= max ? right(value) : wrong(`is outside its range, ${min} to ${max}`))

/** Whole ticks that a time takes, one at least. */
export const ticksOf = (seconds: number): number => Math.max(1, Math.round(seconds / TICK_SECONDS))

/** A number as it stands in another unit. */
const converted = ({ number }: Pick<Amount, 'number'>, from: Unit, to: Unit): number =>
  Number(fromSi(toSi(number, from), to).toPrecision(DIGITS))

const unitOf = (it: TemplateParameter): Unit | undefined =>
  it.type === 'duration' ? SECOND : it.unit === undefined ? undefined : unitOrNone(it.unit)

/** A share or a count for each of a unit of time (`5 % a day`, `300 a month`) is what it is of its own. */
const EACH = /^(%|1)\/\(?[\p{L}]+\)?$/u

/** The amount in the unit of a parameter, in ticks for a duration; undefined where it measures something else. */
export const amountFor = (it: TemplateParameter, amount: Pick<Amount, 'number' | 'unit'>): number | undefined => {
  const to = unitOf(it)
  const each = EACH.exec(amount.unit ?? '')?.[1]
  const own = each !== undefined && !commensurable(unitOrNone(amount.unit ?? '') ?? SECOND, to ?? SECOND)
  const unit = own ? (each === '1' ? undefined : each) : amount.unit
  if (unit === undefined) return it.type === 'duration' ? undefined : Number(amount.number)
  const from = unitOrNone(unit)
  if (from === undefined || to === undefined || !commensurable(from, to)) return undefined
  return it.type === 'duration' ? ticksOf(toSi(amount.number, from)) : converted(amount, from, to)
}

/** A number in words and a unit: `350 kPa`, `half an hour`; undefined for a text that is more than that. */
const soleAmount = (given: string): Amount | undefined => {
  const [first, ...others] = amountsOf(given)
  const bare = first !== undefined && others.length === 0 && `${first.before}${first.after}`.trim() === ''
  return bare ? first : undefined
}

const numeric = (it: TemplateParameter, given: Json): ParameterRead => {
  const amount = typeof given === 'string' ? soleAmount(given) : undefined
  const value = amount === undefined ? given : amountFor(it, amount)
  const wanted = it.type === 'duration' ? 'a number of ticks or a time as “5 min”' : 'a number'
  if (typeof value !== 'number' || !Number.isFinite(value))
    return wrong(`is not ${wanted}${it.unit === undefined ? '' : ` in ${it.unit}`}`)
  if (it.type !== 'number' && !Number.isSafeInteger(value)) return wrong('is not whole')
  if (it.type === 'duration' && value < 1) return wrong('is not a tick at least')
  return within(it, value === 0 ? 0 : value)
}

/** Places of secrets are written by whoever writes a definition, not by whoever fills one. */
const SECRET = /\{\{|\}\}/u
const CONTROL = /[\p{Cc}\p{Cs}]/u
/** Code points of a text. */
const lengthOf = (given: string): number => [...given].length

const FORMS: Readonly<Partial<Record<ParameterType, readonly [form: RegExp, what: string]>>> = {
  cron: [/^\S+(?: \S+){4}$/u, 'five fields of cron'],
  url: [/^https?:\/\/[^\s]+$/u, 'an address that begins with http:// or https://'],
  identity: [new RegExp(patterns.zid, 'u'), 'an identity, zid1 and 32 letters or digits'],
  contract: [/^[A-Za-z0-9_-]{1,64}$/u, 'the id of a contract'],
  zone: [/^[A-Za-z][\w+-]*(?:\/[\w+-]+)*$/u, 'a time zone, as Europe/Paris'],
}

const textual = (it: TemplateParameter, given: string): ParameterRead => {
  const most = it.type === 'url' ? URL_CHARS_MAX : (it.chars ?? CHARS_DEFAULT)
  if (lengthOf(given) > most) return wrong(`is longer than ${most} characters`)
  if (CONTROL.test(given)) return wrong('has a control character')
  if (SECRET.test(given)) return wrong('has {{ or }}, which stand for secrets')
  const [form, what] = FORMS[it.type] ?? []
  if (form?.test(given) === false) return wrong(`is not ${what}`)
  if (it.type === 'unit' && unitOrNone(given) === undefined) return wrong('is no unit')
  if (it.type === 'choice' && it.of?.includes(given) !== true) return wrong(`is none of ${it.of?.join(', ')}`)
  return right(given)
}

/** Reads what was given for a parameter: nothing is clamped, cut or guessed. A text with a unit is converted. */
export const parameterValue = (it: TemplateParameter, given: Json): ParameterRead => {
  if (it.type === 'number' || it.type === 'integer' || it.type === 'duration') return numeric(it, given)
  if (it.type === 'boolean') return typeof given === 'boolean' ? right(given) : wrong('is not true or false')
  return typeof given === 'string' ? textual(it, given) : wrong('is not a text')
}
