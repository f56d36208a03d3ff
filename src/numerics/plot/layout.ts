import { type Axis, shareOf, sizeOf, ticksOf } from './axes.ts'
import { colourAt, hexOf, type Palette } from './colours.ts'
import { figure, withUnit } from './figures.ts'
import { type Box, type Mark, type Scene, type Style, stroke, TEXT_PX, text } from './marks.ts'
import type { Curve } from './plot.ts'

const LEFT_PX = 84
const ABOVE_PX = 76
const ABOVE_PLAIN_PX = 16
const BELOW_PX = 58
const RIGHT_PX = 30
/** Sides of the values' box: the largest one of free shape, and of what has a physical shape. */
const HEIGHT_PX = 400
const SQUARE_PX = 480
const SIDE_PX_MIN = 60
const FREE_PX_MIN = 160
const TICK_X_PX = 80
const TICK_Y_PX = 44
const TICK_PX = 5
const LABEL_PX = 13
const TITLE_PX = 16
/** Curves that a legend names, and characters of a name. */
const LEGEND_MAX = 16
const LEGEND_CHARS_MAX = 34
const LEGEND_PX = 18
/** Room for a legend or a colour scale: at least, and for each letter of the longest word. */
const SIDE_PX = 170
const LETTER_PX = 7.5
const SWATCH_PX = 18
/** What stands below begins here: it needs no room for numbers to its left. */
const BELOW_LEFT_PX = 16
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

/** Room to the left of values: their axis' longest number must not run into its name. */
const leftOf = (axis: Axis, height: number): number => {
  const { ticks } = ticksOf(axis, Math.max(2, height / TICK_Y_PX))
  return Math.max(LEFT_PX, 38 + LETTER_PX * Math.max(...ticks.map(({ text: words }) => words.length)))
}

/** The box of values with no shape of their own. */
export const freeBox = (style: Style, up?: Axis): Box => {
  const height = Math.min(HEIGHT_PX, Math.max(FREE_PX_MIN, 0.625 * style.widthMax))
  return { x: up === undefined ? LEFT_PX : leftOf(up, height), y: aboveOf(style), width: style.widthMax, height }
}

