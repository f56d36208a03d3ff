import { Fault } from '#core/fault.ts'
import { parseLedger, type RegistryVersion, rowsAtVersion, walkLedger } from './ledger.ts'
import { type Operator, type OperatorRegistry, operatorOf, registryOf, rowsOfText, textDigest } from './registry.ts'

/** What is kept of earlier registries, as text: the ledger of versions, and the rows that are no longer today's. */
export interface KeptTexts {
  readonly ledger: string
  readonly rows: string
}

/** Why rows that a claim names cannot be had here, as a sentence. */
export interface MissingRows {
  readonly missing: string
}

/** The registry of a version, whole and checked against it, or what is missing of it. */
export type RowsAt = (version: string) => OperatorRegistry | MissingRows

/** A row of one digest, and the versions of the ledger in which it stood. */
export interface KeptRow {
  readonly operator: Operator
  readonly versions: readonly string[]
}

/** Every registry there was, by its version, and every row there was, by its digest. */
export interface RegistryHistory {
  /** Today's. */
  readonly current: OperatorRegistry
  readonly at: RowsAt
  /** The versions that were released, the oldest first. */
  versions(): readonly RegistryVersion[]
  /** Forms of an operator, the oldest first, today's last; none for an id that never was. */
  forms(id: string): readonly KeptRow[]
}

/** Registries of earlier versions that stay in memory. */
const RESOLVED_MAX = 4

/** A kept row stands under the digest of its line, so a line that was altered is no row of any version. */
const keptByDigest = (text: string): ReadonlyMap<string, Operator> =>
  new Map(
    text
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => rowsOfText(line).map((row) => [textDigest(line), operatorOf(row)] as const)),
  )

interface Kept {
  readonly ledger: readonly RegistryVersion[]
  readonly byDigest: ReadonlyMap<string, Operator>
}

const read = ({ ledger, rows }: KeptTexts, current: OperatorRegistry): Kept => {
  const today = current.operators.map((it) => [it.digest, it] as const)
  return { ledger: parseLedger(ledger), byDigest: new Map([...keptByDigest(rows), ...today]) }
}

/** Puts a registry together again. The version is the digest of all rows, so neither ledger nor rows are believed. */
const rebuilt = ({ ledger, byDigest }: Kept, version: string): OperatorRegistry | MissingRows => {
  const rows = rowsAtVersion(ledger, version)
  if (rows === undefined) return { missing: `The operator registry ${version} of the claim is not known here.` }
  const operators: Operator[] = []
  for (const [id, digest] of rows) {
    const found = byDigest.get(digest)
    if (found === undefined) {
      return {
        missing: `The row ${digest} of ${id}, in the operator registry ${version} of the claim, is not kept here.`,
      }
    }
    operators.push(found)
  }
  const registry = registryOf(operators)
  if (registry.version === version) return registry
  return { missing: `The kept rows of the operator registry ${version} have the digest ${registry.version}.` }
}

/**
 * What was computed with earlier rows can be computed again with them.
 *
 * @param current today's registry.
 * @param texts read at the first question that today's rows do not answer. @throws nothing but a defect
 */
export const registryHistory = (current: OperatorRegistry, texts: () => KeptTexts): RegistryHistory => {
  let kept: Kept | undefined
  const all = (): Kept => {
    kept ??= read(texts(), current)
    return kept
  }
  const resolved = new Map<string, OperatorRegistry>()

  const at: RowsAt = (version) => {
    if (version === current.version) return current
    const known = resolved.get(version)
    if (known !== undefined) return known
    try {
      const found = rebuilt(all(), version)
      if ('missing' in found) return found
      if (resolved.size >= RESOLVED_MAX) resolved.delete(resolved.keys().next().value ?? '')
      resolved.set(version, found)
      return found
    } catch (cause) {
      // What is wrong with our own files says nothing of a claim.
      if (cause instanceof Fault) return { missing: `The kept operator rows cannot be read: ${cause.message}` }
      throw cause
    }
  }

  const forms = (id: string): readonly KeptRow[] => {
    const { ledger, byDigest } = all()
    const wanted = id.toUpperCase()
    const stood = new Map<string, string[]>()
    for (const [version, rows] of walkLedger(ledger)) {
      const digest = rows.get(wanted)
      if (digest !== undefined) stood.set(digest, [...(stood.get(digest) ?? []), version])
    }
    if (current.has(wanted)) {
      const { digest } = current.operator(wanted)
      const versions = stood.get(digest) ?? []
      stood.delete(digest) // Today's stands last.
      stood.set(digest, versions)
    }
    return [...stood].flatMap(([digest, versions]) => {
      const operator = byDigest.get(digest)
      return operator === undefined ? [] : [{ operator, versions }]
    })
  }

  return { current, at, versions: () => all().ledger, forms }
}
