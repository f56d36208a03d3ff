import { concat, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { patterns } from '#core/ids.ts'
import { LEVELS_MAX } from '#core/merkle.ts'
import { packLeaves, unpackLeaves } from '#store/foreign.ts'
import { FRAME_BYTES_MAX, LEAF_BYTES_MAX, NOTE_BYTES_MAX, RANGE_LEAVES_MAX, SOURCES_MAX } from './limits.ts'

/** What each side begins with: who it is, and the newest note of each event log that it holds whole. */
export interface Hello {
  readonly v: 1
  readonly node: string
  readonly mesh_tick: number
  /** Event log, by origin → first leaf that is still kept, and the note signed by its source. */
  readonly logs: Readonly<Record<string, readonly [first: number, note: string]>>
}

/** One range that is asked for: leaves from (inclusive) to (exclusive, the size of the note that was offered). */
export type RangeRequest = readonly [origin: string, from: number, to: number]

/** A piece of a range that was asked for, with its place in the tree that the source signed. */
export interface Range {
  /** Which of the asks. */
  readonly ask: number
  readonly from: number
  readonly leaves: readonly Uint8Array[]
  /** Consistency proof from the end of this piece to the note asked for. */
  readonly path: readonly Uint8Array[]
  /**
   * In the first piece of an ask that does not begin at 0: the giver's root there, and the consistency proof from there
   * to that note, so that two histories show as what they are. Empty in all others.
   */
  readonly before: readonly Uint8Array[]
}

const PATH_MAX = LEVELS_MAX + 1
const BEFORE_MAX = PATH_MAX + 1
const kinds = { range: 1, ack: 2 } as const
/** Kind, ask (u16), from (u64), leaves (u16), hashes of both paths (u8 each). */
const RANGE_HEAD_BYTES = 15
/** Bytes of a range frame that are not leaves. */
export const RANGE_MORE_BYTES = RANGE_HEAD_BYTES + 32 * (PATH_MAX + BEFORE_MAX)

const eventsLog = new RegExp(patterns.eventsLogName)
const nodeForm = new RegExp(patterns.nodeId)

const isSize = (it: unknown): it is number => Number.isSafeInteger(it) && (it as number) >= 0

const parsed = (frame: Uint8Array): Readonly<Record<string, Json>> | undefined => {
  try {
    const value = parseCanonical(frame)
    return typeof value === 'object' && value !== null && !Array.isArray(value)
      ? (value as Readonly<Record<string, Json>>)
      : undefined
  } catch {
    return undefined
  }
}

const hasNames = (value: object, names: readonly string[]): boolean => Object.keys(value).join() === names.join()

/** The bytes of a hello. */
export const helloFrame = (hello: Hello): Uint8Array => canonicalBytes(hello as unknown as Json)

const isOffer = ([origin, offer]: readonly [string, Json]): boolean => {
  if (!eventsLog.test(origin) || !Array.isArray(offer) || offer.length !== 2) return false
  const [first, note] = offer as readonly Json[]
  return isSize(first) && typeof note === 'string' && note.length <= NOTE_BYTES_MAX && note.startsWith(`${origin}\n`)
}

/** Reads a hello; undefined for anything that is not exactly one. */
export const readHello = (frame: Uint8Array): Hello | undefined => {
  const value = parsed(frame)
  if (value === undefined || !hasNames(value, ['logs', 'mesh_tick', 'node', 'v'])) return undefined
  const { v, node, mesh_tick, logs } = value
  const fits = v === 1 && typeof node === 'string' && nodeForm.test(node) && isSize(mesh_tick)
  if (!fits || typeof logs !== 'object' || logs === null || Array.isArray(logs)) return undefined
  const offers = Object.entries(logs as Readonly<Record<string, Json>>)
  return offers.length <= SOURCES_MAX && offers.every(isOffer) ? (value as unknown as Hello) : undefined
}

/** The bytes of all that one side asks for; empty asks for nothing. */
export const askFrame = (asks: readonly RangeRequest[]): Uint8Array => canonicalBytes({ ask: asks } as unknown as Json)

/** Reads an ask; undefined for anything that is not exactly one. */
export const readAsk = (frame: Uint8Array): readonly RangeRequest[] | undefined => {
  const value = parsed(frame)
  if (value === undefined || !hasNames(value, ['ask'])) return undefined
  const asks = value['ask']
  if (!Array.isArray(asks) || asks.length > SOURCES_MAX) return undefined
  const fits = asks.every(
    (it: unknown) =>
      Array.isArray(it) &&
      it.length === 3 &&
      typeof it[0] === 'string' &&
      isSize(it[1]) &&
      isSize(it[2]) &&
      it[1] < it[2],
  )
  const origins = new Set(asks.map((it: unknown) => (it as RangeRequest)[0]))
  return fits && origins.size === asks.length ? (asks as unknown as readonly RangeRequest[]) : undefined
}

/** The bytes of a range. */
export const rangeFrame = ({ ask, from, leaves, path, before }: Range): Uint8Array => {
  const head = new Uint8Array(RANGE_HEAD_BYTES)
  const view = new DataView(head.buffer)
  view.setUint8(0, kinds.range)
  view.setUint16(1, ask)
  view.setBigUint64(3, BigInt(from))
  view.setUint16(11, leaves.length)
  view.setUint8(13, path.length)
  view.setUint8(14, before.length)
  return packLeaves(leaves, concat(head, ...path, ...before))
}

const hashesAt = (frame: Uint8Array, at: number, count: number): Uint8Array[] =>
  Array.from({ length: count }, (_, i) => frame.slice(at + 32 * i, at + 32 * i + 32))

/** Reads a range; undefined for anything that is not exactly one. The leaves are views on the frame. */
export const readRange = (frame: Uint8Array): Range | undefined => {
  if (frame.length < RANGE_HEAD_BYTES || frame.length > FRAME_BYTES_MAX || frame[0] !== kinds.range) return undefined
  const view = new DataView(frame.buffer, frame.byteOffset, frame.length)
  const from = Number(view.getBigUint64(3))
  const [count, paths, befores] = [view.getUint16(11), view.getUint8(13), view.getUint8(14)]
  const begin = RANGE_HEAD_BYTES + 32 * (paths + befores)
  if (!isSize(from) || paths > PATH_MAX || befores > BEFORE_MAX || begin > frame.length) return undefined
  const leaves = unpackLeaves(frame.subarray(begin))
  if (leaves === undefined || leaves.length !== count || count === 0 || count > RANGE_LEAVES_MAX) return undefined
  if (leaves.some((it) => it.length > LEAF_BYTES_MAX)) return undefined
  const path = hashesAt(frame, RANGE_HEAD_BYTES, paths)
  return { ask: view.getUint16(1), from, leaves, path, before: hashesAt(frame, RANGE_HEAD_BYTES + 32 * paths, befores) }
}

/** The bytes that say how many ranges of this sync were applied so far. */
export const ackFrame = (ranges: number): Uint8Array => {
  const frame = new Uint8Array(5)
  const view = new DataView(frame.buffer)
  view.setUint8(0, kinds.ack)
  view.setUint32(1, ranges)
  return frame
}

/** Reads an acknowledgement; undefined for anything that is not exactly one. */
export const readAck = (frame: Uint8Array): number | undefined =>
  frame.length === 5 && frame[0] === kinds.ack
    ? new DataView(frame.buffer, frame.byteOffset, 5).getUint32(1)
    : undefined

/** The bytes of a handshake's header; empty in an open mesh. */
export const handshakeFrame = (header: string | undefined): Uint8Array => utf8(header ?? '')
