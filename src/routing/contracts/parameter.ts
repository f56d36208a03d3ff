import Type from 'typebox'
import type { Json } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'
import { closed, json, oneOf, text } from '#core/schema.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import { commensurable, fromSi, parseUnit, toSi, type Unit } from '#core/units.ts'
import type { View } from '#core/view.ts'
import { type Amount, amountsOf } from '#routing/amounts.ts'
import { unitOrNone } from '#routing/word-units.ts'

/** Characters of a text that a parameter holds, unless it says another number. */
const CHARS_DEFAULT = 120
const CHARS_MAX = 1_024
const URL_CHARS_MAX = 2_048
/** Significant digits of a number that was converted: less than a double has, more than anybody measures. */
const DIGITS = 12

/**
 * What a parameter may be. `duration`: ticks, or a text as `5 min`. `cron`: five fields. `unit`: one of the table of
 * units. `identity`: a ZID. `contract`: the id of one. `zone`: a name of the time zone database.
 */
export const PARAMETER_TYPES = [
  ...(['number', 'integer', 'boolean', 'text', 'choice', 'duration'] as const),
  ...(['cron', 'unit', 'url', 'identity', 'contract', 'zone'] as const),
] as const
export type ParameterType = (typeof PARAMETER_TYPES)[number]

const words = (description: string) =>
  Type.Optional(Type.Array(text(64, { minLength: 1 }), { maxItems: 32, uniqueItems: true, description }))

/** A place of a template that whoever uses it fills. */
export const parameter = closed({
  type: oneOf(PARAMETER_TYPES),
  description: text(200, { minLength: 1 }),
  unit: Type.Optional(text(64, { minLength: 1, description: 'Of a number: what it is converted to.' })),
  unit_by: Type.Optional(text(32, { description: 'Of a number: the parameter that says its unit.' })),
  min: Type.Optional(Type.Number({ description: 'Of a number, or of a duration in ticks.' })),
  max: Type.Optional(Type.Number()),
  of: Type.Optional(
    Type.Array(text(64, { minLength: 1 }), { minItems: 1, maxItems: 32, uniqueItems: true, description: 'Choices.' }),
  ),
  chars: Type.Optional(Type.Integer({ minimum: 1, maximum: CHARS_MAX, description: 'Most characters of a text.' })),
  default: Type.Optional(json({ description: 'Without one, and not required, it may stay empty.' })),
  required: Type.Optional(Type.Literal(true)),
  example: Type.Optional(json({ description: 'Of a required one.' })),
  said: words('Phrases of a sentence beside which its value stands.'),
  nouns: words('Of a text: what it is called, as in “pump 7”.'),
})
export type Parameter = View<typeof parameter>

/** A value of a parameter: what a definition takes in its place; null where an optional one stays empty. */
export type ParameterValue = number | string | boolean | null

/** A value, or why it is none. */
export type Read = { readonly value: ParameterValue } | { readonly why: string }

const SECOND = parseUnit('s')
const right = (value: ParameterValue): Read => ({ value })
const wrong = (why: string): Read => ({ why })

const within = ({ min = -Number.MAX_VALUE, max = Number.MAX_VALUE }: Parameter, value: number): Read =>
  value >= min && value <= max ? right(value) : wrong(`is outside its range, ${min} to ${max}`)

/** Whole ticks that a time takes, one at least. */
export const ticksOf = (seconds: number): number => Math.max(1, Math.round(seconds / TICK_SECONDS))

/** A number as it stands in another unit. */
const converted = ({ number }: Pick<Amount, 'number'>, from: Unit, to: Unit): number =>
  Number(fromSi(toSi(number, from), to).toPrecision(DIGITS))

const unitOf = (it: Parameter): Unit | undefined =>
  it.type === 'duration' ? SECOND : it.unit === undefined ? undefined : unitOrNone(it.unit)

/** The amount in the unit of a parameter, in ticks for a duration; undefined where it measures something else. */
export const amountFor = (it: Parameter, amount: Pick<Amount, 'number' | 'unit'>): number | undefined => {
  const to = unitOf(it)
  if (amount.unit === undefined) return it.type === 'duration' ? undefined : Number(amount.number)
  const from = unitOrNone(amount.unit)
  if (from === undefined || to === undefined || !commensurable(from, to)) return undefined
  return it.type === 'duration' ? ticksOf(toSi(amount.number, from)) : converted(amount, from, to)
}

/** A number in words and a unit: `350 kPa`, `half an hour`; undefined for a text that is more than that. */
const soleAmount = (given: string): Amount | undefined => {
  const [first, ...others] = amountsOf(given)
  const bare = first !== undefined && others.length === 0 && `${first.before}${first.after}`.trim() === ''
  return bare ? first : undefined
}

const numeric = (it: Parameter, given: Json): Read => {
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

const textual = (it: Parameter, given: string): Read => {
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
export const parameterValue = (it: Parameter, given: Json): Read => {
  if (it.type === 'number' || it.type === 'integer' || it.type === 'duration') return numeric(it, given)
  if (it.type === 'boolean') return typeof given === 'boolean' ? right(given) : wrong('is not true or false')
  return typeof given === 'string' ? textual(it, given) : wrong('is not a text')
}
