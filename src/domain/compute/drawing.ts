import { readFile } from 'node:fs/promises'
import { fileURLToPath } from 'node:url'
import { initWasm, Resvg } from '@resvg/resvg-wasm'
import { PNG } from 'pngjs'
import { utf8 } from '#core/bytes.ts'
import { Fault } from '#core/fault.ts'
import type { Caption, Pixels } from '#numerics/plot/marks.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { onPaper, sceneOf } from '#numerics/plot/scene.ts'
import { svgText } from '#numerics/plot/svg.ts'
import { csvPieces, tableOf } from '#numerics/plot/table.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import type { Solver } from '#numerics/runtime/solver.ts'

/** A drawing, an image, or the numbers of a plot. */
export type PictureFormat = 'svg' | 'png' | 'csv'

/** A picture of a result. */
export interface DrawOrder {
  /** The solver's name. */
  readonly name: string
  /** The inputs of the result, and its output as JSON text. */
  readonly inputs: unknown
  readonly output: string
  readonly format: PictureFormat
  /** Which of the solver's plots, from 0. */
  readonly index: number
  readonly caption: Caption
}

/** Pixels of a PNG for each pixel of the drawing: a screen of today shows two. */
const PNG_SCALE = 2

const pngAddress = ({ columns, rows, data }: Pixels): string => {
  const png = new PNG({ width: columns, height: rows })
  png.data = Buffer.from(data.buffer)
  return `data:image/png;base64,${PNG.sync.write(png).toString('base64')}`
}

const plotOf = (solvers: readonly Solver[], order: DrawOrder): Plot => {
  const solver = solvers.find((it) => it.name === order.name)
  const output = JSON.parse(order.output) as Record<string, unknown>
  const plots = solver?.plots?.(resolveInput(solver, order.inputs), output) ?? []
  const plot = plots[order.index]
  if (plot === undefined) {
    const there = plots.length === 1 ? 'one plot, number 0' : `${plots.length} plots`
    throw new Fault('NOT_FOUND', `${order.name} has ${there}; there is none of number ${order.index}.`, {
      plots: plots.length,
    })
  }
  return plot
}

const svgOf = (plot: Plot, caption: Caption): string => {
  const style = onPaper(caption)
  return svgText(sceneOf(plot, style), pngAddress, style.inks.paper)
}

const moduleFile = (name: string): Promise<Buffer<ArrayBuffer>> => readFile(fileURLToPath(import.meta.resolve(name)))

/** The renderer and the two faces that its texts are set in; the machine's own fonts are asked for nothing. */
const load = async (): Promise<readonly Uint8Array[]> => {
  const [code, ...fonts] = await Promise.all([
    moduleFile('@resvg/resvg-wasm/index_bg.wasm'),
    moduleFile('dejavu-fonts-ttf/ttf/DejaVuSans.ttf'),
    moduleFile('dejavu-fonts-ttf/ttf/DejaVuSans-Bold.ttf'),
  ])
  await initWasm(code)
  return fonts
}

let loaded: Promise<readonly Uint8Array[]> | undefined

/** An SVG document as a PNG image: the same bytes on every machine. */
const rasterised = async (svg: string): Promise<Uint8Array> => {
  loaded ??= load()
  const fontBuffers = [...(await loaded)]
  const family = 'DejaVu Sans'
  const renderer = new Resvg(svg, {
    font: { fontBuffers, defaultFontFamily: family, sansSerifFamily: family },
    fitTo: { mode: 'zoom', value: PNG_SCALE },
  })
  const image = renderer.render()
  const png = image.asPng()
  image.free()
  renderer.free()
  return png
}

/**
 * The plot of a result.
 *
 * @throws Fault NOT_FOUND for a solver that is not here, or a plot that it does not have (`plots` says how many).
 */
export const drawn = async (solvers: readonly Solver[], order: DrawOrder): Promise<Uint8Array> => {
  const plot = plotOf(solvers, order)
  if (order.format === 'csv') return utf8([...csvPieces(tableOf(plot))].join(''))
  const svg = svgOf(plot, order.caption)
  return order.format === 'svg' ? utf8(svg) : rasterised(svg)
}
