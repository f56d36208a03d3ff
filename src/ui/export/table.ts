import type { Along, Plot, Series } from '#ui/plot/plots.ts'

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

/** Coordinates of a point in space. */
const AXES = 3
/** Rows of one piece of text: a large field is written piece by piece. */
const PIECE_ROWS = 4_096

/** What a spreadsheet takes for the beginning of a formula, full-width twins and white space in front included. */
const FORMULA = /^[\s\0]*[=+\-@\uff1d\uff0b\uff0d\uff20|%]|^[\t\r\n]/

/** A text as a cell: always quoted, and never the beginning of a formula. */
const textCell = (text: string): string => `"${FORMULA.test(text) ? "'" : ''}${text.replaceAll('"', '""')}"`

/** A number as the shortest text that reads back as the same double. */
const cell = (value: number | string): string => (typeof value === 'number' ? String(value) : textCell(value))

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

const placeAt = ({ places }: Along, i: number): number => ('at' in places ? (places.at[i] ?? i) : i * places.spacing)

const valuesOf = ({ values }: Series, at: (row: number) => number): ((row: number) => number) => {
  return (row) => values[at(row)] as number
}

const lineTable = (series: Series, x: Along): Table => {
  const count = series.axes.length > 1 ? (series.shape.at(-1) ?? 0) : series.values.length
  const curves = count === 0 ? 0 : series.values.length / count
  const { name, unit } = series
  return {
    rows: count,
    columns: [
      { name: x.name, unit: x.unit, at: (row) => placeAt(x, row) },
      ...Array.from(
        { length: curves },
        (_, curve): Column => ({
          name: curves === 1 ? name : `${name}[${curve}]`,
          unit,
          at: valuesOf(series, (row) => curve * count + row),
        }),
      ),
    ],
  }
}

const fieldTable = (series: Series, x: Along, y: Along): Table => {
  const [, columns = 1] = series.shape
  return {
    rows: series.values.length,
    columns: [
      { name: x.name, unit: x.unit, at: (row) => placeAt(x, row % columns) },
      { name: y.name, unit: y.unit, at: (row) => placeAt(y, Math.floor(row / columns)) },
      { name: series.name, unit: series.unit, at: valuesOf(series, (row) => row) },
    ],
  }
}

const pathsTable = ({ series, bodies, times }: Extract<Plot, { kind: 'paths' }>): Table => {
  const sampleOf = (row: number): number => Math.floor(row / bodies)
  const coordinate = (name: string, axis: number): Column => ({
    name,
    unit: series.unit,
    at: valuesOf(series, (row) => row * AXES + axis),
  })
  return {
    rows: series.values.length / AXES,
    columns: [
      times === undefined
        ? { name: 'sample', unit: '', at: sampleOf }
        : { name: times.name, unit: times.unit, at: (row) => placeAt(times, sampleOf(row)) },
      { name: 'body', unit: '', at: (row) => (row % bodies) + 1 },
      ...['x', 'y', 'z'].map(coordinate),
    ],
  }
}

/** The numbers of a plot as a table. */
export const tableOf = (plot: Plot): Table => {
  if (plot.kind === 'field') return fieldTable(plot.series, plot.x, plot.y)
  if (plot.kind === 'line') return lineTable(plot.series, plot.x)
  if (plot.kind === 'paths') return pathsTable(plot)
  const { labels, values, name, unit, about } = plot
  return {
    rows: values.length,
    columns: [
      { name: about, unit: '', at: (row) => labels[row] ?? '' },
      { name, unit, at: (row) => values[row] as number },
    ],
  }
}
