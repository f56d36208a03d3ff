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
const refusalText = (code: FaultCode): { readonly text: string; readonly status: number } => {
  const { problem, headers } = toProblem(new Fault(code))
  const body = JSON.stringify(problem)
  const lines = {
    'Content-Type': PROBLEM_TYPE,
    'Content-Length': String(Buffer.byteLength(body)),
    'X-Content-Type-Options': 'nosniff',
    Connection: 'close',
    ...headers,
  }
  const header = Object.entries(lines).map(([name, value]) => `${name}: ${value}\r\n`)
  const text = `HTTP/1.1 ${problem.status} ${STATUS_CODES[problem.status]}\r\n${header.join('')}\r\n${body}`
  return { text, status: problem.status }
}

/**
 * Refuses with a problem document what is no request: bytes that are not HTTP, headers that are too large or too slow.
 * Where an answer has begun on the connection, nothing may be written into it: the connection ends.
 *
 * @param answering the response that is under way on a connection, if there is one.
 */
export const refuseBroken = (
  server: Server,
  answering: { get(socket: Duplex): ServerResponse | undefined },
  meter: Meter,
): void => {
  server.on('clientError', (error: NodeJS.ErrnoException, socket: Duplex) => {
    if (error.code === 'ECONNRESET' || !socket.writable || answering.get(socket)?.headersSent === true) {
      socket.destroy()
      return
    }
    const { text, status } = refusalText(codes[error.code ?? ''] ?? 'MALFORMED_REQUEST')
    meter.count('http_requests_total', { endpoint: 'none', status: String(status) })
    socket.end(text, () => socket.destroy())
  })
}
