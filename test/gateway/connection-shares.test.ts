// Goal: no address keeps others out by connections that it makes nothing of.
// Method: a real gateway with few places, and bare sockets of several addresses here, each with half a header.
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect } from 'node:net'
import { suite } from '../kit/suite.ts'
import { until } from '../kit/until.ts'
import { house } from './house.ts'
import { endpoints } from './rooms.ts'

const test = suite('gateway/places')

/** Connections from an address of this machine, each with half a header, and what each has been told. */
const halves = async (port: number, count: number, localAddress: string) => {
  const open = async () => {
    const socket = connect({ port, host: '127.0.0.1', localAddress })
    const half = { socket, text: '' }
    socket.on('error', () => undefined)
    socket.on('data', (chunk) => {
      half.text += chunk
    })
    await once(socket, 'connect')
    socket.write('GET /api/get HTTP/1.1\r\nHost: ')
    return half
  }
  const all = []
  // One after the other: the order in which they came is known.
  for (let i = 0; i < count; i++) all.push(await open())
  return all
}

test('an address whose headers never end keeps nobody out, and its oldest connection gives way', async (signal) => {
  await using it = await house(endpoints, { 'http.connectionsMax': 16, 'http.headersTimeoutMs': 600_000 })
  const { port } = it.gateway
  const few = await halves(port, 4, '127.0.0.2')
  const many = await halves(port, 12, '127.0.0.1')
  const [late] = await halves(port, 1, '127.0.0.3')
  await until(() => many[0]!.socket.closed, signal)
  assert.match(many[0]!.text, /^HTTP\/1\.1 408 [\s\S]*HEADER_TOO_SLOW/)
  const own = `127.0.0.1:${port}`
  late!.socket.write(`${own}\r\nConnection: close\r\n\r\n`)
  await until(() => late!.socket.closed, signal)
  assert.match(late!.text, /^HTTP\/1\.1 200 /)
  assert.equal((await it.ask('/api/get')).status, 200, 'nor itself')
  // Whoever has no more than a share keeps it.
  for (const { socket } of few) socket.write(`${own}\r\nConnection: close\r\n\r\n`)
  await until(() => few.every(({ socket }) => socket.closed), signal)
  for (const { text } of few) assert.match(text, /^HTTP\/1\.1 200 /)
  for (const { socket } of many) socket.destroy()
})

test('many addresses with a few each keep nobody out, and who comes gets no more than they', async (signal) => {
  await using it = await house(endpoints, { 'http.connectionsMax': 16, 'http.headersTimeoutMs': 600_000 })
  const { port } = it.gateway
  const all: Awaited<ReturnType<typeof halves>> = []
  for (let i = 0; i < 8; i++) all.push(...(await halves(port, 2, `127.0.1.${i + 1}`)))
  const [late] = await halves(port, 1, '127.0.0.3')
  await until(() => all.filter(({ socket }) => socket.closed).length === 1, signal)
  const more = await halves(port, 2, '127.0.0.3')
  await until(() => more.every(({ socket }) => socket.closed), signal)
  late!.socket.write(`127.0.0.1:${port}\r\nConnection: close\r\n\r\n`)
  await until(() => late!.socket.closed, signal)
  assert.match(late!.text, /^HTTP\/1\.1 200 /)
  assert.equal(all.filter(({ socket }) => socket.closed).length, 1)
  for (const { socket } of all) socket.destroy()
})

test('a place of somebody whose call is under way is not given away', async (signal) => {
  await using it = await house(endpoints, { 'http.connectionsMax': 4 })
  const leaving = new AbortController()
  const calls = Array.from({ length: 4 }, () => it.ask('/api/slow', { signal: leaving.signal }).catch(() => undefined))
  await until(() => it.gateway.calls === 4, signal)
  await assert.rejects(it.ask('/api/get'))
  assert.equal(it.gateway.calls, 4)
  leaving.abort()
  await Promise.all(calls)
  await until(() => it.gateway.calls === 0, signal)
  await until(async () => (await it.ask('/api/get').catch(() => undefined))?.status === 200, signal)
})

test('nearly full, headers that do not end have less time', async (signal) => {
  await using it = await house(endpoints, { 'http.connectionsMax': 16, 'http.headersTimeoutMs': 50_000 })
  const many = await halves(it.gateway.port, 12, '127.0.0.1')
  // With the first that goes there is room again, and the rest have their time.
  await until(() => many.some(({ socket }) => socket.closed), signal)
  const gone = many.filter(({ socket }) => socket.closed)
  for (const { text } of gone) assert.match(text, /^HTTP\/1\.1 408 [\s\S]*HEADER_TOO_SLOW/)
  for (const { socket } of many) socket.destroy()
})

test.run()
