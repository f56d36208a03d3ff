import { barsScene } from './draw-bars.ts'
import { curvesScene } from './draw-curves.ts'
import { mapScene } from './draw-map.ts'
import { type Caption, paperInks, type Scene, type Style } from './marks.ts'
import type { Plot } from './plot.ts'

/** Pixels that the values take across on paper. */
const PAPER_WIDTH_PX = 640

/** A plot on white paper. */
export const onPaper = (caption: Caption): Style => ({ inks: paperInks, caption, widthMax: PAPER_WIDTH_PX })

/** The drawing of a plot: axes with units, title, legend, from the numbers as they are. */
export const sceneOf = (plot: Plot, style: Style): Scene => {
  if (plot.kind === 'map') return mapScene(plot, style)
  return plot.kind === 'curves' ? curvesScene(plot, style) : barsScene(plot, style)
}
