import type { Server } from 'node:http'
import { Fault } from '#core/fault.ts'
import type { Sleep } from '#core/wait.ts'
import type { Counted } from './observe.ts'
import type { Sockets } from './sockets/upgrade.ts'

/** Of the stop's time, the part in which running calls may finish before they are told to end. */
const GRACE_PART = 0.6

interface Closing {
  /** Tells calls to end. */
  readonly ending: AbortController
  readonly settings: { readonly stop: { readonly timeoutMs: number } }
  readonly sleep: Sleep
  readonly counted: Counted
  readonly sockets: Sockets
}

/** Resolves when no call is left, now or later. */
const idle = (counted: Counted): Promise<void> => {
  const { promise, resolve } = Promise.withResolvers<void>()
  counted.onIdle = resolve
  if (counted.calls === 0) resolve()
  return promise
}

/**
 * Stops accepting; lets streams say goodbye and calls finish, tells those that remain to end, and then closes every
 * connection: one without a call has nothing to wait for.
 */
export const closeServers = async (
  servers: readonly Server[],
  { ending, settings, sleep, counted, sockets }: Closing,
): Promise<void> => {
  const left = sockets[Symbol.asyncDispose]()
  const closed = Promise.all(servers.map((it) => new Promise<void>((resolve) => it.close(() => resolve()))))
  const done = new AbortController()
  const over = idle(counted).then(() => done.abort())
  await Promise.race([over, sleep(settings.stop.timeoutMs * GRACE_PART, done.signal)])
  ending.abort(new Fault('NODE_STOPPING'))
  await Promise.race([over, sleep(settings.stop.timeoutMs * (1 - GRACE_PART) * GRACE_PART, done.signal)])
  for (const server of servers) server.closeAllConnections()
  await left
  await closed
}
