import { type Server, type ServerResponse, STATUS_CODES } from 'node:http'
import type { Duplex } from 'node:stream'
import { Fault, type FaultCode } from '#core/fault.ts'
import type { Meter } from '#core/telemetry.ts'
import { PROBLEM_TYPE, toProblem } from './problem.ts'

/** What Node says of a request that never became one. */
const codes: Readonly<Record<string, FaultCode>> = {
  HPE_HEADER_OVERFLOW: 'HEADER_TOO_LARGE',
  ERR_HTTP_REQUEST_TIMEOUT: 'HEADER_TOO_SLOW',
}

/** Status line, header and problem document of a refusal, for a connection that ends with it. */
export const refusalText = (
  refusal: unknown,
  more: Readonly<Record<string, string>> = {},
): { readonly text: string; readonly status: number } => {
  const { problem, headers } = toProblem(refusal)
  const body = JSON.stringify(problem)
  const lines = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
    ...headers,
    ...more,
  }
  const header = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${header.join('')}\r\n${body}`
  return { text, status: problem.status }
}

/** Methods that some path takes: CONNECT is none of them, whatever it is to connect to. */
const METHODS = 'GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS'

/**
 * Refuses with a problem document what is no request: bytes that are not HTTP, headers that are too large or too slow.
 * A call that came whole before them gets its own answer first, so that nobody takes the refusal for it; where an
 * answer is on its way, nothing may be written into it: the connection ends.
 *
 * @param answering the response that is under way on a connection, if there is one.
 */
export const refuseBroken = (
  server: Server,
  answering: { get(socket: Duplex): ServerResponse | undefined },
  meter: Meter,
): void => {
  const refuse = (socket: Duplex, code: FaultCode, more: Readonly<Record<string, string>> = {}): void => {
    if (!socket.writable) {
      socket.destroy()
      return
    }
    const { text, status } = refusalText(new Fault(code), more)
    meter.count('http_requests_total', { endpoint: 'none', status: String(status) })
    socket.end(text, () => socket.destroy())
  }
  /** Connections whose refusal waits for an answer; each further piece of what is no request says so again. */
  const waiting = new WeakSet<Duplex>()
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    const before = answering.get(socket)
    const code = codes[error.code ?? ''] ?? 'MALFORMED_REQUEST'
    if (error.code === 'ECONNRESET') socket.destroy()
    else if (before === undefined || before.writableFinished) refuse(socket, code)
    else if (before.headersSent) socket.destroy()
    else if (before.req.complete && !waiting.has(socket)) {
      waiting.add(socket)
      before.once('close', () => refuse(socket, code))
    } else if (before.req.complete) return
    else refuse(socket, code)
  })
  server.on('connect', (_request, socket: Duplex) => {
    socket.on('error', () => undefined)
    refuse(socket, 'METHOD_NOT_ALLOWED', { Allow: METHODS })
  })
}
