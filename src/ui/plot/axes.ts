import { superscript, unitText } from '#ui/text/numbers.ts'

/** One axis of a plot: what it measures, from where to where. */
export interface Axis {
  readonly name: string
  readonly unit: string
  readonly low: number
  readonly high: number
  /** The largest number of all axes that share their power of ten; this one's own unless said. */
  readonly size?: number
}

export interface Tick {
  readonly at: number
  readonly text: string
}

/** Sizes between which the numbers of an axis stand as they are. */
const PLAIN_MIN = 1e-3
const PLAIN_MAX = 1e5
/** Steps that people count in. */
const STEPS = [1, 2, 2.5, 5, 10]
/** More ticks than any plot has room for. */
const TICKS_MAX = 40

/** The least pleasant step with which no more than `count` ticks fit into a span. */
export const stepOf = (span: number, count: number): number => {
  const rough = span / Math.max(1, count)
  const power = 10 ** Math.floor(Math.log10(rough))
  return power * (STEPS.find((it) => it * power >= rough * (1 - 1e-9)) ?? 10)
}

/** The largest size on an axis. */
export const sizeOf = ({ low, high }: Axis): number => Math.max(Math.abs(low), Math.abs(high))

const exponentOf = (axis: Axis): number => {
  const size = axis.size ?? sizeOf(axis)
  if (size === 0 || (size >= PLAIN_MIN && size < PLAIN_MAX)) return 0
  return Math.floor(Math.log10(size))
}

/** What the numbers of an axis are divided by: the power of ten in its label. */
export const scaleOf = (axis: Axis): number => 10 ** exponentOf(axis)

/** Ticks of an axis, and its label with the unit and, for very large or small numbers, the power of ten. */
export const ticksOf = (axis: Axis, count: number): { readonly ticks: readonly Tick[]; readonly label: string } => {
  const { low, high, name, unit } = axis
  const exponent = exponentOf(axis)
  const scale = scaleOf(axis)
  const step = stepOf(high - low || 1, count)
  const digits = Math.max(0, Math.ceil(-Math.log10(step / scale) - 1e-9) + (step / scale < 1 ? 1 : 0))
  const ticks: Tick[] = []
  const first = Math.ceil(low / step - 1e-9)
  for (let i = 0; i < TICKS_MAX && (first + i) * step <= high + 1e-9 * step; i++) {
    const at = (first + i) * step
    ticks.push({ at, text: String(Number((at / scale).toFixed(digits))).replace('-', '−') })
  }
  const parts = [exponent === 0 ? '' : `10${superscript(exponent)}`, unitText(unit)].filter((it) => it !== '')
  return { ticks, label: parts.length === 0 ? name : `${name} / ${parts.join(' ')}` }
}
