import { constantTimeEqual, fromBase64Url, toBase64Url, utf8 } from '#core/bytes.ts'
import { canonicalBytes, parseCanonical } from '#core/canonical.ts'
import { purposes, signedText } from '#core/digest.ts'
import { TICK_NS } from '#core/tick.ts'
import { NS_PER_SECOND, SECONDS_PER_DAY } from '#core/time.ts'
import { hmacSha256 } from '#crypto'

/** What a signed link says. */
export interface ChannelLink {
  /** Id of the channel that it opens. */
  readonly c: string
  /** The last mesh tick at which it opens it. */
  readonly e: number
  /** Id of the link. */
  readonly n: string
}

/** Mesh ticks that a link of so many seconds lasts, the last one counted whole. */
export const linkTicksOf = (seconds: number): number =>
  Number((BigInt(seconds) * NS_PER_SECOND + TICK_NS - 1n) / TICK_NS)

/** How long a link may be asked for. */
export const LINK_SECONDS_MAX = 30 * SECONDS_PER_DAY
export const LINK_TICKS_MAX = linkTicksOf(LINK_SECONDS_MAX)

/** Characters of a signature of a link. */
export const LINK_CHARS_MAX = 512

/**
 * The key of a channel's links: HMAC-SHA256 of channel id and salt under a secret of the node. A channel with another
 * salt has another key, and links of before open nothing.
 */
export const channelLinkKey = (secret: Uint8Array, { id, salt }: { readonly id: string; readonly salt: string }) =>
  hmacSha256(secret, utf8(`${id}${salt}`))

const macOf = (key: Uint8Array, first: string): Uint8Array => hmacSha256(key, signedText(purposes.link, first))

/** The signature: base64url(JCS{c, e, n}), a full stop, base64url(HMAC over `tickmesh/link/1`, 0x0A, first part). */
export const signChannelLink = (key: Uint8Array, { c, e, n }: ChannelLink): string => {
  const first = toBase64Url(canonicalBytes({ c, e, n }))
  return `${first}.${toBase64Url(macOf(key, first))}`
}

const isLink = (value: unknown): value is ChannelLink => {
  if (typeof value !== 'object' || value === null) return false
  const { c, e, n, ...more } = value as Readonly<Record<string, unknown>>
  return typeof c === 'string' && Number.isSafeInteger(e) && typeof n === 'string' && Object.keys(more).length === 0
}

/** A signature taken apart; who made it is not known yet. */
interface ReadLink {
  readonly link: ChannelLink
  readonly first: string
  readonly mac: Uint8Array
}

/** What a signature says, before its key is known; undefined for what is none. */
export const readChannelLink = (sig: string): ReadLink | undefined => {
  const [first = '', last = '', ...more] = sig.length > LINK_CHARS_MAX ? [] : sig.split('.')
  if (first === '' || last === '' || more.length > 0) return undefined
  try {
    const bytes = fromBase64Url(first)
    const mac = fromBase64Url(last)
    // One link has one spelling: another one of the same bytes is another text, and was not signed.
    if (toBase64Url(bytes) !== first || toBase64Url(mac) !== last) return undefined
    const link = parseCanonical(bytes)
    return isLink(link) ? { link, first, mac } : undefined
  } catch {
    return undefined
  }
}

/** Whether the key of the channel made the signature; in constant time. */
export const isOfLinkKey = (key: Uint8Array, { first, mac }: Pick<ReadLink, 'first' | 'mac'>): boolean =>
  constantTimeEqual(macOf(key, first), mac)
