import type { IncomingMessage } from 'node:http'
import { type Ask, type Client, type ClientOptions, createClient, type Reply } from '#gateway/client.ts'

const bytesOf = async (message: IncomingMessage, signal: AbortSignal): Promise<Buffer<ArrayBuffer>> => {
  const pieces: Buffer[] = []
  try {
    for await (const piece of message) pieces.push(piece as Buffer)
  } catch (cause) {
    signal.throwIfAborted()
    throw cause
  }
  return Buffer.concat(pieces)
}

const replyOf = (message: IncomingMessage, signal: AbortSignal): Reply => {
  const { statusCode: status = 0, headers } = message
  const text = async (): Promise<string> => (await bytesOf(message, signal)).toString('utf8')
  return {
    status,
    ok: status >= 200 && status < 300,
    headers: { get: (name) => [headers[name.toLowerCase()] ?? []].flat().join(', ') || null },
    body: message,
    text,
    json: async () => JSON.parse(await text()) as unknown,
    arrayBuffer: async () => {
      const { buffer, byteOffset, length } = await bytesOf(message, signal)
      return buffer.slice(byteOffset, byteOffset + length)
    },
  }
}

/**
 * Asks a node by Node's own HTTP client: the `fetch` of Node costs a short command more processor time than all else it
 * does. An `import` of the module would load that `fetch` as well, since it lists every name of it.
 */
export const overHttp: Ask = (url, { method, headers, signal, body }) => {
  const { request } = process.getBuiltinModule(url.protocol === 'https:' ? 'node:https' : 'node:http')
  const { promise, resolve, reject } = Promise.withResolvers<Reply>()
  const asked = request(url, { method, headers, signal }, (message) => resolve(replyOf(message, signal)))
  asked.on('error', (cause) => reject(signal.aborted ? signal.reason : cause))
  asked.end(body)
  return promise
}

/** A client of a node, for a program that asks a little and ends. */
export const clientOf = (options: ClientOptions): Client => createClient({ fetch: overHttp, ...options })
