import type { Caption } from '#numerics/plot/marks.ts'
import type { Plot } from '#numerics/plot/plot.ts'

/** A document that a plot is saved as. */
export interface PlotExport {
  readonly plot: Plot
  readonly caption: Caption
  readonly format: 'svg' | 'png' | 'csv'
  /** Pixels of a PNG for each pixel of the drawing. */
  readonly scale: 1 | 2
}

/** Characters of a file's name, without its ending. */
const NAME_CHARS_MAX = 120

/** Words as a file's name that every system takes. */
export const fileName = (...words: readonly string[]): string =>
  words
    .map((it) => it.replaceAll(/[^A-Za-z0-9._-]+/g, '-'))
    .join('-')
    .slice(0, NAME_CHARS_MAX)

/** Makes the document in a worker, so that a large field does not stop the page. @throws Error of the worker. */
export const exported = (order: PlotExport): Promise<Blob> => {
  const worker = new Worker(new URL('./export-worker.ts', import.meta.url), { type: 'module' })
  const { promise, resolve, reject } = Promise.withResolvers<Blob>()
  worker.onmessage = ({ data }: MessageEvent<Blob>) => resolve(data)
  worker.onerror = (event) => reject(new Error(event.message || 'The export could not be made.'))
  worker.postMessage(order)
  return promise.finally(() => worker.terminate())
}
