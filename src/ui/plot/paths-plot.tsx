import { useEffect, useRef } from 'preact/hooks'
import { figure, rangeOf } from './numbers.ts'
import type { Series } from './plots.ts'

const SIDE_PX = 640
const MARGIN_PX = 28
const BODY_PX = 4
const AXES = 3
/** Hues stay apart for any number of bodies: the golden angle. */
const HUE_STEP = 137.508

interface Plane {
  readonly outputs: number
  readonly bodies: number
  x(output: number, body: number): number
  y(output: number, body: number): number
  /** Least x and y, and the side of the square that holds everything. */
  readonly from: readonly [number, number]
  readonly side: number
}

/** The x–y plane of paths that are stored as outputs × bodies × 3 coordinates. */
const planeOf = ({ values, shape }: Series): Plane => {
  const [outputs = 0, bodies = 0] = shape
  const at = (output: number, body: number, axis: number): number =>
    values[(output * bodies + body) * AXES + axis] as number
  const [xLow, xHigh] = rangeOf(values.filter((_, i) => i % AXES === 0))
  const [yLow, yHigh] = rangeOf(values.filter((_, i) => i % AXES === 1))
  const side = Math.max(xHigh - xLow, yHigh - yLow) || 1
  return {
    outputs,
    bodies,
    x: (output, body) => at(output, body, 0),
    y: (output, body) => at(output, body, 1),
    from: [(xLow + xHigh - side) / 2, (yLow + yHigh - side) / 2],
    side,
  }
}

const draw = (canvas: HTMLCanvasElement, plane: Plane): void => {
  canvas.width = SIDE_PX
  canvas.height = SIDE_PX
  const context = canvas.getContext('2d')
  if (context === null) return
  const scale = (SIDE_PX - 2 * MARGIN_PX) / plane.side
  const place = (output: number, body: number): readonly [number, number] => [
    MARGIN_PX + (plane.x(output, body) - plane.from[0]) * scale,
    SIDE_PX - MARGIN_PX - (plane.y(output, body) - plane.from[1]) * scale,
  ]
  for (let body = 0; body < plane.bodies; body++) {
    const colour = `hsl(${(body * HUE_STEP) % 360} 70% 48%)`
    context.strokeStyle = colour
    context.fillStyle = colour
    context.beginPath()
    for (let output = 0; output < plane.outputs; output++) context.lineTo(...place(output, body))
    context.stroke()
    context.beginPath()
    context.arc(...place(plane.outputs - 1, body), BODY_PX, 0, 2 * Math.PI)
    context.fill()
  }
}

/** The paths of bodies, seen along z; a dot marks where each one ends. */
export const PathsPlot = ({ series }: { readonly series: Series }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const plane = planeOf(series)
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, plane)
  })
  const width = `${figure(plane.side)} ${series.unit}`
  return (
    <figure class="plot">
      <canvas ref={canvas} class="map" role="img" aria-label={`${series.name}: paths of ${plane.bodies} bodies`} />
      <figcaption>
        {series.name} of {plane.bodies} bodies in the x–y plane; the square is {width} wide.
      </figcaption>
    </figure>
  )
}