/** The largest box of a physical ratio of height to width. */
export const ratioBox = (ratio: number, style: Style, up: Axis): Box => {
  const width = Math.min(style.widthMax, SQUARE_PX / ratio)
  const height = Math.max(SIDE_PX_MIN, width * ratio)
  return { x: leftOf(up, height), y: aboveOf(style), width: Math.max(SIDE_PX_MIN, width), height }
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

/** What explains the values, beside their box or below it, and the room that it takes there. */
export interface Aside {
  readonly marks: readonly Mark[]
  readonly across: number
  readonly down: number
}

/** What is drawn inside a box of axes, and beside it. */
export interface Drawn {
  readonly title: string
  readonly axes: Axes
  readonly box: Box
  readonly inside: readonly Mark[]
  readonly beside?: Aside
  readonly gridded?: boolean
}

/** A drawing with its axes, caption and sides. Axes of one unit share their power of ten. */
export const sceneAround = ({ title, axes, box, inside, beside, gridded = false }: Drawn, style: Style): Scene => {
  const common = axes.x.unit === axes.y.unit ? { size: Math.max(sizeOf(axes.x), sizeOf(axes.y)) } : {}
  const [x, y] = [
    { ...axes.x, ...common },
    { ...axes.y, ...common },
  ]
  return {
    width: Math.ceil(Math.max(box.x + box.width + RIGHT_PX + (beside?.across ?? 0), captionWidth(title, style))),
    height: Math.ceil(box.y + box.height + BELOW_PX + (beside?.down ?? 0)),
    title,
    box,
    marks: [
      ...(gridded ? gridOf({ x, y }, box, style) : []),
      ...inside,
      { kind: 'rect', box, stroke: style.inks.edge },
      ...axisX(x, box, style),
      ...axisY(y, box, style),
      ...(beside?.marks ?? []),
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

/** A sample of how a curve is drawn. */
const swatch = (x: number, y: number, look: LegendEntry['style'], ink: string): Mark => {
  if (look === 'points') return { kind: 'dots', points: Float64Array.of(x + SWATCH_PX / 2, y), ink, radius: 3 }
  const line = stroke([x, y, x + SWATCH_PX, y], ink, 3)
  return look === 'dashes' && line.kind === 'path' ? { ...line, dashed: true } : line
}

/** What a legend names. */
export interface LegendEntry {
  readonly name: string
  readonly style?: Curve['style']
}

/** Names beside their colours. */
export const legend = (curves: readonly LegendEntry[], box: Box, { inks, below = false }: Style): Aside => {
  const [left, top] = below ? [BELOW_LEFT_PX, box.y + box.height + BELOW_PX] : [box.x + box.width + 16, box.y]
  const x = left + SWATCH_PX + 8
  const place = (i: number): number => top + 12 + i * LEGEND_PX
  const named = curves.slice(0, LEGEND_MAX)
  const more = curves.length - LEGEND_MAX
  const labels = [...named.map(({ name }) => barLabel(name)), ...(more > 0 ? [`and ${more} more`] : [])]
  const longest = Math.max(...labels.map((it) => it.length))
  return {
    marks: [
      ...named.map(({ style }, i) => swatch(left, place(i) - 4, style, inks.curve(i))),
      ...labels.map((it, i) => text(inks, { x, y: place(i), text: it, anchor: 'start' })),
    ],
    across: below ? 0 : Math.max(SIDE_PX, 26 + LETTER_PX * longest),
    down: below ? labels.length * LEGEND_PX + 4 : 0,
  }
}

/** What the colours of a drawing say. */
export interface Scale {
  readonly name: string
  readonly unit: string
  readonly low: number
  readonly high: number
  readonly palette: Palette
  /** Which ends stand for all values beyond them. */
  readonly clipped?: { readonly low: boolean; readonly high: boolean }
}

/** Ends and middle of a scale, in words, by their share of it. */
const scaleLabels = ({ unit, low, high, clipped }: Scale): readonly (readonly [number, string])[] => {
  const words = (value: number): string => withUnit(figure(value), unit)
  return [
    [1, `${clipped?.high === true ? '≥ ' : ''}${words(high)}`],
    [0.5, words((low + high) / 2)],
    [0, `${clipped?.low === true ? '≤ ' : ''}${words(low)}`],
  ]
}

const scaleFill = (i: number, palette: Palette): string => hexOf(colourAt((i + 0.5) / SCALE_STEPS, palette))

/** A bar of colours below the values, from left to right. */
const scaleBelow = (scale: Scale, box: Box, { inks }: Style): Aside => {
  const [bar, step] = [{ x: box.x, y: box.y + box.height + BELOW_PX + 14, height: 14 }, box.width / SCALE_STEPS]
  const anchors = { 0: 'start', 0.5: 'middle', 1: 'end' } as const
  // Three numbers of many figures would run into each other.
  const labels = scaleLabels(scale).filter(([share]) => share !== 0.5)
  return {
    marks: [
      text(inks, { x: BELOW_LEFT_PX, y: bar.y - 6, text: scale.name, anchor: 'start' }),
      ...Array.from({ length: SCALE_STEPS }, (_, i): Mark => {
        const fill = scaleFill(i, scale.palette)
        return { kind: 'rect', box: { ...bar, x: box.x + i * step, width: step + 0.5 }, fill }
      }),
      { kind: 'rect', box: { ...bar, width: box.width }, stroke: inks.edge },
      ...labels.map(([share, words]) => {
        const anchor = anchors[share as keyof typeof anchors]
        const x = share === 0 ? BELOW_LEFT_PX : box.x + share * box.width
        return text(inks, { x, y: bar.y + 28, text: words, anchor })
      }),
    ],
    across: 0,
    down: 52,
  }
}

/** A bar of colours with numbers. */
export const colourScale = (scale: Scale, box: Box, style: Style): Aside => {
  if (style.below === true) return scaleBelow(scale, box, style)
  const { inks } = style
  const { name, palette } = scale
  const x = box.x + box.width + 16
  const step = box.height / SCALE_STEPS
  const labels = scaleLabels(scale)
  const longest = Math.max(...labels.map(([, words]) => words.length), name.length - 3)
  return {
    marks: [
      text(inks, { x, y: box.y - 9 < 12 ? box.y + box.height + 16 : box.y - 9, text: name, anchor: 'start' }),
      ...Array.from({ length: SCALE_STEPS }, (_, i): Mark => {
        const fill = scaleFill(SCALE_STEPS - 1 - i, palette)
        return { kind: 'rect', box: { x, y: box.y + i * step, width: SWATCH_PX, height: step + 0.5 }, fill }
      }),
      { kind: 'rect', box: { x, y: box.y, width: SWATCH_PX, height: box.height }, stroke: inks.edge },
      ...labels.map(([share, words]) =>
        text(inks, { x: x + 26, y: box.y + (1 - share) * (box.height - 10) + 10, text: words, anchor: 'start' }),
      ),
    ],
    across: Math.max(SIDE_PX, 26 + LETTER_PX * longest),
    down: 0,
  }
}
