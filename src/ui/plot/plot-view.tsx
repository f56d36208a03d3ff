import { useMemo } from 'preact/hooks'
import type { Plot } from '#numerics/plot/plot.ts'
import { sceneOf } from '#numerics/plot/scene.ts'
import { aboutOf } from './about.ts'
import { type Looking, useLook } from './look.ts'
import type { PlotMoment } from './moment.ts'
import { type Room, styleIn, useRoom } from './room.ts'
import { SceneMarks } from './scene-svg.tsx'
import { useLive } from './use-live.ts'

/** The drawing alone: before the rest of the page is there, and where it cannot be loaded. */
const StillPlot = ({ plot, room }: { readonly plot: Plot; readonly room: Room }) => {
  const scene = useMemo(() => sceneOf(plot, styleIn(room, plot)), [plot, room])
  return (
    <svg
      width={scene.width}
      height={scene.height}
      viewBox={`0 0 ${scene.width} ${scene.height}`}
      role="img"
      aria-label={aboutOf(plot)}
    >
      <SceneMarks scene={scene} />
    </svg>
  )
}

interface Props extends Looking {
  /** The same before anybody looked nearer. */
  readonly whole: Plot
  /** Plots of one word have one cursor. */
  readonly linked?: string | undefined
  /** The moment that is looked at, of what goes on. */
  readonly moment?: PlotMoment | undefined
}

/** A plot as it is looked at, with the numbers under the pointer. */
export const LookedPlot = (props: Props) => {
  const { plot } = props
  const { box, room } = useRoom()
  const live = useLive()
  const still = plot.kind === 'bars' || live === undefined
  return (
    <figure ref={box} class="plot" data-plot={plot.kind} data-live={!still}>
      <h3>{plot.title}</h3>
      {still && plot.kind !== 'bars' && <div class="plot-tools" />}
      {room !== undefined && still && <StillPlot plot={plot} room={room} />}
      {room !== undefined && !still && <live.LivePlot {...props} room={room} />}
      {still && <figcaption>{aboutOf(plot)}</figcaption>}
    </figure>
  )
}

/** A plot by itself. */
export const PlotView = ({ plot, linked }: { readonly plot: Plot; readonly linked?: string }) => {
  const looking = useLook(plot)
  return <LookedPlot {...looking} whole={plot} linked={linked} />
}
