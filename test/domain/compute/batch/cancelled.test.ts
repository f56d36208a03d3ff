/*
 * Goal: a batch that its caller gives up ends: what is not sealed costs nothing and is refused, what is sealed stays,
 * and the proof still counts every call. Method: a real node over HTTP whose one thread holds the batch up; balances,
 * holds, the verifier and fsck; a stop right behind the answer.
 */
import assert from 'node:assert/strict'
import { verifyBatchLines } from '#core/batch/verify.ts'
import { utf8 } from '#core/bytes.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { type Asking, ask, forms, post, type Read } from './asking.ts'

const test = suite('domain/compute: batches cancelled')

/** More than one thread does in the time of a test. */
const long = Array.from({ length: 12 }, (_, i) => ({ route: 'lotka', input: { t_max: 2_000 + i } }))

const codesOf = ({ answers }: Read): readonly (string | undefined)[] => answers.map(({ problem }) => problem?.code)

/** Calls a batch again, to end it. */
const cancel = (body: unknown, asking: Asking): Promise<Read> => ask(body, { ...asking, cancel: true })

test('what is not sealed costs nothing; what is stays, and none is missing', async (signal) => {
  using dir = tempDir()
  {
    await using it = await testNode({ directory: dir.path, settings: { 'compute.threads': 1 } })
    const { api_key: key } = await it.client.call('identity.sign-up', {})
    const before = (await it.as(key).call('economy.credits', {})).available
    const me = { url: it.url, key, idempotencyKey: 'mine' }
    const calls = [...forms(2), ...long]
    const response = await post({ calls }, me)
    const { store } = it.node
    const sealed = async (): Promise<number> => {
      let count = 0
      for await (const [, row] of store.range('batchOutcome')) if (row.outcome === 'sealed') count += 1
      return count
    }
    await until(async () => (await sealed()) >= 3, signal)
    const read = await cancel({ calls }, me)
    await response.body?.cancel()
    assert.equal(read.status, 200, JSON.stringify(read.problem))
    const { closing } = read.closing
    assert(closing.sealed >= 3 && closing.refused >= 1, JSON.stringify(closing))
    assert.equal(closing.sealed + closing.refused, calls.length)
    assert.deepEqual([...new Set(codesOf(read))].sort(), ['JOB_CANCELLED', undefined])
    const paid = read.answers.reduce((sum, { answer }) => sum + (answer?.claim.price ?? 0), 0)
    const credits = await it.as(key).call('economy.credits', {})
    assert.deepEqual([before - credits.available, credits.held], [paid, 0])
    await it.advanceTicks(2)
    const proved = await ask({ calls }, me)
    const node = proved.opening.opening.node
    const found = verifyBatchLines(utf8(`${proved.lines.join('\n')}\n`), { trusted: node })
    assert.equal(found.outcome, 'verified', JSON.stringify(found))
    // Again, and of one that is closed: it is read, and nothing changes.
    assert.deepEqual((await cancel({ calls }, me)).closing.closing, closing)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('what was given up is not taken up again by the next start', async () => {
  using dir = tempDir()
  const asking = (url: string): Asking => ({ url, key, idempotencyKey: 'mine' })
  let key = ''
  {
    await using it = await testNode({ directory: dir.path, settings: { 'compute.threads': 1 } })
    key = (await it.client.call('identity.sign-up', {})).api_key
    const response = await post({ calls: long }, asking(it.url))
    const ended = await post({ calls: long }, { ...asking(it.url), cancel: true })
    assert.equal(ended.status, 200)
    await Promise.all([response.body?.cancel(), ended.body?.cancel()])
  }
  await using it = await testNode({ directory: dir.path })
  const read = await ask({ calls: long }, asking(it.url))
  // One may have been sealed, or begun, before it was given up: a thread takes one at a time.
  assert(read.closing.closing.refused >= long.length - 2, JSON.stringify(read.closing.closing))
})

test('without a key, or of a key that names none, it is refused and nothing begins', async () => {
  await using it = await testNode()
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const before = it.node.store.log.size
  const keyless = await cancel(forms(2), { url: it.url, key })
  assert.deepEqual([keyless.status, keyless.problem.code], [400, 'INVALID_INPUT'])
  const unknown = await cancel(forms(2), { url: it.url, key, idempotencyKey: 'none' })
  assert.deepEqual([unknown.status, unknown.problem.code], [404, 'NOT_FOUND'])
  assert.equal(it.node.store.log.size, before)
  // The key is free: it can still name one.
  assert.equal((await ask(forms(2), { url: it.url, key, idempotencyKey: 'none' })).status, 200)
  const { api_key: other } = await it.client.call('identity.sign-up', {})
  const theirs = await cancel(forms(2), { url: it.url, key: other, idempotencyKey: 'none' })
  assert.equal(theirs.status, 404, 'a key of another account names none of this one')
})

test.run()
