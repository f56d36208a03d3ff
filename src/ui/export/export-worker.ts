import { toBase64 } from '#core/bytes.ts'
import { type Pixels, paperInks, type Scene } from '#numerics/plot/marks.ts'
import { onPaper, sceneOf } from '#numerics/plot/scene.ts'
import { svgText } from '#numerics/plot/svg.ts'
import { csvPieces, tableOf } from '#numerics/plot/table.ts'
import type { PlotExport } from './exporting.ts'
import { imageOf, painted } from './paint.ts'

const pngAddress = async (image: Pixels): Promise<string> => {
  const blob = await imageOf(image).convertToBlob({ type: 'image/png' })
  return `data:image/png;base64,${toBase64(new Uint8Array(await blob.arrayBuffer()))}`
}

const svgOf = async (scene: Scene): Promise<Blob> => {
  const images = scene.marks.flatMap((it) => (it.kind === 'map' ? [it.image] : []))
  const addresses = new Map<Pixels, string>()
  for (const image of images) addresses.set(image, await pngAddress(image))
  return new Blob([svgText(scene, (image) => addresses.get(image) ?? '', paperInks.paper)], { type: 'image/svg+xml' })
}

const made = async ({ plot, caption, format, scale }: PlotExport): Promise<Blob> => {
  if (format === 'csv') return new Blob([...csvPieces(tableOf(plot))], { type: 'text/csv' })
  const scene = sceneOf(plot, onPaper(caption))
  return format === 'svg' ? svgOf(scene) : painted(scene, scale).convertToBlob({ type: 'image/png' })
}

addEventListener('message', ({ data }: MessageEvent<PlotExport>) => {
  void made(data).then(
    (blob) => postMessage(blob),
    // Out of the promise, so that the page hears of a defect by the worker's own error event.
    (error: unknown) =>
      queueMicrotask(() => {
        throw error
      }),
  )
})
