// Goal: what stays as it is while the node runs is made once, and what is kept of it stays within its bounds.
// Method: the keeper alone, and a real gateway over endpoints that count how often they are asked.
import assert from 'node:assert/strict'
import Type from 'typebox'
import type { Endpoint } from '#api/endpoint.ts'
import { endpoints } from '#api/index.ts'
import { Fault } from '#core/fault.ts'
import { createLasting } from '#gateway/lasting.ts'
import { suite } from '../kit/suite.ts'
import { house } from './house.ts'
import { make, refusedWith } from './rooms.ts'

const test = suite('gateway/lasting')

test('what was kept first makes room, by count and by bytes', () => {
  const byCount = createLasting(2, 100)
  for (const name of ['a', 'b', 'c']) byCount.keep(name, Buffer.from(name))
  assert.deepEqual(
    ['a', 'b', 'c'].map((it) => byCount.get(it)?.toString()),
    [undefined, 'b', 'c'],
  )
  const byBytes = createLasting(9, 10)
  byBytes.keep('four', Buffer.alloc(4))
  byBytes.keep('five', Buffer.alloc(5))
  byBytes.keep('four', Buffer.alloc(4))
  byBytes.keep('too much', Buffer.alloc(11))
  assert.deepEqual([byBytes.get('four')?.length, byBytes.get('five')?.length], [4, 5])
  byBytes.keep('six', Buffer.alloc(6))
  assert.deepEqual([byBytes.get('four'), byBytes.get('five'), byBytes.get('six')?.length], [undefined, undefined, 6])
})

test('it is made once for each way of asking, and a refusal is not kept', async () => {
  let asked = 0
  const lasting = make({
    id: 'lasting',
    route: 'GET /api/lasting/{name}',
    lasts: true,
    input: Type.Object({ name: Type.String(), more: Type.Optional(Type.String()) }),
    handle: (_: unknown, { input }: { input: { name: string; more?: string } }) => {
      asked++
      if (input.name === 'none' && asked === 1) throw new Fault('NOT_FOUND')
      return { input, asked }
    },
  })
  await using it = await house([lasting])
  await refusedWith(await it.ask('/api/lasting/none'), 404, 'NOT_FOUND')
  const first = await (await it.ask('/api/lasting/none')).text()
  assert.equal(first, '{"input":{"name":"none"},"asked":2}')
  assert.equal(await (await it.ask('/api/lasting/none')).text(), first)
  assert.equal((await it.ask('/api/lasting/none', { method: 'HEAD' })).headers.get('content-length'), '35')
  const other = (await (await it.ask('/api/lasting/none?more=x')).json()) as { asked: number }
  assert.equal(other.asked, 3)
  await refusedWith(await it.ask('/api/lasting/none?les=x'), 400, 'INVALID_INPUT')
  await refusedWith(await it.ask('/api/lasting/none', { headers: { Accept: 'image/png' } }), 406, 'NOT_ACCEPTABLE')
  assert.equal(asked, 3)
})

test('a kept answer counts as a call like any other', async () => {
  await using it = await house([make({ id: 'lasting', route: 'GET /api/lasting', lasts: true, handle: () => ({}) })], {
    'limits.anonymousCallsPerMinute': 2,
  })
  assert.equal((await it.ask('/api/lasting')).headers.get('ratelimit-remaining'), '1')
  assert.equal((await it.ask('/api/lasting')).headers.get('ratelimit-remaining'), '0')
  await refusedWith(await it.ask('/api/lasting'), 429, 'RATE_LIMITED')
})

test('what lasts is asked by anyone, takes no body and leaves no trace', () => {
  const lasting = (endpoints as readonly unknown[] as readonly Endpoint[]).filter(({ lasts }) => lasts === true)
  assert(lasting.length >= 5)
  for (const { id, access, route, streams, audit, acts, limits, produces } of lasting) {
    assert.deepEqual([access, route.split(' ')[0]], [{ credential: 'none' }, 'GET'], id)
    assert.deepEqual(
      [streams, audit, acts, limits, produces],
      [undefined, undefined, undefined, undefined, undefined],
      id,
    )
  }
})

test.run()
