// Goal: the daily claim over HTTP: eligibility before any work, one payment, and each refusal under its status and code
// with what a client needs to go on. Method: a real node; nonces are searched as a client does.
import assert from 'node:assert/strict'
import { claimsInHour, impoverish, poorAccount, solved, unsolved } from '../../kit/claiming.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('api: the daily claim')
const MS_MAX = 20_000
/** Ticks of a day and a little more. */
const DAY_TICKS = 111_300

const post = async ({ url }: TestNode, key: string, body: object, headers: Readonly<Record<string, string>> = {}) => {
  const response = await fetch(new URL('/api/credits/claim', url), {
    method: 'POST',
    headers: { Authorization: `Bearer ${key}`, 'Content-Type': 'application/json', ...headers },
    body: JSON.stringify(body),
  })
  return {
    status: response.status,
    replayed: response.headers.get('idempotency-replayed'),
    retryAfter: response.headers.get('retry-after'),
    body: (await response.json()) as Record<string, unknown>,
  }
}

test(
  'eligible, worked, paid, and closed until midnight; transparency counts the day',
  async () => {
    await using it = await testNode()
    const rich = await it.client.call('identity.sign-up', {})
    const closed = (await it.as(rich.api_key).call('economy.credits', {})).claim
    assert.deepEqual(
      [closed.state, closed.challenge, closed.unlocks_at],
      ['unlocks when nearly out', null, null],
      'no work is asked of who is not eligible',
    )
    await impoverish(it, rich.zid)
    const key = rich.api_key
    const { claim } = await it.as(key).call('economy.credits', {})
    assert(claim.challenge !== null)
    const order = { challenge: claim.challenge.challenge, nonce: solved(claim.challenge) }
    const paid = await post(it, key, order, { 'Idempotency-Key': 'mine' })
    assert.deepEqual([paid.status, paid.replayed, paid.body['ok'], paid.body['free']], [200, null, true, 131])
    const again = await post(it, key, order, { 'Idempotency-Key': 'mine' })
    assert.deepEqual([again.status, again.replayed, again.body], [200, 'true', paid.body])
    const spent = await post(it, key, order)
    assert.deepEqual([spent.status, spent.body['code']], [409, 'CHALLENGE_SPENT'])
    const now = (await it.as(key).call('economy.credits', {})).claim
    assert.deepEqual([now.state, now.challenge, now.prior_claims], ['already claimed today', null, 1])
    assert.match(now.unlocks_at ?? '', /T00:00:00\.000Z$/)
    const { claims, assets } = await it.client.call('economy.transparency', {})
    assert.deepEqual(claims, [{ day: claim.day, claims: 1, credits: 128 }])
    const free = assets.find(({ asset }) => asset === 'free')
    assert.deepEqual(
      free?.sources.find(({ source }) => source === 'claim'),
      { source: 'claim', amount: 128, leaves: 1 },
    )
    assert(!JSON.stringify(claims).includes('zid1'))
  },
  MS_MAX,
)

test(
  'not eligible: 409 with when; too little work: 400 with both; late and other day: 400; the 65th: 429',
  async () => {
    await using it = await testNode()
    const { client, api_key: key, zid } = await poorAccount(it)
    const ask = async () => {
      const { challenge } = (await client.call('economy.credits', {})).claim
      assert(challenge !== null)
      return challenge
    }
    const first = await ask()
    const nothing = await post(it, key, { challenge: first.challenge, nonce: 'x' })
    assert.deepEqual([nothing.status, nothing.body['code']], [400, 'INVALID_INPUT'])
    const { nonce, given } = unsolved(first)
    const little = (await post(it, key, { challenge: first.challenge, nonce })).body
    assert.deepEqual([little['code'], little['bits'], little['given']], ['INVALID_INPUT', 18, given])
    const second = await ask()
    const paid = await client.call('economy.claim', { challenge: first.challenge, nonce: solved(first) })
    const closed = await post(it, key, { challenge: second.challenge, nonce: solved(second) })
    assert.deepEqual(
      [closed.status, closed.body['code'], closed.body['unlocks_at']],
      [409, 'NOT_ELIGIBLE', paid.unlocks_at],
    )
    await impoverish(it, zid)
    await it.advanceTicks(DAY_TICKS)
    const yesterday = await post(it, key, { challenge: second.challenge, nonce: solved(second) })
    assert.deepEqual([yesterday.status, yesterday.body['day']], [400, paid.day])
    const late = await ask()
    await it.advanceTicks(121)
    const tooLate = await post(it, key, { challenge: late.challenge, nonce: solved(late) })
    assert.deepEqual([tooLate.status, tooLate.body['expires_mesh_tick']], [400, late.expires_mesh_tick])
    const last = await ask()
    await claimsInHour(it, 64)
    const full = await post(it, key, { challenge: last.challenge, nonce: solved(last) })
    assert.deepEqual([full.status, full.body['code']], [429, 'RATE_LIMITED'])
    assert.equal(Number(full.retryAfter), full.body['retry_after_seconds'])
  },
  MS_MAX,
)

test('demo and machine keys are told that an account is needed; an unknown machine is not there', async () => {
  await using it = await testNode()
  const { client, api_key } = await poorAccount(it)
  const { api_key: machineKey } = await client.call('machines.create', { slug: 'pump', is_public: false })
  const { key: demo } = await it.client.call('economy.demo-key', {})
  for (const key of [machineKey, demo]) {
    const { status, body } = await post(it, key, { challenge: 'x', nonce: '1' })
    assert.deepEqual([status, body['code']], [403, 'SCOPE_REQUIRED'])
  }
  assert.equal((await client.call('economy.credits', {})).claim.machine, 'pump')
  await assert.rejects(client.call('economy.credits', { machine: 'other' }), { code: 'NOT_FOUND' })
  const without = await fetch(new URL('/api/credits/claim', it.url), { method: 'POST' })
  assert.equal(without.status, 401)
  assert.equal((await post(it, api_key, { challenge: 'x'.repeat(1_025), nonce: '1' })).status, 400)
})

test.run()
