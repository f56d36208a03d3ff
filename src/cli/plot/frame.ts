import { type Axis, shareOf, type Tick, ticksOf } from '#numerics/plot/axes.ts'

/** Columns between the numbers of an axis. */
const TICK_COLUMNS = 12
/** Rows between the numbers of an axis. */
const TICK_ROWS = 4

/** Signs of the frame, with and without more than ASCII. */
const signs = (plain: boolean) =>
  plain
    ? { up: '|', mark: '+', corner: '+', across: '-', below: '+' }
    : { up: '│', mark: '┤', corner: '└', across: '─', below: '┬' }

/** Which of so many characters a share of their length falls into. */
const cellOf = (share: number, count: number): number => Math.max(0, Math.min(count - 1, Math.floor(share * count)))

/** What stands left of the rows: numbers where the axis has them. */
const gutterOf = (y: Axis, rows: number): { readonly ticks: ReadonlyMap<number, string>; readonly label: string } => {
  const { ticks, label } = ticksOf(y, Math.max(1, Math.floor(rows / TICK_ROWS)))
  const rowOf = ({ at }: Tick): number => cellOf(1 - shareOf(y, at), rows)
  return { ticks: new Map(ticks.map((it) => [rowOf(it), it.text])), label }
}

/** Columns that the numbers left of a drawing take, their axis included. */
export const gutterWidth = (y: Axis, rows: number): number =>
  Math.max(1, ...[...gutterOf(y, rows).ticks.values()].map((it) => it.length)) + 1

/** Numbers below an axis; each where it stands, and none over another. */
const below = (ticks: readonly (readonly [number, string])[], columns: number): string => {
  let line = ''
  for (const [column, text] of ticks) {
    const from = Math.min(Math.max(0, column - Math.floor(text.length / 2)), Math.max(0, columns - text.length))
    if (line !== '' && from <= line.length) continue
    line = line.padEnd(from) + text
  }
  return line
}

/** What a frame stands around. */
export interface Framed {
  readonly title: string
  readonly x: Axis
  readonly y: Axis
  /** The rows of the drawing, each `columns` characters wide as it is seen. */
  readonly rows: readonly string[]
  readonly columns: number
  /** Lines below: a legend. */
  readonly legend: readonly string[]
  readonly plain: boolean
}

/** A drawing with its title, its axes with numbers and units, and its legend. */
export const framed = ({ title, x, y, rows, columns, legend, plain }: Framed): readonly string[] => {
  const sign = signs(plain)
  const { ticks: left, label: up } = gutterOf(y, rows.length)
  const width = gutterWidth(y, rows.length)
  const { ticks, label: across } = ticksOf(x, Math.max(1, Math.floor(columns / TICK_COLUMNS)))
  const places = ticks.map(({ at, text }) => [cellOf(shareOf(x, at), columns), text] as const)
  const marked = new Set(places.map(([column]) => column))
  const line = Array.from({ length: columns }, (_, i) => (marked.has(i) ? sign.below : sign.across)).join('')
  const body = rows.map((row, i) => {
    const text = left.get(i)
    return `${(text ?? '').padStart(width - 1)}${text === undefined ? sign.up : sign.mark}${row}`
  })
  return [
    title,
    up,
    ...body,
    `${' '.repeat(width - 1)}${sign.corner}${line}`,
    `${' '.repeat(width)}${below(places, columns)}`,
    `${' '.repeat(width)}${across.padStart(Math.floor((columns + across.length) / 2))}`,
    ...legend,
  ]
}
