/** Where a value stands in a document. */
export type Path = readonly (string | number)[]

/** Elements of a long array that are altered: every 97th. Of everything else, all. */
const STRIDE = 97
const SHORT = 50

/** Every scalar of a document with its path, long arrays sampled. */
export const leavesOf = (value: unknown, path: Path = []): (readonly [Path, unknown])[] => {
  if (value === null || typeof value !== 'object') return [[path, value]]
  const entries: (readonly [string | number, unknown])[] = Array.isArray(value)
    ? [...value.entries()].filter(([i]) => value.length <= SHORT || i % STRIDE === 0)
    : Object.entries(value)
  return entries.flatMap(([name, part]) => leavesOf(part, [...path, name]))
}

/** The document with another value at a path; the original is left alone. */
export const replaced = (value: unknown, path: Path, change: unknown): unknown => {
  const [name, ...rest] = path
  if (name === undefined) return change
  if (Array.isArray(value)) return value.with(Number(name), replaced(value[Number(name)], rest, change))
  const record = value as Record<string, unknown>
  return { ...record, [name]: replaced(record[name], rest, change) }
}

/** The least change there is: the next double, another last character. */
export const altered = (old: unknown): unknown => {
  if (typeof old === 'number') return old === 0 ? Number.MIN_VALUE : old * (1 + 2 ** -52)
  if (typeof old === 'string') return `${old.slice(0, -1)}${old.endsWith('7') ? '8' : '7'}`
  return typeof old === 'boolean' ? !old : 1
}
