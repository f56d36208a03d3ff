import { Fault } from '#core/fault.ts'
import { CHUNK_BYTES } from '#core/token/list.ts'
import { type Inbox, openInbox, type Wire, within } from '#domain/network/sync/inbox.ts'
import { refuse } from '#domain/network/sync/refused.ts'

/** Lists and bundles, of any length, in pieces: a few in flight, each acknowledged, so that neither side floods. */

/** Bytes of a piece: a chunk of a list. */
const PIECE_BYTES = CHUNK_BYTES
/** Pieces on their way that were not acknowledged yet. */
const IN_FLIGHT = 4
/** Bytes of all pieces that this process takes in at once. */
const HELD_BYTES_MAX = 134_217_728

const TAKEN = Uint8Array.of(1)

/** One stream to another node, and what has come on it. */
export interface Far {
  readonly wire: Wire
  readonly inbox: Inbox
}

/** Takes part in a dialogue: a frame may come, and the first pieces right behind it. */
export const openFar = (wire: Wire): Far => {
  const inbox = openInbox(wire)
  inbox.allow(1 + IN_FLIGHT)
  return { wire, inbox }
}

/** The next frame. @throws SyncRefused when there is none. */
export const nextFrame = async ({ inbox }: Far): Promise<Uint8Array> =>
  (await inbox.next('slow')) ?? refuse('broken', 'The stream ended before all was said.')

/** Sends a frame. @throws SyncRefused */
export const sendFrame = ({ wire }: Far, frame: Uint8Array): Promise<void> =>
  within(wire.send(frame), wire.deadline(), 'slow')

/**
 * Sends bytes in pieces.
 *
 * @returns the frame with which the other side answered before it had taken all; undefined when it took all.
 */
export const sendPieces = async (far: Far, bytes: Uint8Array): Promise<Uint8Array | undefined> => {
  let open = 0
  const acknowledged = async (): Promise<Uint8Array | undefined> => {
    const frame = await nextFrame(far)
    open -= 1
    return frame.length === 1 && frame[0] === TAKEN[0] ? undefined : frame
  }
  for (let at = 0; at < bytes.length; at += PIECE_BYTES) {
    const early = open === IN_FLIGHT ? await acknowledged() : undefined
    if (early !== undefined) return early
    open += 1
    far.inbox.allow(1)
    await sendFrame(far, bytes.subarray(at, at + PIECE_BYTES))
  }
  while (open > 0) {
    const early = await acknowledged()
    if (early !== undefined) return early
  }
  return undefined
}

let held = 0

/**
 * Takes so many bytes in pieces, each as long as it must be; the first of them were allowed by {@link openFar}.
 *
 * @throws Fault NODE_BUSY; SyncRefused
 */
export const takePieces = async (far: Far, total: number): Promise<Uint8Array> => {
  if (held + total > HELD_BYTES_MAX) throw new Fault('NODE_BUSY', 'Too many lists come in at once.')
  held += total
  try {
    const bytes = new Uint8Array(total)
    const pieces = Math.ceil(total / PIECE_BYTES)
    for (let i = 0; i < pieces; i += 1) {
      const piece = await nextFrame(far)
      if (piece.length !== Math.min(PIECE_BYTES, total - i * PIECE_BYTES))
        refuse('bad_frame', 'A piece has its length.')
      bytes.set(piece, i * PIECE_BYTES)
      if (i + IN_FLIGHT < pieces) far.inbox.allow(1)
      await sendFrame(far, TAKEN)
    }
    return bytes
  } finally {
    held -= total
  }
}
