import { useEffect, useMemo, useRef } from 'preact/hooks'
import UPlot from 'uplot'
import 'uplot/dist/uPlot.min.css'
import { figure, rangeOf } from './numbers.ts'
import type { Series } from './plots.ts'

const HEIGHT_PX = 260
const colours = ['#0f9488', '#d97706', '#7c3aed', '#dc2626', '#2563eb', '#65a30d', '#db2777', '#475569'] as const

interface Curves {
  readonly label: string
  readonly unit: string
  readonly names: readonly string[]
  readonly data: UPlot.AlignedData
}

/** Colours of the page, so that the plot reads in the dark too. */
const inkOf = (element: Element): { ink: string; line: string } => {
  const style = getComputedStyle(element)
  return { ink: style.getPropertyValue('--ink').trim(), line: style.getPropertyValue('--line').trim() }
}

const axisOf = (ink: string, line: string, label: string): UPlot.Axis => ({
  label,
  stroke: ink,
  grid: { stroke: line, width: 1 },
  ticks: { stroke: line, width: 1 },
  values: (_, ticks) => ticks.map(figure),
  size: 64,
})

const optionsOf = (box: HTMLElement, { label, unit, names }: Curves): UPlot.Options => {
  const { ink, line } = inkOf(box)
  return {
    width: box.clientWidth,
    height: HEIGHT_PX,
    scales: { x: { time: false } },
    axes: [axisOf(ink, line, 'node'), axisOf(ink, line, `${label} ${unit}`)],
    series: [
      {},
      ...names.map((name, i) => ({
        label: name,
        stroke: colours[i % colours.length] as string,
        width: 1.6,
        points: { show: false },
      })),
    ],
    legend: { show: names.length > 1 && names.length <= colours.length },
  }
}

const Curve = ({ curves, about }: { readonly curves: Curves; readonly about: string }) => {
  const box = useRef<HTMLDivElement>(null)
  useEffect(() => {
    if (box.current === null) return
    const plot = new UPlot(optionsOf(box.current, curves), curves.data, box.current)
    const watch = new ResizeObserver(([entry]) => {
      if (entry !== undefined) plot.setSize({ width: entry.contentRect.width, height: HEIGHT_PX })
    })
    watch.observe(box.current)
    return () => {
      watch.disconnect()
      plot.destroy()
    }
  }, [curves])
  return (
    <figure class="plot">
      <div ref={box} role="img" aria-label={about} />
      <figcaption>{about}</figcaption>
    </figure>
  )
}

const curvesOf = ({ name, unit, values }: Series): Curves => ({
  label: name,
  unit,
  names: [name],
  data: [values.map((_, i) => i), [...values]],
})

/** A curve over the index of its nodes. */
export const LinePlot = ({ series }: { readonly series: Series }) => {
  const [low, high] = rangeOf(series.values)
  const curves = useMemo(() => curvesOf(series), [series])
  return (
    <Curve
      curves={curves}
      about={`${series.name}: ${figure(low)} to ${figure(high)} ${series.unit}. ${series.about}`}
    />
  )
}
