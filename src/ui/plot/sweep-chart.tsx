import { useMemo } from 'preact/hooks'
import { PlotView } from './plot-view.tsx'
import { type Sweep, sweepPlot } from './sweep-plot.ts'

/** One output over one varied input, as a small chart; its numbers are read like those of any plot. */
export const SweepChart = (props: Sweep) => {
  const { input, output, points } = props
  const plot = useMemo(() => sweepPlot(props), [input.name, input.unit, output.name, output.unit, points])
  const missing = points.filter(({ y }) => y === null).length
  return (
    <div class="sweep-chart" data-points={points.length}>
      <PlotView plot={plot} />
      {missing > 0 && (
        <p class="about">
          {missing} of {points.length} without a number: refused, or still to come.
        </p>
      )}
    </div>
  )
}
