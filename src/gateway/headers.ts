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

/** Security headers of every answer. */
export const securityHeaders = helmet({ ...common, contentSecurityPolicy: { useDefaults: false, directives } })
