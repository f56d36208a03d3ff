import type { Context } from 'koa'
import type { Call, Endpoint, Frame } from '#api/endpoint.ts'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import { outgoing } from '#core/route.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Services } from '#domain/services.ts'
import { createAtOnce } from './at-once.ts'
import type { Audit } from './audit.ts'
import { authenticate, type Presented } from './authenticate.ts'
import { callsOf, createBodyReader, isJson, type TakePiece } from './body.ts'
import { completed } from './complete.ts'
import { inputReader, queryReader } from './input.ts'
import { parseObject } from './json.ts'
import { createLasting } from './lasting.ts'
import { allowanceHeaders, type Limits, type OwnLimit } from './limits.ts'
import { isLines, listedBody } from './listed.ts'
import { longInputs } from './long-input.ts'
import { stateOf } from './observe.ts'
import { createOnce } from './once.ts'
import { createPending } from './pending.ts'
import { producedBy } from './produced.ts'
import { isAnswer, isPieces, respond, respondKept } from './respond.ts'
import type { Match } from './router.ts'
import type { Streams } from './streams.ts'

/** What every call is answered with. */
export interface CallParts {
  readonly services: Services
  readonly limits: Limits
  readonly streams: Streams
  readonly sleep: Sleep
  readonly log: Log
  readonly meter: Meter
  readonly audit: Audit
  readonly body: { readonly bytesMax: number; readonly timeoutMs: number }
  /** How long a reader of an answer in pieces may take nothing. */
  readonly stallMs: number
}

/** What of a request is neither input nor credential. */
export interface Circumstance {
  readonly presented: Presented & { readonly secure: boolean }
  readonly signal: AbortSignal
}

const IDEMPOTENCY_KEY = /^[\x21-\x7e]{1,255}$/

const single = (value: string | readonly string[] | undefined): string | undefined =>
  typeof value === 'string' ? value : undefined

type CallHeaders = Call<never>['headers'] & { readonly idempotencyKey?: string }

const headersOf = ({ headers }: Context): CallHeaders => {
  const idempotencyKey = single(headers['idempotency-key'])
  if (idempotencyKey !== undefined && !IDEMPOTENCY_KEY.test(idempotencyKey)) {
    throw new Fault('INVALID_INPUT', 'Idempotency-Key takes 1 to 255 visible ASCII characters.', {
      errors: [{ path: '', message: 'Idempotency-Key takes 1 to 255 visible ASCII characters' }],
    })
  }
  const prefer = single(headers['prefer'])
  const lastEventId = single(headers['last-event-id'])
  const handshake = single(headers['x-node-handshake'])
  const ifMatch = single(headers['if-match'])
  const { accept, host } = headers
  return {
    ...(idempotencyKey !== undefined && { idempotencyKey }),
    ...(prefer !== undefined && { prefer }),
    ...(accept !== undefined && { accept }),
    ...(lastEventId !== undefined && { lastEventId }),
    ...(handshake !== undefined && { handshake }),
    ...(ifMatch !== undefined && { ifMatch }),
    ...(host !== undefined && { host }),
  }
}

const checkAccept = (ctx: Context, endpoint: Endpoint): void => {
  if (ctx.headers.accept === undefined) return
  const made = ['application/json', 'application/problem+json', ...producedBy(endpoint)]
  if (ctx.accepts(...made) === false) throw new Fault('NOT_ACCEPTABLE', undefined, { available: made })
}

const takesBody = (method: string): boolean => method === 'POST' || method === 'PUT' || method === 'PATCH'

/** Answers calls of one endpoint: authenticate, limit, read, handle, answer. Faults are the caller's to write. */
export type CallHandler = (ctx: Context, match: Match, circumstance: Circumstance) => Promise<void>

interface Admitted {
  readonly caller: Caller
  readonly signal: AbortSignal
}

/** Since when legacy routes are outdated, in seconds since 1970: they came with the first version. */
const OUTDATED_SINCE = 1_795_132_800

