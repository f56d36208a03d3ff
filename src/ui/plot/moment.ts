import type { Curve, CurvesPlot, Plot } from '#numerics/plot/plot.ts'

/** A moment of what goes on: its place among the times, and the time itself. */
export interface PlotMoment {
  readonly index: number
  /** How many there are: a path of as many points goes along with them. */
  readonly count: number
  readonly time: number
}

/** The times over which an answer goes on. */
export interface Timeline {
  readonly times: ArrayLike<number>
  readonly unit: string
}

const isTime = ({ name }: { readonly name: string }): boolean => name === 'time' || name === 't'

const isOverTime = ({ x }: CurvesPlot): boolean => isTime(x)

/** Times that a plot's curves go along: those of its axis, or what colours a path. */
const timesIn = (plot: Plot): readonly Timeline[] => {
  if (plot.kind !== 'curves') return []
  return plot.curves.flatMap(({ x, shade }): readonly Timeline[] => {
    if (isOverTime(plot)) return [{ times: x, unit: plot.x.unit }]
    return shade !== undefined && isTime(shade) ? [{ times: shade.values, unit: shade.unit }] : []
  })
}

/** The first times among plots; undefined where there are none, or where a field is the main thing. */
export const courseOf = (plots: readonly Plot[]): Timeline | undefined =>
  plots.some((it) => it.kind === 'map') ? undefined : plots.flatMap(timesIn).find(({ times }) => times.length > 1)

/** A place of a plot at a moment. */
interface Marked {
  readonly curve: number
  readonly x: number
  readonly y: number
}

/** The point of times that is nearest to one. */
const nearest = (times: ArrayLike<number>, time: number): number => {
  let [low, high] = [0, times.length - 1]
  while (high - low > 1) {
    const middle = (low + high) >> 1
    if ((times[middle] as number) <= time) low = middle
    else high = middle
  }
  return Math.abs((times[high] as number) - time) < Math.abs((times[low] as number) - time) ? high : low
}

/** The point of a path at a moment: it has one for each, or so many between each two; undefined for what is no path. */
const pointOf = ({ x, style = 'line' }: Curve, { index, count }: PlotMoment): number | undefined => {
  const ratio = (x.length - 1) / (count - 1)
  const goes = style === 'line' || style === 'dashes' || style === 'marks'
  return goes && ratio >= 1 && Number.isInteger(ratio) ? index * ratio : undefined
}

/** Where the curves of a plot are at a moment: over time at that time, on a path at its point. */
export const marksAt = (plot: CurvesPlot, moment: PlotMoment): readonly Marked[] =>
  plot.curves.flatMap((curve, i): readonly Marked[] => {
    const at = isOverTime(plot) ? nearest(curve.x, moment.time) : pointOf(curve, moment)
    if (at === undefined || (curve.style === 'points' && curve.x.length < 2)) return []
    const marked = { curve: i, x: curve.x[at] as number, y: curve.y[at] as number }
    return Number.isFinite(marked.x + marked.y) ? [marked] : []
  })
