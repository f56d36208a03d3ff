import { IncomingMessage, ServerResponse } from 'node:http'
import { Socket } from 'node:net'
import type { Context, Middleware } from 'koa'
import helmet from 'koa-helmet'

/** WebAssembly needs its own word in a policy; nothing is ever loaded from outside. */
const directives = {
  defaultSrc: ["'self'"],
  scriptSrc: ["'self'", "'wasm-unsafe-eval'"],
  workerSrc: ["'self'"],
  styleSrc: ["'self'"],
  imgSrc: ["'self'", 'data:'],
  connectSrc: ["'self'"],
  objectSrc: ["'none'"],
  baseUri: ["'self'"],
  formAction: ["'self'"],
  frameAncestors: ["'none'"],
}

const common = {
  crossOriginEmbedderPolicy: { policy: 'require-corp' },
  crossOriginOpenerPolicy: { policy: 'same-origin' },
  crossOriginResourcePolicy: { policy: 'same-origin' },
  referrerPolicy: { policy: 'no-referrer' },
  // Loopback has no TLS; a proxy that adds TLS adds this as well.
  strictTransportSecurity: false,
} as const

/** Names as they were spelled, which the types of Node leave out. */
const rawNames = (response: ServerResponse): readonly string[] =>
  (response as ServerResponse & { getRawHeaderNames(): string[] }).getRawHeaderNames()

/** What the library sets, asked once: none of it depends on the call. */
const headersSet = async (): Promise<Readonly<Record<string, string>>> => {
  const set = helmet({ ...common, contentSecurityPolicy: { useDefaults: false, directives } })
  const response = new ServerResponse(new IncomingMessage(new Socket()))
  await set({ req: response.req, res: response } as Context, () => Promise.resolve())
  return Object.fromEntries(rawNames(response).map((name) => [name, String(response.getHeader(name))]))
}
const headers = await headersSet()

/** Security headers of every answer. */
export const securityHeaders: Middleware = (ctx, next) => {
  ctx.set(headers)
  return next()
}
