import { useEffect, useMemo, useRef, useState } from 'preact/hooks'
import { curveColour } from '#numerics/plot/colours.ts'
import { figure, rangeOf, withUnit } from '#numerics/plot/figures.ts'
import type { Inks } from '#numerics/plot/marks.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { sceneOf } from '#numerics/plot/scene.ts'
import { type PlotPosition, placeAfter, readAt } from './read-keys.ts'
import { type PlotReading, readOff } from './read-off.ts'
import { SceneMarks } from './scene-svg.tsx'

/** Colours of the page: the plot follows it into the dark without being drawn anew. */
const inks: Inks = {
  ink: 'var(--ink)',
  edge: 'var(--edge)',
  grid: 'var(--line)',
  curve: curveColour,
  paper: null,
}

/** Room beside the values, for axes and legend; below the least width the drawing is scaled down. */
const SIDES_PX = 290
const WIDTH_PX_MIN = 190
/** Where there is no room beside the values, legends stand below them; the room for the axes. */
const NARROW_PX = 520
const AXES_PX = 118
const WIDTH_PX_MAX = 560

/** What a plot shows, in a sentence: for who cannot see it. */
const aboutOf = (plot: Plot): string => {
  if (plot.kind === 'bars') return `${plot.title}: ${plot.labels.length} bars`
  const of = (name: string, unit: string, [low, high]: readonly [number, number]): string =>
    `${name} ${figure(low)} to ${withUnit(figure(high), unit)}`
  if (plot.kind === 'map') return `${plot.title}: ${of(plot.name, plot.unit, rangeOf(plot.values))}`
  const ranges = plot.curves.map((it) => rangeOf(it.y))
  const all = rangeOf(ranges.flat())
  return `${plot.title}: ${of(plot.y.name, plot.y.unit, all)}`
}

const useWidth = () => {
  const box = useRef<HTMLElement>(null)
  const [width, resize] = useState(0)
  useEffect(() => {
    if (box.current === null) return
    const watch = new ResizeObserver(([entry]) => resize(entry?.contentRect.width ?? 0))
    watch.observe(box.current)
    return () => watch.disconnect()
  }, [])
  return { box, width }
}

/** A plot, with the numbers under the pointer. */
export const PlotView = ({ plot }: { readonly plot: Plot }) => {
  const { box, width } = useWidth()
  const [reading, read] = useState<PlotReading>()
  const [place, go] = useState<PlotPosition>()
  const below = width < NARROW_PX
  const widthMax = Math.max(WIDTH_PX_MIN, Math.min(WIDTH_PX_MAX, width - (below ? AXES_PX : SIDES_PX)))
  const scene = useMemo(() => sceneOf(plot, { inks, widthMax, below }), [plot, widthMax, below])
  const about = useMemo(() => aboutOf(plot), [plot])
  const point = (event: PointerEvent & { readonly currentTarget: SVGSVGElement }): void => {
    const { left, top, width: across } = event.currentTarget.getBoundingClientRect()
    const scale = scene.width / across
    read(readOff(plot, scene.box, (event.clientX - left) * scale, (event.clientY - top) * scale))
  }
  const leave = (): void => {
    read(undefined)
    go(undefined)
  }
  const press = (event: KeyboardEvent): void => {
    if (event.key === 'Escape') return leave()
    const next = placeAfter(plot, event.key, place)
    if (next === undefined || event.ctrlKey || event.metaKey || event.altKey) return
    // The arrows move along the plot and not the page.
    event.preventDefault()
    go(next)
    read(readAt(plot, scene.box, next))
  }
  return (
    <figure ref={box} class="plot" data-plot={plot.kind}>
      <h3>{plot.title}</h3>
      {width > 0 && (
        <svg
          width={scene.width}
          height={scene.height}
          viewBox={`0 0 ${scene.width} ${scene.height}`}
          role="img"
          aria-label={plot.kind === 'bars' ? about : `${about}. The arrow keys read its numbers.`}
          tabIndex={plot.kind === 'bars' ? undefined : 0}
          onKeyDown={press}
          onBlur={leave}
          onPointerMove={point}
          onPointerLeave={() => read(undefined)}
        >
          <SceneMarks scene={scene} />
          {reading !== undefined && <circle class="pointed" cx={reading.x} cy={reading.y} r={5} />}
        </svg>
      )}
      <figcaption aria-live={place === undefined ? 'off' : 'polite'}>{reading?.words ?? about}</figcaption>
    </figure>
  )
}
