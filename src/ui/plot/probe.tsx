import { useMemo } from 'preact/hooks'
import { shareOf, valueAt } from '#numerics/plot/axes.ts'
import { mapAxes, seenOf } from '#numerics/plot/draw-map.ts'
import { figure, withUnit } from '#numerics/plot/figures.ts'
import type { Box } from '#numerics/plot/marks.ts'
import type { CurvesPlot, MapPlot } from '#numerics/plot/plot.ts'
import { LineView } from './line-view.tsx'
import { useLook } from './look.ts'
import { PlotTools } from './plot-tools.tsx'
import { useRoom } from './room.ts'

/** A node of a field that somebody pinned. */
export interface Probe {
  readonly column: number
  readonly row: number
}

/** The node at a place of the drawing; undefined beside the field. */
export const probeAt = (plot: MapPlot, box: Box, [x, y]: readonly [number, number]): Probe | undefined => {
  const seen = mapAxes(seenOf(plot))
  const { seen: _, ...whole } = plot
  const axes = mapAxes(whole)
  const [across, up] = [(x - box.x) / box.width, 1 - (y - box.y) / box.height]
  if (across < 0 || across >= 1 || up < 0 || up >= 1) return undefined
  return {
    column: Math.floor(shareOf(axes.x, valueAt(seen.x, across)) * plot.columns),
    row: Math.floor(shareOf(axes.y, valueAt(seen.y, up)) * plot.rows),
  }
}

const placesOf = ({ low, high }: MapPlot['x'], nodes: number): Float64Array =>
  Float64Array.from({ length: nodes }, (_, i) => low + ((high - low) * i) / (nodes - 1))

/** The field along x and along y through a node. */
export const profilesOf = (plot: MapPlot, { column, row }: Probe): readonly CurvesPlot[] => {
  const { x, y, columns, rows, values, name, unit } = plot
  const [across, up] = [placesOf(x, columns), placesOf(y, rows)]
  const along = (axis: MapPlot['x'], other: MapPlot['x'], at: number, curve: CurvesPlot['curves'][0]): CurvesPlot => ({
    kind: 'curves',
    title: `${name} along ${axis.name} at ${other.name} = ${withUnit(figure(at), other.unit)}`,
    x: { name: axis.name, unit: axis.unit },
    y: { name, unit },
    curves: [curve],
  })
  const line = Float64Array.from(across, (_, i) => values[row * columns + i] as number)
  const standing = Float64Array.from(up, (_, k) => values[k * columns + column] as number)
  return [
    along(x, y, up[row] as number, { name, x: across, y: line }),
    along(y, x, across[column] as number, { name, x: up, y: standing }),
  ]
}

/** One line of the field. */
const Profile = ({ plot: whole, linked }: { readonly plot: CurvesPlot; readonly linked: string | undefined }) => {
  const { plot, look, change } = useLook(whole)
  const { box, room } = useRoom()
  if (plot.kind !== 'curves') throw new Error('broken invariant: a profile is a curve')
  return (
    <figure ref={box} class="plot" data-plot="curves" data-live="true">
      <h3>{plot.title}</h3>
      <PlotTools plot={plot} look={look} change={change} inside={box} />
      {room !== undefined && <LineView {...{ plot, look, change, whole, linked, room }} />}
    </figure>
  )
}

interface Props {
  readonly plot: MapPlot
  readonly probe: Probe
  readonly linked: string | undefined
  readonly close: () => void
}

/** A pinned node: its value, and the lines of the field through it. */
export const ProbeProfiles = ({ plot, probe, linked, close }: Props) => {
  const profiles = useMemo(() => profilesOf(plot, probe), [plot.values, probe])
  const value = plot.values[probe.row * plot.columns + probe.column] as number
  return (
    <section class="probe" aria-label={`Probe of ${plot.title}`}>
      <p role="status">
        Probe: <b>{withUnit(figure(value), plot.unit)}</b>{' '}
        <button type="button" class="small" onClick={close}>
          Remove probe
        </button>
      </p>
      <div class="profiles">
        {profiles.map((it, i) => (
          <Profile key={i} plot={it} linked={linked} />
        ))}
      </div>
    </section>
  )
}
