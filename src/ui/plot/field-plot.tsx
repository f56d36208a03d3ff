import { useEffect, useRef, useState } from 'preact/hooks'
import { figure, rangeOf, withUnit } from '#ui/text/numbers.ts'
import { colourAt, gradientStops } from './colours.ts'
import { Frame, type Room } from './frame.tsx'
import type { Along, Series } from './plots.ts'

type Range = readonly [number, number]

const draw = (canvas: HTMLCanvasElement, { values, shape }: Series, [low, high]: Range): void => {
  const [rows = 1, columns = 1] = shape
  canvas.width = columns
  canvas.height = rows
  const context = canvas.getContext('2d')
  if (context === null) return
  const image = context.createImageData(columns, rows)
  const span = high - low || 1
  for (let row = 0; row < rows; row++) {
    for (let column = 0; column < columns; column++) {
      // The first row of a field is its lower edge; that of a canvas is the upper one.
      const at = 4 * ((rows - 1 - row) * columns + column)
      const [red, green, blue] = colourAt(((values[row * columns + column] as number) - low) / span)
      image.data[at] = red
      image.data[at + 1] = green
      image.data[at + 2] = blue
      image.data[at + 3] = 255
    }
  }
  context.putImageData(image, 0, 0)
}

const Scale = ({ range: [low, high], unit }: { readonly range: Range; readonly unit: string }) => (
  <div class="scale">
    <span>{withUnit(figure(high), unit)}</span>
    <div class="scale-bar" style={{ '--stops': gradientStops }} />
    <span>{withUnit(figure((low + high) / 2), unit)}</span>
    <span>{withUnit(figure(low), unit)}</span>
  </div>
)

const spacingOf = ({ places }: Along): number => ('spacing' in places ? places.spacing : 1)
/** Each node is drawn as a cell around its place, so the plot reaches half a cell beyond the outermost nodes. */
const axisOf = (along: Along, nodes: number) => ({
  name: along.name,
  unit: along.unit,
  low: -0.5 * spacingOf(along),
  high: (nodes - 0.5) * spacingOf(along),
})

interface MapProps extends Props {
  readonly room: Room
  readonly range: Range
  readonly about: string
  readonly onPoint: (words: string | undefined) => void
}

const FieldMap = ({ series, x, y, room, range, about, onPoint }: MapProps) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const [rows = 1, columns = 1] = series.shape
  const [low, high] = range
  useEffect(() => {
    if (canvas.current !== null) draw(canvas.current, series, [low, high])
  }, [series, low, high])
  const point = (event: PointerEvent): void => {
    const column = Math.floor((event.offsetX / room.width) * columns)
    const row = Math.ceil((1 - event.offsetY / room.height) * rows) - 1
    const value = series.values[row * columns + column]
    if (value === undefined) return
    const place = [
      `${x.name} ${withUnit(figure(column * spacingOf(x)), x.unit)}`,
      `${y.name} ${withUnit(figure(row * spacingOf(y)), y.unit)}`,
    ]
    onPoint(`${place.join(', ')}: ${withUnit(figure(value), series.unit)}`)
  }
  return (
    <canvas
      ref={canvas}
      class="map"
      style={{ width: `${room.width}px`, height: `${room.height}px` }}
      role="img"
      aria-label={about}
      onPointerMove={point}
      onPointerLeave={() => onPoint(undefined)}
    />
  )
}

interface Props {
  readonly series: Series
  readonly x: Along
  readonly y: Along
}

/** A map of a field to scale, with axes and colour scale; the value under the pointer is named below. */
export const FieldPlot = ({ series, x, y }: Props) => {
  const [pointed, point] = useState<string>()
  const range = rangeOf(series.values)
  const [rows = 1, columns = 1] = series.shape
  const span = `${figure(range[0])} to ${withUnit(figure(range[1]), series.unit)}`
  const about = `${series.name}, ${columns} × ${rows} nodes, ${span}`
  return (
    <figure class="plot">
      <div class="field">
        <Frame x={axisOf(x, columns)} y={axisOf(y, rows)}>
          {(room) => <FieldMap {...{ series, x, y, room, range, about }} onPoint={point} />}
        </Frame>
        <Scale range={range} unit={series.unit} />
      </div>
      <figcaption>{pointed ?? `${about}.`}</figcaption>
    </figure>
  )
}