/** What an answer under a legacy route says: that it is one (RFC 9745), and what is called in its place. */
const legacyHeaders = ({ route, params }: Match): Readonly<Record<string, string>> => {
  const { path } = outgoing(route.endpoint.route, Object.fromEntries(route.names.map((it) => [it, params[it] ?? ''])))
  return { Deprecation: `@${OUTDATED_SINCE}`, Link: `<${path.split('?')[0]}>; rel="successor-version"` }
}

/** The API key of the header; a session of the page has none. */
const keyOf = ({ authorization }: Presented): string | undefined => /^Bearer +(\S+) *$/i.exec(authorization ?? '')?.[1]

/** The bound that an endpoint states for itself, if it does. */
const ownLimit = ({ id, limits: { callsPerMinute } = {} }: Endpoint): OwnLimit | undefined =>
  callsPerMinute === undefined ? undefined : { id, callsPerMinute }

const isUnlimited = ({ limits }: Endpoint): boolean => limits?.unlimited === true

/** Bytes that a body may have: of an endpoint that states a bound of its own, of any other. */
const bytesMaxOf = ({ takes, limits: { bodyBytes } = {} }: Endpoint, bytesMax: number): number =>
  takes === 'bytes' ? Math.min(bodyBytes ?? bytesMax, bytesMax) : Math.max(bodyBytes ?? 0, bytesMax)

/** What is made of an endpoint when it is first called, and kept. */
const madeOnce = <T>(make: (endpoint: Endpoint) => T): ((endpoint: Endpoint) => T) => {
  const made = new Map<Endpoint, T>()
  return (endpoint) => {
    const it = made.get(endpoint) ?? make(endpoint)
    made.set(endpoint, it)
    return it
  }
}

/** Counts a body by its size as it comes. */
const sizeCounter = (take: (calls: number) => Promise<void>): ((bytes: number) => Promise<void>) => {
  let [size, counted] = [0, 0]
  return async (bytes) => {
    size += bytes
    const calls = callsOf(size) - counted
    counted += calls
    if (calls > 0) await take(calls)
  }
}

/** Makes what reads a call: its query, and its body, whole or as it comes. */
const createReading = (parts: Pick<CallParts, 'body' | 'limits' | 'sleep'>) => {
  const readBody = createBodyReader()
  const queryOf = madeOnce(queryReader)
  const readerOf = madeOnce(inputReader)
  const longOf = madeOnce(longInputs)

  return async (ctx: Context, { route, params }: Match, { caller, signal }: Admitted) => {
    const { endpoint } = route
    const query = ctx.querystring
    if (!takesBody(route.method)) return { input: readerOf(endpoint)({ params, query, body: undefined }), query: {} }
    const bytesMax = bytesMaxOf(endpoint, parts.body.bytesMax)
    const count = sizeCounter(async (calls) => {
      ctx.set(allowanceHeaders(await parts.limits.take(caller, { own: ownLimit(endpoint), calls })))
    })
    const type = ctx.headers['content-type']
    const { listed } = endpoint
    const assertJson = (): void => {
      if (isJson(type) || (listed !== undefined && isLines(type))) return
      throw new Fault('UNSUPPORTED_MEDIA_TYPE')
    }
    const parsed = (body: Uint8Array) => (listed === undefined ? parseObject(body) : listedBody(listed, body, type))
    const long = longOf(endpoint)?.()
    const take: TakePiece = async (piece) => {
      assertJson()
      await count(piece.length)
      long?.take(piece)
    }
    const how = { sleep: parts.sleep, signal, ...(long === undefined ? {} : { take }) }
    const bytes = await readBody(ctx.req, { ...parts.body, bytesMax }, how)
    if (endpoint.takes === 'bytes') return { input: {}, query: {}, body: bytes ?? new Uint8Array() }
    if (long !== undefined && bytes === undefined) {
      const asked = queryOf(endpoint)(query)
      return { input: long.end({ params, query }), query: asked }
    }
    const whole = bytes ?? new Uint8Array()
    if (endpoint.limits?.oneCall !== true) await count(whole.length)
    if (whole.length > 0) assertJson()
    const asked = queryOf(endpoint)(query)
    const input = readerOf(endpoint)({ params, query, body: whole.length > 0 ? parsed(whole) : {} })
    return { input, query: asked }
  }
}

