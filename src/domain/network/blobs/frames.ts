import Type from 'typebox'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { closed, count, fitting } from '#core/schema.ts'
import type { BlobName } from '#domain/network/works/types.ts'
import { BLOB_BYTES_MAX } from '#store/blobs.ts'
import { readBlobName } from './names.ts'

/** Bytes of a frame of a value, and so of any frame of this protocol. */
export const PIECE_BYTES_MAX = 1_048_576
/** Pieces that may be on their way before the first of them is acknowledged. */
export const WINDOW_PIECES = 4

/** What is sent back for a piece that was taken. */
export const ACK: Uint8Array = Uint8Array.of(1)

const headSchema = Type.Union([
  closed({ size: count({ maximum: BLOB_BYTES_MAX }) }),
  closed({ none: Type.Literal(true) }),
])

/** The question: a name. */
export const questionFrame = (name: BlobName): Uint8Array => canonicalBytes(name as unknown as Json)

/** Reads a question. @throws Fault INVALID_INPUT, NOT_CANONICAL */
export const readQuestion = (frame: Uint8Array): BlobName => readBlobName(parseCanonical(frame))

/** The first frame of an answer: how many bytes follow, or that there is nothing of that name. */
export const headFrame = (size: number | undefined): Uint8Array =>
  canonicalBytes(size === undefined ? { none: true } : { size })

/**
 * Reads the first frame of an answer.
 *
 * @returns undefined when there is nothing of that name.
 * @throws Fault INVALID_INPUT, NOT_CANONICAL
 */
export const readHead = (frame: Uint8Array): number | undefined => {
  const head = fitting(headSchema, parseCanonical(frame))
  return 'size' in head ? head.size : undefined
}

/** Puts pieces together. @throws Fault INVALID_INPUT for pieces that do not come to that size. */
export const joined = (size: number) => {
  const bytes = new Uint8Array(size)
  let at = 0
  return {
    bytes,
    get isWhole() {
      return at === size
    },
    add: (piece: Uint8Array): void => {
      if (piece.length === 0 || piece.length > PIECE_BYTES_MAX || at + piece.length > size) {
        throw new Fault('INVALID_INPUT', 'A piece is empty, too large or one too many.')
      }
      bytes.set(piece, at)
      at += piece.length
    },
  }
}
