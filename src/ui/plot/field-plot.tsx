import { useEffect, useRef, useState } from 'preact/hooks'
import { colourAt } from './colours.ts'
import { figure, rangeOf } from './numbers.ts'
import type { Series } from './plots.ts'

const draw = (canvas: HTMLCanvasElement, { values, shape }: Series, [low, high]: readonly [number, number]): void => {
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

const drawScale = (canvas: HTMLCanvasElement): void => {
  canvas.width = 1
  canvas.height = 128
  const context = canvas.getContext('2d')
  if (context === null) return
  for (let y = 0; y < canvas.height; y++) {
    const [red, green, blue] = colourAt(1 - y / (canvas.height - 1))
    context.fillStyle = `rgb(${red} ${green} ${blue})`
    context.fillRect(0, y, 1, 1)
  }
}

/** A map of a field with its colour scale; the value under the pointer is named below. */
export const FieldPlot = ({ series }: { readonly series: Series }) => {
  const map = useRef<HTMLCanvasElement>(null)
  const scale = useRef<HTMLCanvasElement>(null)
  const [under, point] = useState<string>()
  const [low, high] = rangeOf(series.values)
  const [rows = 1, columns = 1] = series.shape
  const range = `from ${figure(low)} to ${figure(high)} ${series.unit}`
  useEffect(() => {
    if (map.current !== null) draw(map.current, series, [low, high])
    if (scale.current !== null) drawScale(scale.current)
  }, [series, low, high])
  const read = (event: PointerEvent): void => {
    const box = map.current?.getBoundingClientRect()
    if (box === undefined) return
    const column = Math.min(columns - 1, Math.floor(((event.clientX - box.left) / box.width) * columns))
    const row = Math.min(rows - 1, rows - 1 - Math.floor(((event.clientY - box.top) / box.height) * rows))
    const value = series.values[row * columns + column]
    if (value !== undefined) point(`node (${column}, ${row}): ${figure(value)} ${series.unit}`)
  }
  return (
    <figure class="plot">
      <div class="field">
        <canvas
          ref={map}
          class="map"
          style={{ aspectRatio: `${columns} / ${rows}` }}
          role="img"
          aria-label={`${series.name}: ${rows} by ${columns} values ${range}`}
          onPointerMove={read}
          onPointerLeave={() => point(undefined)}
        />
        <div class="scale">
          <span>
            {figure(high)} {series.unit}
          </span>
          <canvas ref={scale} role="img" aria-label="colour scale" />
          <span>
            {figure(low)} {series.unit}
          </span>
        </div>
      </div>
      <figcaption>{under ?? `${series.name}, ${columns} × ${rows} nodes. ${series.about}`}</figcaption>
    </figure>
  )
}
