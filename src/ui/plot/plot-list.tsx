import type { Plot } from '#numerics/plot/plot.ts'
import { ExportActions, type PlotSource } from '#ui/export/export-actions.tsx'
import { PlotView } from './plot-view.tsx'

interface Props {
  readonly plots: readonly Plot[]
  readonly source: PlotSource
}

/** Plots one below the other, each with its export. */
export const PlotList = ({ plots, source }: Props) => (
  <>
    {plots.map((plot) => (
      <div key={plot.title} class="plotted">
        <PlotView plot={plot} />
        <ExportActions plot={plot} source={source} />
      </div>
    ))}
  </>
)
