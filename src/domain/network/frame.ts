import { concat, fromUtf8, utf8 } from '#core/bytes.ts'

/**
 * What travels is `{"event":E}` and, in a private mesh on libp2p, `{"event":E,"handshake":"H"}`, each the canonical
 * JSON of itself. The body that a handshake stands for is always the first form, so it can be cut out and checked
 * before anything is parsed, and an HTTP body and a libp2p message of one event have one body.
 */

const opening = utf8('{"event":')
const closing = utf8('}')
/** `,"handshake":"` a header `"}`: what the longest header can take. */
const TAIL_BYTES_MAX = 192
const tail = /,"handshake":"(v1;[^"\\;]{1,64};[^"\\;]{1,16};[^"\\;]{1,64})"\}$/

/** Bytes around a body that a libp2p message may have. */
export const FRAME_BYTES_MORE = TAIL_BYTES_MAX

/** The body of an event's canonical bytes. */
export const bodyOf = (eventBytes: Uint8Array): Uint8Array => concat(opening, eventBytes, closing)

/** The message that carries a body and, in a private mesh, its handshake. */
export const frameOf = (body: Uint8Array, handshake: string | undefined): Uint8Array =>
  handshake === undefined ? body : concat(body.subarray(0, -1), utf8(`,"handshake":"${handshake}"}`))

/** Takes a message apart without parsing it. Bytes that are not of this form come back whole, as a body. */
export const openFrame = (data: Uint8Array): { readonly body: Uint8Array; readonly handshake: string | undefined } => {
  const end = data.subarray(-TAIL_BYTES_MAX)
  const ascii = end.every((byte) => byte < 0x80) ? end : end.subarray(end.findLastIndex((byte) => byte >= 0x80) + 1)
  const found = tail.exec(fromUtf8(ascii))
  if (found === null) return { body: data, handshake: undefined }
  const body = concat(data.subarray(0, data.length - found[0].length), closing)
  return { body, handshake: found[1] }
}

/** The event's bytes inside a body, or undefined when it is not of that form. */
export const eventIn = (body: Uint8Array): Uint8Array | undefined => {
  const fits = opening.every((byte, i) => body[i] === byte) && body.at(-1) === closing[0]
  return fits && body.length > opening.length ? body.subarray(opening.length, -1) : undefined
}
