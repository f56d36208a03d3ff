import type uPlot from 'uplot'
import { type Axis, ticksOf } from '#numerics/plot/axes.ts'
import type { Axes } from '#numerics/plot/layout.ts'
import type { Inks } from '#numerics/plot/marks.ts'
import type { Curve, CurvesPlot } from '#numerics/plot/plot.ts'
import { marksAt, type PlotMoment } from './moment.ts'

const FONT = '12px system-ui, sans-serif'
/** Pixels for each tick, and for the letters of its number. */
const TICK_X_PX = 80
const TICK_Y_PX = 44
const LETTER_PX = 7.5
/** Points of one curve from which on its dots are small. */
const CROWD = 2_000

interface Order {
  readonly plot: CurvesPlot
  readonly axes: Axes
  readonly width: number
  readonly height: number
  readonly inks: Inks
  readonly linked: string | undefined
  readonly moment: PlotMoment | undefined
  /** The places under the cursor, one for each curve; the first is that of x. */
  readonly point: (at: readonly (number | null | undefined)[]) => void
}

const scaleOf = ({ low, high, scale }: Axis): uPlot.Scale => ({
  time: false,
  distr: scale === 'log' ? 3 : 1,
  range: () => [low, high],
})

/** An axis with the very ticks and label of the drawing on paper. */
const axisOf = (axis: Axis, inks: Inks, across: boolean, pixels: number): uPlot.Axis => {
  const { ticks, label } = ticksOf(axis, Math.max(2, pixels / (across ? TICK_X_PX : TICK_Y_PX)))
  const longest = ticks.reduce((most, it) => Math.max(most, it.text.length), 1)
  return {
    scale: across ? 'x' : 'y',
    label,
    labelFont: FONT,
    font: FONT,
    stroke: inks.ink,
    labelSize: 22,
    size: across ? 28 : Math.max(44, 16 + LETTER_PX * longest),
    grid: { stroke: inks.grid, width: 1 },
    ticks: { stroke: inks.edge, width: 1, size: 5 },
    border: { show: true, stroke: inks.edge, width: 1 },
    splits: () => ticks.map(({ at }) => at),
    values: (_, places) => places.map((_at, i) => ticks[i]?.text ?? ''),
    filter: (_, places) => places,
  }
}

const seriesOf = ({ name, style = 'line', x }: Curve, ink: string, bars: uPlot.Series.PathBuilder): uPlot.Series => {
  const dotted = style === 'points' || style === 'marks' || style === 'stems'
  return {
    label: name,
    scale: 'y',
    stroke: ink,
    width: 2,
    ...(style === 'dashes' && { dash: [6, 4] }),
    ...(style === 'points' && { paths: () => null }),
    ...(style === 'stems' && { paths: bars, fill: ink }),
    points: { show: dotted, size: x.length > CROWD ? 2.4 : 5, fill: ink },
  }
}

/** Draws where the curves are at a moment. */
const drawMoment = (u: uPlot, { plot, moment, inks }: Order): void => {
  if (moment === undefined) return
  const { ctx, bbox } = u
  const marks = marksAt(plot, moment)
  ctx.save()
  ctx.beginPath()
  ctx.rect(bbox.left, bbox.top, bbox.width, bbox.height)
  ctx.clip()
  for (const { curve, x, y } of marks) {
    const [across, down] = [u.valToPos(x, 'x', true), u.valToPos(y, 'y', true)]
    ctx.strokeStyle = inks.edge
    ctx.lineWidth = devicePixelRatio
    ctx.beginPath()
    ctx.moveTo(across, bbox.top)
    ctx.lineTo(across, bbox.top + bbox.height)
    ctx.stroke()
    ctx.fillStyle = inks.curve(curve)
    ctx.beginPath()
    ctx.arc(across, down, 5 * devicePixelRatio, 0, 2 * Math.PI)
    ctx.fill()
  }
  ctx.restore()
}

/** How uPlot draws curves: ranges, ticks and colours are ours; zoom is, too, so that all plots have the same. */
export const lineOptions = (order: Order, bars: uPlot.Series.PathBuilder): uPlot.Options => {
  const { plot, axes, width, height, inks, linked, point } = order
  return {
    width,
    height,
    legend: { show: false },
    scales: { x: scaleOf(axes.x), y: scaleOf(axes.y) },
    axes: [axisOf(axes.x, inks, true, width - 70), axisOf(axes.y, inks, false, height - 50)],
    series: [{}, ...plot.curves.map((curve, i) => seriesOf(curve, inks.curve(i), bars))],
    cursor: {
      drag: { x: false, y: false, setScale: false },
      y: false,
      points: { size: 9 },
      ...(linked !== undefined && { sync: { key: linked, setSeries: false, scales: ['x', null] } }),
    },
    hooks: {
      // A copy: uPlot keeps one list and changes it.
      setCursor: [(u) => point((u.cursor.left ?? -1) < 0 ? [] : [...(u.cursor.idxs ?? [])])],
      draw: [(u) => drawMoment(u, order)],
    },
  }
}
