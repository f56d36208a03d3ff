import { createSocket } from 'node:dgram'
import { once } from 'node:events'
import { createServer, type IncomingMessage, type RequestListener, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'

/** A server of the test on loopback. */
export interface TestServer extends AsyncDisposable {
  readonly port: number
  readonly url: string
}

const closing = (server: Server): AsyncDisposable => ({
  [Symbol.asyncDispose]: async () => {
    server.closeAllConnections()
    server.close()
    await once(server, 'close')
  },
})

/** Listens on a free port of an address. */
export const listening = async (server: Server, host = '127.0.0.1'): Promise<TestServer> => {
  server.listen(0, host)
  await once(server, 'listening')
  const { port } = server.address() as AddressInfo
  return { port, url: `http://${host}:${port}`, ...closing(server) }
}

/** An HTTP server on loopback. */
export const served = (handler: RequestListener): Promise<TestServer> => listening(createServer(handler))

/** The body of a request, whole. */
export const bodyOf = async (request: IncomingMessage): Promise<string> => {
  let text = ''
  for await (const part of request.setEncoding('utf8')) text += part
  return text
}

/** Where the answer of a question to a server of names begins: after 12 bytes of header, the name, type and class. */
const nameIn = (question: Buffer): { readonly name: string; readonly end: number } => {
  const labels: string[] = []
  let at = 12
  while (question[at] !== 0) {
    const length = question[at]!
    labels.push(question.toString('latin1', at + 1, at + 1 + length))
    at += length + 1
  }
  return { name: labels.join('.').toLowerCase(), end: at + 1 }
}

const answerTo = (question: Buffer, addresses: readonly string[]): Buffer => {
  const { end } = nameIn(question)
  const type = question.readUInt16BE(end)
  const fitting = type === 1 ? addresses : []
  const header = Buffer.from(question.subarray(0, 12))
  header.writeUInt16BE(0x8180, 2)
  header.writeUInt16BE(fitting.length, 6)
  header.fill(0, 8, 12)
  const records = fitting.map((it) =>
    Buffer.from([0xc0, 12, 0, 1, 0, 1, 0, 0, 0, 0, 0, 4, ...it.split('.').map(Number)]),
  )
  return Buffer.concat([header, question.subarray(12, end + 4), ...records])
}

/** A server of names (RFC 1035) that answers what it is told, and counts the questions for IPv4 addresses. */
export const nameServer = async (answers: (name: string, times: number) => readonly string[] | undefined) => {
  const socket = createSocket('udp4')
  const asked = new Map<string, number>()
  socket.on('message', (question, from) => {
    const { name, end } = nameIn(question)
    const isFour = question.readUInt16BE(end) === 1
    const times = (asked.get(name) ?? 0) + (isFour ? 1 : 0)
    asked.set(name, times)
    const addresses = answers(name, times)
    if (addresses !== undefined) socket.send(answerTo(question, addresses), from.port, from.address)
  })
  socket.bind(0, '127.0.0.1')
  await once(socket, 'listening')
  return {
    servers: [`127.0.0.1:${socket.address().port}`],
    timesAsked: (name: string) => asked.get(name) ?? 0,
    [Symbol.asyncDispose]: async () => {
      socket.close()
      await once(socket, 'close')
    },
  }
}
