/*
 * Goal: a batch goes on whether or not it is read, after a restart too; its key brings back the same lines and charges
 * nothing twice; another batch under that key is refused. Method: a real node over HTTP, read, left, stopped in the
 * middle and started again in its directory, and checked row by row after it.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { BATCHES_KEPT_MAX } from '#domain/compute/batch/types.ts'
import { TICKS_PER_DAY } from '#domain/economy/calendar.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { ask, forms, post } from './asking.ts'

const test = suite('domain/compute: batches resumed')

const tokensOf = (read: Awaited<ReturnType<typeof ask>>) => read.answers.map(({ answer }) => answer?.claim.token_id)

test('the same key brings back the same lines, from anywhere on, and charges nothing', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const me = { url: it.url, key, idempotencyKey: 'one' }
  const calls = forms(5)
  const first = await ask({ calls }, me)
  assert.equal(first.status, 200)
  assert.equal(first.headers.get('idempotency-replayed'), null)
  const balance = await it.as(key).call('economy.credits', {})
  const again = await ask(calls, me)
  assert.equal(again.headers.get('idempotency-replayed'), 'true')
  assert.deepEqual(again.opening, first.opening)
  assert.deepEqual(tokensOf(again), tokensOf(first))
  const rest = await ask({ calls }, { ...me, after: 3 })
  assert.deepEqual(
    rest.answers.map(({ index }) => index),
    [3, 4],
  )
  assert.deepEqual((await it.as(key).call('economy.credits', {})).available, balance.available)
  assert.equal(rest.closing.proofs.closing, null, 'what is only promised has no proof')
  await it.advanceTicks(2)
  const proved = await ask({ calls }, { ...me, after: 5 })
  assert.match(proved.closing.proofs.opening ?? '', /^c2sp.org\/tlog-proof@v1\n/)
  assert.match(proved.closing.proofs.closing ?? '', /^c2sp.org\/tlog-proof@v1\n/)
})

test('other lines under the same key: 409, and the same for one call less or another order', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const me = { url: it.url, key, idempotencyKey: 'one' }
  assert.equal((await ask(forms(3), me)).status, 200)
  for (const other of [forms(2), forms(4), forms(3).reverse()]) {
    const { status, problem } = await ask(other, me)
    assert.deepEqual([status, problem.code], [409, 'IDEMPOTENCY_KEY_REUSED'])
  }
  assert.equal((await ask(forms(2), { ...me, idempotencyKey: 'two' })).status, 200)
})

test('the key of another account brings nothing back', async () => {
  await using it = await testNode()
  const [mine, other] = [await it.client.call('identity.sign-up', {}), await it.client.call('identity.sign-up', {})]
  const of = (key: string) => ask(forms(2), { url: it.url, key, idempotencyKey: 'same' })
  const [first, second] = [await of(mine.api_key), await of(other.api_key)]
  assert.notEqual(first.opening['batch'], second.opening['batch'])
})

test('a client that leaves after the first line leaves a batch that is sealed all the same', async (signal) => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const me = { url: it.url, key, idempotencyKey: 'left' }
  const leaving = new AbortController()
  const response = await post({ calls: forms(20) }, { ...me, signal: leaving.signal })
  assert.equal(response.status, 200)
  leaving.abort()
  const { store } = it.node
  await until(async () => {
    for await (const [, row] of store.range('batch')) if (row.closed !== null) return true
    return false
  }, signal)
  const read = await ask({ calls: forms(20) }, me)
  assert.equal(read.headers.get('idempotency-replayed'), 'true')
  assert.equal(read.closing.closing.sealed, 20)
})

test('a client that never reads holds up no run, and its connection holds no answers', async (signal) => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  // Nothing of the body is read: what the sockets between take is little beside these answers.
  const response = await post({ calls: forms(40) }, { url: it.url, key })
  assert.equal(response.status, 200)
  const { store } = it.node
  await until(async () => {
    for await (const [, row] of store.range('batch')) if (row.closed !== null) return true
    return false
  }, signal)
  assert.equal((await it.as(key).call('economy.credits', {})).held, 0)
  await response.body?.cancel()
})

test('stopped in the middle, it goes on at the next start, and nothing is charged again', async (signal) => {
  using dir = tempDir()
  const calls = Array.from({ length: 12 }, (_, i) => ({ route: 'lotka', input: { t_max: 400 + i } }))
  let key = ''
  let available = 0
  let sealedBefore: (string | undefined)[] = []
  {
    await using it = await testNode({ directory: dir.path, settings: { 'compute.threads': 1 } })
    key = (await it.client.call('identity.sign-up', {})).api_key
    available = (await it.as(key).call('economy.credits', {})).available
    const response = await post({ calls }, { url: it.url, key, idempotencyKey: 'stop' })
    const { store } = it.node
    const sealed = async (): Promise<string[]> => {
      const found: string[] = []
      for await (const [, row] of store.range('batchOutcome')) if (row.outcome === 'sealed') found.push(row.token_id)
      return found
    }
    await until(async () => (await sealed()).length >= 3, signal)
    await response.body?.cancel()
    sealedBefore = await sealed()
  }
  assert(sealedBefore.length < calls.length, 'it was stopped in the middle')
  {
    await using it = await testNode({ directory: dir.path })
    const read = await ask({ calls }, { url: it.url, key, idempotencyKey: 'stop' })
    assert.equal(read.status, 200, JSON.stringify(read.problem))
    assert.equal(read.headers.get('idempotency-replayed'), 'true')
    assert.equal(read.closing.closing.sealed, calls.length)
    const tokens = tokensOf(read)
    assert(
      sealedBefore.every((token) => tokens.includes(token)),
      'what was sealed is answered from its envelope',
    )
    const credits = await it.as(key).call('economy.credits', {})
    const paid = read.answers.reduce((sum, { answer }) => sum + (answer?.claim.price ?? 0), 0)
    assert.equal(available - credits.available, paid)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what cannot be paid any more after a restart is closed as failed', async (signal) => {
  using dir = tempDir()
  const calls = Array.from({ length: 8 }, (_, i) => ({ route: 'lotka', input: { t_max: 500 + i } }))
  let key = ''
  {
    await using it = await testNode({ directory: dir.path, settings: { 'compute.threads': 1 } })
    key = (await it.client.call('identity.sign-up', {})).api_key
    const response = await post({ calls }, { url: it.url, key, idempotencyKey: 'poor' })
    const { store } = it.node
    const count = async (): Promise<number> => {
      let found = 0
      for await (const _ of store.range('batchOutcome')) found += 1
      return found
    }
    await until(async () => (await count()) >= 1, signal)
    await response.body?.cancel()
    // The holds die with the process: what is spent in between is gone. Here it is taken from the ledger at once.
    const [account] = [(await it.as(key).call('economy.credits', {})).account]
    await store.commit((tx) => {
      const amount = tx.balance('free', account)
      tx.post({
        asset: 'free',
        debit: account,
        credit: 'burned:compute',
        amount: amount - 1,
        reason: 'compute',
        ref: 'x',
      })
    })
  }
  {
    await using it = await testNode({ directory: dir.path })
    const read = await ask({ calls }, { url: it.url, key, idempotencyKey: 'poor' })
    const { sealed, failed, refused } = read.closing.closing
    assert.equal(sealed + failed + refused, calls.length)
    assert(failed >= 1, 'the rest could not be held')
    const problem = read.answers.find(({ outcome }) => outcome === 'failed')?.problem
    assert.deepEqual([problem?.code, problem?.status], ['INSUFFICIENT_BALANCE', 402])
    assert.equal((await it.as(key).call('economy.credits', {})).held, 0)
  }
})

test('two days after it was opened a closed batch gives its rows away; its envelopes stay', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const me = { url: it.url, key }
  const first = await ask(forms(2), { ...me, idempotencyKey: 'old' })
  const ids = async (): Promise<string[]> => {
    const found: string[] = []
    for await (const [id] of it.node.store.range('batch')) found.push(id)
    return found
  }
  assert.deepEqual(await ids(), [first.opening['batch']])
  await it.advanceTicks(2 * TICKS_PER_DAY + 1)
  const second = await ask(forms(1), me)
  assert.equal(second.status, 200, JSON.stringify(second.problem))
  assert.deepEqual(await ids(), [second.opening['batch']])
  for await (const [at] of it.node.store.range('batchOutcome')) assert(at.startsWith(String(second.opening['batch'])))
  const [token = ''] = tokensOf(first)
  const { envelope } = await it.as(key).call('compute.bundle', { token_id: token })
  assert.equal(envelope.claim.token_id, token)
  // Its key is free again after a day: what it stands for now is another batch.
  const again = await ask(forms(2), { ...me, idempotencyKey: 'old' })
  assert.equal(again.headers.get('idempotency-replayed'), null)
})

test('a caller has four batches under way and no fifth', async () => {
  await using it = await testNode({ settings: { 'compute.threads': 1 } })
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const calls = [
    { route: 'lotka', input: { t_max: 900 } },
    { route: 'lotka', input: { t_max: 901 } },
  ]
  const open = await Promise.all(Array.from({ length: 5 }, () => post({ calls }, { url: it.url, key })))
  assert.deepEqual(open.map(({ status }) => status).sort(), [200, 200, 200, 200, 503])
  await Promise.all(open.map((one) => one.body?.cancel()))
})

test('a batch that 1,024 others came after is no longer kept, and is told as that', async () => {
  await using it = await testNode({ settings: { 'limits.keyCallsPerMinute': 100_000 } })
  // The node grants its owner what a run lacks.
  const key = readFileSync(join(it.directory, 'owner.key'), 'utf8').trim()
  const me = { url: it.url, key }
  const first = await ask(forms(1), { ...me, idempotencyKey: 'first' })
  const last = await ask(forms(1), { ...me, idempotencyKey: 'kept' })
  for (let i = 0; i < BATCHES_KEPT_MAX - 1; i++) assert.equal((await ask(forms(1), me)).status, 200)
  const { status, problem } = await ask(forms(1), { ...me, idempotencyKey: 'first' })
  assert.deepEqual([status, problem.code], [410, 'GONE'])
  assert.equal((await ask(forms(1), { ...me, idempotencyKey: 'kept' })).opening['batch'], last.opening['batch'])
  await it.advanceTicks(2)
  const [token = ''] = tokensOf(first)
  assert.equal((await it.as(key).call('compute.bundle', { token_id: token })).envelope.claim.token_id, token)
}, 60_000)

test.run()
