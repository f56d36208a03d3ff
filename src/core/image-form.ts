import { fromUtf8 } from './bytes.ts'

/** Media types of pictures that are taken. */
export const imageTypes = ['image/png', 'image/jpeg', 'image/webp'] as const

/** What the bytes of a picture say of it. */
export interface ImageForm {
  readonly media_type: (typeof imageTypes)[number]
  /** Pixels. */
  readonly width: number
  readonly height: number
}

type Size = Pick<ImageForm, 'width' | 'height'>

const PNG = [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52]
/** The last chunk of a PNG, which is empty. */
const PNG_END = [0, 0, 0, 0, 0x49, 0x45, 0x4e, 0x44, 0xae, 0x42, 0x60, 0x82]
const PNG_BYTES_MIN = 57
const WEBP_BYTES_MIN = 30

const has = (bytes: Uint8Array, at: number, these: readonly number[]): boolean =>
  these.every((byte, i) => bytes[at + i] === byte)

const viewOf = ({ buffer, byteOffset, byteLength }: Uint8Array) => new DataView(buffer, byteOffset, byteLength)

/** PNG, third edition: signature, a header chunk of 13 bytes, and at the very end the end chunk. */
const pngSize = (bytes: Uint8Array): Size | undefined => {
  if (bytes.length < PNG_BYTES_MIN || !has(bytes, 0, PNG)) return undefined
  if (!has(bytes, bytes.length - PNG_END.length, PNG_END)) return undefined
  const view = viewOf(bytes)
  return { width: view.getUint32(16), height: view.getUint32(20) }
}

/** Whether a marker begins a frame: SOF0 to SOF15 without DHT, JPG and DAC. */
const isFrame = (marker: number): boolean =>
  marker >= 0xc0 && marker <= 0xcf && marker !== 0xc4 && marker !== 0xc8 && marker !== 0xcc

/** ITU-T T.81: segments up to the frame header, and at the very end the end marker. */
const jpegSize = (bytes: Uint8Array): Size | undefined => {
  if (!has(bytes, 0, [0xff, 0xd8, 0xff]) || !has(bytes, bytes.length - 2, [0xff, 0xd9])) return undefined
  const view = viewOf(bytes)
  for (let at = 2; at + 9 <= bytes.length && bytes[at] === 0xff; ) {
    const marker = view.getUint8(at + 1)
    if (isFrame(marker)) return { height: view.getUint16(at + 5), width: view.getUint16(at + 7) }
    // Scans before a frame, restarts and padding belong to no picture that anyone makes.
    if (marker === 0xda || marker === 0xff || (marker >= 0xd0 && marker <= 0xd9)) return undefined
    at += 2 + Math.max(2, view.getUint16(at + 2))
  }
  return undefined
}

const uint24 = (view: DataView, at: number): number => view.getUint16(at, true) + view.getUint8(at + 2) * 65_536

/** RFC 9649: a RIFF of exactly these bytes, whose first chunk says the size. */
const webpSize = (bytes: Uint8Array): Size | undefined => {
  if (bytes.length < WEBP_BYTES_MIN) return undefined
  const view = viewOf(bytes)
  if (!has(bytes, 0, [0x52, 0x49, 0x46, 0x46]) || !has(bytes, 8, [0x57, 0x45, 0x42, 0x50])) return undefined
  if (view.getUint32(4, true) !== bytes.length - 8) return undefined
  const chunk = bytes.subarray(12, 16)
  if (chunk.some((byte) => byte > 0x7f)) return undefined
  switch (fromUtf8(chunk)) {
    case 'VP8 ':
      if (!has(bytes, 23, [0x9d, 0x01, 0x2a])) return undefined
      return { width: view.getUint16(26, true) & 0x3fff, height: view.getUint16(28, true) & 0x3fff }
    case 'VP8L': {
      if (bytes[20] !== 0x2f) return undefined
      const bits = view.getUint32(21, true)
      return { width: (bits & 0x3fff) + 1, height: ((bits >>> 14) & 0x3fff) + 1 }
    }
    case 'VP8X':
      return { width: uint24(view, 24) + 1, height: uint24(view, 27) + 1 }
    default:
      return undefined
  }
}

const sizes = [
  ['image/png', pngSize],
  ['image/jpeg', jpegSize],
  ['image/webp', webpSize],
] as const

/** The form of a picture by its own bytes, or undefined when they are none of the kinds that are taken. */
export const imageFormOf = (bytes: Uint8Array): ImageForm | undefined => {
  for (const [media_type, sizeOf] of sizes) {
    const size = sizeOf(bytes)
    if (size !== undefined && size.width > 0 && size.height > 0) return { media_type, ...size }
  }
  return undefined
}
