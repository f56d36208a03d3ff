import { toBase64Url, toHex, utf8 } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Instant } from '#core/tick.ts'
import { NS_PER_SECOND, SECONDS_PER_HOUR } from '#core/time.ts'
import { randomBytes, sha256 } from '#crypto'
import type { SignedInSession } from './identity.ts'

/** How long a session lasts. */
export const SESSION_SECONDS = 43_200
/** How long after it was opened a session is a person's, for what no key and no forgotten tab may do. */
export const PERSON_SECONDS = 900
/** How long an owner link can be used. */
export const LINK_SECONDS = SECONDS_PER_HOUR
/** Sessions and links that are remembered; the oldest makes room. */
export const SESSIONS_MAX = 1_024
export const LINKS_MAX = 16

const TOKEN_BYTES = 32
const ID_DIGITS = 16

const nameOf = (token: string): string => toHex(sha256(utf8(token)))
/** What a caller's key id says of a session: the first digits of its hash. */
const PREFIX = 'session:'
const idOf = (name: string): string => `${PREFIX}${name.slice(0, ID_DIGITS)}`
/** Whether a caller's key id says that it came with a session. */
export const isSessionId = (keyId: string): boolean => keyId.startsWith(PREFIX)

/** Tokens by their hash, so that no secret is compared; each ends at its instant. */
const tokenBook = (countMax: number, seconds: number, now: () => Instant) => {
  const ends = new Map<string, Instant>()
  return {
    add: (): string => {
      if (ends.size >= countMax) {
        const oldest = ends.keys().next()
        if (!oldest.done) ends.delete(oldest.value)
      }
      const token = toBase64Url(randomBytes(TOKEN_BYTES))
      ends.set(nameOf(token), now() + BigInt(seconds) * NS_PER_SECOND)
      return token
    },
    has: (token: string): boolean => {
      const end = ends.get(nameOf(token))
      return end !== undefined && now() < end
    },
    /** @param early seconds before its end. */
    hasId: (id: string, early = 0): boolean => {
      for (const [name, end] of ends) if (idOf(name) === id) return now() < end - BigInt(early) * NS_PER_SECOND
      return false
    },
    delete: (token: string): boolean => ends.delete(nameOf(token)),
    deleteById: (id: string): void => {
      for (const name of ends.keys()) if (idOf(name) === id) ends.delete(name)
    },
  }
}

/** Sessions of the node's owner: opened by a link that works once, kept in memory, over after 12 hours. */
export const createSessions = (zid: string, now: () => Instant) => {
  const links = tokenBook(LINKS_MAX, LINK_SECONDS, now)
  const sessions = tokenBook(SESSIONS_MAX, SESSION_SECONDS, now)

  return {
    ownerLink: links.add,
    open: (linkToken: string): SignedInSession => {
      const good = links.has(linkToken)
      links.delete(linkToken)
      if (!good) throw new Fault('UNAUTHENTICATED', 'This link was used, is over, or is not of this start of the node.')
      return { token: sessions.add(), maxAgeSeconds: SESSION_SECONDS, zid }
    },
    /** @throws Fault UNAUTHENTICATED for a session that was closed or is over. */
    assertOpen: ({ keyId }: { readonly keyId: string }): void => {
      if (!sessions.hasId(keyId)) throw new Fault('UNAUTHENTICATED', 'The session is over.')
    },
    isPerson: ({ keyId }: { readonly keyId: string }): boolean =>
      sessions.hasId(keyId, SESSION_SECONDS - PERSON_SECONDS),
    close: ({ keyId }: { readonly keyId: string }): void => sessions.deleteById(keyId),
    callerOf: (session: string, bucket: string): Caller => {
      if (!sessions.has(session)) throw new Fault('UNAUTHENTICATED', 'The session is over.')
      return { kind: 'owner', bucket, zid, keyId: idOf(nameOf(session)), account: zid, shared: false }
    },
  }
}
