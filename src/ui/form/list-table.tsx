import { figure, unitText } from '#ui/text/numbers.ts'
import { type FormField, type FormSchema, readField } from './schema.ts'

/** Rows that are shown of a long list. */
const ROWS_MAX = 12

type Row = Readonly<Record<string, unknown>>

const rowsOf = (field: FormField, text: string): readonly Row[] | undefined => {
  const read = readField(field, text)
  if (!('value' in read) || !Array.isArray(read.value)) return undefined
  const rows = read.value as readonly unknown[]
  return rows.every((it) => typeof it === 'object' && it !== null && !Array.isArray(it))
    ? (rows as readonly Row[])
    : undefined
}

const cellText = (value: unknown): string => {
  if (typeof value === 'number') return figure(value)
  if (Array.isArray(value)) return value.map(cellText).join(',  ')
  return value === undefined ? '' : String(value)
}

const columnsOf = (schema: FormSchema, rows: readonly Row[]): readonly string[] => {
  const used = new Set(rows.flatMap((row) => Object.keys(row)))
  const known = Object.keys(schema.properties ?? {}).filter((name) => used.has(name))
  return [...known, ...[...used].filter((name) => !known.includes(name))]
}

/** How the list in a field reads as a table; nothing while it is no list of objects. */
export const ListTable = ({ field, text }: { readonly field: FormField; readonly text: string }) => {
  const rows = rowsOf(field, text)
  if (rows === undefined || rows.length === 0) return null
  const items = field.schema.items ?? {}
  const columns = columnsOf(items, rows)
  return (
    <div class="scroll">
      <table>
        <thead>
          <tr>
            <th scope="col">#</th>
            {columns.map((name) => (
              <th key={name} scope="col" title={items.properties?.[name]?.description}>
                {name} <span class="unit">{unitText(items.properties?.[name]?.['x-unit'])}</span>
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {rows.slice(0, ROWS_MAX).map((row, i) => (
            <tr key={i}>
              <th scope="row">{i + 1}</th>
              {columns.map((name) => (
                <td key={name}>{cellText(row[name])}</td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
      {rows.length > ROWS_MAX && <p class="about">and {rows.length - ROWS_MAX} more</p>}
    </div>
  )
}
