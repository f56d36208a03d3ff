import type { Context, Middleware } from 'koa'
import compress from 'koa-compress'
import { EVENT_STREAM } from './sse.ts'

/** Shorter answers are not compressed. */
const PACKED_BYTES_MIN = 2_048

const pack = compress({
  threshold: PACKED_BYTES_MIN,
  filter: (type) => !type.startsWith(EVENT_STREAM) && /json|text|javascript|svg/.test(type),
})
const made = (): Promise<void> => Promise.resolve()

const isShort = ({ body }: Context): boolean =>
  (typeof body === 'string' || Buffer.isBuffer(body)) && Buffer.byteLength(body) < PACKED_BYTES_MIN

/** Compresses what is worth it, for whoever asks; the rest, which is nearly all, is not looked at further. */
export const packing: Middleware = async (ctx, next) => {
  ctx.res.setHeader('Vary', 'Accept-Encoding')
  await next()
  const asked = ctx.headers['accept-encoding'] ?? ''
  if (asked !== '' && ctx['compress'] !== false && !isShort(ctx)) await pack(ctx, made)
}
