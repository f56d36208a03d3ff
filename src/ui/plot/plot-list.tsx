import { ExportActions, type PlotSource } from '#ui/export/export-actions.tsx'
import { BarsPlot } from './bars-plot.tsx'
import { FieldPlot } from './field-plot.tsx'
import { LinePlot } from './line-plot.tsx'
import { PathsPlot } from './paths-plot.tsx'
import type { Plot } from './plots.ts'

const One = ({ plot }: { readonly plot: Plot }) => {
  if (plot.kind === 'field') return <FieldPlot series={plot.series} x={plot.x} y={plot.y} />
  if (plot.kind === 'paths') return <PathsPlot series={plot.series} bodies={plot.bodies} />
  return plot.kind === 'bars' ? <BarsPlot bars={plot} /> : <LinePlot series={plot.series} x={plot.x} />
}

interface Props {
  readonly plots: readonly Plot[]
  readonly source: PlotSource
}

/** The plots of an answer, one below the other, each with its export. */
export const PlotList = ({ plots, source }: Props) => (
  <>
    {plots.map((plot) => (
      <div key={plot.kind === 'bars' ? plot.about : plot.series.name} class="plotted">
        <One plot={plot} />
        <ExportActions plot={plot} source={source} />
      </div>
    ))}
  </>
)
