import { FieldPlot } from './field-plot.tsx'
import { LinePlot } from './line-plot.tsx'
import { PathsPlot } from './paths-plot.tsx'
import type { Plot } from './plots.ts'

const One = ({ plot }: { readonly plot: Plot }) => {
  if (plot.kind === 'field') return <FieldPlot series={plot.series} x={plot.x} y={plot.y} />
  if (plot.kind === 'paths') return <PathsPlot series={plot.series} bodies={plot.bodies} />
  return <LinePlot series={plot.series} x={plot.x} />
}

/** The plots of an answer, one below the other. */
export const PlotList = ({ plots }: { readonly plots: readonly Plot[] }) => (
  <>
    {plots.map((plot) => (
      <One key={plot.series.name} plot={plot} />
    ))}
  </>
)
