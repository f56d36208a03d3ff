import type { Socket } from 'node:net'

/** Where subscribers go, and what they say. */
export interface Target {
  readonly protocol: 'ws' | 'nats'
  readonly port: number
  /** Path of a socket. */
  readonly path?: string
  readonly key?: string
}

/** The subject of the bench. */
export const SUBJECT = 'bench'

/** A message of a stream, and the mark that it carries. */
interface Framed {
  readonly size: number
  readonly mark: number | undefined
}

/** What is said on a connection and heard on it. */
interface WireOf {
  readonly opening: string
  /** What the answer to the opening ends with. */
  readonly until: string
  /** Whether the answer to the opening is there; how many bytes it has, or why it refuses. */
  entered(bytes: Buffer): { readonly size: number; readonly refused?: string } | undefined
  /** The message at a place; undefined where it has not come whole. */
  next(bytes: Buffer, from: number, socket: Socket): Framed | undefined
}

/** Bytes of a payload in which its mark stands. */
const MARK_WITHIN = 80
const MARK = /"count":(\d+)/

const markIn = (bytes: Buffer, from: number): number | undefined => {
  const text = bytes.toString('latin1', from, Math.min(bytes.length, from + MARK_WITHIN))
  // A hello says where the channel stands and is no tick.
  if (!text.startsWith('{"type":"tick"')) return undefined
  const found = MARK.exec(text)?.[1]
  return found === undefined ? undefined : Number(found)
}

const socketWire = ({ port, path = '/', key }: Target): WireOf => ({
  opening: [
    `GET ${path} HTTP/1.1`,
    `Host: 127.0.0.1:${port}`,
    'Connection: Upgrade',
    'Upgrade: websocket',
    'Sec-WebSocket-Version: 13',
    'Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==',
    ...(key === undefined ? [] : [`Authorization: Bearer ${key}`]),
    '\r\n',
  ].join('\r\n'),
  until: '\r\n\r\n',
  entered: (bytes) => {
    const end = bytes.indexOf('\r\n\r\n')
    if (end < 0) return undefined
    const status = bytes.toString('latin1', 'HTTP/1.1 '.length, 'HTTP/1.1 101'.length)
    return status === '101' ? { size: end + 4 } : { size: end + 4, refused: status }
  },
  next: (bytes, from) => {
    if (bytes.length < from + 10) return undefined
    const second = bytes[from + 1] ?? 0
    const head = second < 126 ? 2 : second === 126 ? 4 : 10
    const length = second < 126 ? second : second === 126 ? bytes.readUInt16BE(from + 2) : bytes.readUInt32BE(from + 6)
    if (bytes.length < from + head + length) return undefined
    return { size: head + length, mark: markIn(bytes, from + head) }
  },
})

const natsWire = (): WireOf => ({
  opening: `CONNECT {"verbose":false,"pedantic":false}\r\nSUB ${SUBJECT} 1\r\nPING\r\n`,
  until: 'PONG\r\n',
  entered: (bytes) => {
    const pong = bytes.indexOf('PONG\r\n')
    return pong < 0 ? undefined : { size: pong + 'PONG\r\n'.length }
  },
  next: (bytes, from, socket) => {
    const end = bytes.indexOf('\r\n', from)
    if (end < 0) return undefined
    const line = bytes.toString('latin1', from, end)
    if (!line.startsWith('MSG ')) {
      if (line === 'PING') socket.write('PONG\r\n')
      return { size: end + 2 - from, mark: undefined }
    }
    const size = end + 2 - from + Number(line.slice(line.lastIndexOf(' '))) + 2
    return bytes.length < from + size ? undefined : { size, mark: markIn(bytes, end + 2) }
  },
})

/** The wire of a target. */
export const wireOf = (target: Target): WireOf => (target.protocol === 'ws' ? socketWire(target) : natsWire())