/** Makes the answering function; validators are compiled once for each endpoint. */
export const createAnswering = (parts: CallParts): CallHandler => {
  const pending = createPending()
  const takePlace = createAtOnce()
  const read = createReading(parts)
  const lasting = createLasting()

  const admit = async (ctx: Context, endpoint: Endpoint, presented: Presented) => {
    let caller: Caller
    try {
      caller = authenticate(parts.services.identity, endpoint.access, presented)
    } catch (refusal) {
      // Guessing keys costs calls of the bucket.
      ctx.set(allowanceHeaders(await parts.limits.takeBucket(presented.bucket)))
      throw refusal
    }
    // Whoever watches the node must hear from it when others have used up their calls.
    if (isUnlimited(endpoint)) return caller
    ctx.set(allowanceHeaders(await parts.limits.take(caller, { own: ownLimit(endpoint) })))
    pending.admit(presented.bucket)
    return caller
  }

  return async (ctx, match, { presented, signal }) => {
    const { endpoint } = match.route
    checkAccept(ctx, endpoint)
    if (match.route.alias) ctx.set(legacyHeaders(match))
    const streams = endpoint.streams === true
    const caller = await admit(ctx, endpoint, presented)
    const { idempotencyKey, ...headers } = headersOf(ctx)
    const asked = endpoint.lasts === true ? `${endpoint.id} ${ctx.path}?${ctx.querystring}` : undefined
    const kept = asked === undefined ? undefined : lasting.get(asked)
    if (kept !== undefined) {
      pending.hold(ctx.res, presented.bucket, respondKept(ctx, kept, endpoint))
      return
    }
    const { input, body, query } = await read(ctx, match, { caller, signal })
    // Asked without the wish for a socket, it is looked at as any call is, and told to wish for one.
    if (endpoint.socket === true) {
      ctx.set({ Upgrade: 'websocket', Connection: 'Upgrade' })
      throw new Fault('UPGRADE_REQUIRED')
    }
    const { once, headers: repeated } = createOnce(endpoint, { input, key: idempotencyKey })
    const of = { input, query, caller, route: endpoint.route, signal, headers, once }
    const key = endpoint.keyed === true ? keyOf(presented) : undefined
    const call: Call<Endpoint['input']> = {
      ...of,
      ...(body === undefined ? {} : { body }),
      ...(key === undefined ? {} : { bearer: key }),
    }
    takePlace(endpoint, ctx.res)
    const result = endpoint.handle(parts.services, call)
    if (isPieces<Frame>(result)) {
      if (!streams) throw new Error(`${endpoint.id} does not declare its stream`)
      await parts.streams.serve(ctx, result, {
        signal,
        bucket: presented.bucket,
        lastEventId: headers.lastEventId,
        // A stream may outlive the credential that opened it.
        stillGood: () => parts.services.identity.assertStillGood(caller),
      })
      return
    }
    const given = await result
    const answerBody = completed(endpoint, isAnswer(given) ? given.body : given)
    const answered = isAnswer(given) ? { ...given, body: answerBody } : answerBody
    parts.audit.done(endpoint, { ...stateOf(ctx), caller, input, result: answerBody })
    // What calls beside this one have answered meanwhile counts; but what has had an effect is told in any case.
    if (match.route.method === 'GET' && !isUnlimited(endpoint)) pending.admit(presented.bucket)
    if (asked !== undefined) {
      const bytes = Buffer.from(JSON.stringify(answered))
      lasting.keep(asked, bytes)
      pending.hold(ctx.res, presented.bucket, respondKept(ctx, bytes, endpoint))
      return
    }
    ctx.set(repeated())
    pending.hold(ctx.res, presented.bucket, respond(ctx, answered, { endpoint, parts, secure: presented.secure }))
  }
}
