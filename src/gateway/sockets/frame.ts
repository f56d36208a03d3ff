import type { PushedText } from '#core/pushing.ts'

/** First octet of a whole message of text (RFC 6455, 5.2). */
const WHOLE_TEXT = 0x81
/** Lengths that stand in the second octet, in two more, in eight more. */
const [SHORT_MAX, MEDIUM, MEDIUM_MAX, LONG] = [125, 126, 65_535, 127]

/** Octets before a payload. */
const headOf = (length: number): Buffer => {
  if (length <= SHORT_MAX) return Buffer.from([WHOLE_TEXT, length])
  if (length <= MEDIUM_MAX) return Buffer.from([WHOLE_TEXT, MEDIUM, length >>> 8, length & 0xff])
  const head = Buffer.alloc(10)
  head.set([WHOLE_TEXT, LONG])
  head.writeBigUInt64BE(BigInt(length), 2)
  return head
}

/** The message of a text, as a server sends it: unmasked, in one piece. */
export const textMessage = (text: string): Buffer => {
  const payload = Buffer.from(text)
  return Buffer.concat([headOf(payload.length), payload])
}

const written = new WeakMap<PushedText, Buffer>()

/** The same for a text that goes to many: written once. */
export const sharedMessage = (pushed: PushedText): Buffer => {
  const kept = written.get(pushed)
  if (kept !== undefined) return kept
  const made = textMessage(pushed.text)
  written.set(pushed, made)
  return made
}
