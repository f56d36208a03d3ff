import type { Mark, Pixels, Scene } from '#numerics/plot/marks.ts'
import { outline } from '#numerics/plot/svg.ts'

const contextOf = (canvas: OffscreenCanvas): OffscreenCanvasRenderingContext2D => {
  const context = canvas.getContext('2d')
  if (context === null) throw new Error('This browser has no canvas to draw on.')
  return context
}

/** The nodes of a field as an image, one pixel each. */
export const imageOf = ({ columns, rows, data }: Pixels): OffscreenCanvas => {
  const canvas = new OffscreenCanvas(columns, rows)
  contextOf(canvas).putImageData(new ImageData(data, columns, rows), 0, 0)
  return canvas
}

const paintMark = (context: OffscreenCanvasRenderingContext2D, mark: Mark): void => {
  if (mark.kind === 'path' || mark.kind === 'segments' || mark.kind === 'dots') {
    context.strokeStyle = mark.ink
    context.lineWidth = mark.kind === 'dots' ? 2 * mark.radius : mark.width
    context.lineJoin = 'round'
    context.lineCap = mark.kind === 'dots' ? 'round' : 'butt'
    context.setLineDash(mark.kind === 'path' && mark.dashed === true ? [6, 4] : [])
    context.stroke(new Path2D(outline(mark.kind, mark.points)))
  } else if (mark.kind === 'rect') {
    const { x, y, width, height } = mark.box
    context.lineWidth = 1
    context.setLineDash([])
    if (mark.fill !== undefined) {
      context.fillStyle = mark.fill
      context.fillRect(x, y, width, height)
    }
    if (mark.stroke !== undefined) {
      context.strokeStyle = mark.stroke
      context.strokeRect(x, y, width, height)
    }
  } else if (mark.kind === 'map') {
    const { x, y, width, height } = mark.box
    context.imageSmoothingEnabled = mark.smooth === true
    context.drawImage(imageOf(mark.image), x, y, width, height)
  } else {
    const { size, anchor, bold = false, turned = false } = mark
    context.save()
    context.translate(mark.x, mark.y)
    if (turned) context.rotate(-Math.PI / 2)
    context.font = `${bold ? '700 ' : ''}${size}px system-ui, sans-serif`
    context.textAlign = anchor === 'middle' ? 'center' : anchor
    context.fillStyle = mark.ink
    context.fillText(mark.text, 0, 0)
    context.restore()
  }
}

/** A drawing as pixels. @param scale pixels of the image for each of the drawing. */
export const painted = ({ width, height, marks }: Scene, scale: number): OffscreenCanvas => {
  const canvas = new OffscreenCanvas(width * scale, height * scale)
  const context = contextOf(canvas)
  context.scale(scale, scale)
  context.fillStyle = '#ffffff'
  context.fillRect(0, 0, width, height)
  for (const mark of marks) paintMark(context, mark)
  return canvas
}
