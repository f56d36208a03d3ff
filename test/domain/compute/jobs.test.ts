/*
 * Goal: a job outlives its call and its process, is seen by its owner alone, tells how far it is, can be ended, and is
 * charged once or not at all.
 * Method: a real store and pool with trial solvers; frames are awaited, never slept for; restarts reopen the directory.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import { Fault } from '#core/fault.ts'
import type { JobView } from '#domain/compute/views/jobs.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { until } from '../../kit/until.ts'
import { newAccount, refusal } from '../house.ts'
import { asking, type ComputeHouse, openComputeHouse, stateOf, stranger } from './house.ts'
import { trialSolvers } from './trial-solvers.ts'

const test = suite('compute: jobs')

const workerFile = new URL('./trial-worker.ts', import.meta.url)
const open = (directory: string, options = {}) =>
  openComputeHouse(directory, { solvers: trialSolvers, workerFile, options })

const async = { prefer: 'respond-async' }

const begin = async (house: ComputeHouse, caller: Caller, name: string, input: object, more = {}): Promise<JobView> => {
  const it = await house.compute.solve(name, input, asking(caller, { ...async, ...more }))
  assert.ok(it.kind === 'accepted')
  return it.job
}

/** Frames of a job up to the one that is wanted. */
const framesTo = async (
  house: ComputeHouse,
  { caller, id }: { caller: Caller; id: string },
  wanted: (view: JobView) => boolean,
  after = 0,
) => {
  const seen: (readonly [string, JobView])[] = []
  for await (const { id: at, data } of house.compute.jobFrames(id, asking(caller), after)) {
    seen.push([at, data])
    if (wanted(data)) return seen
  }
  return seen
}

const over = ({ state }: JobView): boolean => state !== 'queued' && state !== 'running'

test('respond-async answers with a job that seals, charges once and keeps its answer', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid, credits } = await newAccount(house)
  const { id } = await begin(house, caller, 'sum', {})
  const frames = await framesTo(house, { caller, id }, over)
  const last = frames.at(-1)?.[1]
  assert.equal(last?.state, 'done')
  assert.equal(last?.fraction, 1)
  const answer = await house.compute.jobAnswer(id, caller)
  assert.ok(answer?.kind === 'sealed')
  assert.deepEqual([answer.value, answer.output, answer.envelope.token_id], [5050, '{"sum":5050}', last?.token_id])
  assert.equal(house.store.balance('free', zid), credits - 3)
})

test('a call that outlives its wait becomes a job', async () => {
  using dir = tempDir()
  await using house = await open(dir.path, { waitMs: 0 })
  const { caller } = await newAccount(house)
  const it = await house.compute.solve('slow', { seconds: 0.05 }, asking(caller))
  assert.ok(it.kind === 'accepted')
  const frames = await framesTo(house, { caller, id: it.job.id }, over)
  assert.equal(frames.at(-1)?.[1].state, 'done')
  const patient = await house.compute.solve('slow', { seconds: 0.05 }, asking(caller, { prefer: 'wait=60' }))
  assert.equal(patient.kind, 'sealed')
})

test('progress has step, fraction, residual and time to go, and a reader resumes after what it has seen', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller } = await newAccount(house)
  const { id } = await begin(house, caller, 'slow', { seconds: 60 })
  const frames = await framesTo(house, { caller, id }, (view) => view.step > 0)
  const view = frames.at(-1)?.[1] as JobView
  assert.deepEqual([view.state, view.steps], ['running', 60_000])
  assert.equal(view.fraction, view.step / view.steps)
  assert.equal(view.residual, 1 / view.step)
  assert.ok((view.eta ?? 0) > 0)
  const [first] = frames
  const rest = await framesTo(house, { caller, id }, (it) => it.step >= view.step, Number(first?.[0]))
  assert.deepEqual(
    rest.map(([at]) => at),
    frames.slice(1).map(([at]) => at),
  )
  await house.compute.cancel(id, caller)
})

