import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { MESSAGE_BYTES_MAX } from '#domain/network/works/messages.ts'

/** What a frame carries: a requester's word, a worker's, or that one of the other side was taken. */
export const frameKinds = { ask: 1, tell: 2, ack: 3 } as const
type FrameKind = keyof typeof frameKinds

const HEAD_BYTES = 5
/** Bytes of one frame: its kind, its number, a message. */
export const LINK_FRAME_BYTES_MAX = HEAD_BYTES + MESSAGE_BYTES_MAX
/** Numbers of one stream; a stream that has given all of them is closed. */
export const NUMBERS_MAX = 0xffff_ffff

const kinds = Object.entries(frameKinds) as readonly (readonly [FrameKind, number])[]

/** One frame of a link. */
export interface LinkFrame {
  readonly kind: FrameKind
  /** Counts the messages of one side of one stream, from 0; of an acknowledgement that of the message. */
  readonly n: number
  /** A message as its bytes; empty of an acknowledgement. */
  readonly body: Uint8Array
}

/** Kind, number (u32, big-endian), message. */
export const linkFrame = (kind: FrameKind, n: number, body: Uint8Array = new Uint8Array(0)): Uint8Array => {
  const frame = new Uint8Array(HEAD_BYTES + body.length)
  frame[0] = frameKinds[kind]
  new DataView(frame.buffer).setUint32(1, n)
  frame.set(body, HEAD_BYTES)
  return frame
}

/** Reads a frame; undefined for bytes that are none. */
export const readLinkFrame = (frame: Uint8Array): LinkFrame | undefined => {
  const kind = kinds.find(([, code]) => code === frame[0])?.[0]
  if (kind === undefined || frame.length < HEAD_BYTES || (kind === 'ack') !== (frame.length === HEAD_BYTES)) {
    return undefined
  }
  const n = new DataView(frame.buffer, frame.byteOffset, frame.byteLength).getUint32(1)
  return { kind, n, body: frame.subarray(HEAD_BYTES) }
}

/** A message as the bytes of its frame: JCS. @throws Fault NOT_CANONICAL */
export const messageBytes = (message: object): Uint8Array => canonicalBytes(message as Json)

/** What a frame says, before its form is looked at: only its one spelling is read. @throws Fault NOT_CANONICAL */
export const messageOf = (body: Uint8Array): Json => parseCanonical(body)
