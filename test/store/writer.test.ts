/*
 * Goal: the queue has an end, and a disk that fails loses nothing that was acknowledged and acknowledges nothing that
 * it lost. Method: the real writer on a real database whose write is made to fail at a chosen moment, as a full disk
 * would; then the directory is opened again.
 */
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { QUEUE_MAX } from '#store/writer.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { writerOver } from './held-writer.ts'
import { appendText, give, open } from './kit.ts'

const test = suite('store: writer')

/** A writer on a fresh database, whose writes fail from the given one on. */
const failingWriter = (directory: string, failsAt: number) => {
  let writes = 0
  return writerOver(directory, (real, changes) => {
    writes += 1
    return writes >= failsAt ? Promise.reject(new Error('ENOSPC')) : real.write(changes)
  })
}

const isStoreFailed = (cause: unknown): boolean => cause instanceof Fault && cause.code === 'STORE_FAILED'

test('after a failed write nothing is acknowledged or believed any more', async () => {
  using dir = tempDir()
  const { writer, ledger, logs, real } = await failingWriter(dir.path, 2)
  await writer.commit((tx) => give(tx, 'zid1a', 1))
  const hooks: string[] = []
  const failing = writer.commit((tx) => {
    tx.onDurable(() => void hooks.push('durable'))
    give(tx, 'zid1a', 10)
    return appendText(tx, 'lost')
  })
  const beside = writer.commit((tx) => give(tx, 'zid1b', 10))
  await assert.rejects(failing, isStoreFailed)
  await assert.rejects(beside, isStoreFailed)
  assert.match(String((writer.failure as Error).cause), /ENOSPC/)
  await assert.rejects(
    writer.commit((tx) => give(tx, 'zid1a', 1)),
    isStoreFailed,
  )
  assert.deepEqual([ledger.balance('free', 'zid1a'), ledger.balance('free', 'zid1b'), logs.seal.size], [1, 0, 0])
  assert.deepEqual(hooks, [])
  await writer[Symbol.asyncDispose]()
  assert.equal(await real.get('balance', 'free/zid1a'), 1)
  await real[Symbol.asyncDispose]()
})

test('a queue that is full says NODE_BUSY, and what is in it goes through', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  const queued = Array.from({ length: QUEUE_MAX }, () => store.commit((tx) => tx.tick))
  await assert.rejects(
    store.commit((tx) => tx.tick),
    (cause) => cause instanceof Fault && cause.code === 'NODE_BUSY',
  )
  assert.equal((await Promise.all(queued)).length, QUEUE_MAX)
  assert.equal(await store.commit((tx) => appendText(tx, 'again')), 0)
})

test('a plan that waits is a bug, and its transaction ends with it', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  await assert.rejects(
    store.commit(async (tx) => tx.tick),
    /synchronous/,
  )
  const late = await store.commit((tx) => () => tx.put('quota', 'late', 1))
  assert.throws(late, /ends with its plan/)
})

test.run()