test('a cancel ends the worker and charges nothing; what is over cannot be cancelled', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const { id } = await begin(house, caller, 'slow', {})
  await framesTo(house, { caller, id }, (view) => view.state === 'running')
  const cancelled = await house.compute.cancel(id, caller)
  assert.deepEqual([cancelled.state, cancelled.token_id], ['cancelled', null])
  assert.deepEqual(stateOf(house, zid), before)
  assert.equal((await refusal(() => house.compute.cancel(id, caller))).code, 'JOB_FINISHED')
  assert.equal((await house.compute.solve('sum', {}, asking(caller))).kind, 'sealed')
})

test('a job that is refused says with which code, and costs nothing', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  for (const [name, input, code] of [
    ['sum', { off: 1 }, 'PRECISION_NOT_MET'],
    ['odd', { how: 'exit' }, 'WORKER_LOST'],
    ['odd', { how: 'throw' }, 'INTERNAL'],
  ] as const) {
    const { id } = await begin(house, caller, name, input)
    const last = (await framesTo(house, { caller, id }, over)).at(-1)?.[1]
    assert.deepEqual([last?.state, last?.problem?.code, last?.token_id], ['failed', code, null])
    assert.equal(await house.compute.jobAnswer(id, caller), undefined)
  }
  assert.deepEqual(stateOf(house, zid), before)
})

test('a job without an envelope keeps its answer, across a restart as well', async () => {
  using dir = tempDir()
  const { caller, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    const job = await begin(house, account.caller, 'odd', {})
    await framesTo(house, { caller: account.caller, id: job.id }, over)
    return { caller: account.caller, id: job.id }
  })()
  await using house = await open(dir.path)
  const answer = await house.compute.jobAnswer(id, caller)
  assert.ok(answer?.kind === 'unsealed' && answer.output === '{"sum":1}')
})

test('only its own caller sees a job; to everyone else it is absent', async () => {
  using dir = tempDir()
  await using house = await open(dir.path)
  const [mine, other] = [await newAccount(house), await newAccount(house)]
  const { id } = await begin(house, mine.caller, 'sum', {})
  for (const caller of [other.caller, stranger]) {
    assert.equal((await refusal(() => house.compute.job(id, caller))).code, 'NOT_FOUND')
    assert.equal((await refusal(() => house.compute.jobAnswer(id, caller))).code, 'NOT_FOUND')
    assert.equal((await refusal(() => house.compute.cancel(id, caller))).code, 'NOT_FOUND')
    assert.equal((await refusal(() => framesTo(house, { caller, id }, over))).code, 'NOT_FOUND')
  }
  const theirs = await house.compute.solve('sum', { work: 1 }, asking(stranger, async))
  assert.ok(theirs.kind === 'accepted')
  assert.equal((await house.compute.job(theirs.job.id, stranger)).id, theirs.job.id)
  const elsewhere: Caller = { kind: 'anonymous', bucket: '203.0.113.1' }
  assert.equal((await refusal(() => house.compute.job(theirs.job.id, elsewhere))).code, 'NOT_FOUND')
})

test('an unfinished job runs again after a restart, holds again, and is charged once', async () => {
  using dir = tempDir()
  const { caller, zid, credits, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    await begin(house, account.caller, 'slow', { seconds: 60 })
    // The one thread is busy, so this one is still to be done when the node stops.
    const job = await begin(house, account.caller, 'sum', {})
    return { ...account, id: job.id }
  })()
  await using house = await open(dir.path, { threads: 2 })
  assert.equal(house.store.balance('free', zid), credits)
  const frames = await framesTo(house, { caller, id }, over)
  assert.equal(frames.at(-1)?.[1].state, 'done')
  assert.equal(house.store.balance('free', zid), credits - 3)
})

