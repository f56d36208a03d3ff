import { fromUtf8 } from '#core/bytes.ts'

/** Media types that hosted pages may have. None of them is a script. */
export const siteMediaTypes = [
  'text/html',
  'text/plain',
  'text/css',
  'text/csv',
  'application/json',
  'image/svg+xml',
  'image/png',
  'image/jpeg',
  'image/gif',
  'image/webp',
  'application/pdf',
] as const
export type SiteMediaType = (typeof siteMediaTypes)[number]

/** What a file of a binary type begins with; `null` stands for any byte. */
const beginnings: Partial<Readonly<Record<SiteMediaType, readonly (number | null)[]>>> = {
  'image/png': [0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a],
  'image/jpeg': [0xff, 0xd8, 0xff],
  'image/gif': [0x47, 0x49, 0x46, 0x38, null, 0x61],
  'image/webp': [0x52, 0x49, 0x46, 0x46, null, null, null, null, 0x57, 0x45, 0x42, 0x50],
  'application/pdf': [0x25, 0x50, 0x44, 0x46, 0x2d],
}

const textIn = (bytes: Uint8Array): string | undefined => {
  try {
    return fromUtf8(bytes)
  } catch {
    return undefined // It is no UTF-8.
  }
}

const isJson = (text: string): boolean => {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Why bytes are not of a media type, or undefined when they may be. Browsers sniff nothing here: this is for people. */
export const siteMediaFault = (type: SiteMediaType, bytes: Uint8Array): string | undefined => {
  const beginning = beginnings[type]
  if (beginning !== undefined) {
    const fits = beginning.every((byte, i) => (byte === null ? i < bytes.length : bytes[i] === byte))
    return fits ? undefined : `the bytes are no ${type}`
  }
  const text = textIn(bytes)
  if (text === undefined || text.includes('\0')) return `${type} is text in UTF-8, and these bytes are none`
  if (type === 'application/json' && !isJson(text)) return 'the text is no JSON'
  return type === 'image/svg+xml' && !/<svg[\s>]/i.test(text) ? 'the text holds no svg element' : undefined
}

/** A media type as it is sent: of text with its charset. */
export const sentMediaType = (type: string): string =>
  beginnings[type as SiteMediaType] === undefined && type !== 'application/json' ? `${type}; charset=utf-8` : type
