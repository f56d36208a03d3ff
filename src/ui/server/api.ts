import type { InputAt, ResultAt, RoutePath } from '#api/result-of.ts'
import { type Outgoing, outgoing } from '#core/route.ts'
import { tellLink } from './link.ts'

/** A refusal as the node gave it. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string
  /** Members of the problem document, standard ones included. */
  readonly members: Readonly<Record<string, unknown>>

  constructor(status: number, members: Readonly<Record<string, unknown>>) {
    super(typeof members['detail'] === 'string' ? members['detail'] : `status ${status}`)
    this.status = status
    this.code = typeof members['code'] === 'string' ? members['code'] : 'UNKNOWN'
    this.members = members
  }
}

/** The node could not be reached, or went away in the middle of its answer. */
export class NodeGone extends Error {
  override readonly name = 'NodeGone'
}

/** What goes with a call beside its input. */
export interface RequestOptions {
  /** An API key; left out, the owner's session cookie speaks for itself, if there is one. */
  readonly key?: string | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
  /** How the browser's own store of answers is used; as always where left out. */
  readonly cache?: RequestCache
}

/** What a failed exchange is: the caller's own abort, or a node that is gone. */
const goneOr = (error: unknown, signal: AbortSignal | undefined): unknown => {
  if (signal?.aborted === true) return signal.reason
  tellLink(false)
  return new NodeGone('The node does not answer.', { cause: error })
}

/** One call as it goes out; its answer if the node granted it. @throws ApiProblem, NodeGone, the signal's reason. */
export const request = async ({ method, path, body }: Outgoing, options: RequestOptions = {}): Promise<Response> => {
  const { key, headers = {}, signal, cache } = options
  const init: RequestInit = {
    method,
    credentials: 'same-origin',
    headers: {
      ...(key !== undefined && { Authorization: `Bearer ${key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
    ...(cache !== undefined && { cache }),
  }
  const response = await fetch(path, init).catch((error: unknown) => {
    throw goneOr(error, signal)
  })
  const members = response.ok ? {} : ((await response.json().catch(() => ({}))) as Record<string, unknown>)
  const refusal = response.ok ? undefined : new ApiProblem(response.status, members)
  // Whoever waits for a node that is gone waits for one that goes.
  if (refusal?.code === 'NODE_STOPPING') throw goneOr(refusal, signal)
  tellLink(true)
  if (refusal !== undefined) throw refusal
  return response
}

/** The JSON of an answer. @throws NodeGone, or the signal's reason. */
export const jsonOf = async <T>(response: Response, signal?: AbortSignal): Promise<T> => {
  try {
    return (await response.json()) as T
  } catch (error) {
    throw goneOr(error, signal)
  }
}

/** A call of a route as it goes out: the route ties what is sent to what comes back. */
export const callOf = <R extends RoutePath>(route: R, input: InputAt<R>): Outgoing =>
  outgoing(route, input as Readonly<Record<string, unknown>>)

/** One call; the JSON of its answer. @throws ApiProblem, NodeGone, or the signal's reason. */
export const call = async <R extends RoutePath>(
  route: R,
  input: InputAt<R>,
  options: RequestOptions = {},
): Promise<ResultAt<R>> => jsonOf<ResultAt<R>>(await request(callOf(route, input), options), options.signal)

/** One event of a stream. */
export interface StreamEvent<T> {
  readonly id: string | undefined
  readonly event: string
  readonly data: T
}

const fieldOf = (text: string, name: string): string | undefined => new RegExp(`^${name}: ?(.*)$`, 'm').exec(text)?.[1]

/** The text of an answer as it comes. @throws NodeGone, the signal's reason */
async function* textsOf(response: Response, signal?: AbortSignal): AsyncGenerator<string> {
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  try {
    for (;;) {
      const piece = await reader?.read().catch((error: unknown) => {
        throw goneOr(error, signal)
      })
      if (piece === undefined || piece.done) return
      yield piece.value
    }
  } finally {
    // A reader that leaves early must not keep the connection.
    await reader?.cancel().catch(() => undefined)
  }
}

/** Whole parts of a text that comes in pieces, each without the mark that ends it. */
async function* partsOf(texts: AsyncIterable<string>, mark: string): AsyncGenerator<string> {
  let text = ''
  for await (const more of texts) {
    text += more
    for (let end = text.indexOf(mark); end !== -1; end = text.indexOf(mark)) {
      yield text.slice(0, end)
      text = text.slice(end + mark.length)
    }
  }
}

/** The events of an answer, in order, until it ends or the reader has enough. @throws NodeGone, the signal's reason */
export async function* framesOf<T>(response: Response, signal?: AbortSignal): AsyncGenerator<StreamEvent<T>> {
  for await (const block of partsOf(textsOf(response, signal), '\n\n')) {
    const data = fieldOf(block, 'data')
    if (data === undefined) continue
    yield { id: fieldOf(block, 'id'), event: fieldOf(block, 'event') ?? '', data: JSON.parse(data) as T }
  }
}

/** The lines of an answer, in order, as what they say. @throws NodeGone, the signal's reason */
export async function* linesOf<T>(response: Response, signal?: AbortSignal): AsyncGenerator<T> {
  for await (const line of partsOf(textsOf(response, signal), '\n')) yield JSON.parse(line) as T
}
