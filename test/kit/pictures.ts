import { concat, utf8 } from '#core/bytes.ts'

const bytes = (...them: readonly number[]): Uint8Array => Uint8Array.from(them)
const u32 = (n: number): Uint8Array => bytes(n >>> 24, (n >>> 16) & 255, (n >>> 8) & 255, n & 255)
const u16 = (n: number): Uint8Array => bytes(n >>> 8, n & 255)
const le32 = (n: number): Uint8Array => u32(n).reverse()
const le16 = (n: number): Uint8Array => u16(n).reverse()
const le24 = (n: number): Uint8Array => bytes(n & 255, (n >>> 8) & 255, n >>> 16)

/** A RIFF of one chunk. */
const riff = (name: string, chunk: Uint8Array): Uint8Array => {
  const padded = chunk.length % 2 === 0 ? chunk : concat(chunk, bytes(0))
  const body = concat(utf8('WEBP'), utf8(name), le32(chunk.length), padded)
  return concat(utf8('RIFF'), le32(body.length), body)
}

/** Frames of pictures by their formats, with no pixels that anyone could see. */
export const pictures = {
  png: (width: number, height: number, more = 0): Uint8Array =>
    concat(
      ...[bytes(0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a), u32(13), utf8('IHDR')],
      ...[u32(width), u32(height), bytes(8, 6, 0, 0, 0), u32(0)],
      ...[u32(more), utf8('IDAT'), new Uint8Array(more), u32(0)],
      ...[u32(0), utf8('IEND'), bytes(0xae, 0x42, 0x60, 0x82)],
    ),
  jpeg: (width: number, height: number): Uint8Array =>
    concat(
      ...[bytes(0xff, 0xd8, 0xff, 0xe0), u16(4), bytes(1, 2)],
      ...[bytes(0xff, 0xc0), u16(8), bytes(8), u16(height), u16(width), bytes(0)],
      bytes(0xff, 0xd9),
    ),
  webp: (width: number, height: number): Uint8Array =>
    riff('VP8L', concat(bytes(0x2f), le32((width - 1) | ((height - 1) << 14)), new Uint8Array(8))),
  lossy: (width: number, height: number): Uint8Array =>
    riff('VP8 ', concat(bytes(0, 0, 0, 0x9d, 0x01, 0x2a), le16(width), le16(height), new Uint8Array(4))),
  extended: (width: number, height: number): Uint8Array =>
    riff('VP8X', concat(new Uint8Array(4), le24(width - 1), le24(height - 1))),
} as const
