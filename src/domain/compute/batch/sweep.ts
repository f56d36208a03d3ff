import { BATCH_CALLS_MAX, VARIED_MAX } from '#core/batch/forms.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { refuseInput } from '#core/input.ts'
import { exp, log } from '#numerics/math.ts'

/** How one input is varied: by its values, or by points between two numbers, both of which are among them. */
export interface Vary {
  /** Name of the input; dots lead inside, `initial.kind`. */
  readonly name: string
  readonly values?: readonly Json[] | undefined
  readonly from?: number | undefined
  readonly to?: number | undefined
  readonly points?: number | undefined
  readonly scale?: 'linear' | 'log' | undefined
}

/** Calls of one route that differ in one or two inputs. */
export interface CallSweep {
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
  readonly vary: readonly Vary[]
}

/** One call of a batch, as it was asked for. */
export interface AskedCall {
  readonly route: string
  readonly input: Readonly<Record<string, unknown>>
}

/** What a batch is asked for: its calls, or a sweep that stands for them. */
export interface AskedBatch {
  readonly calls?: readonly AskedCall[] | undefined
  readonly sweep?: CallSweep | undefined
}

/** How near to a whole number a point must be to be meant as one: rounding of the steps between, and no more. */
const WHOLE_MAX = 1e-12

const refuse = (at: number, member: string, message: string): never =>
  refuseInput([{ path: `/sweep/vary/${at}${member === '' ? '' : `/${member}`}`, message }])

const snapped = (value: number): number => {
  const whole = Math.round(value)
  return Math.abs(value - whole) <= WHOLE_MAX * Math.abs(whole) ? whole : value
}

/** How many values a varied input has. @throws Fault INVALID_INPUT for one that is not said whole. */
const pointsOf = ({ values, from, to, points, scale }: Vary, at: number): number => {
  const range = [from, to, points].filter((it) => it !== undefined).length
  if (values !== undefined) {
    if (range > 0 || scale !== undefined) refuse(at, '', 'has either values or a range')
    return values.length
  }
  if (from === undefined || to === undefined || points === undefined) {
    return refuse(at, '', 'has values, or from, to and points')
  }
  if (points === 1 && from !== to) refuse(at, 'points', 'has at least two points, of which the ends are two')
  if (scale === 'log' && !(from > 0 && to > 0)) refuse(at, 'scale', 'takes ends above 0 where it is log')
  return points
}

/** The values themselves; those between the ends are the same bits on every machine. */
const valuesOf = ({ values, from = 0, to = 0, points = 0, scale }: Vary): readonly Json[] => {
  if (values !== undefined) return values
  const [low, high] = scale === 'log' ? [log(from), log(to)] : [from, to]
  return Array.from({ length: points }, (_, i) => {
    if (i === 0) return from
    if (i === points - 1) return to
    const share = i / (points - 1)
    const between = low * (1 - share) + high * share
    return snapped(scale === 'log' ? exp(between) : between)
  })
}

/** An input with one of its members set. @throws Fault INVALID_INPUT where the name leads through what is no object. */
const withValue = (
  input: Readonly<Record<string, unknown>>,
  { name, at }: { readonly name: string; readonly at: number },
  value: Json,
): Readonly<Record<string, unknown>> => {
  const [first = '', ...rest] = name.split('.')
  if (first === '' || first === '__proto__') return refuse(at, 'name', 'names no input')
  if (rest.length === 0) return { ...input, [first]: value }
  const inner = Object.hasOwn(input, first) ? input[first] : {}
  if (typeof inner !== 'object' || inner === null || Array.isArray(inner)) {
    return refuse(at, 'name', 'leads through an input that has no members')
  }
  return { ...input, [first]: withValue(inner as Record<string, unknown>, { name: rest.join('.'), at }, value) }
}

/** Refuses a number of calls that no batch has; it is told. @throws Fault INVALID_INPUT {count, limit} */
const assertCount = (count: number): void => {
  if (count >= 1 && count <= BATCH_CALLS_MAX) return
  const detail = `A batch has 1 to ${BATCH_CALLS_MAX} calls; this one has ${count}.`
  throw new Fault('INVALID_INPUT', detail, { count, limit: BATCH_CALLS_MAX })
}

/**
 * The calls that a sweep stands for: of two varied inputs every pair, the first one changing slowest. They are counted
 * before any is made.
 *
 * @throws Fault INVALID_INPUT, with `count` where they are too many
 */
const sweepCalls = ({ route, input, vary }: CallSweep): readonly AskedCall[] => {
  if (vary.length < 1 || vary.length > VARIED_MAX) {
    refuseInput([{ path: '/sweep/vary', message: `has 1 or ${VARIED_MAX} inputs` }])
  }
  if (new Set(vary.map(({ name }) => name)).size !== vary.length) {
    refuseInput([{ path: '/sweep/vary', message: 'names one input twice' }])
  }
  assertCount(vary.map(pointsOf).reduce((product, it) => product * it, 1))
  const inputs = vary.reduce<readonly Readonly<Record<string, unknown>>[]>(
    (all, it, at) => all.flatMap((one) => valuesOf(it).map((value) => withValue(one, { name: it.name, at }, value))),
    [input],
  )
  return inputs.map((one) => ({ route, input: one }))
}

/** The calls of a batch. @throws Fault INVALID_INPUT, with `count` where there are none or too many */
export const askedCalls = ({ calls, sweep }: AskedBatch): readonly AskedCall[] => {
  if ((calls === undefined) === (sweep === undefined)) throw new Fault('INVALID_INPUT', 'Say either calls or sweep.')
  if (sweep !== undefined) return sweepCalls(sweep)
  assertCount(calls?.length ?? 0)
  return calls ?? []
}
