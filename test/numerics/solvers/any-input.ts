import fc from 'fast-check'

/** A schema as the input of a solver uses it. */
export interface Form {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly anyOf?: readonly Form[]
  readonly default?: unknown
  readonly minimum?: number
  readonly maximum?: number
  readonly minLength?: number
  readonly maxLength?: number
  readonly minItems?: number
  readonly maxItems?: number
  readonly items?: Form | false
  readonly prefixItems?: readonly Form[]
  readonly required?: readonly string[]
  readonly properties?: Readonly<Record<string, Form>>
}

type Any = fc.Arbitrary<unknown>

/** Items of an array that is drawn, where its schema lets it have so few; characters of a text. */
const ITEMS_MAX = 5
const CHARS_MAX = 12

const clamped = (value: number, { minimum, maximum }: Form): number =>
  Math.min(maximum ?? Number.MAX_VALUE, Math.max(minimum ?? -Number.MAX_VALUE, value))

/** The numbers that a range invites to try: both ends, what is hardly a number, the default and its neighbourhood. */
const numberOf = (form: Form): Any => {
  const whole = form.type === 'integer'
  const inside = (value: number): number => clamped(whole ? Math.round(value) : value, form)
  const edges = [form.minimum, form.maximum, 0, -0, 1, ...(whole ? [] : [5e-324, -1e-300, 1e300])]
  const taken = edges.filter((it): it is number => it !== undefined && it === inside(it))
  const edge = fc.constantFrom(...(taken.length === 0 ? [inside(1)] : taken))
  const { minimum = 0, maximum = 0 } = form
  const around = typeof form.default === 'number' && form.default !== 0 ? form.default : 1
  const near = fc.double({ min: -1.5, max: 1.5, noNaN: true }).map((e) => inside(around * Math.exp(e)))
  const anywhere = fc
    .double({ min: 0, max: 1, noNaN: true })
    .map((s) => inside(minimum > 0 ? minimum * (maximum / minimum) ** s : minimum * (1 - s) + maximum * s))
  return fc.oneof({ weight: 2, arbitrary: edge }, { weight: 3, arbitrary: near }, { weight: 1, arbitrary: anywhere })
}

const arrayOf = (form: Form): Any => {
  if (form.prefixItems !== undefined) return fc.tuple(...form.prefixItems.map(admitted))
  const least = form.minItems ?? 0
  const most = Math.min(form.maxItems ?? ITEMS_MAX, Math.max(least, ITEMS_MAX))
  return fc.array(admitted(form.items === undefined || form.items === false ? {} : form.items), {
    minLength: least,
    maxLength: most,
  })
}

/** Some of an object's members; those that must be there and have no default always. */
const objectOf = ({ properties = {}, required = [] }: Form): Any => {
  const names = Object.keys(properties)
  const needed = names.filter((name) => required.includes(name) && properties[name]?.default === undefined)
  const members = Object.fromEntries(names.map((name) => [name, admitted(properties[name] as Form)]))
  // Mostly a few: the more members are strange at once, the sooner the first of them is refused.
  const some = fc.oneof(
    { weight: 3, arbitrary: fc.subarray(names, { maxLength: Math.min(2, names.length) }) },
    fc.subarray(names),
  )
  return fc.tuple(some, fc.record(members)).map(([some, all]) => {
    const kept = names.filter((name) => some.includes(name) || needed.includes(name))
    return Object.fromEntries(kept.map((name) => [name, all[name]]))
  })
}

/** Any value that a schema admits, extremes and defaults more often than their share. */
export const admitted = (form: Form): Any => {
  if (form.enum !== undefined) return fc.constantFrom(...form.enum)
  if (form.anyOf !== undefined) return fc.oneof(...form.anyOf.map(admitted))
  switch (form.type) {
    case 'number':
    case 'integer':
      return numberOf(form)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'string': {
      const drawn = fc.string({
        unit: fc.constantFrom(...'x1+*-^()/ sincoe=,;pf0\n\u0000'),
        minLength: form.minLength ?? 0,
        maxLength: Math.min(form.maxLength ?? CHARS_MAX, CHARS_MAX),
      })
      return form.default === undefined ? drawn : fc.oneof(fc.constant(form.default), drawn)
    }
    case 'array':
      return arrayOf(form)
    case 'object':
      return objectOf(form)
    default:
      return fc.constantFrom<unknown>(1, 'x', null, [], {})
  }
}

/** One object laid over another, member by member: arrays and plain values replace. */
export const laid = (under: unknown, over: unknown): unknown => {
  const plain = (it: unknown): it is Record<string, unknown> =>
    it !== null && typeof it === 'object' && !Array.isArray(it)
  if (!plain(under) || !plain(over)) return over
  const both = Object.fromEntries(Object.entries(over).map(([name, it]) => [name, laid(under[name], it)]))
  return { ...under, ...both }
}
