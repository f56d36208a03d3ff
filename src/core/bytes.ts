import { base64, base64urlnopad, hex } from '@scure/base'

const encoder = new TextEncoder()
const decoder = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true })

/** UTF-8 bytes of a text. */
export const utf8 = (text: string): Uint8Array => encoder.encode(text)
/** The text of UTF-8 bytes. @throws TypeError on bytes that are not UTF-8. */
export const fromUtf8 = (bytes: Uint8Array): string => decoder.decode(bytes)
/** Two digits for each byte. A digest is written in hex a dozen times in a sealed call, so it is looked up. */
const HEX = Array.from({ length: 256 }, (_, byte) => byte.toString(16).padStart(2, '0'))

/** Lower-case hex. */
export const toHex = (bytes: Uint8Array): string => {
  let text = ''
  for (let i = 0; i < bytes.length; i++) text += HEX[bytes[i] as number]
  return text
}
/** @throws Error unless the text is an even number of hex digits. */
export const fromHex = (text: string): Uint8Array => hex.decode(text)
/** Standard base64 with padding. */
export const toBase64 = (bytes: Uint8Array): string => base64.encode(bytes)
/** @throws Error unless the text is canonical padded base64. */
export const fromBase64 = (text: string): Uint8Array => base64.decode(text)
/** base64url without padding. */
export const toBase64Url = (bytes: Uint8Array): string => base64urlnopad.encode(bytes)
/** @throws Error unless the text is unpadded base64url. */
export const fromBase64Url = (text: string): Uint8Array => base64urlnopad.decode(text)

/** The parts, one after the other. */
export const concat = (...parts: readonly Uint8Array[]): Uint8Array => {
  const whole = new Uint8Array(parts.reduce((sum, part) => sum + part.length, 0))
  let at = 0
  for (const part of parts) {
    whole.set(part, at)
    at += part.length
  }
  return whole
}

/** Equality of public bytes; takes no constant time. */
export const equalBytes = (a: Uint8Array, b: Uint8Array): boolean =>
  a.length === b.length && a.every((byte, i) => byte === b[i])

/** Equality of secret bytes of one known length, in a time that does not depend on where they differ. */
export const constantTimeEqual = (a: Uint8Array, b: Uint8Array): boolean => {
  if (a.length !== b.length) return false
  let difference = 0
  for (let i = 0; i < a.length; i++) difference |= (a[i] as number) ^ (b[i] as number)
  return difference === 0
}