test('a job of before a restart that is through while the witnesses are asked waits for them', async (signal) => {
  using dir = tempDir()
  const { caller, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    const job = await begin(house, account.caller, 'slow', { seconds: 0.5 })
    return { caller: account.caller, id: job.id }
  })()
  await using house = await open(dir.path)
  let looks = 0
  house.store.hold(() => {
    looks++
    return new Fault('LOG_UNCONFIRMED')
  })
  await until(async () => looks > 2 || over(await house.compute.job(id, caller)), signal)
  assert.equal((await house.compute.job(id, caller)).state, 'running')
  house.store.hold(undefined)
  const last = (await framesTo(house, { caller, id }, over)).at(-1)?.[1]
  assert.equal(last?.state, 'done')
})

test('how a job ended is told to whoever comes back, over a restart too, whatever number it had come to', async () => {
  using dir = tempDir()
  const { caller, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    const job = await begin(house, account.caller, 'sum', {})
    const frames = await framesTo(house, { caller: account.caller, id: job.id }, over)
    for (const [at] of frames) {
      const rest = await framesTo(house, { caller: account.caller, id: job.id }, over, Number(at))
      assert.equal(rest.at(-1)?.[1].state, 'done', at)
    }
    return { caller: account.caller, id: job.id }
  })()
  await using house = await open(dir.path)
  // The numbers of this start are few: a reader of the one before may have come to the very last of them.
  for (const after of [0, 1, 2, 3, 99]) {
    const rest = await framesTo(house, { caller, id }, over, after)
    assert.equal(rest.at(-1)?.[1].state, 'done', `after ${after}`)
  }
})

test('a job that cannot be paid any more after a restart is lost and costs nothing', async () => {
  using dir = tempDir()
  const { caller, zid, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    const job = await begin(house, account.caller, 'slow', { seconds: 60 })
    await house.store.commit((tx) => {
      const amount = tx.balance('free', account.zid)
      tx.post({ asset: 'free', debit: account.zid, credit: 'burned:compute', amount, reason: 'test', ref: 'test' })
    })
    return { ...account, id: job.id }
  })()
  await using house = await open(dir.path)
  const last = (await framesTo(house, { caller, id }, over)).at(-1)?.[1]
  assert.deepEqual([last?.state, last?.problem?.code], ['lost', 'INSUFFICIENT_BALANCE'])
  assert.equal(house.store.balance('free', zid), 0)
})

test('an Idempotency-Key of a job: in progress, then the answer, and not run again after a restart', async () => {
  using dir = tempDir()
  const keyed = { idempotencyKey: 'job' }
  const { caller, zid, credits, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    const job = await begin(house, account.caller, 'slow', { seconds: 0.3 }, keyed)
    const again = () => house.compute.solve('slow', { seconds: 0.3 }, asking(account.caller, keyed))
    assert.equal((await refusal(again)).code, 'IDEMPOTENCY_IN_PROGRESS')
    await framesTo(house, { caller: account.caller, id: job.id }, over)
    return { ...account, id: job.id }
  })()
  await using house = await open(dir.path)
  const again = await house.compute.solve('slow', { seconds: 0.3 }, asking(caller, keyed))
  assert.ok(again.kind === 'sealed' && again.replayed)
  assert.equal((await house.compute.job(id, caller)).token_id, again.envelope.token_id)
  assert.equal(house.store.balance('free', zid), credits - 3)
})

test('a job that is still to run again holds its Idempotency-Key: a repeated call finds it under way', async () => {
  using dir = tempDir()
  const keyed = { idempotencyKey: 'again' }
  const { caller, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    await begin(house, account.caller, 'slow', { seconds: 1 })
    const job = await begin(house, account.caller, 'sum', {}, keyed)
    return { ...account, id: job.id }
  })()
  await using house = await open(dir.path)
  const repeat = () => house.compute.solve('sum', {}, asking(caller, keyed))
  assert.equal((await refusal(repeat)).code, 'IDEMPOTENCY_IN_PROGRESS')
  const last = (await framesTo(house, { caller, id }, over)).at(-1)?.[1]
  assert.equal(last?.state, 'done')
  const again = await repeat()
  assert.ok(again.kind === 'sealed' && again.replayed && again.envelope.token_id === last?.token_id)
})

