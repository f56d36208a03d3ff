import { useEffect, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { onColours } from '#ui/settings/theme.ts'
import { figure, rangeOf, withUnit } from '#ui/text/numbers.ts'
import { type Axis, scaleOf, ticksOf } from './axes.ts'
import type { Along, Series } from './plots.ts'

const HEIGHT_PX = 280
/** Room of the numbers of an axis, across and up, and of its label. */
const BELOW_PX = 34
const LEFT_PX = 66
const LABEL_PX = 22
const FONT = '12px system-ui, sans-serif'
const LABEL_FONT = '13px system-ui, sans-serif'

/** Colours of the page, so that the plot reads in the dark too. */
interface Inks {
  readonly ink: string
  readonly line: string
  readonly accent: string
}

const inksOf = (element: Element): Inks => {
  const style = getComputedStyle(element)
  const of = (name: string): string => style.getPropertyValue(name).trim()
  return { ink: of('--ink'), line: of('--line'), accent: of('--accent') }
}

/** An axis of uPlot that spells its numbers as the other plots do. */
const axisOf = (of: Axis, size: number, { ink, line }: Inks): UPlot.Axis => ({
  label: ticksOf(of, 1).label,
  stroke: ink,
  grid: { stroke: line, width: 1 },
  ticks: { stroke: line, width: 1 },
  values: (_, places) => places.map(figure),
  size,
  font: FONT,
  labelFont: LABEL_FONT,
  labelSize: LABEL_PX,
})

const placesOf = ({ places }: Along, count: number): number[] =>
  'at' in places ? [...places.at] : Array.from({ length: count }, (_, i) => i * places.spacing)

/** A curve for each row. */
const rowsOf = (values: readonly number[], count: number): number[][] =>
  Array.from({ length: values.length / count }, (_, row) => values.slice(row * count, (row + 1) * count))

/** Hues stay apart for any number of curves: the golden angle. */
const HUE_STEP = 137.508

/** Curves that a legend names. */
const LEGEND_MAX = 16

const strokeOf = (row: number, { accent }: Pick<Inks, 'accent'>): string =>
  row === 0 ? accent : `hsl(${(175 + row * HUE_STEP) % 360} 60% 48%)`

interface Drawn {
  readonly x: Axis
  readonly y: Axis
  readonly data: UPlot.AlignedData
}

const drawnOf = (series: Series, along: Along): Drawn => {
  const count = series.axes.length > 1 ? (series.shape.at(-1) ?? 0) : series.values.length
  const places = placesOf(along, count)
  const [left, right] = rangeOf(places)
  const [low, high] = rangeOf(series.values)
  const x = { name: along.name, unit: along.unit, low: left, high: right }
  const y = { name: series.name, unit: series.unit, low, high }
  // In the units of the labels: the library finds no steps for an axis of joules per atom.
  const scaled = (values: readonly number[], axis: Axis): number[] => values.map((it) => it / scaleOf(axis))
  return { x, y, data: [scaled(places, x), ...rowsOf(series.values, count).map((row) => scaled(row, y))] }
}

const plotIn = (box: HTMLElement, { x, y, data }: Drawn): UPlot => {
  const inks = inksOf(box)
  return new UPlot(
    {
      width: box.clientWidth,
      height: HEIGHT_PX,
      scales: { x: { time: false } },
      axes: [axisOf(x, BELOW_PX, inks), axisOf(y, LEFT_PX, inks)],
      series: [
        {},
        ...data.slice(1).map((_, row) => ({ stroke: strokeOf(row, inks), width: 2, points: { show: false } })),
      ],
      legend: { show: false },
    },
    data,
    box,
  )
}

/** A curve over its axis; it is drawn anew when the page changes between light and dark. */
export const LinePlot = ({ series, x }: { readonly series: Series; readonly x: Along }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    const element = box.current
    if (element === null) return
    const drawn = drawnOf(series, x)
    let plot = plotIn(element, drawn)
    const redraw = (): void => {
      plot.destroy()
      plot = plotIn(element, drawn)
    }
    const watch = new ResizeObserver(() => plot.setSize({ width: element.clientWidth, height: HEIGHT_PX }))
    watch.observe(element)
    const still = onColours(redraw)
    return () => {
      still()
      watch.disconnect()
      plot.destroy()
    }
  }, [series, x])
  const [low, high] = rangeOf(series.values)
  const rows = series.axes.length > 1 ? series.values.length / (series.shape.at(-1) ?? 1) : 1
  const about = `${series.name}: ${figure(low)} to ${withUnit(figure(high), series.unit)}`
  return (
    <figure class="plot">
      <div ref={box} class="curve" role="img" aria-label={about} />
      {rows > 1 && rows <= LEGEND_MAX && (
        <ul class="legend across">
          {Array.from({ length: rows }, (_, row) => (
            <li key={row}>
              <span style={{ background: strokeOf(row, { accent: 'var(--accent)' }) }} />
              {series.name}[{row}]
            </li>
          ))}
        </ul>
      )}
      <figcaption>{about}.</figcaption>
    </figure>
  )
}
