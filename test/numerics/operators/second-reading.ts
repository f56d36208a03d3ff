import { toHex, utf8 } from '#core/bytes.ts'
import { sha256 } from '#crypto'
import type { OperatorRow } from '#numerics/operators/operator.ts'

/** What a reading may differ by, relative: as much as a worked example. */
export const READING_TOLERANCE = 1e-6

/** One row as it was read again: what the reader wrote before the row was opened, and what the comparison found. */
export interface Reading {
  readonly id: string
  /** The relation as the reader knows the source, with what was assumed where the worksheet left it open. */
  readonly relation: string
  /** The value the reader derived for the worked example, in its unit; null when no relation could be named. */
  readonly value: number | null
  /** Of a reading that did not agree at first: who was wrong, and what was done. */
  readonly finding?: { readonly wrong: 'row' | 'unclear row' | 'reading'; readonly why: string }
}

/** The committed second reading. */
export interface SecondReading {
  readonly seed: string
  readonly share: number
  /** Rows that came after the reading. */
  readonly later: readonly string[]
  readonly readings: readonly Reading[]
}

/** Whole numbers next to the shares that add up to the total, none below one (largest remainders, ties by name). */
const quotas = (sizes: ReadonlyMap<string, number>, total: number): ReadonlyMap<string, number> => {
  const all = [...sizes.values()].reduce((sum, it) => sum + it, 0)
  const wanted = [...sizes].map(([family, size]) => ({ family, share: (size * total) / all }))
  const given = new Map(wanted.map(({ family, share }) => [family, Math.max(1, Math.floor(share))]))
  let left = total - [...given.values()].reduce((sum, it) => sum + it, 0)
  const rest = ({ share }: { readonly share: number }): number => (share < 1 ? 0 : share - Math.floor(share))
  for (const it of wanted.sort((a, b) => rest(b) - rest(a) || (a.family < b.family ? -1 : 1))) {
    if (left <= 0) break
    given.set(it.family, (given.get(it.family) ?? 0) + 1)
    left -= 1
  }
  return given
}

/**
 * The rows to be read again: of each family its share of all rows that have a worked example, at least one. Within a
 * family they are the first in the order of SHA-256 of seed, line feed, id; so a new row moves few of the others.
 *
 * @param share of the whole table, refused rows counted, e.g. 0.1.
 */
export const drawnRows = (rows: readonly OperatorRow[], seed: string, share: number): readonly OperatorRow[] => {
  const families = Map.groupBy(
    rows.filter(({ example }) => example !== undefined),
    ({ domain }) => domain,
  )
  const sizes = new Map([...families].map(([family, of]) => [family, of.length]))
  const given = quotas(sizes, Math.round(rows.length * share))
  const rank = ({ id }: OperatorRow): string => toHex(sha256(utf8(`${seed}\n${id}`)))
  return [...families]
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .flatMap(([family, of]) => [...of].sort((a, b) => (rank(a) < rank(b) ? -1 : 1)).slice(0, given.get(family)))
}

/** How far a reading is from the worked example, relative. */
export const deviationOf = ({ value }: Reading, { example }: OperatorRow): number => {
  if (value === null || example === undefined) return Number.POSITIVE_INFINITY
  return value === example.value ? 0 : Math.abs(value - example.value) / Math.abs(example.value)
}
