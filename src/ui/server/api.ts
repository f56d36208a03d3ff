/** A refusal as the node gave it. */
export class ApiProblem extends Error {
  override readonly name = 'ApiProblem'
  readonly status: number
  readonly code: string
  readonly problem: Readonly<Record<string, unknown>>

  constructor(status: number, problem: Readonly<Record<string, unknown>>) {
    super(typeof problem['detail'] === 'string' ? problem['detail'] : `status ${status}`)
    this.status = status
    this.code = typeof problem['code'] === 'string' ? problem['code'] : 'UNKNOWN'
    this.problem = problem
  }
}

/** How this browser presents itself: the owner's session cookie goes by itself, a demo key goes in a header. */
export interface Credential {
  readonly kind: 'owner' | 'demo'
  readonly key?: string
}

export interface SendOptions {
  readonly method?: 'GET' | 'POST' | 'DELETE'
  readonly body?: unknown
  readonly credential?: Credential | undefined
  readonly headers?: Readonly<Record<string, string>>
  readonly signal?: AbortSignal
}

const request = async (path: string, options: SendOptions): Promise<Response> => {
  const { method = 'GET', body, credential, headers = {}, signal } = options
  const response = await fetch(path, {
    method,
    credentials: 'same-origin',
    headers: {
      ...(credential?.key !== undefined && { Authorization: `Bearer ${credential.key}` }),
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
      ...headers,
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    ...(signal !== undefined && { signal }),
  })
  if (response.ok) return response
  const problem: unknown = await response.json().catch(() => ({}))
  throw new ApiProblem(response.status, problem as Record<string, unknown>)
}

/** One call; the JSON of its answer. @throws ApiProblem, or TypeError when the node cannot be reached. */
export const send = async <T>(path: string, options: SendOptions = {}): Promise<T> =>
  (await (await request(path, options)).json()) as T

/** Frames of an event stream, in order, until it ends. @throws ApiProblem */
export async function* frames<T>(path: string, options: SendOptions): AsyncGenerator<T> {
  const response = await request(path, { ...options, headers: { Accept: 'text/event-stream' } })
  const reader = response.body?.pipeThrough(new TextDecoderStream()).getReader()
  let text = ''
  for (;;) {
    const piece = await reader?.read()
    if (piece === undefined || piece.done) return
    text += piece.value
    for (let end = text.indexOf('\n\n'); end !== -1; end = text.indexOf('\n\n')) {
      const data = /^data: ?(.*)$/m.exec(text.slice(0, end))?.[1]
      if (data !== undefined) yield JSON.parse(data) as T
      text = text.slice(end + 2)
    }
  }
}
