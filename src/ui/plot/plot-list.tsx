import { useEffect, useId, useMemo, useState } from 'preact/hooks'
import type { Plot } from '#numerics/plot/plot.ts'
import type { PlotSource } from '#ui/export/export-actions.tsx'
import { courseOf } from './moment.ts'
import type { Shown } from './play-bar.tsx'
import { PlotCard } from './plot-card.tsx'
import { useLive } from './use-live.ts'
import { useStepped } from './use-stepped.ts'

/** The run that plots are of. */
interface PlottedRun {
  readonly name: string
  readonly input: object
}

interface Props {
  readonly plots: readonly Plot[]
  readonly source: PlotSource
  /** Without it nothing can be taken again. */
  readonly run?: PlottedRun
}

/** Plots one below the other, each with its export; those over the same x have one cursor, and all of them one time. */
export const PlotList = ({ plots, source, run }: Props) => {
  const linked = useId()
  const live = useLive()
  const stepped = useStepped(run?.name)
  const [{ plots: frame, moment }, show] = useState<Shown>({})
  useEffect(() => show({}), [plots])
  const course = useMemo(() => (stepped ? courseOf(plots) : undefined), [plots, stepped])
  const order = useMemo(
    () => (run === undefined || !stepped || plots.length === 0 ? undefined : { ...run, sealed: plots }),
    [run?.name, run?.input, stepped, plots],
  )
  return (
    <>
      {live !== undefined && <live.PlayBar key={source.stem.join(' ')} order={order} course={course} show={show} />}
      {live === undefined && (order ?? course) !== undefined && <div class="play coming" />}
      {(frame ?? plots).map((plot, i) => (
        <PlotCard
          key={`${i} ${source.stem.join(' ')}`}
          plot={plot}
          source={source}
          linked={linked}
          moment={frame === undefined ? moment : undefined}
        />
      ))}
    </>
  )
}
