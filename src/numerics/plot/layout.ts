import { type Axis, shareOf, sizeOf, ticksOf } from './axes.ts'
import { colourAt, hexOf, type Palette } from './colours.ts'
import { figure, withUnit } from './figures.ts'
import { type Box, type Mark, type Scene, type Style, stroke, TEXT_PX, text } from './marks.ts'

const LEFT_PX = 84
const ABOVE_PX = 76
const ABOVE_PLAIN_PX = 16
const BELOW_PX = 58
const RIGHT_PX = 30
/** Sides of the values' box: the largest one of free shape, and of what has a physical shape. */
const HEIGHT_PX = 400
const SQUARE_PX = 480
const SIDE_PX_MIN = 60
const TICK_X_PX = 80
const TICK_Y_PX = 44
const TICK_PX = 5
const LABEL_PX = 13
const TITLE_PX = 16
/** Curves that a legend names, and characters of a name. */
const LEGEND_MAX = 16
const LEGEND_CHARS_MAX = 26
const LEGEND_PX = 18
/** Room for a legend or a colour scale. */
const SIDE_PX = 170
const SCALE_STEPS = 64

export interface Axes {
  readonly x: Axis
  readonly y: Axis
}

/** Pixels across of a value. */
export const placeX = (axis: Axis, { x, width }: Box, value: number): number => x + shareOf(axis, value) * width
/** Pixels down of a value. */
export const placeY = (axis: Axis, { y, height }: Box, value: number): number => y + height * (1 - shareOf(axis, value))

const aboveOf = ({ caption }: Style): number => (caption === undefined ? ABOVE_PLAIN_PX : ABOVE_PX)

/** The box of values with no shape of their own. */
export const freeBox = (style: Style): Box => ({
  x: LEFT_PX,
  y: aboveOf(style),
  width: style.widthMax,
  height: Math.min(HEIGHT_PX, 0.625 * style.widthMax),
})

/** The largest box of a physical ratio of height to width. */
export const ratioBox = (ratio: number, style: Style): Box => {
  const width = Math.min(style.widthMax, SQUARE_PX / ratio)
  const height = Math.max(SIDE_PX_MIN, width * ratio)
  return { x: LEFT_PX, y: aboveOf(style), width: Math.max(SIDE_PX_MIN, width), height }
}

const axisX = (axis: Axis, box: Box, { inks }: Style): readonly Mark[] => {
  const { ticks, label } = ticksOf(axis, Math.max(2, box.width / TICK_X_PX))
  const bottom = box.y + box.height
  return [
    ...ticks.flatMap(({ at, text: words }) => {
      const x = placeX(axis, box, at)
      return [stroke([x, bottom, x, bottom + TICK_PX], inks.edge), text(inks, { x, y: bottom + 19, text: words })]
    }),
    text(inks, { x: box.x + box.width / 2, y: bottom + 42, text: label, size: LABEL_PX }),
  ]
}

const axisY = (axis: Axis, box: Box, { inks }: Style): readonly Mark[] => {
  const { ticks, label } = ticksOf(axis, Math.max(2, box.height / TICK_Y_PX))
  return [
    ...ticks.flatMap(({ at, text: words }) => {
      const y = placeY(axis, box, at)
      const number = text(inks, { x: box.x - TICK_PX - 4, y: y + 4, text: words, anchor: 'end' })
      return [stroke([box.x - TICK_PX, y, box.x, y], inks.edge), number]
    }),
    text(inks, { x: 20, y: box.y + box.height / 2, text: label, size: LABEL_PX, turned: true }),
  ]
}

const gridOf = ({ x, y }: Axes, box: Box, { inks }: Style): readonly Mark[] => [
  ...ticksOf(x, Math.max(2, box.width / TICK_X_PX)).ticks.map(({ at }) => {
    const place = placeX(x, box, at)
    return stroke([place, box.y, place, box.y + box.height], inks.grid)
  }),
  ...ticksOf(y, Math.max(2, box.height / TICK_Y_PX)).ticks.map(({ at }) => {
    const place = placeY(y, box, at)
    return stroke([box.x, place, box.x + box.width, place], inks.grid)
  }),
]

const captionMarks = (title: string, x: number, { inks, caption }: Style): readonly Mark[] =>
  caption === undefined
    ? []
    : [
        text(inks, { x, y: 28, text: `${caption.about}: ${title}`, size: TITLE_PX, anchor: 'start', bold: true }),
        text(inks, { x, y: 48, text: caption.note, anchor: 'start' }),
      ]

