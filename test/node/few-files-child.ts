import { once } from 'node:events'
import { writeSync } from 'node:fs'
import { WebSocket } from 'ws'
import { RADIUS } from '../domain/channels/channel-kit.ts'
import { testNode } from '../kit/node.ts'

/**
 * Opens sockets of a node of its own until one is refused, at the limits that this process was started with, and
 * writes one line of JSON: how many are open, why there is none more, and what the node said of it at its start.
 */
const SOCKETS_MAX = 400

const it = await testNode({ settings: { 'limits.keyCallsPerMinute': 1_000_000 } })
const { api_key } = await it.client.call('identity.sign-up', {})
const { stream, key } = await it.as(api_key).call('compute.stream-create', RADIUS)

/** Opens one more. @returns the problem document of a refusal */
const one = async (): Promise<unknown> => {
  const socket = new WebSocket(`${it.url.replace('http', 'ws')}/ws/stream?channel=${stream.id}`, [`svc.key.${key}`])
  socket.on('error', () => undefined)
  const refusal = once(socket, 'unexpected-response')
  const response = await Promise.race([once(socket, 'open').then(() => undefined), refusal.then(([, it]) => it)])
  if (response === undefined) return undefined
  let body = ''
  for await (const piece of response) body += String(piece)
  return JSON.parse(body)
}

let [open, problem]: [number, unknown] = [0, undefined]
while (open < SOCKETS_MAX && problem === undefined) {
  problem = await one()
  if (problem === undefined) open += 1
}
const said = it.lines.filter(({ event }) => event === 'sockets_bounded_by_open_files').map(({ fields }) => fields)
writeSync(1, `${JSON.stringify({ open, problem, said })}\n`)
await it[Symbol.asyncDispose]()
process.exit(0)
