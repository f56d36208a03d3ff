import { useEffect, useRef } from 'preact/hooks'
import type { Scene } from '#numerics/plot/marks.ts'

const share = (part: number, whole: number): string => `${(100 * part) / whole}%`

/** The nodes of a field, one pixel each, stretched into their place below the drawing of the axes. */
export const FieldCanvas = ({ scene }: { readonly scene: Scene }) => {
  const canvas = useRef<HTMLCanvasElement>(null)
  const field = scene.marks.find((it) => it.kind === 'map')
  useEffect(() => {
    const { current } = canvas
    if (current === null || field === undefined) return
    const { columns, rows, data } = field.image
    current.width = columns
    current.height = rows
    current.getContext('2d')?.putImageData(new ImageData(data, columns, rows), 0, 0)
  }, [field])
  if (field === undefined) return null
  const { x, y, width, height } = field.box
  const style = {
    left: share(x, scene.width),
    top: share(y, scene.height),
    width: share(width, scene.width),
    height: share(height, scene.height),
  }
  return (
    <div class="field" style={{ width: `${scene.width}px`, aspectRatio: `${scene.width} / ${scene.height}` }}>
      <canvas ref={canvas} class={field.smooth === true ? 'smooth' : 'map'} style={style} />
    </div>
  )
}
