import type { BarsPlot, Curve, CurvesPlot, MapPlot, Plot } from './plot.ts'

/** A column of a table: what stands in each row. */
export interface Column {
  readonly name: string
  readonly unit: string
  at(row: number): number | string
}

/** Numbers and texts as they are saved: no rounding, no scaling. */
export interface Table {
  readonly rows: number
  readonly columns: readonly Column[]
}

/** Rows of one piece of text: a large field is written piece by piece. */
const PIECE_ROWS = 4_096

/** What a spreadsheet takes for the beginning of a formula, full-width twins and white space in front included. */
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/

/** A text as a cell: always quoted, and never the beginning of a formula. */
const textCell = (text: string): string => `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`

/** A number as the shortest text that reads back as the same double; nothing where there is none. */
const cell = (value: number | string): string => {
  if (typeof value !== 'number') return textCell(value)
  return Number.isFinite(value) ? String(value) : ''
}

const heading = ({ name, unit }: Column): string => textCell(unit === '' || unit === '1' ? name : `${name} (${unit})`)

/** A table as RFC 4180 text, piece by piece: a heading with units, then a line for each row. */
export function* csvPieces({ rows, columns }: Table): Generator<string> {
  yield `${columns.map(heading).join(',')}\r\n`
  for (let from = 0; from < rows; from += PIECE_ROWS) {
    let text = ''
    for (let row = from; row < Math.min(rows, from + PIECE_ROWS); row++) {
      text += `${columns.map((it) => cell(it.at(row))).join(',')}\r\n`
    }
    yield text
  }
}

const sameNumbers = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a === b) return true
  if (a.length !== b.length) return false
  for (let i = 0; i < a.length; i++) if (!Object.is(a[i], b[i])) return false
  return true
}

const pick =
  (values: ArrayLike<number>) =>
  (row: number): number =>
    values[row] ?? Number.NaN

/** Curves of the same places: a column for each. */
const besides = ({ x, y, curves }: CurvesPlot, places: ArrayLike<number>): Table => ({
  rows: places.length,
  columns: [
    { name: x.name, unit: x.unit, at: pick(places) },
    ...curves.map((it): Column => ({ name: it.name, unit: y.unit, at: pick(it.y) })),
  ],
})

/** Curves of their own places: one below the other. */
const stacked = ({ x, y, curves }: CurvesPlot): Table => {
  const ends: number[] = []
  for (const curve of curves) ends.push((ends.at(-1) ?? 0) + curve.x.length)
  const of = (row: number): { readonly curve: Curve | undefined; readonly at: number } => {
    const i = ends.findIndex((end) => row < end)
    return { curve: curves[i], at: row - (ends[i - 1] ?? 0) }
  }
  const column = (name: string, unit: string, values: (curve: Curve) => ArrayLike<number> | undefined): Column => ({
    name,
    unit,
    at: (row) => {
      const { curve, at } = of(row)
      return (curve === undefined ? undefined : values(curve)?.[at]) ?? Number.NaN
    },
  })
  const shade = curves.find((it) => it.shade !== undefined && it.style !== 'segments')?.shade
  return {
    rows: ends.at(-1) ?? 0,
    columns: [
      { name: 'curve', unit: '', at: (row) => of(row).curve?.name ?? '' },
      column(x.name, x.unit, (it) => it.x),
      column(y.name, y.unit, (it) => it.y),
      ...(shade === undefined ? [] : [column(shade.name, shade.unit, (it) => it.shade?.values)]),
    ],
  }
}

const curvesTable = (plot: CurvesPlot): Table => {
  const [first] = plot.curves
  const plain = plot.curves.every((it) => it.shade === undefined)
  const shared = first !== undefined && plain && plot.curves.every((it) => sameNumbers(it.x, first.x))
  return shared ? besides(plot, first.x) : stacked(plot)
}

const mapTable = ({ values, columns, rows, x, y, name, unit }: MapPlot): Table => {
  const placed = ({ low, high }: MapPlot['x'], i: number, nodes: number): number =>
    low + ((high - low) * i) / (nodes - 1)
  return {
    rows: values.length,
    columns: [
      { name: x.name, unit: x.unit, at: (row) => placed(x, row % columns, columns) },
      { name: y.name, unit: y.unit, at: (row) => placed(y, Math.floor(row / columns), rows) },
      { name, unit, at: pick(values) },
    ],
  }
}

const barsTable = ({ labels, values, name, unit, about }: BarsPlot): Table => ({
  rows: values.length,
  columns: [
    { name: about, unit: '', at: (row) => labels[row] ?? '' },
    { name, unit, at: pick(values) },
  ],
})

/** The numbers of a plot as a table. */
export const tableOf = (plot: Plot): Table => {
  if (plot.kind === 'map') return mapTable(plot)
  return plot.kind === 'curves' ? curvesTable(plot) : barsTable(plot)
}
