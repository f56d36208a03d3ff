// Goal: a grant that is sent twice is made once, and who sent it is told that the answer is an earlier one. Method: the
// owner of a real node over HTTP, with one Idempotency-Key for the same grant, for another one, and for none.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: grants of credits')

test('a repeated grant has the stored answer and says so; another one under its key is refused', async () => {
  await using node = await testNode()
  const { zid, api_key } = await node.client.call('identity.sign-up', {})
  const owner = readFileSync(join(node.directory, 'owner.key'), 'utf8').trim()
  const grant = async (credits: number, idempotencyKey?: string) => {
    const response = await fetch(new URL('/api/credits/grant', node.url), {
      method: 'POST',
      headers: {
        Authorization: `Bearer ${owner}`,
        'Content-Type': 'application/json',
        ...(idempotencyKey === undefined ? {} : { 'Idempotency-Key': idempotencyKey }),
      },
      body: JSON.stringify({ zid, credits }),
    })
    const replayed = response.headers.get('idempotency-replayed')
    return { status: response.status, replayed, body: (await response.json()) as Record<string, unknown> }
  }
  const first = await grant(50, 'once')
  const again = await grant(50, 'once')
  assert.deepEqual([first.status, first.replayed, first.body['ok']], [200, null, true])
  assert.deepEqual([again.status, again.replayed], [200, 'true'])
  assert.deepEqual(again.body, first.body)
  const other = await grant(51, 'once')
  assert.deepEqual([other.status, other.replayed, other.body['code']], [409, null, 'IDEMPOTENCY_KEY_REUSED'])
  assert.deepEqual([(await grant(50)).replayed, (await grant(50, 'twice')).replayed], [null, null])
  assert.equal((await node.as(api_key).call('economy.credits', {})).paid, 150)
})

test.run()
