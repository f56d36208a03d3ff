import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { checkpointText } from '#core/checkpoint.ts'
import { COSIGNED_POINTS_MAX, type CosignedPoint, coarsened } from '#core/cosigned.ts'
import { parseVkey, takeSignatureLines } from '#core/note.ts'
import { sha256 } from '#crypto'
import { CorruptRow } from '#store/corrupt-row.ts'
import { originOf } from '#store/foreign.ts'
import type { Fsck } from '#store/fsck/report.ts'
import { keyOf, seqKey } from '#store/key-parts.ts'
import { rowKind } from '#store/row-kind.ts'
import { type CheckpointRow, checkpointKey, placeOf } from './log.ts'

/** Eras of this node that are looked through for a checkpoint: as many as there can be. */
const ERAS_MAX = 1_024
/** Witnesses of one event log whose cosignatures are kept. */
export const COSIGNERS_MAX = 16

/** What is kept of the cosignatures of one event log, this node's or another's. */
export interface CosignedLogRow {
  /** The serial number that the next point gets: whoever asks says up to which one it has them. */
  readonly next: number
  /** Serial number up to which the log's own node has told its points; 0 for a log of this node. */
  readonly heard: number
  /** Ids of the witnesses. */
  readonly witnesses: readonly string[]
}

/** A cosignature, as it is kept. */
export interface KeptPoint extends CosignedPoint {
  readonly serial: number
}

/** What one witness cosigned of one event log, ascending by size and by second. */
export interface CosignedByRow {
  readonly vkey: string
  /** The largest second seen of it, points that are not kept any more included. */
  readonly newest: number
  /** Each as size, POSIX seconds, serial number. */
  readonly points: readonly (readonly [size: number, seconds: number, serial: number])[]
}

export interface CosignedRows {
  readonly cosignedLog: CosignedLogRow
  readonly cosignedBy: CosignedByRow
  readonly cosignedLine: string
}

/** A witness as a key part: half of its key's SHA-256. */
export const witnessId = (vkey: string): string => toHex(sha256(utf8(vkey)).subarray(0, 16))
/** Key of the list of one witness. */
export const cosignedByKey = (source: string, witness: string): string => keyOf(source, witness)
/** Key of a signature line. */
export const cosignedLineKey = (source: string, witness: string, size: number): string =>
  keyOf(source, witness, seqKey(size))

/** The points of a row, with their names. */
export const pointsOf = ({ points }: CosignedByRow): readonly KeptPoint[] =>
  points.map(([size, seconds, serial]) => ({ size, seconds, serial }))

/** Logs and their checkpoints stand in other tables. */
type Needs = CosignedRows & { readonly checkpoint: CheckpointRow; readonly foreignLog: { readonly size: number } }

type Table = keyof CosignedRows

const fail = (table: Table, key: string, what: string): never => {
  throw new CorruptRow(table, key, what)
}

/** Whether a line is by that witness, of that second, on a checkpoint of this text. */
const signs = (text: string, line: string, vkey: string, seconds: number): boolean => {
  try {
    const [found, ...more] = takeSignatureLines(text, line, [parseVkey(vkey)])
    return more.length === 0 && found?.timestamp === seconds
  } catch {
    return false
  }
}

/**
 * Holds the signature lines of a log against one of its roots.
 *
 * @throws CorruptRow for a line that does not verify.
 */
export const checkLinesAt = (
  { database }: Pick<Fsck<CosignedRows>, 'database'>,
  source: string,
  { size, root }: { readonly size: number; readonly root: Uint8Array },
): void => {
  const text = checkpointText({ origin: originOf(source), size, root })
  for (const id of database.peek('cosignedLog', source)?.witnesses ?? []) {
    const row = database.peek('cosignedBy', cosignedByKey(source, id))
    const point = row?.points.find((it) => it[0] === size)
    if (row === undefined || point === undefined) continue
    const key = cosignedLineKey(source, id, size)
    const line = database.peek('cosignedLine', key) ?? ''
    if (!signs(text, line, row.vkey, point[1])) fail('cosignedLine', key, 'the witness has not signed this tree')
  }
}

