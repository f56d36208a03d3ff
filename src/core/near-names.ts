/** Characters compared; longer names are cut, so that the work is bounded. */
const COMPARED_MAX = 40
/** Edits beyond which two names are not alike, as a share of the longer one. */
const UNLIKE_SHARE = 0.6
/** Edits within which a name is taken for a slip of the keys, as a share of the longer one, and at most so many. */
const SLIP_SHARE = 0.34
const SLIPS_MAX = 3
/** Characters of a wrong name that a message repeats. */
const SHOWN_MAX = 40

/** Letters changed, left out, put in, or two neighbours exchanged, on the shortest way from one text to the other. */
export const editDistance = (a: string, b: string): number => {
  let before: readonly number[] = []
  let row: readonly number[] = Array.from({ length: b.length + 1 }, (_, i) => i)
  for (let i = 1; i <= a.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= b.length; j += 1) {
      const change = (row[j - 1] ?? 0) + (a[i - 1] === b[j - 1] ? 0 : 1)
      const exchanged = i > 1 && j > 1 && a[i - 1] === b[j - 2] && a[i - 2] === b[j - 1]
      const exchange = exchanged ? (before[j - 2] ?? 0) + 1 : change
      next.push(Math.min(change, exchange, (row[j] ?? 0) + 1, (next[j - 1] ?? 0) + 1))
    }
    before = row
    row = next
  }
  return row[b.length] ?? 0
}

interface Near {
  readonly it: string
  readonly distance: number
}

const byDistance = (name: string, names: readonly string[]): readonly Near[] => {
  const wanted = name.slice(0, COMPARED_MAX).toLowerCase()
  return names
    .map((it) => ({ it, distance: editDistance(wanted, it.slice(0, COMPARED_MAX).toLowerCase()) }))
    .sort((a, b) => a.distance - b.distance || (a.it < b.it ? -1 : 1))
}

const longer = (name: string, it: string): number => Math.max(Math.min(name.length, COMPARED_MAX), it.length)

/** At most `countMax` of `names` that are spelled like `name`, nearest first, case left aside. */
export const nearestNames = (name: string, names: readonly string[], countMax: number): readonly string[] =>
  byDistance(name, names)
    .filter(({ it, distance }) => distance <= UNLIKE_SHARE * longer(name, it))
    .slice(0, countMax)
    .map(({ it }) => it)

/** The names that `name` may be a slip of: those of the fewest edits, and none where the nearest is far. */
export const slipsOf = (name: string, names: readonly string[]): readonly string[] => {
  const all = byDistance(name, names)
  const least = all[0]?.distance ?? 0
  return all
    .filter(({ it, distance }) => distance === least && distance <= Math.max(1, SLIP_SHARE * longer(name, it)))
    .slice(0, SLIPS_MAX)
    .map(({ it }) => it)
}

/** ` Did you mean nx?`, to stand behind a refusal; empty where no name is near. */
export const didYouMean = (near: readonly string[]): string => {
  const last = near.at(-1)
  if (last === undefined) return ''
  const others = near.slice(0, -1)
  return ` Did you mean ${others.length === 0 ? last : `${others.join(', ')} or ${last}`}?`
}

/** Of some words those nearest to a word, all that are equally near; none where `most` edits do not reach one. */
export const fewestEdits = (word: string, words: Iterable<string>, most: number): readonly string[] => {
  let least = most
  let nearest: string[] = []
  for (const it of words) {
    if (Math.abs(it.length - word.length) > least) continue
    const distance = editDistance(word, it)
    if (distance > least) continue
    if (distance < least) nearest = []
    least = distance
    nearest.push(it)
  }
  return nearest
}

/** A wrong name as a message repeats it: cut where it is long. */
export const shortened = (name: string): string => (name.length > SHOWN_MAX ? `${name.slice(0, SHOWN_MAX)}…` : name)

const stepsOf = (pointer: string): readonly string[] =>
  pointer
    .split('/')
    .slice(1)
    .map((it) => it.replaceAll('~1', '/').replaceAll('~0', '~'))

/** The value at a JSON pointer; undefined where there is none. */
export const valueAt = (value: unknown, pointer: string): unknown =>
  stepsOf(pointer).reduce<unknown>(
    (at, name) =>
      typeof at === 'object' && at !== null && Object.hasOwn(at, name) ? at[name as keyof typeof at] : undefined,
    value,
  )

interface Shape {
  readonly properties?: Readonly<Record<string, Shape>>
  readonly items?: Shape
  readonly anyOf?: readonly Shape[]
}

const partsOf = (schema: Shape): readonly Shape[] => [schema, ...(schema.anyOf ?? []).flatMap(partsOf)]

/** Names of the members that a schema has for the object at a JSON pointer, those of every alternative together. */
export const membersAt = (schema: object, pointer: string): readonly string[] => {
  let at = partsOf(schema as Shape)
  for (const name of stepsOf(pointer)) {
    const inner = at.flatMap(({ properties = {}, items }) => [
      ...(Object.hasOwn(properties, name) ? [properties[name]] : []),
      ...(items !== undefined && /^\d+$/.test(name) ? [items] : []),
    ])
    at = inner.flatMap((it) => (it === undefined ? [] : partsOf(it)))
  }
  return [...new Set(at.flatMap(({ properties = {} }) => Object.keys(properties)))]
}

/** The unknown members of the object that a refused member stands in; undefined where it stands in none. */
export const unknownBeside = (
  schema: object,
  value: unknown,
  pointer: string,
): { readonly at: string; readonly names: readonly string[] } | undefined => {
  const at = pointer.slice(0, Math.max(0, pointer.lastIndexOf('/')))
  const object = valueAt(value, at)
  if (typeof object !== 'object' || object === null || Array.isArray(object)) return undefined
  const known = new Set(membersAt(schema, at))
  const names = Object.keys(object).filter((it) => !known.has(it))
  return names.length === 0 ? undefined : { at, names }
}
