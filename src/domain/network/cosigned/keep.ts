import { COSIGNED_SECONDS_MAX, coarsened } from '#core/cosigned.ts'
import {
  COSIGNERS_MAX,
  type CosignedByRow,
  type CosignedLogRow,
  cosignedByKey,
  cosignedLineKey,
  type KeptPoint,
  pointsOf,
  witnessId,
} from '#store/rows/cosigned.ts'
import type { Transaction } from '#store/transaction.ts'

/** A cosignature that was verified against the root that the log has here at that size. */
export interface VerifiedLine {
  readonly vkey: string
  readonly size: number
  /** POSIX seconds, as the witness signed them. */
  readonly seconds: number
  /** The signature line, with its line feed. */
  readonly line: string
}

const nothing: CosignedLogRow = { next: 0, heard: 0, witnesses: [] }

/** Drops the list of a witness and its lines. */
const dropList = (tx: Transaction, source: string, id: string): void => {
  for (const [size] of tx.get('cosignedBy', cosignedByKey(source, id))?.points ?? []) {
    tx.del('cosignedLine', cosignedLineKey(source, id, size))
  }
  tx.del('cosignedBy', cosignedByKey(source, id))
}

/** Drops all that is kept of the cosignatures of a log. */
export const forgetCosigned = (tx: Transaction, source: string): void => {
  for (const id of tx.get('cosignedLog', source)?.witnesses ?? []) dropList(tx, source, id)
  tx.del('cosignedLog', source)
}

/** Adds lines to the list of one witness. @returns the next serial number. */
const addLines = (
  tx: Transaction,
  { source, id, vkey }: { readonly source: string; readonly id: string; readonly vkey: string },
  { lines, next: first }: { readonly lines: readonly VerifiedLine[]; readonly next: number },
): number => {
  const key = cosignedByKey(source, id)
  const before: CosignedByRow = tx.get('cosignedBy', key) ?? { vkey, newest: 0, points: [] }
  const newest = Math.max(before.newest, ...lines.map((it) => it.seconds))
  const known = pointsOf(before)
  const isKnown = ({ size, seconds }: VerifiedLine): boolean =>
    known.some((it) => it.size === size && it.seconds === seconds)
  const fresh = lines.filter((it) => !isKnown(it)).map((it) => ({ ...it, serial: -1 }))
  const kept: readonly (KeptPoint & { readonly line?: string })[] = coarsened([...known, ...fresh], newest)
  const gone = known.filter((it) => !kept.includes(it))
  if (newest === before.newest && gone.length === 0 && !kept.some((it) => it.serial < 0)) return first
  for (const { size } of gone) tx.del('cosignedLine', cosignedLineKey(source, id, size))
  let next = first
  const points = kept.map(({ size, seconds, serial, line }) => {
    if (line === undefined) return [size, seconds, serial] as const
    tx.put('cosignedLine', cosignedLineKey(source, id, size), line)
    next += 1
    return [size, seconds, next - 1] as const
  })
  tx.put('cosignedBy', key, { vkey, newest, points })
  return next
}

/** The witness that was silent for longest, of those that may go. */
const silent = (tx: Transaction, source: string, spare: readonly string[]): string | undefined => {
  const newestOf = (id: string): number => tx.get('cosignedBy', cosignedByKey(source, id))?.newest ?? 0
  return spare.toSorted((a, b) => newestOf(a) - newestOf(b))[0]
}

/**
 * Keeps cosignatures of an event log. A union: the rows are the same in whatever order they come.
 *
 * @param chosen ids of the witnesses whose word counts here; of others there are no more than fit, and they give way.
 * @param heard serial number up to which the log's own node has told what it has; as before unless given.
 */
export const keepLines = (
  tx: Transaction,
  source: string,
  {
    lines,
    chosen,
    heard,
  }: {
    readonly lines: readonly VerifiedLine[]
    readonly chosen: ReadonlySet<string>
    readonly heard?: number | undefined
  },
): void => {
  const before = tx.get('cosignedLog', source) ?? nothing
  const byKey = Map.groupBy(
    lines.filter((it) => it.seconds < COSIGNED_SECONDS_MAX),
    (it) => it.vkey,
  )
  let { next } = before
  let witnesses = before.witnesses
  for (const [vkey, of] of byKey) {
    const id = witnessId(vkey)
    if (!witnesses.includes(id)) {
      if (witnesses.length >= COSIGNERS_MAX) {
        const gone = silent(tx, source, chosen.has(id) ? witnesses.filter((it) => !chosen.has(it)) : [])
        if (gone === undefined) continue
        dropList(tx, source, gone)
        witnesses = witnesses.filter((it) => it !== gone)
      }
      witnesses = [...witnesses, id]
    }
    next = addLines(tx, { source, id, vkey }, { lines: of, next })
  }
  const row: CosignedLogRow = { next, heard: heard ?? before.heard, witnesses }
  if (JSON.stringify(row) !== JSON.stringify(before)) tx.put('cosignedLog', source, row)
}
