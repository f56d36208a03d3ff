import type { Frame } from '#api/endpoint.ts'
import type { EndpointId, InputOf, ResultOf } from '#api/result-of.ts'
import type { FaultCode } from '#core/fault.ts'
import { type Outgoing, outgoing } from '#core/route.ts'
import { MS_PER_SECOND } from '#core/time.ts'
import { pause } from '#core/wait.ts'
import { endpointOf } from './endpoint-of.ts'
import type { Problem } from './problem.ts'
import { EVENT_STREAM } from './sse.ts'

/** A refusal, as the node gave it: `code` is one of the catalogue, `problem` the whole document. */
export class NodeRefusal extends Error {
  override readonly name = 'NodeRefusal'
  readonly status: number
  readonly code: FaultCode | 'INTERNAL'
  readonly retryable: boolean
  readonly problem: Problem
  /** Address of the node that refused, where it is known. */
  readonly url: string | undefined
  constructor(problem: Problem, url?: string) {
    super(problem.detail)
    this.url = url
    this.status = problem.status
    this.code = problem.code
    this.retryable = problem.retryable
    this.problem = problem
  }
}

/** The node could not be reached, or did not answer as a node does. */
export class NodeUnreachable extends Error {
  override readonly name = 'NodeUnreachable'
}

/** What is read of an answer; the answers of `fetch` are such. */
export interface Reply {
  readonly status: number
  readonly ok: boolean
  readonly headers: Pick<Headers, 'get'>
  readonly body: AsyncIterable<Uint8Array> | null
  json(): Promise<unknown>
  text(): Promise<string>
  arrayBuffer(): Promise<ArrayBuffer>
}

/** How a node is asked: `fetch`, or what does as much of it as is needed here. */
export type Ask = (
  url: URL,
  order: {
    readonly method: string
    readonly headers: Record<string, string>
    readonly signal: AbortSignal
    readonly body?: string
  },
) => Promise<Reply>

export interface ClientOptions {
  /** Address of the node, e.g. `http://127.0.0.1:7770`. */
  readonly url: string
  /** API key; never logged. */
  readonly key?: string
  /** Longest time for one attempt. */
  readonly timeoutMs?: number
  /** Attempts beside the first, for calls that may be repeated. */
  readonly retriesMax?: number
  readonly fetch?: Ask
}

export interface CallOptions {
  readonly signal?: AbortSignal
  readonly timeoutMs?: number
  /** Made at random for a POST unless given, so that a repeat is never charged twice. */
  readonly idempotencyKey?: string
  readonly prefer?: string
  /** The version that the call goes by. */
  readonly ifMatch?: string
  /** How the answer is wanted: members of the endpoint's `query`. */
  readonly query?: Readonly<Record<string, string>>
}

/** An answer with what stands beside its body. */
export interface Answered<R> {
  readonly status: number
  readonly headers: Pick<Headers, 'get'>
  readonly body: R
}

export interface StreamCallOptions {
  readonly signal: AbortSignal
  readonly lastEventId?: string
}

/** The typed client: nothing in it is generated, and nothing has to be kept in step. */
export interface Client {
  /** @throws NodeRefusal, NodeUnreachable, or the signal's reason. */
  call<Id extends EndpointId>(id: Id, input: InputOf<Id>, options?: CallOptions): Promise<ResultOf<Id>>
  /** As {@link Client.call}, with status and headers. */
  ask<Id extends EndpointId>(id: Id, input: InputOf<Id>, options?: CallOptions): Promise<Answered<ResultOf<Id>>>
  /** Frames of an event stream; it reconnects after the last id until the stream is over or the signal aborts. */
  stream<Id extends EndpointId>(id: Id, input: InputOf<Id>, options: StreamCallOptions): AsyncGenerator<Frame>
  /**
   * Lines of an answer that comes a line at a time, each as soon as it is there. It is not asked again: whoever reads
   * knows where to go on. @throws NodeRefusal, NodeUnreachable where the answer breaks off, or the signal's reason.
   */
  lines<Id extends EndpointId>(id: Id, input: InputOf<Id>, options: CallOptions): AsyncGenerator<string>
  /** A call by path, for what the list of endpoints of this release does not know. */
  send(method: string, path: string, body?: unknown, options?: CallOptions): Promise<Answered<unknown>>
}

