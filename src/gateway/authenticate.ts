import { type Access, isHandled } from '#api/access.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Identity } from '#domain/identity/identity.ts'

/** Name of the session cookie: the prefix demands TLS, which plain loopback has not. */
export const sessionCookie = (secure: boolean): string => (secure ? '__Host-tickmesh' : 'tickmesh')

/** What a request presents. */
export interface Presented {
  readonly authorization: string | undefined
  readonly session: string | undefined
  readonly bucket: string
}

/** Value of a cookie in a Cookie header. */
export const cookieOf = (header: string | undefined, name: string): string | undefined => {
  for (const part of (header ?? '').split(';')) {
    const at = part.indexOf('=')
    if (at > 0 && part.slice(0, at).trim() === name) return part.slice(at + 1).trim()
  }
  return undefined
}

const WHERE_KEYS_ARE =
  'A key to try with comes from GET /api/demo-key, an account with one of its own from POST /api/auth/sign-up.'

/** The same refusal, with where a key comes from. */
const told = (cause: unknown): unknown =>
  cause instanceof Fault && cause.code === 'UNAUTHENTICATED'
    ? new Fault(cause.code, `${cause.message} ${WHERE_KEYS_ARE}`, cause.details)
    : cause

const callerOf = (identity: Identity, credentials: Parameters<Identity['callerOf']>[0]): Caller => {
  try {
    return identity.callerOf(credentials)
  } catch (cause) {
    throw told(cause)
  }
}

/** Whether an endpoint lets keys of channels in. */
const isForChannels = (reach: Access['reach']): boolean =>
  reach?.to === 'channel' || (reach?.to === 'envelope' && reach.channel === true)

/**
 * Who calls, as far as the endpoint asks: `none` and what handlers judge read no credential, `optional` refuses a bad
 * one, `bearer` refuses a missing one as well. A header beats a cookie, which is not looked at where the owner’s key
 * is asked for.
 *
 * The key of a channel is for the endpoints of channels, and for the receipts of its ticks.
 *
 * @throws Fault UNAUTHENTICATED, SCOPE_REQUIRED
 */
export const authenticate = (
  identity: Identity,
  { credential: asked, reach }: Access,
  presented: Presented,
): Caller => {
  const { authorization, bucket } = presented
  const session = reach?.to === 'owner-key' ? undefined : presented.session
  if (asked === 'none' || isHandled(asked)) return { kind: 'anonymous', bucket }
  const caller =
    authorization === undefined && session === undefined
      ? ({ kind: 'anonymous', bucket } as const)
      : callerOf(identity, { bucket, ...(authorization === undefined ? { session } : { authorization }) })
  const publisher = caller.kind === 'anonymous' ? caller.publisher : undefined
  if (publisher !== undefined) {
    if (reach?.to === 'machine' && reach.publisher === true) return caller
    throw new Fault('SCOPE_REQUIRED', 'A publish key puts pages into its machine, and does nothing else.', {
      scope: 'account',
    })
  }
  if (asked === 'bearer' && caller.kind === 'anonymous') {
    throw told(new Fault('UNAUTHENTICATED', 'Send Authorization: Bearer <API key>.'))
  }
  if (caller.kind === 'channel' && !isForChannels(reach)) {
    throw new Fault('SCOPE_REQUIRED', 'The key of a channel reaches that channel and nothing else.', {
      scope: 'account',
    })
  }
  return caller
}

/** The Set-Cookie line of a fresh session. */
export const sessionLine = (token: string, { maxAgeSeconds, secure }: { maxAgeSeconds: number; secure: boolean }) =>
  `${sessionCookie(secure)}=${token}; Path=/; Max-Age=${maxAgeSeconds}; HttpOnly; SameSite=Lax` +
  (secure ? '; Secure' : '')
