import { useEffect, useMemo, useRef } from 'preact/hooks'
import { figure, rangeOf, withUnit } from '#ui/text/numbers.ts'
import { curveColour } from './colours.ts'
import { Frame, type Room } from './frame.tsx'
import type { Series } from './plots.ts'

/** Coordinates of a point in space. */
const AXES = 3
const BODY_PX = 4
const LINE_PX = 2
/** How strong the beginning of a path is, and how late it gains: bodies that share one path are told apart. */
const OLDEST = 0.14
const FADE = 10
/** Room between the outermost points and the frame, as a share of the paths' width. */
const MARGIN = 0.06
/** Bodies that the legend names. */
const LEGEND_MAX = 8

interface Plane {
  readonly samples: number
  readonly bodies: number
  at(sample: number, body: number, axis: 0 | 1): number
  /** Least and greatest place along x and y. */
  readonly x: readonly [number, number]
  readonly y: readonly [number, number]
}

const widened = ([low, high]: readonly [number, number], by: number): readonly [number, number] => [low - by, high + by]

/** The x–y plane of paths that are stored sample by sample, body by body. */
const planeOf = ({ values }: Series, bodies: number): Plane => {
  const x = rangeOf(values.filter((_, i) => i % AXES === 0))
  const y = rangeOf(values.filter((_, i) => i % AXES === 1))
  // Bodies on a line along one axis still have a plane to be drawn in.
  const margin = MARGIN * (Math.max(x[1] - x[0], y[1] - y[0]) || 1)
  return {
    samples: values.length / AXES / bodies,
    bodies,
    at: (sample, body, axis) => values[(sample * bodies + body) * AXES + axis] as number,
    x: widened(x, margin),
    y: widened(y, margin),
  }
}

const draw = (canvas: HTMLCanvasElement, plane: Plane, room: Room): void => {
  const density = devicePixelRatio
  canvas.width = Math.round(room.width * density)
  canvas.height = Math.round(room.height * density)
  const context = canvas.getContext('2d')
  if (context === null) return
  context.scale(density, density)
  context.lineWidth = LINE_PX
  const place = (sample: number, body: number): readonly [number, number] => [
    ((plane.at(sample, body, 0) - plane.x[0]) / (plane.x[1] - plane.x[0])) * room.width,
    (1 - (plane.at(sample, body, 1) - plane.y[0]) / (plane.y[1] - plane.y[0])) * room.height,
  ]
  for (let body = 0; body < plane.bodies; body++) {
    context.strokeStyle = curveColour(body)
    context.fillStyle = curveColour(body)
    for (let sample = 1; sample < plane.samples; sample++) {
      context.globalAlpha = OLDEST + (1 - OLDEST) * (sample / plane.samples) ** FADE
      context.beginPath()
      context.moveTo(...place(sample - 1, body))
      context.lineTo(...place(sample, body))
      context.stroke()
    }
    context.globalAlpha = 1
    context.beginPath()
    context.arc(...place(plane.samples - 1, body), BODY_PX, 0, 2 * Math.PI)
    context.fill()
  }
}

const PathsCanvas = ({
  plane,
  room,
  about,
}: {
  readonly plane: Plane
  readonly room: Room
  readonly about: string
}) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, plane, { width: room.width, height: room.height })
  }, [plane, room.width, room.height])
  const style = { width: `${room.width}px`, height: `${room.height}px` }
  return <canvas ref={canvas} class="paths" style={style} role="img" aria-label={about} />
}

const Legend = ({ bodies }: { readonly bodies: number }) => (
  <ul class="legend">
    {Array.from({ length: bodies }, (_, i) => (
      <li key={i}>
        <span style={{ background: curveColour(i) }} />
        body {i + 1}
      </li>
    ))}
  </ul>
)

/** The paths of bodies, seen along z; a dot marks where each one ends. */
export const PathsPlot = ({ series, bodies }: { readonly series: Series; readonly bodies: number }) => {
  const plane = useMemo(() => planeOf(series, bodies), [series, bodies])
  const span = (range: readonly [number, number]): string => withUnit(figure(range[1] - range[0]), series.unit)
  const about = `${series.name} of ${bodies} bodies in the x–y plane, ${span(plane.x)} by ${span(plane.y)}`
  const axis = (name: 'x' | 'y') => ({ name, unit: series.unit, low: plane[name][0], high: plane[name][1] })
  return (
    <figure class="plot">
      <div class="field">
        <Frame x={axis('x')} y={axis('y')}>
          {(room) => <PathsCanvas plane={plane} room={room} about={about} />}
        </Frame>
        {bodies <= LEGEND_MAX && <Legend bodies={bodies} />}
      </div>
      <figcaption>{about}; a dot marks where each one ends.</figcaption>
    </figure>
  )
}
