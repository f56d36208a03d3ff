import type { CurvesPlot, Plot } from '#numerics/plot/plot.ts'

/** A moment of what goes on: its place among the times, and the time itself. */
export interface Moment {
  readonly index: number
  /** How many there are: a path of as many points goes along with them. */
  readonly count: number
  readonly time: number
}

/** The times over which an answer goes on. */
export interface Course {
  readonly times: ArrayLike<number>
  readonly unit: string
}

const isOverTime = (plot: Plot): plot is CurvesPlot =>
  plot.kind === 'curves' && (plot.x.name === 'time' || plot.x.name === 't')

/** The times of the longest curve over time; undefined where there is none, or where a field is the main thing. */
export const courseOf = (plots: readonly Plot[]): Course | undefined => {
  if (plots.some((it) => it.kind === 'map')) return undefined
  const all = plots.filter(isOverTime).flatMap(({ x, curves }) => curves.map((it) => ({ times: it.x, unit: x.unit })))
  const longest = all.toSorted((a, b) => b.times.length - a.times.length)[0]
  return longest === undefined || longest.times.length < 2 ? undefined : longest
}

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

/** Where the curves of a plot are at a moment: over time at that time, on a path at the point of that number. */
export const marksAt = (plot: CurvesPlot, { index, count, time }: Moment): readonly Marked[] =>
  plot.curves.flatMap(({ x, y, style = 'line' }, curve): readonly Marked[] => {
    const over = isOverTime(plot)
    if (!over && (x.length !== count || style === 'points' || style === 'segments')) return []
    const at = over ? nearest(x, time) : index
    const marked = { curve, x: x[at] as number, y: y[at] as number }
    return Number.isFinite(marked.x + marked.y) ? [marked] : []
  })
