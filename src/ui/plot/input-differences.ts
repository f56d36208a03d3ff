/** A member in which two inputs differ, as text; nothing where one has none. */
export interface InputDifference {
  readonly path: string
  readonly a: string
  readonly b: string
}

/** Characters of a member that are shown. */
const TEXT_CHARS_MAX = 60

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const textOf = (value: unknown): string => {
  const text = value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)
  return text.length > TEXT_CHARS_MAX ? `${text.slice(0, TEXT_CHARS_MAX - 1)}…` : text
}

/** The members in which two inputs differ, by their path; arrays are compared whole. */
export const inputDifferences = (a: unknown, b: unknown, path = ''): readonly InputDifference[] => {
  if (isObject(a) && isObject(b)) {
    const names = [...new Set([...Object.keys(a), ...Object.keys(b)])]
    return names.flatMap((it) => inputDifferences(a[it], b[it], path === '' ? it : `${path}.${it}`))
  }
  return JSON.stringify(a) === JSON.stringify(b) ? [] : [{ path, a: textOf(a), b: textOf(b) }]
}

/** How far B is from A, in percent of A; undefined where A is nothing. */
export const percentApart = (a: number, b: number): number | undefined =>
  a === 0 ? undefined : (100 * (b - a)) / Math.abs(a)