const TIMEOUT_MS = 40_000
const RETRIES_MAX = 2
const BACKOFF_MS = 200
const BACKOFF_MS_MAX = 10_000
/** Characters of one line of an answer: a large result and its receipt fit. */
const LINE_CHARS_MAX = 67_108_864
/** Of an answer that goes on as long as it takes. */
const NO_TIMEOUT_MS = 2_147_483_647
/** Characters of one event; longer ones are no events of ours. */
const EVENT_CHARS_MAX = 4_194_304

const readProblem = async (response: Reply, url: string): Promise<NodeRefusal | NodeUnreachable> => {
  const problem = (await response.json().catch(() => undefined)) as Problem | undefined
  if (typeof problem?.code !== 'string') return new NodeUnreachable(`status ${response.status} and no problem document`)
  return new NodeRefusal(problem, url)
}

/** What a connection that failed is told as; what the node itself said stays as it is. */
const unreachable = (url: string, cause: unknown): Error =>
  cause instanceof NodeRefusal || cause instanceof NodeUnreachable
    ? cause
    : new NodeUnreachable(`no answer from ${url}`, { cause })

/** Of a call that nobody ends. */
const NEVER = new AbortController().signal

const retryDelay = (response: Reply | undefined, attempt: number): number => {
  const seconds = Number(response?.headers.get('retry-after') ?? Number.NaN)
  const ms = Number.isFinite(seconds) ? seconds * MS_PER_SECOND : BACKOFF_MS * (attempt + 1) * (attempt + 1)
  return Math.min(ms, BACKOFF_MS_MAX)
}

const TEXT = /^text\/|[/+]xml/

/** JSON as what it says, text as text, everything else as its bytes. */
const readBody = async (response: Reply): Promise<unknown> => {
  if (response.status === 204) return null
  const type = response.headers.get('content-type') ?? ''
  if (type.includes('json')) return await response.json()
  return TEXT.test(type) ? await response.text() : new Uint8Array(await response.arrayBuffer())
}

const headersOf = (
  key: string | undefined,
  { method, body }: Outgoing,
  { idempotencyKey, prefer, ifMatch }: CallOptions,
): Record<string, string> => ({
  ...(key === undefined ? {} : { Authorization: `Bearer ${key}` }),
  ...(body === undefined ? {} : { 'Content-Type': 'application/json' }),
  ...(method === 'POST' ? { 'Idempotency-Key': idempotencyKey ?? crypto.randomUUID() } : {}),
  ...(prefer === undefined ? {} : { Prefer: prefer }),
  ...(ifMatch === undefined ? {} : { 'If-Match': ifMatch }),
})

/** What a call of an endpoint asks for, with its query. */
const addressed = <Id extends EndpointId>(id: Id, input: InputOf<Id>, call: CallOptions): Outgoing => {
  const it = outgoing(endpointOf(id).route, input as Record<string, unknown>)
  const asked = call.query === undefined ? '' : `?${new URLSearchParams(call.query)}`
  return { ...it, path: `${it.path}${asked}` }
}

/** How lines are asked for. */
interface AskingLines {
  readonly url: string
  readonly key: string | undefined
  readonly attempt: (it: Outgoing, headers: Record<string, string>, call: CallOptions) => Promise<Reply>
}

/** Lines of an answer, as {@link Client.lines} gives them. */
async function* linesOf(it: Outgoing, call: CallOptions, { url, key, attempt }: AskingLines): AsyncGenerator<string> {
  const response = await attempt(it, headersOf(key, it, call), { timeoutMs: NO_TIMEOUT_MS, ...call })
  if (!response.ok) throw await readProblem(response, url)
  try {
    yield* readLines(response)
  } catch (cause) {
    call.signal?.throwIfAborted()
    throw unreachable(url, cause)
  }
}

