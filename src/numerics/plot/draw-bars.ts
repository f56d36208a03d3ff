import type { Axis } from './axes.ts'
import { rangeOf } from './figures.ts'
import { barLabel, barsAround, freeBox, placeX } from './layout.ts'
import { type Mark, type Scene, type Style, text } from './marks.ts'
import type { BarsPlot } from './plot.ts'

const BAR_PX = 26
const LABELS_PX = 180

/** Labelled amounts, one below the other; negative ones reach to the left. */
export const barsScene = ({ title, name, unit, about, labels, values }: BarsPlot, style: Style): Scene => {
  const { inks } = style
  const [least, most] = rangeOf(values)
  const low = Math.min(0, least)
  const axis: Axis = { name, unit, low, high: most > 0 ? most : low < 0 ? 0 : 1 }
  const { y: top, width } = freeBox(style)
  const box = { x: LABELS_PX, y: top + 12, width, height: Math.max(1, values.length) * BAR_PX }
  const zero = placeX(axis, box, 0)
  const bars = values.flatMap((value, i): readonly Mark[] => {
    const y = box.y + i * BAR_PX
    const end = placeX(axis, box, value)
    const bar = { x: Math.min(zero, end), y: y + 4, width: Math.abs(end - zero), height: BAR_PX - 8 }
    const words = text(inks, { x: box.x - 8, y: y + BAR_PX / 2 + 4, text: barLabel(labels[i] ?? ''), anchor: 'end' })
    return [{ kind: 'rect', box: bar, fill: inks.curve(0) }, words]
  })
  const heading = text(inks, { x: box.x - 8, y: box.y - 6, text: about, anchor: 'end', bold: true })
  return barsAround(title, axis, box, [...bars, heading], style)
}
