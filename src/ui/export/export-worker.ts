import { toBase64 } from '#core/bytes.ts'
import type { ExportOrder } from './exporting.ts'
import { imageOf, painted } from './paint.ts'
import { type Pixels, type Scene, sceneOf } from './scene.ts'
import { svgText } from './svg.ts'
import { csvPieces, tableOf } from './table.ts'

const pngAddress = async (image: Pixels): Promise<string> => {
  const blob = await imageOf(image).convertToBlob({ type: 'image/png' })
  return `data:image/png;base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`
}

const svgOf = async (scene: Scene): Promise<Blob> => {
  const images = scene.marks.flatMap((it) => (it.kind === 'map' ? [it.image] : []))
  const addresses = new Map<Pixels, string>()
  for (const image of images) addresses.set(image, await pngAddress(image))
  return new Blob([svgText(scene, (image) => addresses.get(image) ?? '')], { type: 'image/svg+xml' })
}

const made = async ({ plot, caption, format, scale }: ExportOrder): Promise<Blob> => {
  if (format === 'csv') return new Blob([...csvPieces(tableOf(plot))], { type: 'text/csv' })
  const scene = sceneOf(plot, caption)
  return format === 'svg' ? svgOf(scene) : painted(scene, scale).convertToBlob({ type: 'image/png' })
}

addEventListener('message', ({ data }: MessageEvent<ExportOrder>) => {
  void made(data).then(
    (blob) => postMessage(blob),
    // Out of the promise, so that the page hears of a defect by the worker's own error event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
