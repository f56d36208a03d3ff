import type { ServerResponse } from 'node:http'
import type { Endpoint } from '#api/endpoint.ts'
import { Fault } from '#core/fault.ts'

/** Takes a place for a call of an endpoint until its answer has gone out. @throws Fault NODE_BUSY */
export type TakePlace = (endpoint: Endpoint, response: ServerResponse) => void

/** Counts the calls of endpoints that bound how many are answered at one time. */
export const createAtOnce = (): TakePlace => {
  const running = new Map<string, number>()
  return ({ id, limits: { atOnce } = {} }, response) => {
    if (atOnce === undefined) return
    const now = running.get(id) ?? 0
    if (now >= atOnce) throw new Fault('NODE_BUSY', `No more than ${atOnce} of these calls are answered at one time.`)
    running.set(id, now + 1)
    response.once('close', () => running.set(id, (running.get(id) ?? 1) - 1))
  }
}
