import { useId } from 'preact/hooks'
import type { Plot } from '#numerics/plot/plot.ts'
import type { PlotSource } from '#ui/export/export-actions.tsx'
import { PlotCard } from './plot-card.tsx'

interface Props {
  readonly plots: readonly Plot[]
  readonly source: PlotSource
}

/** Plots one below the other, each with its export; those over the same x have one cursor. */
export const PlotList = ({ plots, source }: Props) => {
  const linked = useId()
  return (
    <>
      {plots.map((plot, i) => (
        <PlotCard
          key={`${i} ${source.stem.join(' ')}`}
          plot={plot}
          source={source}
          linked={linked}
          moment={undefined}
        />
      ))}
    </>
  )
}