/** Width that a caption needs: a letter of it is some three fifths of its height wide. */
const captionWidth = (title: string, { caption }: Style): number =>
  caption === undefined
    ? 0
    : LEFT_PX + 0.6 * Math.max(TITLE_PX * (caption.about.length + title.length + 2), TEXT_PX * caption.note.length)

/** What is drawn inside a box of axes, and beside it. */
export interface Drawn {
  readonly title: string
  readonly axes: Axes
  readonly box: Box
  readonly inside: readonly Mark[]
  readonly beside?: readonly Mark[]
  readonly gridded?: boolean
}

/** A drawing with its axes, caption and sides. Axes of one unit share their power of ten. */
export const sceneAround = ({ title, axes, box, inside, beside = [], gridded = false }: Drawn, style: Style): Scene => {
  const common = axes.x.unit === axes.y.unit ? { size: Math.max(sizeOf(axes.x), sizeOf(axes.y)) } : {}
  const [x, y] = [
    { ...axes.x, ...common },
    { ...axes.y, ...common },
  ]
  return {
    width: Math.ceil(
      Math.max(box.x + box.width + RIGHT_PX + (beside.length > 0 ? SIDE_PX : 0), captionWidth(title, style)),
    ),
    height: Math.ceil(box.y + box.height + BELOW_PX),
    title,
    box,
    marks: [
      ...(gridded ? gridOf({ x, y }, box, style) : []),
      ...inside,
      { kind: 'rect', box, stroke: style.inks.edge },
      ...axisX(x, box, style),
      ...axisY(y, box, style),
      ...beside,
      ...captionMarks(title, LEFT_PX, style),
    ],
  }
}

/** The names of bars, set to the left of their box. */
export const barLabel = (label: string): string =>
  label.length > LEGEND_CHARS_MAX ? `${label.slice(0, LEGEND_CHARS_MAX - 1)}…` : label

/** Axis, caption and frame of bars. */
export const barsAround = (title: string, axis: Axis, box: Box, marks: readonly Mark[], style: Style): Scene => ({
  width: Math.ceil(Math.max(box.x + box.width + RIGHT_PX, captionWidth(title, style))),
  height: Math.ceil(box.y + box.height + BELOW_PX),
  title,
  box,
  marks: [
    ...marks,
    { kind: 'rect', box, stroke: style.inks.edge },
    ...axisX(axis, box, style),
    ...captionMarks(title, LEFT_PX, style),
  ],
})

/** Names beside their colours. */
export const legend = (names: readonly string[], box: Box, { inks }: Style): readonly Mark[] => {
  const x = box.x + box.width + 16
  const rows = names.slice(0, LEGEND_MAX).flatMap((name, i) => {
    const y = box.y + 12 + i * LEGEND_PX
    const words = text(inks, { x: x + 26, y, text: barLabel(name), anchor: 'start' })
    return [stroke([x, y - 4, x + 18, y - 4], inks.curve(i), 3), words]
  })
  const more = names.length - LEGEND_MAX
  if (more <= 0) return rows
  const y = box.y + 12 + LEGEND_MAX * LEGEND_PX
  return [...rows, text(inks, { x: x + 26, y, text: `and ${more} more`, anchor: 'start' })]
}

/** What the colours of a drawing say. */
export interface Scale {
  readonly name: string
  readonly unit: string
  readonly low: number
  readonly high: number
  readonly palette: Palette
}

/** A bar of colours with numbers. */
export const colourScale = (scale: Scale, box: Box, { inks }: Style): readonly Mark[] => {
  const { name, unit, low, high, palette } = scale
  const x = box.x + box.width + 16
  const step = box.height / SCALE_STEPS
  const at = (share: number, value: number): Mark =>
    text(inks, {
      x: x + 26,
      y: box.y + (1 - share) * (box.height - 10) + 10,
      text: withUnit(figure(value), unit),
      anchor: 'start',
    })
  return [
    text(inks, { x, y: box.y - 9 < 12 ? box.y + box.height + 16 : box.y - 9, text: name, anchor: 'start' }),
    ...Array.from({ length: SCALE_STEPS }, (_, i): Mark => {
      const fill = hexOf(colourAt(1 - (i + 0.5) / SCALE_STEPS, palette))
      return { kind: 'rect', box: { x, y: box.y + i * step, width: 18, height: step + 0.5 }, fill }
    }),
    { kind: 'rect', box: { x, y: box.y, width: 18, height: box.height }, stroke: inks.edge },
    at(1, high),
    at(0.5, (low + high) / 2),
    at(0, low),
  ]
}
