import type { IncomingMessage } from 'node:http'
import { Fault } from '#core/fault.ts'
import type { Sleep } from '#core/wait.ts'

export interface BodyLimits {
  readonly bytesMax: number
  readonly timeoutMs: number
}

/** Bytes of all bodies that are being read at once: connections alone would bound them by gigabytes. */
export const BODIES_BYTES_MAX = 67_108_864
/** Bytes of a body that a call covers; each further time as many count as a call of their own. */
const CALL_BYTES = 65_536

const tooLarge = (bytesMax: number): Fault =>
  new Fault('BODY_TOO_LARGE', `The body is larger than ${bytesMax} bytes.`, { limit_bytes: bytesMax })

/** How many calls a body counts beside the one that brought it: reading it costs the node by its size. */
export const callsOf = (bytes: Uint8Array): number => Math.floor(bytes.length / CALL_BYTES)

/**
 * The bytes of a body, within its bounds.
 *
 * @throws Fault BODY_TOO_LARGE (before the first byte where the length is announced), BODY_TOO_SLOW,
 * UNSUPPORTED_MEDIA_TYPE for an encoded one, NODE_BUSY when too many are being read.
 */
export type ReadBody = (
  request: IncomingMessage,
  limits: BodyLimits,
  wait: { readonly sleep: Sleep; readonly signal: AbortSignal },
) => Promise<Uint8Array>

/** Reads bodies, and keeps count of what is in hand. */
export const createBodyReader = (bodiesBytesMax: number = BODIES_BYTES_MAX): ReadBody => {
  let inHand = 0

  const collect = async (request: IncomingMessage, bytesMax: number): Promise<Uint8Array> => {
    const chunks: Buffer[] = []
    let size = 0
    try {
      for await (const chunk of request as AsyncIterable<Buffer>) {
        size += chunk.length
        inHand += chunk.length
        if (size > bytesMax) throw tooLarge(bytesMax)
        if (inHand > bodiesBytesMax) throw new Fault('NODE_BUSY', 'Too many large bodies arrive at once.')
        chunks.push(chunk)
      }
      return Buffer.concat(chunks, size)
    } finally {
      inHand -= size
    }
  }

  return (request, limits, wait) => readWith(collect, request, { ...limits, ...wait })
}

/** Why the wait for a body ends when all is well; a reason given saves the exception that would stand for it. */
const ARRIVED = 'arrived'

const readWith = async (
  collect: (request: IncomingMessage, bytesMax: number) => Promise<Uint8Array>,
  request: IncomingMessage,
  { bytesMax, timeoutMs, ...wait }: BodyLimits & { readonly sleep: Sleep; readonly signal: AbortSignal },
): Promise<Uint8Array> => {
  const { 'content-encoding': encoding = 'identity', 'content-length': length } = request.headers
  const coding = request.headers['transfer-encoding'] ?? 'chunked'
  // A coding that is not undone here is one that whoever stands before this node may have undone.
  if (encoding !== 'identity' || coding.toLowerCase() !== 'chunked')
    throw new Fault('UNSUPPORTED_MEDIA_TYPE', 'The body must not be encoded.')
  if (length !== undefined && Number(length) > bytesMax) throw tooLarge(bytesMax)
  if (length === '0' || (length === undefined && request.headers['transfer-encoding'] === undefined)) {
    return new Uint8Array()
  }
  const done = new AbortController()
  const late = wait.sleep(timeoutMs, AbortSignal.any([wait.signal, done.signal])).then(() => {
    wait.signal.throwIfAborted()
    if (!done.signal.aborted) throw new Fault('BODY_TOO_SLOW')
    return new Uint8Array()
  })
  try {
    return await Promise.race([collect(request, bytesMax), late])
  } finally {
    done.abort(ARRIVED)
    late.catch(() => undefined)
  }
}

/** Whether a Content-Type says JSON. */
export const isJson = (type: string | undefined): boolean =>
  /^application\/(?:[\w.-]+\+)?json\s*(?:;\s*charset\s*=\s*"?utf-8"?\s*)?$/i.test(type ?? '')
