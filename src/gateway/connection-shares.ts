import type { Server, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import type { Duplex } from 'node:stream'
import { bucketOf, plainAddress } from './address.ts'

/** Of all connections, the part that one address keeps when others want in. */
const ADDRESS_PART = 0.25
/** From this part on a server counts as nearly full. */
const NEARLY_FULL_PART = 0.75
/** Of the time that headers may take, the part they have while it is. */
const HASTY_PART = 0.1

export interface ConnectionShares {
  /** Connections open at once. */
  readonly connectionsMax: number
  /** How long headers may take while there is room. */
  readonly headersTimeoutMs: number
  /** Addresses that speak for many. */
  readonly proxies: ReadonlySet<string>
  /** The newest answer on a connection, if it has had one. */
  readonly answering: { get(socket: Duplex): ServerResponse | undefined }
}

/** Whether a connection holds its place for nothing yet: its call has not come whole, or it has none. */
const isWaiting = (socket: Socket, { answering }: ConnectionShares): boolean => {
  const answer = answering.get(socket)
  return answer === undefined || answer.closed || !answer.req.complete
}

/** How Node names a header that did not come in time, so that the connection ends with the refusal for that. */
const tooSlow = (): Error =>
  Object.assign(new Error('another caller needs the place'), { code: 'ERR_HTTP_REQUEST_TIMEOUT' })

/**
 * Shares the connections of a server. As long as there is room, everyone has what they ask for. When there is none, who
 * comes gets the place of the oldest connection without a whole call of an address that has more than its share, or
 * more than who comes would have then; so neither one address nor many keep the others out by connections that they
 * make nothing of. Nearly full, headers have less time.
 */
export const sharePlaces = (server: Server, places: ConnectionShares): void => {
  const { connectionsMax, headersTimeoutMs, proxies } = places
  const share = Math.max(1, Math.floor(connectionsMax * ADDRESS_PART))
  const nearlyFull = connectionsMax * NEARLY_FULL_PART
  /** By address, its connections, the oldest first. */
  const all = new Map<string, Set<Socket>>()
  let taken = 0

  const leave = (address: string, socket: Socket): void => {
    const own = all.get(address)
    if (own?.delete(socket) !== true) return
    if (own.size === 0) all.delete(address)
    taken -= 1
    if (taken < nearlyFull) server.headersTimeout = headersTimeoutMs
  }

  const enter = (address: string, socket: Socket): void => {
    all.set(address, (all.get(address) ?? new Set()).add(socket))
    taken += 1
    if (taken >= nearlyFull) server.headersTimeout = headersTimeoutMs * HASTY_PART
    socket.once('close', () => leave(address, socket))
  }

  const makeRoom = (comes: string): boolean => {
    const fair = Math.min(share, (all.get(comes)?.size ?? 0) + 1)
    const greedy = [...all].filter(([address, { size }]) => size > fair && !proxies.has(address))
    for (const [address, sockets] of greedy.sort(([, a], [, b]) => b.size - a.size)) {
      const oldest = [...sockets].find((it) => isWaiting(it, places))
      if (oldest === undefined) continue
      leave(address, oldest)
      server.emit('clientError', tooSlow(), oldest)
      return true
    }
    return false
  }

  const addressOf = (socket: Socket): string => {
    const remote = plainAddress(socket.remoteAddress ?? '')
    return proxies.has(remote) ? remote : bucketOf(remote)
  }

  server.on('connection', (socket: Socket) => {
    const address = addressOf(socket)
    if (taken >= connectionsMax && !makeRoom(address)) socket.destroy()
    else enter(address, socket)
  })
  // What became a WebSocket has a place of its own kind.
  server.on('upgrade', (_request, socket: Socket) => leave(addressOf(socket), socket))
}
