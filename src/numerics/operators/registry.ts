import { Fault } from '#core/fault.ts'
import { didYouMean, nearestNames, slipsOf } from '#core/near-names.ts'
import { sha256OfText } from '#crypto'
import { type OperatorRow, parseRow } from './operator.ts'
import { type ParsedRelation, relationOf } from './relation.ts'
import { rowText } from './row-text.ts'

/** The kernel operator, first in every computation. */
export const KERNEL_ID = 'KO42'
/** Rows one registry may hold. */
export const ROWS_MAX = 10_000
/** Ids offered for one that is not known. */
const SIMILAR_MAX = 5

/** A row with what follows from it. */
export interface Operator {
  readonly row: OperatorRow
  /** The row's canonical text (RFC 8785), made whenever asked: what its digest and the registry's version are over. */
  readonly text: string
  /** `sha256:` of the text, made at first use. */
  readonly digest: string
  /** The parsed relation, made at first use. @throws Fault RELATION_REFUSED for a refused row. */
  relation(): ParsedRelation
}

/** All rows by id, and the digest that names exactly them. */
export interface OperatorRegistry {
  /** Sorted by code units. */
  readonly ids: readonly string[]
  /** In the order of `ids`. */
  readonly operators: readonly Operator[]
  /**
   * `sha256:` and the SHA-256 of the rows' canonical texts in the order of `ids`, each followed by a line feed; made at
   * first use, since most processes never ask.
   */
  readonly version: string
  /** Any case. @throws Fault UNKNOWN_OPERATOR with `available_similar`. */
  operator(id: string): Operator
  has(id: string): boolean
}

const refusedRelation = (row: OperatorRow): never => {
  const { kind, reason, see = [] } = row.refused ?? { kind: 'principle', reason: '' }
  throw new Fault('RELATION_REFUSED', `${row.id} (${row.name}) is refused as what it is, ${kind}: ${reason}`, {
    operator: row.id,
    kind,
    reason,
    statement: row.equation,
    see,
  })
}

/** `sha256:` and the SHA-256 of a text, as rows and registries are named. */
export const textDigest = (text: string): string => `sha256:${sha256OfText(text)}`

/** A row, checked, with what follows from it. @throws Fault INVALID_INPUT for a malformed one. */
export const operatorOf = (value: unknown): Operator => {
  const row = parseRow(value)
  let relation: ParsedRelation | undefined
  let digest: string | undefined
  return {
    row,
    get text() {
      return rowText(row)
    },
    get digest() {
      digest ??= textDigest(rowText(row))
      return digest
    },
    relation: () => {
      if (row.refused !== undefined) return refusedRelation(row)
      relation ??= relationOf(row)
      return relation
    },
  }
}

const byCodeUnits = (a: Operator, b: Operator): number => (a.row.id < b.row.id ? -1 : 1)

/** The registry of these operators, in any order. @throws Fault INVALID_INPUT for an id that stands twice. */
export const registryOf = (unsorted: readonly Operator[]): OperatorRegistry => {
  if (unsorted.length > ROWS_MAX) throw new Fault('INVALID_INPUT', `More than ${ROWS_MAX} operator rows.`)
  const operators = [...unsorted].sort(byCodeUnits)
  const byId = new Map(operators.map((it) => [it.row.id, it]))
  const ids = operators.map((it) => it.row.id)
  const twice = ids.find((id, i) => id === ids[i + 1])
  if (twice !== undefined) throw new Fault('INVALID_INPUT', `The operator id ${twice} stands twice.`)
  let version: string | undefined
  return {
    ids,
    operators,
    get version() {
      version ??= textDigest(operators.map(({ text }) => `${text}\n`).join(''))
      return version
    },
    has: (id) => byId.has(id.toUpperCase()),
    operator: (id) => {
      const found = byId.get(id.toUpperCase())
      if (found !== undefined) return found
      const similar = nearestNames(id, ids, SIMILAR_MAX)
      const shown = id.length > 64 ? `${id.slice(0, 64)}…` : id
      throw new Fault('UNKNOWN_OPERATOR', `No operator has the id ${shown}.${didYouMean(slipsOf(id, ids))}`, {
        operator: shown,
        available_similar: similar,
      })
    },
  }
}

/**
 * The registry of rows.
 *
 * @param rows parsed JSON of each row, in any order (see {@link rowsOfText}).
 * @throws Fault INVALID_INPUT for a malformed row or an id that stands twice.
 */
export const operatorRegistry = (rows: readonly unknown[]): OperatorRegistry => {
  if (rows.length > ROWS_MAX) throw new Fault('INVALID_INPUT', `More than ${ROWS_MAX} operator rows.`)
  return registryOf(rows.map(operatorOf))
}

/** The rows of JSON-lines text: one object a line, empty lines allowed. @throws Fault INVALID_INPUT naming the line. */
export const rowsOfText = (text: string): readonly unknown[] =>
  text.split('\n').flatMap((line, i) => {
    if (line.trim() === '') return []
    try {
      return [JSON.parse(line) as unknown]
    } catch {
      throw new Fault('INVALID_INPUT', `Line ${i + 1} of the operator rows is not JSON.`, { line: i + 1 })
    }
  })
