import type { IncomingMessage } from 'node:http'
import { Fault } from '#core/fault.ts'
import { isLoopback } from './address.ts'

/** What of the settings decides who may call under which name. */
export interface HostRules {
  /** Names the node answers under, as in a Host header. */
  readonly hosts: ReadonlySet<string>
  /** Origins beside the node's own that may call it from a browser. */
  readonly origins: ReadonlySet<string>
}

/** What of a request's header decides. */
export interface HostHeaders {
  readonly method: string
  readonly host: string | undefined
  readonly origin: string | undefined
  /** Whether the request carries the session cookie, with which only the node's own page may act. */
  readonly session: boolean
}

const UNSAFE = new Set(['POST', 'PUT', 'PATCH', 'DELETE'])

/** Host header values for an address and port; the port is left out where a scheme implies it. */
const named = (name: string, port: number): string[] => [
  `${name}:${port}`,
  ...(port === 80 || port === 443 ? [name] : []),
]

/** The exact list of Host headers: the listening address, loopback names where it is loopback, and configured ones. */
export const hostRules = (
  listening: { readonly host: string; readonly port: number },
  configured: { readonly hosts: readonly string[]; readonly origins: readonly string[] },
): HostRules => {
  const any = listening.host === '0.0.0.0' || listening.host === '::'
  const local = any || isLoopback(listening.host) ? ['127.0.0.1', 'localhost', '[::1]'] : []
  const own = any ? [] : [listening.host.includes(':') ? `[${listening.host}]` : listening.host]
  const hosts = [...local, ...own].flatMap((name) => named(name, listening.port))
  return {
    hosts: new Set([...hosts, ...configured.hosts].map((host) => host.toLowerCase())),
    origins: new Set(configured.origins.map((origin) => origin.toLowerCase())),
  }
}

/**
 * The name a request is addressed to: its one Host line or, where the target is a whole address, the name in that
 * (RFC 9112, 3.2). Two lines are two names, which is none.
 */
export const hostNamed = ({ url = '', headersDistinct }: Pick<IncomingMessage, 'url' | 'headersDistinct'>) => {
  if (!url.startsWith('/') && URL.canParse(url)) return new URL(url).host
  const [host, ...others] = headersDistinct['host'] ?? []
  return others.length === 0 ? host : undefined
}

/** Whether an origin is the page of this very node under the name it was called by. */
const isOwn = (origin: string, host: string): boolean => origin === `http://${host}` || origin === `https://${host}`

/**
 * Refuses a foreign Host before anything is routed (DNS rebinding), and a foreign Origin on whatever changes things.
 * A call without an Origin comes from no browser page; with a session cookie it must show the node's own.
 *
 * @throws Fault HOST_REFUSED, ORIGIN_REFUSED
 */
export const checkHost = (rules: HostRules, { method, host, origin, session }: HostHeaders): void => {
  const name = host?.toLowerCase()
  if (name === undefined || !rules.hosts.has(name)) throw new Fault('HOST_REFUSED')
  if (!UNSAFE.has(method)) return
  const from = origin?.toLowerCase()
  if (from === undefined) {
    if (session) throw new Fault('ORIGIN_REFUSED', 'A session acts only with an Origin header.')
    return
  }
  if (isOwn(from, name)) return
  if (session || !rules.origins.has(from)) throw new Fault('ORIGIN_REFUSED')
}

/** Response headers a browser script of a configured origin may read. */
const EXPOSED = [
  'Idempotency-Replayed',
  'Location',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
  'X-Svc-Proof',
  'X-Svc-Sealed',
  'X-Svc-Tick',
  'X-Svc-Token',
  'X-Svc-Verify',
].join(', ')

/** CORS headers for a configured origin; none for any other, so browsers keep the answer from it. */
export const corsHeaders = (rules: HostRules, origin: string | undefined): Record<string, string> =>
  origin === undefined || !rules.origins.has(origin.toLowerCase())
    ? {}
    : { 'Access-Control-Allow-Origin': origin, 'Access-Control-Expose-Headers': EXPOSED }

/** What a preflight of a configured origin is told. */
export const preflightHeaders = (methods: readonly string[]): Record<string, string> => ({
  'Access-Control-Allow-Methods': methods.join(', '),
  'Access-Control-Allow-Headers': 'Authorization, Content-Type, Idempotency-Key, Prefer, Last-Event-ID, If-Match',
  'Access-Control-Max-Age': '600',
})
