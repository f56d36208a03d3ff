import { createServer, type IncomingMessage, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import Koa, { type Context, type Middleware } from 'koa'
import { isLocal } from '#api/access.ts'
import type { Endpoint } from '#api/endpoint.ts'
import { type Brood, broodOf } from '#core/brood.ts'
import { Fault } from '#core/fault.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Services } from '#domain/services.ts'
import { bucketOf, clientAddress } from './address.ts'
import { type Audit, createAudit } from './audit.ts'
import { cookieOf, type Presented, sessionCookie } from './authenticate.ts'
import { refuseBroken } from './broken.ts'
import { type CallHandler, createAnswering } from './call.ts'
import { closeServers } from './closing.ts'
import { sharePlaces } from './connection-shares.ts'
import { docsPages } from './docs/pages.ts'
import { securityHeaders } from './headers.ts'
import { isHere } from './here.ts'
import { checkHost, corsHeaders, type HostRules, hostNamed, hostRules, preflightHeaders } from './hosts.ts'
import { createLimits, type LimitSettings } from './limits.ts'
import { type Counted, observe, stateOf } from './observe.ts'
import { packing } from './packing.ts'
import { createRouter, type Router } from './router.ts'
import type { SocketDoor } from './sockets/admission.ts'
import { createSockets, type SocketSettings, type Sockets } from './sockets/upgrade.ts'
import { type Page, type Pages, uiPages, verifierPages } from './static.ts'
import { createStreams, type StreamSettings } from './streams.ts'

/** What of the settings concerns the gateway. */
export interface GatewaySettings {
  readonly http: {
    readonly host: string
    readonly port: number
    readonly hosts: readonly string[]
    readonly origins: readonly string[]
    readonly proxies: readonly string[]
    readonly bodyBytesMax: number
    readonly bodyTimeoutMs: number
    readonly headerBytesMax: number
    readonly headersTimeoutMs: number
    readonly keepAliveTimeoutMs: number
    readonly connectionsMax: number
  }
  readonly sse: StreamSettings
  readonly sockets: SocketSettings
  readonly metrics: { readonly host: string; readonly port: number | null }
  readonly limits: LimitSettings
  readonly stop: { readonly timeoutMs: number }
}

/** What the composition root hands in. */
export interface GatewayParts {
  readonly endpoints: readonly Endpoint[]
  readonly services: Services
  readonly settings: GatewaySettings
  readonly log: Log
  readonly meter: Meter
  readonly sleep: Sleep
  /** Directory of the built page. */
  readonly uiDirectory: string
  /** Directory of the rendered documents. */
  readonly docsDirectory: string
}

export interface Gateway extends AsyncDisposable {
  /** Address of the interface, e.g. `http://127.0.0.1:7770`. */
  readonly url: string
  readonly port: number
  readonly streams: number
  /** WebSockets that are open. */
  readonly sockets: number
  /** Calls being answered now. */
  readonly calls: number
}

/** Port that serves metrics alone answers this path only. */
const METRICS_ROUTE = 'GET /metrics'

const header = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : value?.[0]

/** A port that cannot be listened on, with the reason a person can act on. */
export class ListenError extends Error {
  override readonly name = 'ListenError'
}

interface Surroundings {
  readonly parts: GatewayParts
  readonly audit: Audit
  readonly proxies: ReadonlySet<string>
  readonly stopping: AbortSignal
  /** Signals of streams, and of all other calls. */
  readonly streams: Brood
  readonly calls: Brood
  readonly counted: Counted
  readonly sockets: Sockets
}

/** What a request presents, believing forwarded headers only from configured proxies. */
const presentedBy = (
  req: IncomingMessage,
  { proxies }: Pick<Surroundings, 'proxies'>,
): Presented & { readonly host: string | undefined; readonly secure: boolean } => {
  const remote = req.socket.remoteAddress ?? ''
  const trusted = proxies.has(remote) || proxies.has(remote.replace(/^::ffff:/, ''))
  const forwarded = (name: string): string | undefined => (trusted ? header(req.headers[name]) : undefined)
  const secure = forwarded('x-forwarded-proto') === 'https'
  // Node keeps the first of several lines; which of them a proxy checked, nobody knows. Joined, they are none.
  const authorization = req.headersDistinct['authorization']?.join(', ')
  const session = authorization === undefined ? cookieOf(req.headers.cookie, sessionCookie(secure)) : undefined
  const bucket = bucketOf(clientAddress(remote, forwarded('x-forwarded-for'), proxies))
  return { authorization, session, bucket, secure, host: forwarded('x-forwarded-host') ?? hostNamed(req) }
}

/** The first page of a path. */
const pageAt = (pages: readonly Pages[], path: string): Page | undefined => {
  for (const find of pages) {
    const found = find(path)
    if (found !== undefined) return found
  }
  return undefined
}

const servePage = (ctx: Context, page: Page): void => {
  ctx.set('Cache-Control', page.cacheControl)
  ctx.set('ETag', page.etag)
  if (page.policy !== undefined) ctx.set('Content-Security-Policy', page.policy)
  ctx.status = 200
  if (ctx.headers['if-none-match'] === page.etag) ctx.status = 304
  else ctx.body = Buffer.from(page.bytes.buffer, page.bytes.byteOffset, page.bytes.byteLength)
  ctx.type = page.type
}

interface Serving {
  /** What is asked on this machine, and what from elsewhere. */
  readonly routers: { readonly here: Router; readonly elsewhere: Router }
  readonly rules: () => HostRules
  readonly answering: CallHandler
  readonly pages: readonly Pages[]
}

/**
 * Lets a configured origin read the answer. The files that the page is made of are for the page alone: they are the
 * same whoever asks and are kept as such, since it asks for one now with an Origin and now without.
 *
 * @returns what was set of headers for the origin
 */
const allowOrigin = (ctx: Context, rules: HostRules, page: Page | undefined): Readonly<Record<string, string>> => {
  if (page?.lasting === true) return {}
  const cors = corsHeaders(rules, ctx.req.headers.origin)
  ctx.set(cors)
  ctx.res.setHeader('Vary', 'Accept-Encoding, Origin')
  return cors
}

/** Methods of a path that is a page. */
const PAGE_METHODS = ['GET', 'HEAD', 'OPTIONS']

/** Host and Origin before anything is routed; then preflights, pages and endpoints. */
const serve =
  (around: Surroundings, { routers, rules, answering, pages }: Serving): Middleware =>
  async (ctx: Context) => {
    if (ctx.req.httpVersionMajor !== 1) throw new Fault('MALFORMED_REQUEST')
    // No other protocol is spoken here, and the parser reads nothing more behind the wish for one.
    if (ctx.req.headers.upgrade !== undefined) ctx.set('Connection', 'close')
    const presented = presentedBy(ctx.req, around)
    const state = stateOf(ctx)
    state.bucket = presented.bucket
    const origin = ctx.req.headers.origin
    checkHost(rules(), { method: ctx.method, host: presented.host, origin, session: presented.session !== undefined })
    const router = isHere(ctx) ? routers.here : routers.elsewhere
    const page = pageAt(pages, ctx.path)
    const cors = allowOrigin(ctx, rules(), page)
    if (ctx.method === 'OPTIONS') {
      const allowed = page !== undefined ? PAGE_METHODS : router.allowed(ctx.path)
      if (allowed.length === 0) throw new Fault('NOT_FOUND', 'There is no such path.')
      ctx.set('Allow', allowed.join(', '))
      if (Object.keys(cors).length > 0) ctx.set(preflightHeaders(allowed))
      ctx.status = 204
      return
    }
    if (page !== undefined) {
      if (!PAGE_METHODS.includes(ctx.method)) {
        throw new Fault('METHOD_NOT_ALLOWED', undefined, { allow: PAGE_METHODS })
      }
      servePage(ctx, page)
      return
    }
    const match = router.match(ctx.method, ctx.path)
    // What acts by GET is held to the rules of what acts by POST: no link in a mail takes a step for a session.
    if (match.route.endpoint.acts === true) {
      checkHost(rules(), { method: 'POST', host: presented.host, origin, session: presented.session !== undefined })
    }
    state.endpoint = match.route.endpoint.id
    state.route = match.route.path
    state.refusalPage = match.route.endpoint.refusalPage
    // A stream ends as soon as the node stops; a call may finish first.
    const brood = match.route.endpoint.streams === true ? around.streams : around.calls
    const call = brood.open()
    // An answer that was sent whole has nobody to tell: an abort would only make an exception that nobody reads.
    ctx.res.once('close', () => {
      brood.close(call)
      if (!ctx.res.writableFinished) call.abort()
    })
    await answering(ctx, match, { presented, signal: call.signal })
  }

const application = (around: Surroundings, serving: Serving): Koa => {
  const app = new Koa()
  app.silent = true
  app.on('error', (error: unknown) => around.parts.log.debug({ error }, 'connection_failed'))
  const { parts, audit, counted, stopping } = around
  app.use(observe({ log: parts.log, meter: parts.meter, audit, counted, stopping }))
  app.use(securityHeaders)
  app.use(packing)
  app.use(serve(around, serving))
  return app
}

const listen = (
  app: Koa,
  { parts, counted, proxies, sockets }: Surroundings,
  { at, door }: { readonly at: { readonly host: string; readonly port: number }; readonly door: SocketDoor },
): Promise<Server> => {
  const { http } = parts.settings
  const answer = app.callback()
  const server = createServer(
    {
      maxHeaderSize: http.headerBytesMax,
      headersTimeout: http.headersTimeoutMs,
      // The body's own timer is the one that answers; this one only ends what is beyond answering.
      requestTimeout: http.headersTimeoutMs + 2 * http.bodyTimeoutMs,
      keepAliveTimeout: http.keepAliveTimeoutMs,
      connectionsCheckingInterval: 1000,
      // Which names are answered is decided in one place, which also refuses with a document.
      requireHostHeader: false,
      shouldUpgradeCallback: (request) => sockets.wants(request, door),
    },
    answer,
  )
  // Whatever else is expected, the answer says what becomes of the call (RFC 9110, 10.1.1, lets it be ignored).
  server.on('checkExpectation', answer)
  server.on('upgrade', (request, raw, head) => void sockets.upgrade({ request, raw, head }, door))
  refuseBroken(server, counted.bySocket, parts.meter)
  sharePlaces(server, { ...http, proxies, answering: counted.bySocket })
  // A call that is being answered may be silent; whoever takes nothing of an answer is not waited for.
  server.timeout = parts.settings.sse.stallMs
  server.on('timeout', (socket) => {
    const response = counted.bySocket.get(socket)
    if (response === undefined || response.writableEnded || response.closed) socket.destroy()
  })
  const { promise, resolve, reject } = Promise.withResolvers<Server>()
  server.once('error', (error: NodeJS.ErrnoException) => {
    const why = error.code === 'EADDRINUSE' ? 'the port is taken' : error.message
    reject(new ListenError(`cannot listen on ${at.host}:${at.port}: ${why}`, { cause: error }))
  })
  // As many may wait to be let in as may be in: whoever is dropped here tries again a second later.
  server.listen({ ...at, backlog: http.connectionsMax }, () => resolve(server))
  return promise
}

/** Where people reach a server that listens on every address. */
const shownHost = (host: string): string => {
  if (host === '0.0.0.0' || host === '::') return '127.0.0.1'
  return host.includes(':') ? `[${host}]` : host
}

interface Opened {
  readonly server: Server
  readonly port: number
}

/** Opens one address; its Host rules are known once its port is. */
const open = async (
  around: Surroundings,
  at: { readonly host: string; readonly port: number },
  serving: Omit<Serving, 'rules'> & { readonly configured: Parameters<typeof hostRules>[1] },
): Promise<Opened> => {
  let rules = hostRules(at, serving.configured)
  const { routers } = serving
  const door: SocketDoor = {
    router: (req) => (isHere({ req }) ? routers.here : routers.elsewhere),
    rules: () => rules,
    presented: (req) => presentedBy(req, around),
  }
  const server = await listen(application(around, { ...serving, rules: () => rules }), around, { at, door })
  const { port } = server.address() as AddressInfo
  rules = hostRules({ ...at, port }, serving.configured)
  return { server, port }
}

/** What all addresses of a gateway share. */
const shared = (
  parts: GatewayParts,
  { stopping, ending }: { readonly stopping: AbortSignal; readonly ending: AbortSignal },
) => {
  const { settings, sleep, meter, services, log } = parts
  const { http } = settings
  const streams = createStreams(settings.sse, sleep, meter)
  const body = { bytesMax: http.bodyBytesMax, timeoutMs: http.bodyTimeoutMs }
  const limits = createLimits(settings.limits)
  const audit = createAudit(log, meter)
  const { stallMs } = settings.sse
  const sockets = createSockets({ services, settings: settings.sockets, limits, sleep, log, meter, stopping })
  const answering = createAnswering({ services, limits, streams, sleep, log, meter, audit, body, stallMs })
  const around: Surroundings = {
    parts,
    proxies: new Set(http.proxies),
    counted: { calls: 0, onIdle: () => undefined, bySocket: new WeakMap() },
    audit,
    sockets,
    stopping,
    streams: broodOf(stopping),
    calls: broodOf(ending),
  }
  return { streams, answering, around }
}

/** Routes for callers on this machine, and for all others, who learn nothing of what is for this machine alone. */
const routersOf = (endpoints: readonly Endpoint[]): Serving['routers'] => ({
  here: createRouter(endpoints),
  elsewhere: createRouter(endpoints.filter((it) => !isLocal(it))),
})

/**
 * The outside of the node, derived from the endpoints: listens when it returns.
 *
 * @throws ListenError naming the address when it cannot.
 */
export const createGateway = async (parts: GatewayParts): Promise<Gateway> => {
  const { endpoints, settings, sleep, log } = parts
  const { http, metrics } = settings
  const stopping = new AbortController()
  const ending = new AbortController()
  const { streams, answering, around } = shared(parts, { stopping: stopping.signal, ending: ending.signal })

  const servers: Server[] = []
  await using opened = new AsyncDisposableStack()
  opened.defer(() =>
    closeServers(servers, { ending, settings, sleep, counted: around.counted, sockets: around.sockets }),
  )
  opened.defer(() => stopping.abort(new Fault('NODE_STOPPING')))

  const alone = metrics.port === null ? [] : endpoints.filter((it) => it.route === METRICS_ROUTE)
  const routers = routersOf(endpoints.filter((it) => !alone.includes(it)))
  const pages = [
    uiPages(parts.uiDirectory),
    verifierPages(parts.uiDirectory),
    docsPages({ directory: parts.docsDirectory, endpoints, openapi: () => parts.services.explorer.surfaces.openapi() }),
  ]
  const main = await open(around, http, { routers, answering, pages, configured: http })
  servers.push(main.server)
  if (metrics.port !== null) {
    const at = { host: metrics.host, port: metrics.port }
    const configured = { hosts: http.hosts, origins: [] }
    const beside = await open(around, at, { routers: routersOf(alone), answering, pages: [], configured })
    servers.push(beside.server)
    log.info({ host: at.host, port: beside.port }, 'metrics_listening')
  }

  const resources = opened.move()
  return {
    url: `http://${shownHost(http.host)}:${main.port}`,
    port: main.port,
    get streams() {
      return streams.count
    },
    get sockets() {
      return around.sockets.count
    },
    get calls() {
      return around.counted.calls
    },
    [Symbol.asyncDispose]: () => resources.disposeAsync(),
  }
}
