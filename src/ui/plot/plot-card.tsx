import type { Plot } from '#numerics/plot/plot.ts'
import { ExportActions, type PlotSource } from '#ui/export/export-actions.tsx'
import { useLook } from './look.ts'
import type { PlotMoment } from './moment.ts'
import { LookedPlot } from './plot-view.tsx'

interface Props {
  readonly plot: Plot
  readonly source: PlotSource
  readonly linked: string
  readonly moment: PlotMoment | undefined
}

/** A plot with its export: what is saved is what is seen. */
export const PlotCard = ({ plot, source, linked, moment }: Props) => {
  const looking = useLook(plot)
  return (
    <div class="plotted">
      <LookedPlot {...looking} whole={plot} linked={linked} moment={moment} />
      <ExportActions plot={looking.plot} whole={plot} source={source} />
    </div>
  )
}
