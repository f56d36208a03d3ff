import { fromUtf8 } from '#core/bytes.ts'
import type { SiteMediaType } from '#domain/machines/views/site.ts'

/** What files of binary types begin with, each character a byte; `?` stands for any. */
const beginnings: Partial<Readonly<Record<SiteMediaType, readonly string[]>>> = {
  'image/png': ['\x89PNG\r\n\x1a\n'],
  'image/jpeg': ['\xff\xd8\xff'],
  'image/gif': ['GIF87a', 'GIF89a'],
  'image/webp': ['RIFF????WEBP'],
  'application/pdf': ['%PDF-'],
}

const beginsWith = (bytes: Uint8Array, beginning: string): boolean =>
  bytes.length >= beginning.length && [...beginning].every((it, i) => it === '?' || it.charCodeAt(0) === bytes[i])

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

/** Why bytes are not of a media type, or undefined when they may be. No browser sniffs here: this is for people. */
export const siteMediaFault = (type: SiteMediaType, bytes: Uint8Array): string | undefined => {
  const known = beginnings[type]
  if (known !== undefined) return known.some((it) => beginsWith(bytes, it)) ? undefined : `the bytes are no ${type}`
  const text = textIn(bytes)
  if (text === undefined || text.includes('\0')) return `${type} is text in UTF-8, and these bytes are none`
  if (type === 'application/json' && !isJson(text)) return 'the text is no JSON'
  return type === 'image/svg+xml' && !/<svg[\s>]/i.test(text) ? 'the text holds no svg element' : undefined
}

/** A media type as it is sent: of text with its charset. */
export const sentMediaType = (type: string): string =>
  beginnings[type as SiteMediaType] === undefined && type !== 'application/json' ? `${type}; charset=utf-8` : type
