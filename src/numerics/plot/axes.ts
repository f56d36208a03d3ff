import { log10, pow } from '#numerics/math.ts'
import { figure, superscript, unitText } from './figures.ts'

/** One axis of a drawing: what it measures, from where to where. */
export interface Axis {
  readonly name: string
  readonly unit: string
  readonly low: number
  readonly high: number
  /** `low` and `high` are positive on a logarithmic axis. */
  readonly scale?: 'linear' | 'log'
  /** The largest number of all axes that share their power of ten; this one's own unless said. */
  readonly size?: number
  /** Whether it counts: nothing stands between two whole numbers. */
  readonly whole?: boolean
}

export interface Tick {
  readonly at: number
  readonly text: string
}

export interface Ticks {
  readonly ticks: readonly Tick[]
  readonly label: string
}

/** Sizes between which the numbers of an axis stand as they are. */
const PLAIN_MIN = 1e-2
const PLAIN_MAX = 1e5
/** Steps that people count in. */
const STEPS = [1, 2, 2.5, 5, 10]
const WHOLE_STEPS = [1, 2, 5, 10]
/** More ticks than any plot has room for. */
const TICKS_MAX = 40
/** Decades below which a logarithmic axis has ticks between its powers of ten. */
const FEW_DECADES = 2
/** Ticks with which a reader can tell the scale of an axis. */
const ENOUGH = 3
const DIGITS = [1, 2, 3, 4, 5, 6, 7, 8, 9]

/** 10 to a whole power, as the decimal text says it. */
const ten = (exponent: number): number => Number(`1e${exponent}`)

const decadeOf = (value: number): number => Math.floor(log10(value) + 1e-12)

/** The least pleasant step with which no more than `count` ticks fit into a span. */
export const stepOf = (span: number, count: number, steps: readonly number[] = STEPS): number => {
  const rough = span / Math.max(1, count)
  const power = ten(decadeOf(rough))
  return power * (steps.find((it) => it * power >= rough * (1 - 1e-9)) ?? 10)
}

/** The largest size on an axis. */
export const sizeOf = ({ low, high }: Axis): number => Math.max(Math.abs(low), Math.abs(high))

const exponentOf = (axis: Axis): number => {
  const size = axis.size ?? sizeOf(axis)
  if (axis.scale === 'log' || size === 0 || (size >= PLAIN_MIN && size < PLAIN_MAX)) return 0
  return decadeOf(size)
}

const labelOf = ({ name, unit }: Axis, exponent: number): string => {
  const parts = [exponent === 0 ? '' : `10${superscript(exponent)}`, unitText(unit)].filter((it) => it !== '')
  return parts.length === 0 ? name : `${name} / ${parts.join(' ')}`
}

/** The numbers a · 10^n of an axis, for the first digits `within`, in every so many decades. */
const powersOf = ({ low, high }: Axis, within: readonly number[], every: number): readonly Tick[] => {
  const [first, last] = [decadeOf(low), Math.ceil(log10(high) - 1e-12)]
  const ticks: Tick[] = []
  for (let decade = first; decade <= last; decade += every) {
    for (const times of within) {
      const at = times * ten(decade)
      if (at < low * (1 - 1e-9) || at > high * (1 + 1e-9) || ticks.length === TICKS_MAX) continue
      const plain = Math.abs(decade) <= FEW_DECADES
      ticks.push({ at, text: plain ? String(Number(at.toPrecision(2))) : powerText(times, decade) })
    }
  }
  return ticks
}

/** Powers of ten; within few decades also 2 and 5 of each, or all digits; within a part of one, even steps. */
const logTicks = (axis: Axis, count: number): Ticks => {
  const decades = log10(axis.high) - log10(axis.low)
  const label = labelOf(axis, 0)
  const every = Math.max(1, Math.ceil(decades / Math.max(1, count)))
  const ways: readonly (() => readonly Tick[])[] =
    decades > FEW_DECADES
      ? [() => powersOf(axis, [1], every), () => powersOf(axis, [1], 1)]
      : [() => powersOf(axis, [1, 2, 5], 1), () => powersOf(axis, DIGITS, 1)]
  for (const way of ways) {
    const ticks = way()
    if (ticks.length >= ENOUGH) return { ticks, label }
  }
  if (decades > 1) return { ticks: powersOf(axis, decades > FEW_DECADES ? [1] : DIGITS, 1), label }
  return { ticks: evenTicks(axis, stepFor(axis, count, ENOUGH)).map((at): Tick => ({ at, text: figure(at) })), label }
}

const powerText = (times: number, decade: number): string =>
  times === 1 ? `10${superscript(decade)}` : `${times}·10${superscript(decade)}`

/** The multiples of a step on an axis. */
const evenTicks = ({ low, high }: Axis, step: number): readonly number[] => {
  const places: number[] = []
  const first = Math.ceil(low / step - 1e-9)
  for (let i = 0; i < TICKS_MAX && (first + i) * step <= high + 1e-9 * step; i++) places.push((first + i) * step)
  return places
}

/** Finer steps are tried as often until an axis has ticks enough. */
const FINER_MAX = 4

/** A pleasant step with no more than `count` ticks on an axis, unless those were fewer than `least`. */
const stepFor = (axis: Axis, count: number, least: number): number => {
  const { low, high, whole = false } = axis
  const stepAt = (k: number): number => {
    const wanted = Math.max(1, count) * (1 << k)
    return whole ? Math.max(1, stepOf(high - low || 1, wanted, WHOLE_STEPS)) : stepOf(high - low || 1, wanted)
  }
  let step = stepAt(0)
  for (let k = 1; k < FINER_MAX && evenTicks(axis, step).length < least; k++) step = stepAt(k)
  return step
}

/** Ticks of an axis, and its label with the unit and, for very large or small numbers, the power of ten. */
export const ticksOf = (axis: Axis, count: number): Ticks => {
  if (axis.scale === 'log') return logTicks(axis, count)
  const exponent = exponentOf(axis)
  const scale = ten(exponent)
  const step = stepFor(axis, count, 2)
  // One digit more than the step's own size, for steps of 2.5; zeros at the end fall away.
  const digits = Math.max(0, Math.ceil(-log10(step / scale) - 1e-9) + 1)
  const ticks = evenTicks(axis, step).map((at): Tick => {
    const text = String(Number((at / scale).toFixed(Math.min(digits, 100)))).replace('-', '−')
    return { at, text }
  })
  return { ticks, label: labelOf(axis, exponent) }
}

/** Where a value lies on an axis: 0 at its low end, 1 at the high one. */
export const shareOf = ({ low, high, scale }: Axis, value: number): number =>
  scale === 'log' ? (log10(value) - log10(low)) / (log10(high) - log10(low) || 1) : (value - low) / (high - low || 1)

/** The value at a share of an axis. */
export const valueAt = ({ low, high, scale }: Axis, share: number): number =>
  scale === 'log' ? pow(10, log10(low) + share * (log10(high) - log10(low))) : low + share * (high - low)
