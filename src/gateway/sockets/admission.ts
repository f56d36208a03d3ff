import type { IncomingMessage } from 'node:http'
import type { Endpoint } from '#api/endpoint.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Pushing } from '#core/pushing.ts'
import type { Services } from '#domain/services.ts'
import { authenticate, type Presented } from '#gateway/authenticate.ts'
import { checkHost, type HostRules } from '#gateway/hosts.ts'
import { inputReader } from '#gateway/input.ts'
import type { Limits } from '#gateway/limits.ts'
import type { Match, Router } from '#gateway/router.ts'

/** What an opening is looked at with. */
export interface AdmissionParts {
  readonly services: Services
  readonly limits: Limits
  /** Aborts when the node stops. */
  readonly stopping: AbortSignal
}

/** What a request for a socket is looked at by: all of it is that of the address that it came to. */
export interface SocketDoor {
  readonly router: (request: IncomingMessage) => Router
  readonly rules: () => HostRules
  readonly presented: (request: IncomingMessage) => Presented & { readonly host: string | undefined }
}

/** A socket that may be opened, and what feeds it. */
export interface SocketAdmitted {
  readonly caller: Caller
  readonly pushing: Pushing
  readonly bucket: string
  /** The endpoint's. */
  readonly id: string
}

/** Before a channel's key, in the name of a subprotocol: the one place beside a header where a browser can put it. */
const KEY_PROTOCOL = 'svc.key.'

const pathOf = ({ url = '/' }: IncomingMessage): { readonly path: string; readonly query: string } => {
  const at = url.indexOf('?')
  return at < 0 ? { path: url, query: '' } : { path: url.slice(0, at), query: url.slice(at + 1) }
}

/** The route of a socket that a request names. */
export const socketMatch = (request: IncomingMessage, { router }: SocketDoor): Match => {
  const { path } = pathOf(request)
  return router(request).match('GET', path)
}

/** What a request presents; a key among the subprotocols counts as one in the header. */
const credentialsOf = (request: IncomingMessage, door: SocketDoor): ReturnType<SocketDoor['presented']> => {
  const presented = door.presented(request)
  const offered = (request.headers['sec-websocket-protocol'] ?? '').split(',').map((it) => it.trim())
  const key = offered.find((it) => it.startsWith(KEY_PROTOCOL))?.slice(KEY_PROTOCOL.length)
  if (key === undefined || presented.authorization !== undefined) return presented
  return { ...presented, authorization: `Bearer ${key}`, session: undefined }
}

/** Creates what finds out who asks for which socket. It throws a Fault where there is none for them. */
export const createAdmission = ({ services, limits, stopping }: AdmissionParts) => {
  const readers = new Map<Endpoint, ReturnType<typeof inputReader>>()
  const readerOf = (endpoint: Endpoint) => {
    const it = readers.get(endpoint) ?? inputReader(endpoint)
    readers.set(endpoint, it)
    return it
  }

  return async (request: IncomingMessage, door: SocketDoor): Promise<SocketAdmitted> => {
    if (stopping.aborted) throw new Fault('NODE_STOPPING')
    const presented = credentialsOf(request, door)
    const { origin } = request.headers
    const session = presented.session !== undefined
    // A page elsewhere may open one by a link or a key, all that it shows; with a session only the node's own page.
    checkHost(door.rules(), { method: session ? 'POST' : 'GET', host: presented.host, origin, session })
    const { route, params } = socketMatch(request, door)
    const { endpoint } = route
    if (endpoint.socket !== true) throw new Fault('NOT_FOUND', 'No socket is opened at this path.')
    let caller: Caller
    try {
      caller = authenticate(services.identity, endpoint.access, presented)
    } catch (refusal) {
      await limits.takeBucket(presented.bucket)
      throw refusal
    }
    await limits.take(caller, {})
    const input = readerOf(endpoint)({ params, query: pathOf(request).query, body: undefined })
    const call = { input, query: {}, caller, route: endpoint.route, signal: stopping, headers: {} }
    const once = () => Promise.reject(new Error('a socket has no effect'))
    const pushing = (await endpoint.handle(services, { ...call, once } as never)) as Pushing
    return { caller, pushing, bucket: presented.bucket, id: endpoint.id }
  }
}