/** Sizes of a log at which somebody's line is kept. */
export const cosignedSizes = (
  { database }: Pick<Fsck<CosignedRows>, 'database'>,
  source: string,
): ReadonlySet<number> => {
  const ids = database.peek('cosignedLog', source)?.witnesses ?? []
  return new Set(
    ids.flatMap((id) => database.peek('cosignedBy', cosignedByKey(source, id))?.points.map(([size]) => size) ?? []),
  )
}

/** The own checkpoint of a size, in whichever era its log grew. */
const ownCheckpoint = ({ database }: Fsck<Needs>, source: string, size: number): CheckpointRow | undefined => {
  const first = `${originOf(source)}\n`
  for (let era = 0; era < ERAS_MAX; era++) {
    const row = database.peek('checkpoint', checkpointKey(placeOf('events', era), size))
    if (row?.note.startsWith(first) === true) return row
  }
  return undefined
}

const checkBy = (fsck: Fsck<Needs>, source: string, id: string): readonly number[] => {
  const key = cosignedByKey(source, id)
  const row = fsck.database.peek('cosignedBy', key) ?? fail('cosignedBy', key, 'the row is missing')
  const points = pointsOf(row)
  if (witnessId(row.vkey) !== id) fail('cosignedBy', key, 'it is of another witness')
  if (points.length === 0 || points.length > COSIGNED_POINTS_MAX) fail('cosignedBy', key, 'it holds none or too many')
  if (coarsened(points, row.newest).length !== points.length) fail('cosignedBy', key, 'its points do not ascend')
  if (points.some((it) => it.seconds > row.newest)) fail('cosignedBy', key, 'a point is newer than its newest')
  const foreign = fsck.database.peek('foreignLog', source)
  for (const { size } of points) {
    fsck.step('accounts')
    const line = cosignedLineKey(source, id, size)
    if (fsck.database.peek('cosignedLine', line) === undefined) fail('cosignedLine', line, 'the row is missing')
    if (foreign !== undefined && size > foreign.size) fail('cosignedBy', key, 'its log does not reach so far')
    if (foreign !== undefined) continue
    const own = ownCheckpoint(fsck, source, size) ?? fail('cosignedBy', key, 'its checkpoint is missing')
    checkLinesAt(fsck, source, { size, root: fromHex(own.root) })
  }
  return points.map((it) => it.serial)
}

/**
 * Lists ascend, have a line for each point and no other, and serial numbers that were given. Lines of this node's logs
 * verify against its checkpoints; those of others are held against their leaves where these are hashed again.
 */
const checkCosigned = async (fsck: Fsck<Needs>): Promise<void> => {
  let [lists, lines] = [0, 0]
  for await (const [source, { next, heard, witnesses }] of fsck.database.range('cosignedLog')) {
    if (witnesses.length > COSIGNERS_MAX) fail('cosignedLog', source, 'it has more witnesses than fit')
    const serials = witnesses.flatMap((id) => checkBy(fsck, source, id))
    if (new Set(serials).size !== serials.length || serials.some((it) => it >= next) || heard < 0) {
      fail('cosignedLog', source, 'a serial number was given twice, or never')
    }
    lists += witnesses.length
    lines += serials.length
  }
  const more = 'there are more than listed logs have'
  if ((await fsck.database.count('cosignedBy')) !== lists) fail('cosignedBy', '', more)
  if ((await fsck.database.count('cosignedLine')) !== lines) fail('cosignedLine', '', more)
}

/** When witnesses signed what of event logs: what decides when an event happened. */
export const cosigned = rowKind<CosignedRows, Needs>({
  tables: {
    cosignedLog: { prefix: 'vp', form: 'json', key: 'source, as of `foreignLog`' },
    cosignedBy: { prefix: 'vq', form: 'json', key: "source / half of the SHA-256 of the witness's verifier key" },
    cosignedLine: { prefix: 'vr', form: 'json', key: 'source / witness / size: the signature line' },
  },
  since: { schema: 3, note: 'it came later and changed no other row: a store of before has none' },
  check: checkCosigned,
})