test('a job that was cancelled before it ran again gives its Idempotency-Key back', async (signal) => {
  using dir = tempDir()
  const keyed = { idempotencyKey: 'again' }
  const { caller, id } = await (async () => {
    await using house = await open(dir.path)
    const account = await newAccount(house)
    await begin(house, account.caller, 'slow', { seconds: 0.3 })
    const job = await begin(house, account.caller, 'sum', {}, keyed)
    return { ...account, id: job.id }
  })()
  await using house = await open(dir.path)
  // Which of the two runs first is not said: the other one may have been quicker than the cancel.
  const cancelled = await house.compute.cancel(id, caller).catch(() => undefined)
  const again = await until(() => house.compute.solve('sum', {}, asking(caller, keyed)).catch(() => undefined), signal)
  assert.ok(again.kind === 'sealed')
  assert.equal(again.replayed, cancelled === undefined)
})

test('a job that waits can be cancelled, and a thread that dies takes only its own job along', async () => {
  using dir = tempDir()
  await using house = await open(dir.path, { threads: 2 })
  const { caller, zid, credits } = await newAccount(house)
  const long = await begin(house, caller, 'slow', { seconds: 8 })
  await framesTo(house, { caller, id: long.id }, (view) => view.state === 'running')
  const dying = await begin(house, caller, 'odd', { how: 'exit' })
  assert.equal((await framesTo(house, { caller, id: dying.id }, over)).at(-1)?.[1].problem?.code, 'WORKER_LOST')
  const [other, waiting] = [await begin(house, caller, 'slow', {}), await begin(house, caller, 'sum', {})]
  assert.deepEqual([waiting.state, waiting.reason], ['queued', 'It waits for a worker thread.'])
  assert.equal((await house.compute.cancel(waiting.id, caller)).state, 'cancelled')
  assert.equal((await framesTo(house, { caller, id: long.id }, over)).at(-1)?.[1].state, 'done')
  await house.compute.cancel(other.id, caller)
  assert.equal(house.store.balance('free', zid), credits - 3)
})

test('parallel calls take as many places as they are: of one owner, and of all', async () => {
  using dir = tempDir()
  await using house = await open(dir.path, { queueMax: 200, jobsMax: 40 })
  const tally = async (caller: Caller, calls: number) => {
    const call = () => house.compute.solve('slow', { seconds: 60 }, asking(caller, async))
    const all = await Promise.allSettled(Array.from({ length: calls }, call))
    const refused = all.filter((it) => it.status === 'rejected').map(({ reason }) => reason.code)
    return { accepted: all.length - refused.length, refused: [...new Set(refused)] }
  }
  const [mine, other] = [await newAccount(house), await newAccount(house)]
  assert.deepEqual(await tally(mine.caller, 50), { accepted: 32, refused: ['NODE_BUSY'] })
  assert.deepEqual(await tally(other.caller, 50), { accepted: 8, refused: ['NODE_BUSY'] })
  const held = (await house.economy.credits(mine.caller)).held
  assert.equal(held, 32 * 3)
})

test('jobs are bounded: one owner’s unfinished ones, and all that are kept', async () => {
  using dir = tempDir()
  await using house = await open(dir.path, { jobsMax: 3, queueMax: 16 })
  const { caller } = await newAccount(house)
  const ids: string[] = []
  for (let i = 0; i < 5; i++) {
    const { id } = await begin(house, caller, 'sum', {})
    await framesTo(house, { caller, id }, over)
    ids.push(id)
    house.clock.advanceTicks(1)
  }
  const [first, ...rest] = ids
  assert.equal((await refusal(() => house.compute.job(first as string, caller))).code, 'NOT_FOUND')
  assert.equal((await house.compute.job(rest.at(-1) as string, caller)).state, 'done')
  for (let i = 0; i < 3; i++) await begin(house, caller, 'slow', { seconds: 60 })
  const full = await refusal(() => house.compute.solve('sum', {}, asking(caller, async)))
  assert.equal(full.code, 'NODE_BUSY')
})

test.run()
