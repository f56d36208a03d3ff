import type { IncomingMessage } from 'node:http'
import type { Duplex } from 'node:stream'
import { type WebSocket, WebSocketServer } from 'ws'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { Log, Meter } from '#core/telemetry.ts'
import type { Sleep } from '#core/wait.ts'
import type { Services } from '#domain/services.ts'
import { refusalText } from '#gateway/broken.ts'
import type { Limits } from '#gateway/limits.ts'
import { createPlaces } from '#gateway/places.ts'
import { createAdmission, type SocketAdmitted, type SocketDoor, socketMatch } from './admission.ts'
import { closeCodes, createOutlet, type SocketOutlet } from './outlet.ts'
import { createRounds } from './rounds.ts'

/** What of the settings concerns sockets. */
export interface SocketSettings {
  readonly clientsMax: number
  readonly pingMs: number
  readonly stallMs: number
}

/** What sockets are opened with. */
export interface SocketParts {
  readonly services: Services
  readonly settings: SocketSettings
  readonly limits: Limits
  readonly sleep: Sleep
  readonly log: Log
  readonly meter: Meter
  /** Aborts when the node stops. */
  readonly stopping: AbortSignal
}

/** Bytes of a message from a reader, who has nothing to say. */
const INWARD_BYTES_MAX = 1_024
/** Messages of a reader that are passed over before it is told to be silent. */
const INWARD_MESSAGES_MAX = 64

const refusals = {
  full: (limit: number) => new Fault('CAPACITY_EXCEEDED', 'Too many sockets are open.', { open: limit, limit }),
  share: (limit: number) => new Fault('RATE_LIMITED', `One address may have ${limit} sockets open.`, { limit }),
}

/** One look at a credential for each text, however many sockets it opened. */
const createStillGood = ({ services }: Pick<SocketParts, 'services'>) => {
  const looked = new WeakMap<object, Map<string, boolean>>()
  return (caller: Caller, text: object): boolean => {
    if (caller.kind === 'anonymous') return true
    const known = looked.get(text) ?? new Map<string, boolean>()
    looked.set(text, known)
    const kept = known.get(caller.keyId)
    if (kept !== undefined) return kept
    let good = true
    try {
      services.identity.assertStillGood(caller)
    } catch {
      good = false
    }
    known.set(caller.keyId, good)
    return good
  }
}

/** Opens sockets: what an upgrade asks for is looked at as any call is, and refused with a problem document. */
export const createSockets = (parts: SocketParts) => {
  const { settings, log, meter } = parts
  const server = new WebSocketServer({
    noServer: true,
    clientTracking: false,
    perMessageDeflate: false,
    maxPayload: INWARD_BYTES_MAX,
  })
  const places = createPlaces(settings.clientsMax, refusals)
  const stillGood = createStillGood(parts)
  const rounds = createRounds(parts)
  const admit = createAdmission(parts)

  const serve = (
    { socket, raw }: { readonly socket: WebSocket; readonly raw: Duplex },
    { caller, pushing }: SocketAdmitted,
    leave: () => void,
  ): void => {
    const outlet: SocketOutlet = createOutlet({
      socket,
      raw,
      mayRead: (text) => stillGood(caller, text) && pushing.mayRead?.() !== false,
      onGap: () => meter.count('socket_gaps_total'),
    })
    const round = rounds.enter({
      socket,
      outlet,
      mayRead: () => stillGood(caller, {}) && pushing.mayRead?.() !== false,
    })
    let said = 0
    socket.on('message', () => {
      said += 1
      if (said > INWARD_MESSAGES_MAX) outlet.close(closeCodes.tooMuch, 'nothing is read here')
    })
    socket.on('error', (error) => log.debug({ error }, 'socket_failed'))
    raw.on('drain', outlet.onDrain)
    const feeding = pushing.feed(outlet)
    socket.once('close', () => {
      outlet.close(closeCodes.normal, '')
      feeding[Symbol.dispose]()
      round[Symbol.dispose]()
      leave()
    })
  }

  return {
    get count() {
      return places.count
    },
    /** Whether a request is for a socket; every other wish for another protocol is answered as a call. */
    wants: (request: IncomingMessage, door: SocketDoor): boolean => {
      if (request.headers.upgrade?.toLowerCase() !== 'websocket') return false
      try {
        return socketMatch(request, door).route.endpoint.socket === true
      } catch {
        return false
      }
    },
    /** Opens it, or ends the connection with why not. */
    upgrade: async (
      { request, raw, head }: { readonly request: IncomingMessage; readonly raw: Duplex; readonly head: Buffer },
      door: SocketDoor,
    ): Promise<void> => {
      const onError = (): void => void raw.destroy()
      raw.on('error', onError)
      try {
        const admitted = await admit(request, door)
        const leave = places.take(admitted.bucket)
        raw.once('close', leave)
        raw.off('error', onError)
        server.handleUpgrade(request, raw, head, (socket) => serve({ socket, raw }, admitted, leave))
        meter.count('http_requests_total', { endpoint: admitted.id, status: '101' })
      } catch (refusal) {
        const { text, status } = refusalText(refusal)
        if (!(refusal instanceof Fault)) log.error({ error: refusal }, 'call_failed')
        meter.count('http_requests_total', { endpoint: 'sockets', status: String(status) })
        raw.end(text, () => raw.destroy())
      }
    },
    /** Says goodbye to all. */
    [Symbol.asyncDispose]: () => rounds[Symbol.asyncDispose](),
  }
}

export type Sockets = ReturnType<typeof createSockets>
