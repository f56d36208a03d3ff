import { assert } from '#core/assert.ts'
import { packedBytes } from '#store/foreign.ts'
import type { ForeignNote } from '#store/rows/event.ts'
import { RANGE_MORE_BYTES, type RangeRequest, rangeFrame, readAck, readAsk } from './frames.ts'
import { type Inbox, type Wire, within } from './inbox.ts'
import { FRAME_BYTES_MAX, LEAF_BYTES_MAX, RANGE_LEAVES_MAX, WINDOW_RANGES } from './limits.ts'
import type { LogSource } from './log-source.ts'
import { refuse } from './refused.ts'

/** A log that was offered in this sync. */
export interface Offer {
  /** The first leaf that is still kept. */
  readonly first: number
  readonly note: ForeignNote
  readonly logSource: LogSource
}
export type Offers = ReadonlyMap<string, Offer>

const PIECE_BYTES_MAX = FRAME_BYTES_MAX - RANGE_MORE_BYTES
/** Pieces end here where they can: then a proof costs few hashes, and no bundle is written twice. */
const ALIGN_LEAVES = 256

/** How many of the leaves in hand go into the next piece, which more leaves will follow. */
const cutOf = (from: number, leaves: readonly Uint8Array[]): number => {
  let [count, bytes] = [0, 0]
  for (const leaf of leaves) {
    bytes += packedBytes([leaf])
    if (bytes > PIECE_BYTES_MAX || count === RANGE_LEAVES_MAX) break
    count += 1
  }
  const end = from + count
  const aligned = end - (end % ALIGN_LEAVES)
  return aligned > from ? aligned - from : count
}

/** Leaves in pieces that fit a frame. */
async function* piecesOf(
  logSource: LogSource,
  from: number,
  to: number,
): AsyncGenerator<readonly [number, Uint8Array[]]> {
  let [at, bytes] = [from, 0]
  let leaves: Uint8Array[] = []
  for await (const leaf of logSource.leaves(from, to)) {
    assert(leaf.length <= LEAF_BYTES_MAX, 'a leaf of an event log travels')
    leaves.push(leaf)
    bytes += packedBytes([leaf])
    while (leaves.length > RANGE_LEAVES_MAX || bytes > PIECE_BYTES_MAX) {
      const count = cutOf(at, leaves)
      const piece = leaves.slice(0, count)
      yield [at, piece]
      leaves = leaves.slice(count)
      bytes -= packedBytes(piece)
      at += count
    }
  }
  if (leaves.length > 0) yield [at, leaves]
}

/** Waits for the next acknowledgement, which is of one range. @throws SyncRefused */
const takeAck = async (inbox: Inbox, acknowledged: number): Promise<number> => {
  const frame = await inbox.next('unacknowledged')
  if (frame === undefined) return refuse('broken', 'The other side left before it had acknowledged.')
  const count = readAck(frame) ?? refuse('bad_frame', 'This is no acknowledgement.')
  return count === acknowledged + 1 ? count : refuse('bad_ack', 'This range was not the next to acknowledge.')
}

const offered = (offers: Offers, [origin, from, to]: RangeRequest): Offer => {
  const offer = offers.get(origin)
  if (offer === undefined || offer.note.size !== to || from < offer.first) {
    return refuse('bad_ask', 'It asks for what was not offered.')
  }
  return offer
}

/**
 * The giving side: reads what is asked for, and sends it in order, at most four ranges ahead of what is acknowledged.
 *
 * @throws SyncRefused
 */
export const give = async (wire: Wire, inbox: Inbox, offers: Offers): Promise<void> => {
  const frame = await inbox.next('slow')
  if (frame === undefined) return refuse('broken', 'The other side left before it had asked.')
  const asks = readAsk(frame) ?? refuse('bad_frame', 'This is no ask.')
  const wanted = asks.map((ask) => offered(offers, ask))
  let [sent, acknowledged] = [0, 0]
  for (const [index, { logSource }] of wanted.entries()) {
    const [, start = 0, to = 0] = asks[index] ?? []
    for await (const [from, leaves] of piecesOf(logSource, start, to)) {
      const path = await logSource.proof(from + leaves.length, to)
      const isFirst = from === start && start > 0
      const before = isFirst ? [await logSource.rootAt(start), ...(await logSource.proof(start, to))] : []
      while (sent - acknowledged >= WINDOW_RANGES) acknowledged = await takeAck(inbox, acknowledged)
      inbox.allow(1)
      await within(wire.send(rangeFrame({ ask: index, from, leaves, path, before })), wire.deadline(), 'slow')
      sent += 1
    }
  }
  while (acknowledged < sent) acknowledged = await takeAck(inbox, acknowledged)
}
