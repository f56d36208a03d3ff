/*
 * Goal: threads go when nobody needs them or when they hold too much, and no work is lost by it; a question is read in
 * a thread, before all that wait, within a bound.
 * Method: pools of real threads; how many are there is asked of the pool.
 */
import assert from 'node:assert/strict'
import { computeCalls } from '#api/told-routes.ts'
import { sleep } from '#core/wait.ts'
import { createPool, type PoolOptions } from '#domain/compute/pool.ts'
import type { Task } from '#domain/compute/task.ts'
import { KEPT_BYTES_MAX } from '#domain/compute/thread-order.ts'
import { suite } from '../../kit/suite.ts'
import { until } from '../../kit/until.ts'
import { refusal } from '../house.ts'

const test = suite('compute: pool')
/** A thread starts as slowly as a program and reads all rows. */
const MS_MAX = 60_000

const trials = new URL('./trial-worker.ts', import.meta.url)
const keeping = new URL('./keeping-worker.ts', import.meta.url)
const SUM: Task = { name: 'sum', inputs: { n: 10 } }
const ENDLESS: Task = { name: 'slow', inputs: {} }
const FALL = { query: 'ball thrown upward at 72 km/h from 2 m on the moon for 3 s', constants: {}, calls: computeCalls }
const TOO_MUCH = Math.ceil((2 * KEPT_BYTES_MAX) / 1_048_576)

const open = (more: Partial<PoolOptions>) => createPool({ threads: 1, queueMax: 4, file: trials, sleep, ...more })
const signal = new AbortController().signal

test(
  'a thread that nobody needs for a while ends, and the next order has a new one',
  async (over) => {
    await using pool = open({ idleMs: 1 })
    const first = await pool.run(SUM, { signal })
    await until(() => pool.alive === 0, over)
    const second = await pool.run(SUM, { signal })
    assert.equal(second.resultDigest, first.resultDigest)
  },
  MS_MAX,
)

test(
  'a thread that holds too much ends once it has answered; one that left only garbage is kept',
  async (over) => {
    await using pool = open({ file: keeping })
    const taking = (keep: boolean) =>
      refusal(() => pool.run({ name: 'it', inputs: { megabytes: TOO_MUCH, keep } }, { signal }))
    for (let i = 0; i < 3; i++) assert.deepEqual((await taking(false)).details, { kept: 0 })
    assert.equal(pool.alive, 1)
    // What waits for that thread is done by the next one, which has kept nothing.
    const found = await Promise.all([taking(true), taking(true), taking(true)])
    for (const it of found) assert.deepEqual(it.details, { kept: 1 })
    await until(() => pool.alive === 0, over)
  },
  MS_MAX,
)

test(
  'when a run is left, those that wait for its thread are done',
  async () => {
    await using pool = open({})
    const client = new AbortController()
    const left = pool.run(ENDLESS, { signal: client.signal, onReport: () => client.abort(new Error('gone')) })
    const waiting = pool.run(SUM, { signal })
    await assert.rejects(left, /gone/)
    assert.equal((await waiting).kind, 'sum')
  },
  MS_MAX,
)

test(
  'a question is read in a thread, also while all others compute, and no task takes that one',
  async () => {
    await using pool = open({ queueMax: 1 })
    assert.equal(pool.alive, 0)
    const begun = Promise.withResolvers<void>()
    const stop = new AbortController()
    const endless = pool.run(ENDLESS, { signal: stop.signal, onReport: () => begun.resolve() })
    await begun.promise
    const waiting = pool.run(SUM, { signal })
    const routed = await pool.read(FALL, signal)
    assert.equal(routed.kind === 'solver' && routed.name, 'solve')
    assert.deepEqual([pool.alive, pool.waiting], [2, 1])
    stop.abort(new Error('over'))
    await assert.rejects(endless, /over/)
    assert.equal((await waiting).kind, 'sum')
  },
  MS_MAX,
)

test(
  'questions wait in a line with an end; one that is left makes room, and a refusal comes whole',
  async () => {
    await using pool = open({ queueMax: 1 })
    const client = new AbortController()
    const first = pool.read(FALL, signal)
    const second = pool.read(FALL, client.signal)
    const third = await refusal(() => pool.read(FALL, signal))
    assert.deepEqual([third.code, third.details], ['NODE_BUSY', { waiting: 1 }])
    client.abort(new Error('gone'))
    await assert.rejects(second, /gone/)
    const asking = await refusal(() => pool.read({ ...FALL, query: 'heat or wave?' }, signal))
    assert.equal(asking.code, 'AMBIGUOUS_INPUT')
    assert.ok(Array.isArray(asking.details['alternatives']))
    assert.equal((await first).kind, 'solver')
  },
  MS_MAX,
)

test('a pool that ends refuses what it still has to do', async () => {
  const pool = open({})
  const running = pool.run(ENDLESS, { signal })
  const waiting = pool.run(SUM, { signal })
  const both = [refusal(() => running), refusal(() => waiting)]
  await pool[Symbol.asyncDispose]()
  for (const it of await Promise.all(both)) assert.equal(it.code, 'WORKER_LOST')
  assert.equal(pool.alive, 0)
})

test.run()
