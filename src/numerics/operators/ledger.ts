import { canonical, type Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { type OperatorRegistry, textDigest } from './registry.ts'

/** What one version changed against the one before it: a line of the ledger. */
interface Line {
  /** Digest of the line before, null in the first: a ledger is appended to, never rewritten. */
  readonly previous: string | null
  /** Day of the release, `YYYY-MM-DD`. */
  readonly released: string
  readonly version: string
  /** `code.constants` of the claims made with it. */
  readonly constants: string
  /** Operator id → digest of its row, of those that are new or changed. */
  readonly put: Readonly<Record<string, string>>
  /** Ids that are gone. */
  readonly drop: readonly string[]
}

/** A released registry. */
export interface RegistryVersion extends Line {
  /** Rows in all. */
  readonly count: number
}

const DIGEST = /^sha256:[0-9a-f]{64}$/
const DAY = /^\d{4}-\d\d-\d\d$/
const MEMBERS = 'constants,drop,previous,put,released,version'

const isDigest = (value: unknown): value is string => typeof value === 'string' && DIGEST.test(value)

const lineOf = (text: string, number: number): Line => {
  const refuse = (why: string): never => {
    throw new Fault('INVALID_INPUT', `Line ${number} of the ledger of registries ${why}.`, { line: number })
  }
  const parsed = (): unknown => {
    try {
      return JSON.parse(text)
    } catch {
      return refuse('is not JSON')
    }
  }
  const it = parsed() as Line
  if (typeof it !== 'object' || it === null || Object.keys(it).sort().join() !== MEMBERS) return refuse('is no version')
  if (canonical(it as unknown as Json) !== text) return refuse('is not in its canonical form')
  const digests = [it.version, ...(it.previous === null ? [] : [it.previous]), ...Object.values(it.put)]
  if (!digests.every(isDigest) || !DAY.test(it.released)) return refuse('holds what is no digest or day')
  return it
}

/** The rows of each version in turn, operator id → digest of its row, in one map that the next version changes. */
export function* walkLedger(ledger: Iterable<Line>): Generator<readonly [string, ReadonlyMap<string, string>]> {
  const rows = new Map<string, string>()
  for (const { version, put, drop } of ledger) {
    for (const id of drop) rows.delete(id)
    for (const [id, digest] of Object.entries(put)) rows.set(id, digest)
    yield [version, rows]
  }
}

/**
 * Reads a ledger of versions: JSON lines, each in canonical form (RFC 8785) and naming the digest of the one before.
 *
 * @throws Fault INVALID_INPUT naming the line that is malformed or does not follow from the one before.
 */
export const parseLedger = (text: string): readonly RegistryVersion[] => {
  let previous: string | null = null
  const lines = text
    .split('\n')
    .filter((line) => line !== '')
    .map((line, i) => {
      const it = lineOf(line, i + 1)
      if (it.previous !== previous) {
        throw new Fault('INVALID_INPUT', `Line ${i + 1} of the ledger of registries does not follow the one before.`, {
          line: i + 1,
        })
      }
      previous = textDigest(line)
      return it
    })
  const counts = Array.from(walkLedger(lines), ([, rows]) => rows.size)
  return lines.map((it, i) => ({ ...it, count: counts[i] ?? 0 }))
}

/** Operator id → digest of its row in a version; undefined when the ledger does not have it. */
export const rowsAtVersion = (
  ledger: readonly RegistryVersion[],
  version: string,
): ReadonlyMap<string, string> | undefined => {
  for (const [name, rows] of walkLedger(ledger)) if (name === version) return new Map(rows)
  return undefined
}

/** What of a registry a ledger says of it. */
export interface Release {
  readonly registry: Pick<OperatorRegistry, 'version' | 'operators'>
  readonly constants: string
  readonly released: string
}

/** The line that a release adds to a ledger; undefined when its newest version is that registry already. */
export const releaseLine = (ledger: string, { registry, constants, released }: Release): string | undefined => {
  const versions = parseLedger(ledger)
  const newest = versions.at(-1)
  if (newest?.version === registry.version && newest.constants === constants) return undefined
  const before = newest === undefined ? new Map<string, string>() : rowsAtVersion(versions, newest.version)
  const now = new Map(registry.operators.map(({ row, digest }) => [row.id, digest]))
  const lines = ledger.split('\n').filter((line) => line !== '')
  return canonical({
    previous: lines.length === 0 ? null : textDigest(lines.at(-1) ?? ''),
    released,
    version: registry.version,
    constants,
    put: Object.fromEntries([...now].filter(([id, digest]) => before?.get(id) !== digest)),
    drop: [...(before?.keys() ?? [])].filter((id) => !now.has(id)),
  })
}
