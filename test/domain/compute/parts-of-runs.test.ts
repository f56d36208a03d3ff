/*
 * Goal: parts of runs in threads give the bits of the whole run, and give their thread up to whatever the node itself
 * has to do: by themselves between two steps, or by the end of the thread. What was given up gives the same bits again.
 * Method: pools of real threads; the wait before a thread is ended is one that the test ends, or nobody.
 */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { BroadcastChannel } from 'node:worker_threads'
import { concat, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { packed, unpacked } from '#core/packed.ts'
import { stateDigestAt } from '#core/states.ts'
import { sleep } from '#core/wait.ts'
import { sha256 } from '#crypto'
import { createPool, type Pool, type PoolOptions } from '#domain/compute/pool.ts'
import type { Parted, PartTask, RunPart, Task, Whole } from '#domain/compute/task.ts'
import { PREEMPTED_MS_MAX } from '#domain/compute/threads.ts'
import { resolveInput } from '#numerics/runtime/input.ts'
import { segmentsOfRun } from '#numerics/runtime/segment.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { kalman } from '#numerics/solvers/kalman/index.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { smallProblems } from '../../numerics/solvers/small-problems.ts'
import { refusal } from '../house.ts'
import { CHANNEL } from './yielding-worker.ts'

const test = suite('compute: parts of runs')
/** A thread starts as slowly as a program and reads all rows. */
const MS_MAX = 60_000
/** All solvers, one after another. */
const ALL_MS_MAX = 300_000

const yielding = new URL('./yielding-worker.ts', import.meta.url)
const SUM: Task = { name: 'sum', inputs: { n: 10 } }
const signal = new AbortController().signal
const none = new Uint8Array(0)
const forEver = (): Promise<void> => new Promise(() => undefined)

/** Waits as the node does, but for the one before a thread is ended. */
const open = (leaving: () => Promise<void>, more: Partial<PoolOptions> = {}): Pool => {
  const waits = (ms: number, until: AbortSignal) => (ms === PREEMPTED_MS_MAX ? leaving() : sleep(ms, until))
  return createPool({ threads: 1, queueMax: 2, file: yielding, sleep: waits, ...more })
}

const second = (name: string): PartTask => ({
  name,
  inputs: {},
  part: { kind: 'segment', index: 1, bytes: new Uint8Array(0) },
})

/** Begins the endless step of a solver, and waits until a thread is within it. */
const begun = async (pool: Pool, name: string, until = signal): Promise<{ readonly parted: Promise<Parted> }> => {
  const channel = new BroadcastChannel(CHANNEL)
  const told = once(channel as unknown as EventTarget, 'message')
  const parted = pool.part(second(name), { signal: until })
  parted.catch(() => undefined)
  await told
  channel.close()
  return { parted }
}

test(
  'a part gives its thread up in the midst of a segment, and the thread goes on with what waits',
  async () => {
    await using pool = open(forEver)
    const { parted } = await begun(pool, 'listening')
    assert.equal((await pool.run(SUM, { signal })).kind, 'sum')
    assert.deepEqual(await parted, { kind: 'preempted' })
    assert.equal(pool.alive, 1)
  },
  MS_MAX,
)

test(
  'the thread of a part that does not look is ended after a while, and what waits is done by another',
  async () => {
    const over = Promise.withResolvers<void>()
    await using pool = open(() => over.promise)
    const { parted } = await begun(pool, 'deaf')
    const own = pool.run(SUM, { signal })
    over.resolve()
    assert.deepEqual(await parted, { kind: 'preempted' })
    assert.equal((await own).kind, 'sum')
  },
  MS_MAX,
)

test(
  'a part keeps its thread while there is another for what the node has to do',
  async () => {
    await using pool = open(() => assert.fail('a thread was taken'), { threads: 2 })
    const client = new AbortController()
    const { parted } = await begun(pool, 'listening', client.signal)
    for (let i = 0; i < 3; i++) assert.equal((await pool.run(SUM, { signal })).kind, 'sum')
    client.abort(new Error('gone'))
    await assert.rejects(parted, /gone/)
  },
  MS_MAX,
)

test(
  'of two parts one gives way to one task',
  async () => {
    await using pool = open(forEver, { threads: 2 })
    const client = new AbortController()
    const first = await begun(pool, 'listening', client.signal)
    const other = await begun(pool, 'listening', client.signal)
    assert.equal((await pool.run(SUM, { signal })).kind, 'sum')
    const gone = await Promise.race([first.parted, other.parted])
    assert.deepEqual(gone, { kind: 'preempted' })
    client.abort(new Error('gone'))
    const ends = await Promise.allSettled([first.parted, other.parted])
    assert.deepEqual(ends.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  },
  MS_MAX,
)

test(
  'parts wait for all tasks, in a line of their own that has an end',
  async () => {
    await using pool = open(forEver, { queueMax: 1 })
    const stop = new AbortController()
    const taken = Promise.withResolvers<void>()
    const running = pool.run({ name: 'slow', inputs: {} }, { signal: stop.signal, onReport: () => taken.resolve() })
    await taken.promise
    const order: string[] = []
    const all: RunPart = { kind: 'all' }
    const part = pool.part({ ...SUM, part: all }, { signal }).then((it) => order.push(it.kind))
    const more = pool.part({ ...SUM, part: all }, { signal })
    const third = await refusal(() => pool.part({ ...SUM, part: all }, { signal }))
    assert.equal(third.code, 'NODE_BUSY')
    assert.equal(pool.waiting, 0)
    const task = pool.run(SUM, { signal }).then((it) => order.push(it.kind))
    stop.abort(new Error('over'))
    await assert.rejects(running, /over/)
    await Promise.all([part, task, more])
    assert.deepEqual(order, ['sum', 'whole'])
  },
  MS_MAX,
)

test(
  'all parts of a run together give the bits of the whole run',
  async () => {
    await using pool = createPool({ threads: 1, queueMax: 4, sleep })
    const task = { name: 'kalman', inputs: { steps: 32 } }
    const part = (it: RunPart): Promise<Parted> => pool.part({ ...task, part: it }, { signal })
    const whole = await part({ kind: 'all' })
    assert(whole.kind === 'whole')
    const { resultDigest, steps } = await pool.run(task, { signal })
    assert.deepEqual([whole.checked.resultDigest, whole.checked.steps], [resultDigest, steps])
    const first = await part({ kind: 'init' })
    assert(first.kind === 'state')
    let now: Parted = first
    const records = [now.records]
    const segments = segmentsOfRun(kalman, resolveInput(kalman, task.inputs))
    for (let index = 0; index < segments; index++) {
      assert.equal(toHex(sha256(now.bytes)), toHex(stateDigestAt(whole.states, index)))
      now = await part({ kind: 'segment', index, bytes: now.bytes })
      assert(now.kind === 'state')
      records.push(now.records)
    }
    assert.deepEqual(concat(...records), whole.records)
    const atOnce = await part({ kind: 'segment', index: 0, bytes: first.bytes, count: segments })
    assert.deepEqual(atOnce, { ...now, records: concat(...records.slice(1)) })
    const end = await part({ kind: 'finish', bytes: now.bytes, records: whole.records })
    assert(end.kind === 'end')
    assert.deepEqual({ ...end.checked, steps: null }, { ...whole.checked, steps: null })
  },
  MS_MAX,
)

test(
  'a run that was given up gives the same bits when it is done again',
  async () => {
    await using pool = createPool({ threads: 1, queueMax: 4, sleep })
    const task = { name: 'evolve', inputs: { n: 256, steps: 400 } }
    const own = { name: 'kalman', inputs: {} }
    const first = pool.part({ ...task, part: { kind: 'all' } }, { signal })
    const { resultDigest } = await pool.run(own, { signal })
    assert.deepEqual(await first, { kind: 'preempted' })
    const [again, beside] = [
      await pool.part({ ...task, part: { kind: 'all' } }, { signal }),
      await pool.run(task, { signal }),
    ]
    assert(again.kind === 'whole')
    assert.deepEqual(again.checked, beside)
    assert.equal((await pool.run(own, { signal })).resultDigest, resultDigest)
  },
  MS_MAX,
)

/** A small problem of a solver that passes the gate, run whole. */
const passed = async (pool: Pool, name: string): Promise<{ readonly task: Task; readonly whole: Whole }> => {
  for (const inputs of [...(smallProblems[name] ?? []), {}] as readonly Json[]) {
    const task = { name, inputs }
    const whole = await pool.part({ ...task, part: { kind: 'all' } }, { signal }).catch((it: Fault) => it)
    if (!(whole instanceof Fault) && whole.kind === 'whole') return { task, whole }
  }
  return assert.fail(name)
}

test(
  'what another node computed is checked as if it had been computed here',
  async () => {
    await using pool = createPool({ threads: 1, queueMax: 4, sleep })
    for (const { name, run } of solvers) {
      const { task, whole } = await passed(pool, name)
      const isStepping = run.kind === 'steps'
      assert.equal(whole.outcome === null, isStepping, name)
      const last = whole.kept.at(-1)
      const part: RunPart = isStepping
        ? { kind: 'finish', bytes: last?.bytes ?? none, records: whole.records }
        : { kind: 'check', outcome: whole.outcome ?? none }
      const end = await pool.part({ ...task, part }, { signal })
      assert(end.kind === 'end', name)
      assert.deepEqual({ ...end.checked, steps: null }, { ...whole.checked, steps: null }, name)
      for (const { i, bytes } of whole.kept) {
        assert.equal(toHex(sha256(bytes)), toHex(stateDigestAt(whole.states, i)), `${name}: state ${i}`)
      }
    }
  },
  ALL_MS_MAX,
)

test(
  'a false outcome is refused with a code, whatever it says',
  async () => {
    await using pool = createPool({ threads: 1, queueMax: 4, sleep })
    const random = seeded()
    const altered = (bytes: Uint8Array): Uint8Array =>
      bytes.with(random.integer(0, bytes.length - 1), random.integer(0, 255))
    for (const { name } of solvers.filter(({ run }) => run.kind === 'whole')) {
      const { task, whole } = await passed(pool, name)
      assert(whole.outcome !== null, name)
      const { output, evidence } = unpacked(whole.outcome) as { readonly output: object; readonly evidence: unknown }
      const outcomes = [
        none,
        packed(null),
        packed({ output: {}, evidence: null }),
        packed({ output, evidence, more: 1 }),
        packed({ output, evidence: { $: [] } }),
        packed({ output, evidence: [evidence] }),
        ...Array.from({ length: 4 }, () => altered(whole.outcome ?? none)),
      ]
      for (const outcome of outcomes) {
        const answer = await pool.part({ ...task, part: { kind: 'check', outcome } }, { signal }).catch((it) => it)
        const isSame = answer.kind === 'end' && answer.checked.resultDigest === whole.checked.resultDigest
        assert(answer instanceof Fault || answer.kind === 'end', `${name}: ${String(answer)}`)
        if (outcome.length === 0) assert(!isSame)
      }
    }
  },
  ALL_MS_MAX,
)

test(
  'refusals of a part come whole',
  async () => {
    await using pool = createPool({ threads: 1, queueMax: 4, sleep })
    const of = (name: string, part: RunPart) => refusal(() => pool.part({ name, inputs: {}, part }, { signal }))
    const bytes = new Uint8Array(9)
    const table: readonly (readonly [string, RunPart, string])[] = [
      ['kalman', { kind: 'segment', index: 3, bytes }, 'INVALID_INPUT'],
      ['kalman', { kind: 'segment', index: 400, bytes }, 'INVALID_INPUT'],
      ['kalman', { kind: 'finish', bytes, records: bytes }, 'INVALID_INPUT'],
      ['zeta', { kind: 'init' }, 'INVALID_INPUT'],
      ['kalman', { kind: 'check', outcome: bytes }, 'INVALID_INPUT'],
      ['nothing', { kind: 'all' }, 'NOT_FOUND'],
    ]
    for (const [name, part, code] of table) assert.equal((await of(name, part)).code, code)
    const closed = { operators: ['KO42', 'GR37'], inputs: { mass: 1e30 } }
    const found = await pool.part({ name: 'compute', inputs: closed, part: { kind: 'all' } }, { signal })
    assert(found.kind === 'whole' && found.checked.kind === 'compute')
  },
  MS_MAX,
)

test.run()
