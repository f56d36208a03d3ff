import { type IncomingMessage, Agent as PlainAgent, request as plainRequest, type RequestOptions } from 'node:http'
import { Agent as TlsAgent, request as tlsRequest } from 'node:https'
import type { LookupFunction } from 'node:net'
import { Fault } from '#core/fault.ts'
import { OutwardProblem } from './problem.ts'
import { addressesOf, type NameServers } from './resolve.ts'
import { assertTarget, type CallTarget, type TargetRules } from './targets.ts'

/** A call, from the name to the last byte of the answer. */
export const CALL_MS_MAX = 10_000
/** Headers of an answer, together. */
const HEADER_BYTES_MAX = 16_384

/** Headers that belong to the connection, to the call itself, or to what signs it. */
const OWN_HEADER = new RegExp(
  '^(?:host|connection|keep-alive|proxy-.*|te|trailer|transfer-encoding|upgrade|expect|content-length|' +
    'content-encoding|accept-encoding|cookie|webhook-.*)$',
)
const HEADER_NAME = /^[A-Za-z][A-Za-z0-9-]{0,63}$/
const HEADER_VALUE = /^[\t\x20-\x7e]*$/

export interface OutwardCall {
  readonly method: 'GET' | 'POST'
  readonly url: string
  /** Those of the contract. */
  readonly headers: Readonly<Record<string, string>>
  /** Those of the node: they stand whatever the contract says. */
  readonly own?: Readonly<Record<string, string>>
  readonly body?: Uint8Array
  /** Most bytes of the answer's body that are taken. */
  readonly answerBytesMax: number
  /** False: the body says nothing, and what is over or late of it is left. */
  readonly whole: boolean
}

export interface OutwardAnswer {
  readonly status: number
  readonly encoding: string | undefined
  readonly body: Uint8Array
}

/** What calls outward go by. */
export interface OutwardCallOptions extends NameServers {
  readonly rules: TargetRules
  /** Certificates that are trusted beside the system's, PEM. */
  readonly trusted?: readonly string[] | undefined
  /** Aborts when a call that begins now has taken too long: after {@link CALL_MS_MAX} unless said. */
  readonly limit?: (() => AbortSignal) | undefined
}

/** Why headers of a contract cannot be sent, or undefined when they can. It names a header, never its value. */
export const headerFault = (headers: Readonly<Record<string, string>>): string | undefined => {
  for (const [name, value] of Object.entries(headers)) {
    if (!HEADER_NAME.test(name)) return 'A header has a name that is none.'
    if (OWN_HEADER.test(name.toLowerCase())) return `The header ${name} is the node's own.`
    if (!HEADER_VALUE.test(value)) return `The header ${name} holds what no header can.`
  }
  return undefined
}

const targetOf = (rules: TargetRules, url: string): CallTarget => {
  try {
    return assertTarget(rules, url)
  } catch (cause) {
    if (cause instanceof Fault) throw new OutwardProblem('refused', cause.message)
    throw cause
  }
}

/** What broke, by its code alone: texts of errors hold what was sent. */
const broken = (cause: unknown): OutwardProblem => {
  if (cause instanceof OutwardProblem) return cause
  const code = String((cause as { readonly code?: unknown }).code ?? 'unknown')
  return new OutwardProblem(
    'unreachable',
    `The connection failed: ${/^[A-Z][A-Z0-9_]*$/.test(code) ? code : 'unknown'}.`,
  )
}

const readBody = async (response: IncomingMessage, { answerBytesMax, whole }: OutwardCall): Promise<Uint8Array> => {
  const parts: Uint8Array[] = []
  let bytes = 0
  try {
    for await (const part of response as AsyncIterable<Uint8Array>) {
      bytes += part.length
      if (bytes > answerBytesMax) {
        if (whole) throw new OutwardProblem('too-large', `The answer is larger than ${answerBytesMax} bytes.`)
        break
      }
      parts.push(part)
    }
  } catch (cause) {
    if (whole) throw cause
  }
  return Buffer.concat(parts)
}

/**
 * Calls outward, and nowhere else than to addresses that are allowed: the name is resolved once, the connection goes
 * to what it gave, the certificate and `Host` go by the name. No redirect is followed, no proxy of the environment
 * taken, no connection or cookie kept; it ends within {@link CALL_MS_MAX}.
 *
 * @throws OutwardProblem
 */
export const createOutwardCall = (options: OutwardCallOptions) => {
  const { rules, trusted, nameServers, limit: limitOf = () => AbortSignal.timeout(CALL_MS_MAX) } = options
  const exchange = async (call: OutwardCall, target: CallTarget, signal: AbortSignal): Promise<OutwardAnswer> => {
    const addresses = await addressesOf({ rules, nameServers }, target, signal)
    const lookup = ((_name, options, done) => {
      const [first] = addresses
      if (options.all === true) done(null, [...addresses])
      else done(null, first?.address ?? '', first?.family ?? 4)
    }) as LookupFunction
    const { url, host, port, isAddress } = target
    const typed = call.body === undefined ? {} : { 'content-type': 'application/json' }
    const asked: RequestOptions = {
      ...{ host, port, lookup, signal, method: call.method, path: `${url.pathname}${url.search}` },
      headers: { ...typed, ...call.headers, ...call.own, host: url.host, 'accept-encoding': 'identity' },
      maxHeaderSize: HEADER_BYTES_MAX,
    }
    const send = (): ReturnType<typeof plainRequest> => {
      // An agent of its own for each call: none of the environment's proxies, none of another call's connections.
      if (url.protocol === 'http:') return plainRequest({ ...asked, agent: new PlainAgent({ keepAlive: false }) })
      const ca = trusted === undefined ? {} : { ca: [...trusted] }
      const agent = new TlsAgent({ keepAlive: false, maxCachedSessions: 0 })
      return tlsRequest({ ...asked, ...ca, agent, servername: isAddress ? '' : host, rejectUnauthorized: true })
    }
    const { promise, resolve, reject } = Promise.withResolvers<IncomingMessage>()
    const outgoing = send()
    outgoing.once('response', resolve).on('error', reject)
    // An answer that would change the protocol ends the request without an error.
    outgoing.once('close', () => reject(new OutwardProblem('unreachable', 'The connection ended without an answer.')))
    outgoing.end(call.body)
    try {
      const response = await promise
      const status = response.statusCode ?? 0
      if (status >= 300 && status < 400) throw new OutwardProblem('redirected', 'The answer leads elsewhere.', status)
      const body = await readBody(response, call)
      return { status, encoding: response.headers['content-encoding'], body }
    } finally {
      outgoing.destroy()
    }
  }

  return async (call: OutwardCall, signal: AbortSignal): Promise<OutwardAnswer> => {
    const target = targetOf(rules, call.url)
    const why = headerFault(call.headers)
    if (why !== undefined) throw new OutwardProblem('secret', why)
    const limit = limitOf()
    try {
      return await exchange(call, target, AbortSignal.any([signal, limit]))
    } catch (cause) {
      if (signal.aborted) throw new OutwardProblem('stopped', 'The node stops.')
      if (limit.aborted) throw new OutwardProblem('late', `It took longer than ${CALL_MS_MAX / 1_000} s.`)
      throw broken(cause)
    }
  }
}

export type OutwardCaller = ReturnType<typeof createOutwardCall>
