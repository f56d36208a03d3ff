import { useRef } from 'preact/hooks'
import { isSeries } from './line-data.ts'
import { LineView } from './line-view.tsx'
import type { LiveProps } from './live-props.ts'
import { PlotTools } from './plot-tools.tsx'
import { SceneView } from './scene-view.tsx'

/** A plot that answers to a hand: series as lines over one cursor, all else as it is drawn on paper. */
export const LivePlot = (props: LiveProps) => {
  const { plot, look, change, whole } = props
  const inside = useRef<HTMLDivElement>(null)
  return (
    <div ref={inside} class="live">
      <PlotTools plot={plot} look={look} change={change} inside={inside} />
      {plot.kind === 'curves' && whole.kind === 'curves' && isSeries(plot) ? (
        <LineView {...props} plot={plot} whole={{ ...whole, x: plot.x, y: plot.y }} />
      ) : (
        <SceneView {...props} />
      )}
    </div>
  )
}
