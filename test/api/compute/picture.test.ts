// Goal: a sealed result is had as a picture, fresh or stored, in either format, and a picture that is not there costs
// nothing that is not said. Method: a real node; the SVG is read as text, its image and the PNG by a decoder.
import assert from 'node:assert/strict'
import { PNG } from 'pngjs'
import { NodeRefusal } from '#gateway/client.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: pictures')

const SMALL = { nx: 64, ny: 48, steps: 10 }

const signedUp = async (it: TestNode) => {
  const { body } = await it.client.send('POST', '/api/auth/sign-up', {})
  return it.as((body as { api_key: string }).api_key)
}

const refusal = async (call: Promise<unknown>): Promise<NodeRefusal> => {
  try {
    await call
  } catch (cause) {
    assert(cause instanceof NodeRefusal, String(cause))
    return cause
  }
  throw new Error('answered')
}

const coloursOf = ({ data }: PNG): number =>
  new Set(new Uint32Array(data.buffer, data.byteOffset, data.length / 4)).size

test('?plot=svg answers with a document that stands alone, and the receipt in the header', async () => {
  await using it = await testNode()
  const client = await signedUp(it)
  const { headers, body } = await client.ask('compute.heat', SMALL, { query: { plot: 'svg' } })
  assert.equal(headers.get('content-type'), 'image/svg+xml')
  assert.match(headers.get('x-svc-token') ?? '', /^[0-9a-f]{32}$/)
  const svg = String(body)
  for (const words of ['x / m', 'y / m', 'Heat diffusion', headers.get('x-svc-token') ?? 'none']) {
    assert(svg.includes(words), words)
  }
  assert.deepEqual(
    [...svg.matchAll(/(?:href|src)="([^,"]*)/g)].map(([, at]) => at),
    ['data:image/png;base64'],
  )
  const [, base64 = ''] = /base64,([^"]+)/.exec(svg) ?? []
  const { width, height } = PNG.sync.read(Buffer.from(base64, 'base64'))
  assert.deepEqual([width, height], [65, 49])
}, 30_000)

test('?plot=png is an image; the stored result is drawn again to the same bytes', async () => {
  await using it = await testNode()
  const client = await signedUp(it)
  const answered = await client.ask('compute.heat', SMALL, { query: { plot: 'png' } })
  assert.equal(answered.headers.get('content-type'), 'image/png')
  const bytes = answered.body as unknown as Uint8Array<ArrayBuffer>
  const png = PNG.sync.read(Buffer.from(bytes))
  assert(coloursOf(png) > 100, `${coloursOf(png)} colours`)
  const token = answered.headers.get('x-svc-token') ?? ''
  const again = await client.ask('compute.picture', { token_id: token, format: 'png' })
  assert.deepEqual(again.body, bytes)
  const svg = await client.ask('compute.picture', { token_id: token })
  assert(String(svg.body).startsWith('<?xml'))
  assert.equal((await refusal(it.client.call('compute.picture', { token_id: token }))).status, 404)
}, 30_000)

test('another format is refused before anything runs; a plot that is not there says what was sealed', async () => {
  await using it = await testNode()
  const client = await signedUp(it)
  const balance = async () => (await client.call('economy.credits', {})).available
  const before = await balance()
  const gif = await refusal(client.call('compute.heat', SMALL, { query: { plot: 'gif' } }))
  assert.deepEqual([gif.status, gif.code], [400, 'INVALID_INPUT'])
  const unknown = await refusal(client.call('compute.heat', SMALL, { query: { plots: 'svg' } }))
  assert.deepEqual([unknown.status, unknown.code], [400, 'INVALID_INPUT'])
  assert.equal(await balance(), before)
  const missing = await refusal(client.call('compute.heat', SMALL, { query: { plot: 'svg', index: '9' } }))
  assert.equal(missing.status, 404)
  assert.equal(missing.problem['plots'], 1)
  const token = String(missing.problem['token_id'])
  assert.equal((await client.ask('compute.picture', { token_id: token })).status, 200)
}, 30_000)

test.run()
