import type { Context } from 'koa'
import type { Answer, Endpoint } from '#api/endpoint.ts'
import { sessionLine } from './authenticate.ts'
import { streamOf, type Watching } from './pieces.ts'

const BYTES = 'application/octet-stream'
const JSON_TYPE = 'application/json; charset=utf-8'

/** Text up to here goes out with its header in one write; what is longer waits for its reader as bytes, kept once. */
const TEXT_CHARS_MAX = 4_096

/** Whether a handler gave more than a body. */
export const isAnswer = (value: unknown): value is Answer<unknown> =>
  typeof value === 'object' && value !== null && 'answer' in value && value.answer === true && 'body' in value

/** Whether it comes piece by piece. */
export const isPieces = <T>(value: unknown): value is AsyncIterable<T> =>
  typeof value === 'object' && value !== null && Symbol.asyncIterator in value

/** What an answer is written with. */
export interface AnswerWriting {
  readonly endpoint: Pick<Endpoint, 'status'>
  readonly parts: Watching
  /** Whether the caller is reached over TLS. */
  readonly secure: boolean
}

/** The body, of exactly the type that is said: a charset behind it would not be C2SP's. */
const write = (ctx: Context, body: Context['body'], type: string): void => {
  // Set before the body, so that Koa does not look for a type of its own.
  ctx.res.setHeader('Content-Type', type)
  ctx.body = body
}

/** Writes JSON that was written before. @returns its size in bytes. */
export const respondKept = (ctx: Context, bytes: Buffer, { status }: Pick<Endpoint, 'status'>): number => {
  ctx.status = status ?? 200
  ctx.res.setHeader('Cache-Control', 'no-store')
  write(ctx, bytes, JSON_TYPE)
  return bytes.length
}

/** Writes the answer. @returns its size in bytes, as far as it waits in memory. */
export const respond = (ctx: Context, value: unknown, { endpoint, parts, secure }: AnswerWriting): number => {
  const it: Omit<Answer<unknown>, 'answer'> = isAnswer(value) ? value : { body: value }
  const { body, headers, session } = it
  ctx.status = it.status ?? endpoint.status ?? 200
  if (session !== undefined) ctx.set('Set-Cookie', sessionLine(session.token, { ...session, secure }))
  ctx.res.setHeader('Cache-Control', 'no-store')
  if (headers !== undefined) ctx.set(headers)
  const raw = body instanceof Uint8Array || isPieces(body)
  // What a receipt or a raw body is made of goes out byte for byte.
  if (raw || ctx.res.hasHeader('X-Svc-Sealed')) ctx['compress'] = false
  // A file whose bytes its reader has is not sent again.
  if (raw && headers?.['ETag'] !== undefined && ctx.headers['if-none-match'] === headers['ETag']) {
    ctx.status = 304
    ctx.body = null
    return 0
  }
  const type = it.type ?? (raw ? BYTES : JSON_TYPE)
  if (isPieces<Uint8Array>(body)) {
    write(ctx, streamOf(ctx, body, parts), type)
    return 0
  }
  if (body instanceof Uint8Array) {
    write(ctx, Buffer.from(body), type)
    return body.length
  }
  const text = it.type !== undefined && typeof body === 'string' ? body : JSON.stringify(body)
  if (text.length <= TEXT_CHARS_MAX) {
    write(ctx, text, type)
    return Buffer.byteLength(text)
  }
  const bytes = Buffer.from(text)
  write(ctx, bytes, type)
  return bytes.length
}
