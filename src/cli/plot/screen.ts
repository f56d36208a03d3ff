import { type Depth, depthOf, isPlain } from './colour.ts'

/** What is drawn on. */
export interface Screen {
  readonly columns: number
  /** Rows that the values of a plot take up. */
  readonly rows: number
  readonly depth: Depth
  /** Whether it has ASCII alone. */
  readonly plain: boolean
}

const COLUMNS = 80
const COLUMNS_MIN = 24
const COLUMNS_MAX = 200
const ROWS_MIN = 6
const ROWS_MAX = 24
/** Rows of a terminal that title, axes, legend and what stands below the plot need. */
const ROWS_APART = 8
/** Columns for each row of the values. */
const COLUMNS_PER_ROW = 4

type Stream = Pick<NodeJS.WriteStream, 'isTTY' | 'columns' | 'rows'>
type Variables = Readonly<Record<string, string | undefined>>

const between = (low: number, value: number, high: number): number => Math.max(low, Math.min(high, value))

/** What stdout can show; off a terminal COLUMNS says how wide it is. */
export const screenOf = ({ isTTY, columns, rows }: Stream, env: Variables): Screen => {
  const terminal = isTTY === true
  const said = Number(env['COLUMNS'] ?? Number.NaN)
  const wide = (terminal ? columns : undefined) || (Number.isInteger(said) && said > 0 ? said : COLUMNS)
  const width = between(COLUMNS_MIN, wide, COLUMNS_MAX)
  const high = terminal && rows > 0 ? rows - ROWS_APART : ROWS_MAX
  const own = between(ROWS_MIN, Math.floor(width / COLUMNS_PER_ROW), ROWS_MAX)
  return {
    columns: width,
    rows: between(ROWS_MIN, high, own),
    depth: depthOf(env, terminal),
    plain: isPlain(env),
  }
}
