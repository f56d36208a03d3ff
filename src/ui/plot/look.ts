import { useState } from 'preact/hooks'
import { rangeOf } from '#numerics/plot/figures.ts'
import type { CurvesPlot, Plot, PlotAxis, Seen } from '#numerics/plot/plot.ts'

/** How somebody looks at a plot: which part of it, and what was switched. What is not said is as the plot says it. */
export interface Look {
  readonly seen?: Seen | undefined
  readonly logX?: boolean
  readonly logY?: boolean
  readonly smooth?: boolean
}

const scaled = (axis: PlotAxis, log: boolean | undefined): PlotAxis =>
  log === undefined ? axis : { ...axis, scale: log ? 'log' : 'linear' }

/** The plot as it is looked at: what is seen, and what is saved as seen. */
export const looked = (plot: Plot, { seen, logX, logY, smooth }: Look): Plot => {
  if (plot.kind === 'bars') return plot
  const part = seen === undefined ? {} : { seen }
  if (plot.kind === 'map') return { ...plot, ...part, ...(smooth !== undefined && { smooth }) }
  return { ...plot, ...part, x: scaled(plot.x, logX), y: scaled(plot.y, logY) }
}

/** Whether an axis may be switched between even and logarithmic: all that it shows is positive. */
const isPositive = (all: readonly ArrayLike<number>[]): boolean =>
  all.some((it) => it.length > 0) && all.every((it) => rangeOf(it)[0] > 0)

/** Which axes of curves may be switched; places in a plane have one scale. */
export const switchesOf = ({ x, y, curves, equal = false }: CurvesPlot) => ({
  x: !equal && (x.scale === 'log' || isPositive(curves.map((it) => it.x))),
  y: !equal && (y.scale === 'log' || isPositive(curves.map((it) => it.y))),
})

export interface Looking {
  readonly plot: Plot
  readonly look: Look
  readonly change: (part: Look) => void
}

/** A plot with the way it is looked at. */
export const useLook = (plot: Plot): Looking => {
  const [look, show] = useState<Look>({})
  return { plot: looked(plot, look), look, change: (part) => show((old) => ({ ...old, ...part })) }
}