/** Makes a client for one node. */
export const createClient = (options: ClientOptions): Client => {
  const { url, key, timeoutMs = TIMEOUT_MS, retriesMax = RETRIES_MAX } = options
  const ask: Ask = options.fetch ?? globalThis.fetch

  const attempt = async (it: Outgoing, headers: Record<string, string>, call: CallOptions): Promise<Reply> => {
    const late = AbortSignal.timeout(call.timeoutMs ?? timeoutMs)
    const signal = call.signal === undefined ? late : AbortSignal.any([call.signal, late])
    const body = it.body === undefined ? {} : { body: JSON.stringify(it.body) }
    try {
      return await ask(new URL(it.path, url), { method: it.method, headers, signal, ...body })
    } catch (cause) {
      call.signal?.throwIfAborted()
      throw unreachable(url, cause)
    }
  }

  const send = async (it: Outgoing, call: CallOptions): Promise<Answered<unknown>> => {
    // Drawn once: every attempt is the same call to the node.
    const headers = headersOf(key, it, call)
    for (let tried = 0; ; tried++) {
      let refusal: NodeRefusal | NodeUnreachable
      let response: Reply | undefined
      try {
        response = await attempt(it, headers, call)
        if (response.ok) return { status: response.status, headers: response.headers, body: await readBody(response) }
        refusal = await readProblem(response, url)
      } catch (cause) {
        if (!(cause instanceof NodeUnreachable)) throw cause
        refusal = cause
      }
      const again = refusal instanceof NodeUnreachable || refusal.retryable
      if (!again || tried >= retriesMax) throw refusal
      await pause(retryDelay(response, tried), call.signal ?? NEVER)
    }
  }

  const answered = async <Id extends EndpointId>(id: Id, input: InputOf<Id>, call: CallOptions = {}) =>
    (await send(addressed(id, input, call), call)) as Answered<ResultOf<Id>>

  async function* stream<Id extends EndpointId>(
    id: Id,
    input: InputOf<Id>,
    { signal, lastEventId }: StreamCallOptions,
  ) {
    const it = outgoing(endpointOf(id).route, input as Record<string, unknown>)
    let last = lastEventId
    let retryMs = BACKOFF_MS
    for (let tried = 0; !signal.aborted; ) {
      const headers = {
        ...headersOf(key, it, {}),
        Accept: EVENT_STREAM,
        ...(last === undefined ? {} : { 'Last-Event-ID': last }),
      }
      let frames = 0
      try {
        const response = await ask(new URL(it.path, url), { method: it.method, headers, signal })
        if (!response.ok) throw await readProblem(response, url)
        for await (const event of readEvents(response)) {
          if (event.retryMs !== undefined) retryMs = event.retryMs
          if (event.frame === undefined) continue
          last = event.frame.id ?? last
          frames++
          tried = 0
          yield event.frame
        }
        // A stream that ends without a frame has nothing more to say.
        if (frames === 0) return
      } catch (cause) {
        signal.throwIfAborted()
        if (cause instanceof NodeRefusal || tried >= retriesMax) throw unreachable(url, cause)
        tried++
      }
      await pause(retryMs, signal)
    }
  }

  return {
    lines: (id, input, call) => linesOf(addressed(id, input, call), call, { url, key, attempt }),
    call: async (id, input, call) => (await answered(id, input, call)).body,
    ask: answered,
    stream,
    send: (method, path, body, call = {}) => send({ method, path, body }, call),
  }
}

interface ReadEvent {
  readonly frame?: Frame
  readonly retryMs?: number
}

/** One block of an event stream (WHATWG HTML, 9.2.6), as far as this project writes them. */
const parseEvent = (block: string): ReadEvent => {
  const fields = new Map<string, string>()
  for (const line of block.split('\n')) {
    const at = line.indexOf(':')
    if (at > 0) fields.set(line.slice(0, at), line.slice(at + 1).replace(/^ /, ''))
  }
  const data = fields.get('data')
  const retry = fields.get('retry')
  const id = fields.get('id')
  return {
    ...(data === undefined
      ? {}
      : {
          frame: {
            event: fields.get('event') ?? 'message',
            data: JSON.parse(data),
            ...(id === undefined ? {} : { id }),
          },
        }),
    ...(retry === undefined ? {} : { retryMs: Number(retry) }),
  }
}

async function* readLines(response: Reply): AsyncGenerator<string> {
  let parts: string[] = []
  let held = 0
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    const [first = '', ...others] = decoder.decode(chunk, { stream: true }).split('\n')
    parts.push(first)
    held += first.length
    if (held > LINE_CHARS_MAX) throw new NodeUnreachable('a line is longer than its bound')
    for (const next of others) {
      yield parts.join('')
      parts = [next]
      held = next.length
    }
  }
  if (held > 0) throw new NodeUnreachable('the answer breaks off in the middle of a line')
}

async function* readEvents(response: Reply): AsyncGenerator<ReadEvent> {
  let text = ''
  const decoder = new TextDecoder()
  for await (const chunk of response.body ?? []) {
    text += decoder.decode(chunk, { stream: true })
    if (text.length > EVENT_CHARS_MAX) throw new NodeUnreachable('an event is longer than its bound')
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      yield parseEvent(text.slice(0, end))
      text = text.slice(end + 2)
    }
  }
}
