import type { BatchClosing, BatchOpening } from '#core/batch/forms.ts'

/** A batch over HTTP as tests ask for it: one body in whichever form, its lines out. */

export interface AnswerLine {
  readonly index: number
  readonly ok: boolean
  readonly outcome: 'sealed' | 'refused' | 'failed'
  readonly route: string
  readonly input: Record<string, unknown>
  readonly inputs_digest: string
  readonly answer?: {
    readonly claim: { token_id: string; inputs_digest: string; index: number; value: number; price: number }
    readonly envelope: { token_id: string }
    readonly value: number
  }
  readonly problem?: { readonly code: string; readonly status: number; readonly detail: string }
}

export interface Read {
  readonly status: number
  readonly headers: Headers
  /** The problem document of a refusal. */
  readonly problem: { readonly code: string; readonly detail: string } & Record<string, unknown>
  readonly opening: { readonly opening: BatchOpening; readonly signature: string } & Record<string, unknown>
  readonly answers: readonly AnswerLine[]
  readonly closing: {
    readonly closing: BatchClosing
    readonly signature: string
    readonly proofs: { readonly opening: string | null; readonly closing: string | null }
  } & Record<string, unknown>
  readonly lines: readonly string[]
}

export interface Asking {
  readonly url: string
  readonly key: string
  readonly idempotencyKey?: string
  readonly after?: number
  readonly cancel?: boolean
  readonly type?: string
  readonly signal?: AbortSignal
}

const queryOf = ({ after, cancel }: Asking): string =>
  new URLSearchParams({
    ...(after === undefined ? {} : { after: String(after) }),
    ...(cancel === true ? { cancel: 'true' } : {}),
  }).toString()

/** Posts a batch. @param body a text goes as it is */
export const post = (body: unknown, asking: Asking): Promise<Response> => {
  const { url, key, idempotencyKey, type, signal } = asking
  return fetch(`${url}/api/svc/batch?${queryOf(asking)}`, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${key}`,
      'content-type': type ?? 'application/json',
      ...(idempotencyKey === undefined ? {} : { 'idempotency-key': idempotencyKey }),
    },
    body: typeof body === 'string' ? body : JSON.stringify(body),
    ...(signal === undefined ? {} : { signal }),
  })
}

/** Posts a batch and reads all of its answer. */
export const ask = async (body: unknown, asking: Asking): Promise<Read> => {
  const response = await post(body, asking)
  const text = await response.text()
  const base = { status: response.status, headers: response.headers }
  if (response.status !== 200) return { ...base, problem: JSON.parse(text) } as Read
  const lines = text.trimEnd().split('\n')
  const parsed = lines.map((line) => JSON.parse(line))
  return { ...base, lines, opening: parsed[0], answers: parsed.slice(1, -1), closing: parsed.at(-1) } as unknown as Read
}

/** A closed form with one varied number: the gravitational radius of a mass. */
export const form = (mass: unknown) => ({ route: 'compute', input: { operators: ['GR37'], inputs: { mass } } })

/** So many closed forms. */
export const forms = (count: number) => Array.from({ length: count }, (_, i) => form(1e30 * (i + 1)))
