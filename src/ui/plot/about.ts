import { figure, rangeOf, withUnit } from '#numerics/plot/figures.ts'
import type { Plot } from '#numerics/plot/plot.ts'

/** What a plot shows, in a sentence: for who cannot see it. */
export const aboutOf = (plot: Plot): string => {
  if (plot.kind === 'bars') return `${plot.title}: ${plot.labels.length} bars`
  const of = (name: string, unit: string, [low, high]: readonly [number, number]): string =>
    `${name} ${figure(low)} to ${withUnit(figure(high), unit)}`
  if (plot.kind === 'map') return `${plot.title}: ${of(plot.name, plot.unit, rangeOf(plot.values))}`
  const ranges = plot.curves.map((it) => rangeOf(it.y))
  return `${plot.title}: ${of(plot.y.name, plot.y.unit, rangeOf(ranges.flat()))}`
}
