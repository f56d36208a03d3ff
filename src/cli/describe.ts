import { table } from './io.ts'

type Row = Readonly<Record<string, unknown>>

const isRow = (value: unknown): value is Row => typeof value === 'object' && value !== null && !Array.isArray(value)
/** Levels of an answer that are shown as names with dots; what is deeper stands as JSON. */
const DEPTH_MAX = 3

/** What is sealed is for its owner, who decrypts it; in a line of text it says nothing. */
const unsealed = (name: string, value: unknown): unknown => (name === 'sealed' ? undefined : value)

const marks: Readonly<Record<string, string>> = { '\n': '\\n', '\r': '\\r', '\t': '\\t' }

/**
 * A value in one cell: absence is a dash, what has members of its own is JSON. A text stays within its line, or what
 * somebody calls a machine could pass for a row of the table.
 */
export const cell = (value: unknown): string => {
  if (value === null || value === undefined) return '-'
  if (typeof value === 'object') return JSON.stringify(value, unsealed)
  return String(value).replace(/[\n\r\t]/g, (mark) => marks[mark] ?? mark)
}

/** The member under a name with dots; a place of a list is its number. */
export const pick = (row: Row, path: string): unknown =>
  path
    .split('.')
    .reduce<unknown>(
      (at, name) => (typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? (at as Row)[name] : undefined),
      row,
    )

/** A list as a table under its columns; a column may be a member of a member, `head.seq`. */
export const listText = (rows: readonly object[], columns: readonly string[]): string => {
  if (rows.length === 0) return 'none'
  const head = columns.map((it) => it.split('.').at(-1) ?? it)
  return table([head, ...rows.map((row) => columns.map((it) => cell(pick(row as Row, it))))])
}

const isList = (value: unknown): value is readonly Row[] =>
  Array.isArray(value) && value.length > 0 && value.every(isRow)

/** Numbers of a list that are shown one by one; longer ones are data for programs. */
const NUMBERS_MAX = 8

const listCell = (values: readonly unknown[]): string => {
  if (values.length > NUMBERS_MAX && typeof values[0] === 'number') return `${values.length} values`
  return values.map(cell).join(', ') || 'none'
}

const rowsOf = (row: Row, at: string, depth: number): readonly (readonly string[])[] =>
  Object.entries(row).flatMap(([name, value]) => {
    if (isList(value)) return []
    const path = `${at}${name}`
    if (isRow(value) && depth < DEPTH_MAX && Object.keys(value).length > 0) return rowsOf(value, `${path}.`, depth + 1)
    return [[path, Array.isArray(value) && !value.some(isRow) ? listCell(value) : cell(value)]]
  })

const columnsOf = (rows: readonly Row[]): readonly string[] =>
  Object.entries(rows[0] ?? {}).flatMap(([name, value]) => (isRow(value) || Array.isArray(value) ? [] : [name]))

/**
 * An answer as text for people: its members a line each, then each of its lists as a table. What an answer has that
 * this release has not heard of is shown like the rest.
 */
export const describe = (answer: object): string => {
  const { ok: _, ...members } = answer as Row
  const rows = rowsOf(members, '', 0)
  const lists = Object.entries(members).flatMap(([name, value]) =>
    isList(value) ? [`${name} (${value.length})`, listText(value, columnsOf(value))] : [],
  )
  return [...(rows.length > 0 ? [table(rows)] : []), ...lists].join('\n')
}
