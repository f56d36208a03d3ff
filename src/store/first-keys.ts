import type { TableName } from './layout.ts'
import type { RangeOptions } from './row-reader.ts'

/** Whatever lies after every key. */
const END = null
/** A lower bound of the keys of a table: they are at it or after it. */
type Bound = string | typeof END

/** Such a text compares with any other by its characters as the database does by its bytes. */
const isPlain = (key: string): boolean => /^[\x20-\x7e]*$/.test(key)

/** To be told the first key of the table, or that there is none. */
type FirstSeen = (key: string | undefined) => void

/** Before which key each table holds nothing, as far as somebody has looked. */
export interface FirstKeys {
  /** Whether a range holds nothing for sure. False says nothing. */
  isEmpty(table: TableName, options: RangeOptions): boolean
  /** To be called before a range is read; undefined where its rows say nothing of the first key of the table. */
  look(table: TableName, options: RangeOptions): FirstSeen | undefined
  /** These were written, or may have been. */
  written(changes: Iterable<{ readonly table: TableName; readonly key: string; readonly row?: unknown }>): void
}

const startsAtFirst = ({ gt = '', gte = '', reverse = false }: RangeOptions): boolean =>
  gt === '' && gte === '' && !reverse

/**
 * Remembers where tables begin, so that what comes round looks for what is due without a read while nothing is: many a
 * table of dues is empty, or begins in the future. It knows nothing at first, and learns from ranges that are read from
 * the first key on; a write takes back what it makes untrue.
 */
export const createFirstKeys = (): FirstKeys => {
  const bounds = new Map<TableName, Bound>()
  /** Writes of rows by table: what was looked for before the end of one may have been read before it. */
  const writes = new Map<TableName, number>()

  const learn = (table: TableName, bound: Bound): void => {
    if (bound === END || isPlain(bound)) bounds.set(table, bound)
    else bounds.delete(table)
  }

  return {
    isEmpty: (table, { lt, lte }) => {
      const bound = bounds.get(table)
      if (bound === undefined) return false
      if (bound === END) return true
      if (lte !== undefined) return lte < bound
      return lt !== undefined && lt <= bound
    },
    look: (table, options) => {
      if (!startsAtFirst(options)) return undefined
      const before = writes.get(table) ?? 0
      writes.set(table, before)
      return (key) => {
        if (writes.get(table) === before) learn(table, key ?? END)
      }
    },
    written: (changes) => {
      for (const { table, key, row } of changes) {
        const count = writes.get(table)
        // Nobody ever looked, or the row is gone: all that is known stays true.
        if (count === undefined || row === undefined) continue
        writes.set(table, count + 1)
        const bound = bounds.get(table)
        if (bound === END || (bound !== undefined && key < bound)) learn(table, key)
      }
    },
  }
}
