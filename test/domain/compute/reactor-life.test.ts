/*
 * Goal: a reactor outlives its node, is found whole or the bad row is named, is there for those who may see it alone,
 * has bounds, and can be waited for and observed.
 * Method: a real store, pool and machines with the heat solver on a short line; restarts reopen the directory.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import { REACTORS_PER_OWNER_MAX, WAITS_PER_OWNER_MAX } from '#domain/compute/reactor/types.ts'
import type { StepView } from '#domain/compute/views/reactor.ts'
import type { ContractOrder } from '#numerics/reactor/schema.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, type Row, seqKey, type TableName } from '#store/layout.ts'
import { fixedClock } from '../../kit/clock.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { callerOf, newAccount, openRooms, refusal } from '../house.ts'
import { asking, openComputeHouse, stateOf } from './house.ts'
import { beside, LINE, make, sealedStep, statesByHand } from './reactor-kit.ts'

const test = suite('compute: life of reactors')

test('a reactor goes on after a restart exactly where it was, and the data are whole', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  const { made, key } = await (async () => {
    await using house = await openComputeHouse(dir.path, { clock })
    const account = await newAccount(house)
    const view = await make(house, account.caller)
    for (let i = 0; i < 3; i++) await sealedStep(house, asking(account.caller))
    return { made: view, key: account.api_key }
  })()
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  await using house = await openComputeHouse(dir.path, { clock })
  const caller = callerOf(house, key)
  const { states } = statesByHand(made.contract, LINE, 5)
  for (let step = 4; step <= 5; step++) {
    const at = beside(house, await sealedStep(house, asking(caller)))
    assert.deepEqual([at.step, at.state], [step, states[step]])
  }
}, 60_000)

test('states are kept of the beginning, the newest step and some between, however long a loop is', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  const made = await make(house, caller, { steps: 96 })
  for (let i = 0; i < 7; i++) await sealedStep(house, asking(caller))
  const kept: string[] = []
  for await (const [key] of house.store.range('reactorState')) kept.push(key)
  assert.deepEqual(
    kept,
    [0, 3, 6, 7].map((step) => keyOf(made.id, seqKey(step))),
  )
  const query = { reactor: made.id, limit: 1, proofs: false, rerun: true }
  const { rerun } = await house.compute.reactors.trajectory(query, asking(caller))
  assert.deepEqual(rerun, { from: 3, to: 7, agrees: true, differs_at: null })
}, 60_000)

test('a condition ends the loop after the step that meets it', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  await make(house, caller, {
    stops: [
      { of: 'time', op: '>=', than: 1 },
      { of: 'errorSum', op: '>', than: 0.0015 },
    ],
  })
  await sealedStep(house, asking(caller))
  const { code, details } = await refusal(() => house.compute.reactors.step({}, asking(caller)))
  assert.deepEqual([code, details['ended'], details['of'], details['is']], ['REACTOR_ENDED', 'condition', 'time', 1])
}, 60_000)

test('a state that was changed in the store is found: by walk, re-run and check of the data', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  const id = await (async () => {
    await using house = await openComputeHouse(dir.path, { clock })
    const { caller } = await newAccount(house)
    const made = await make(house, caller)
    for (let i = 0; i < 4; i++) await sealedStep(house, asking(caller))
    const at = keyOf(made.id, seqKey(2))
    const [row, bytes] = [await house.store.get('reactorStep', at), await house.store.get('reactorState', at)]
    assert.ok(row !== undefined && bytes !== undefined)
    const input = JSON.parse(new TextDecoder().decode(bytes))
    input.initial.values[64] += 1e-9
    const query = { reactor: made.id, limit: 10, proofs: false, rerun: true }
    await house.store.commit((tx) => tx.put('reactorState', at, new TextEncoder().encode(JSON.stringify(input))))
    const shifted = await house.compute.reactors.trajectory(query, asking(caller))
    assert.deepEqual([shifted.verified.valid, shifted.rerun?.agrees, shifted.rerun?.differs_at], [true, false, 2])
    await house.store.commit((tx) => tx.put('reactorState', at, bytes))
    await house.store.commit((tx) => tx.put('reactorStep', at, { ...row, state: '0'.repeat(64) }))
    const { verified } = await house.compute.reactors.trajectory({ ...query, rerun: false }, asking(caller))
    assert.deepEqual([verified.valid, verified.broken?.step], [false, 2])
    return made.id
  })()
  const { bad } = await fsck({ directory: dir.path })
  assert.deepEqual([bad?.table, bad?.key], ['reactorStep', keyOf(id, seqKey(2))])
}, 60_000)

test('a newest state that is not the one that was digested is never stepped from', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const made = await make(house, caller)
  await sealedStep(house, asking(caller))
  const at = keyOf(made.id, seqKey(1))
  const text = new TextDecoder().decode(await house.store.get('reactorState', at))
  const input = JSON.parse(text)
  input.initial.values[64] *= 1 + 2 ** -52
  await house.store.commit((tx) => tx.put('reactorState', at, new TextEncoder().encode(JSON.stringify(input))))
  const before = stateOf(house, zid)
  const { code } = await refusal(() => house.compute.reactors.step({}, asking(caller)))
  assert.equal(code, 'REACTOR_ENDED')
  assert.deepEqual(stateOf(house, zid), before)
  await house.store.commit((tx) => tx.put('reactorState', at, new TextEncoder().encode(text)))
  assert.equal(beside(house, await sealedStep(house, asking(caller))).step, 2)
}, 60_000)

test('a step that was a job when the node stopped is taken after the restart, once', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  const { key, id, job } = await (async () => {
    await using house = await openComputeHouse(dir.path, { clock })
    const account = await newAccount(house)
    // About a second: the stop comes before its end.
    const made = await make(house, account.caller, { inputs: { dim: 1, nx: 128, dt: 0.0005, steps: 100_000 } })
    const it = await house.compute.reactors.step({}, asking(account.caller, { prefer: 'respond-async' }))
    assert.ok(it.kind === 'accepted')
    return { key: account.api_key, id: made.id, job: it.job.id }
  })()
  await using house = await openComputeHouse(dir.path, { clock })
  const caller = callerOf(house, key)
  for await (const { data } of house.compute.jobFrames(job, asking(caller), 0)) if (data.state === 'done') break
  const answer = await house.compute.jobAnswer(job, caller)
  assert.ok(answer?.kind === 'sealed')
  assert.deepEqual([beside(house, answer).step, beside(house, answer).id], [1, id])
  const tokens: string[] = []
  for await (const [token] of house.store.range('envelope')) tokens.push(token)
  assert.deepEqual(tokens, [answer.envelope.token_id])
}, 60_000)

test('no row of a reactor can go missing unseen', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  const open = () => openRooms(dir.path, clock)
  const rows: (readonly [TableName, string])[] = []
  {
    await using house = await openComputeHouse(dir.path, { clock })
    const { caller } = await newAccount(house)
    await make(house, caller)
    for (let i = 0; i < 2; i++) await sealedStep(house, asking(caller))
    await house.store.closeTick()
    for (const table of ['reactor', 'reactorStep', 'reactorState'] as const) {
      for await (const [key] of house.store.range(table)) rows.push([table, key])
    }
  }
  assert.equal(rows.length, 7)
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  for (const [table, key] of rows) {
    let kept: Row<TableName> | undefined
    {
      await using house = await open()
      kept = await house.store.get(table, key)
      await house.store.commit((tx) => tx.del(table, key))
    }
    const { bad } = await fsck({ directory: dir.path })
    assert.ok(bad?.table.startsWith('reactor'), `${table} ${key}`)
    await using house = await open()
    await house.store.commit((tx) => tx.put(table, key, kept as Row<TableName>))
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
}, 60_000)

test('the owner may do all, members by role, everyone else nothing; of a public machine see the digests', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  const [viewer, operator, other] = await Promise.all([newAccount(house), newAccount(house), newAccount(house, 'b')])
  await house.machines.create(caller, { slug: 'plate', is_public: false })
  await house.machines.addAdmin({ caller, slug: 'plate' }, viewer.zid, 'viewer')
  await house.machines.addAdmin({ caller, slug: 'plate' }, operator.zid, 'operator')
  const { id: reactor } = await make(house, caller, {}, 'plate')
  const { reactors } = house.compute
  const at = (it: Caller) => ({
    step: () => reactors.step({ reactor }, asking(it)),
    state: () => reactors.state(reactor, asking(it)),
    next: () => reactors.next({ reactor, after: 0, wait: 0 }, asking(it)),
  })
  assert.equal((await refusal(at(viewer.caller).step)).code, 'SCOPE_REQUIRED')
  const it = await sealedStep(house, asking(operator.caller), { reactor })
  assert.equal(it.evidence.claim.zid, operator.zid, 'who steps pays and owns the envelope')
  assert.equal((await at(viewer.caller).state()).step, 1)
  for (const call of Object.values(at(other.caller))) {
    const refused = await refusal(call)
    const absent = await refusal(() => reactors.state('0'.repeat(32), asking(other.caller)))
    assert.deepEqual(refused, absent, 'it is not told from one that is not there')
  }
  await house.machines.settings({ caller, slug: 'plate' }, { is_public: true })
  assert.equal((await refusal(at(other.caller).state)).code, 'SCOPE_REQUIRED')
  const { step } = await at(other.caller).next()
  assert.deepEqual([step?.step, step?.value, step?.result_digest], [1, null, null])
  assert.equal((await refusal(() => reactors.step({}, asking(other.caller)))).code, 'NOT_FOUND')
}, 60_000)

test('what is wrong with a contract is said before anything is kept', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  const before = stateOf(house, zid)
  const cases: readonly (readonly [Partial<ContractOrder>, string, string?])[] = [
    [{ solver: 'quant', inputs: {} }, 'NOT_STEPPABLE'],
    [{ solver: 'sat', inputs: {} }, 'NOT_STEPPABLE'],
    [{ solver: 'nothing', inputs: {} }, 'INVALID_INPUT'],
    [{ inputs: { nx: 3 } }, 'INVALID_INPUT'],
    [{ inputs: { ...LINE, scheme: 'ftcs', dt: 1e3 } }, 'UNSTABLE_STEP'],
    [{ initialState: { dim: 1 } }, 'INVALID_INPUT'],
    [{ initialState: { initial: { kind: 'values' } } }, 'INVALID_INPUT'],
    [{ stretch: 5 }, 'INVALID_INPUT'],
    [{ observers: ['field'] }, 'INVALID_INPUT'],
    [{ observers: ['constructor'] }, 'INVALID_INPUT'],
    [{ stops: [{ of: 'nothing', op: '<', than: 1 }] }, 'INVALID_INPUT'],
    [{ inputs: { nx: 512, ny: 512, steps: 1_000_000 } }, 'WORK_LIMIT_EXCEEDED'],
    [{}, 'NOT_FOUND', 'no-such-machine'],
  ]
  for (const [more, code, slug] of cases) {
    assert.equal((await refusal(() => make(house, caller, more, slug))).code, code, JSON.stringify(more).slice(0, 80))
  }
  assert.deepEqual(stateOf(house, zid), before)
  assert.equal(house.compute.reactors.load().reactors, 0)
  const stretched = await make(house, caller, { inputs: { dim: 1 }, stretch: 3 })
  const { input } = await house.compute.reactors.state(stretched.id, asking(caller))
  assert.equal(JSON.parse(input).steps, 3)
}, 60_000)

test('everyone sees a list of their own, newest first, and nobody those of others', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const [{ caller }, other] = await Promise.all([newAccount(house), newAccount(house, 'b')])
  await house.machines.create(caller, { slug: 'plate', is_public: true })
  const { reactors } = house.compute
  assert.deepEqual(reactors.list(caller), [])
  const first = await make(house, caller, {}, 'plate')
  const second = await make(house, caller)
  const theirs = await make(house, other.caller)
  await sealedStep(house, asking(caller), { reactor: first.id })
  const own = reactors.list(caller).map(({ id, step }) => [id, step])
  assert.deepEqual(own, [
    [second.id, 0],
    [first.id, 1],
  ])
  assert.deepEqual(
    reactors.list(other.caller).map(({ id }) => id),
    [theirs.id],
  )
}, 60_000)

test('an account has so many reactors, parallel calls counted; one that is over gives its place away', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  await house.machines.create(caller, { slug: 'plate', is_public: false })
  const tiny = { inputs: { dim: 1, nx: 128, steps: 1 }, steps: 1 }
  const first = await make(house, caller, tiny, 'plate')
  const all = await Promise.allSettled(
    Array.from({ length: REACTORS_PER_OWNER_MAX + 5 }, () => make(house, caller, tiny, 'plate')),
  )
  assert.equal(all.filter((it) => it.status === 'fulfilled').length, REACTORS_PER_OWNER_MAX - 1)
  assert.ok(all.every((it) => it.status === 'fulfilled' || it.reason.code === 'RATE_LIMITED'))
  await sealedStep(house, asking(caller), { reactor: first.id })
  await make(house, caller, tiny, 'plate')
  assert.equal((await refusal(() => house.compute.reactors.state(first.id, asking(caller)))).code, 'NOT_FOUND')
  assert.equal(house.compute.reactors.load().reactors, REACTORS_PER_OWNER_MAX)
  for await (const [key] of house.store.range('reactorStep')) assert.ok(!key.startsWith(first.id))
  for await (const [key] of house.store.range('reactorState')) assert.ok(!key.startsWith(first.id))
}, 60_000)

test('a machine that takes no entry takes no step, and nothing is charged', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller, zid } = await newAccount(house)
  await house.machines.create(caller, { slug: 'plate', is_public: false })
  const made = await make(house, caller, {}, 'plate')
  await house.machines.setStatus({ caller, slug: 'plate' }, 'paused')
  const before = stateOf(house, zid)
  assert.equal((await refusal(() => house.compute.reactors.step({}, asking(caller)))).code, 'MACHINE_NOT_ACTIVE')
  assert.deepEqual(stateOf(house, zid), before)
  await house.machines.setStatus({ caller, slug: 'plate' }, 'active')
  assert.equal(beside(house, await sealedStep(house, asking(caller), { reactor: made.id })).step, 1)
}, 60_000)

test('a long-poll answers with the step that comes, or that is there, and empty when its time is over', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  const { id: reactor } = await make(house, caller)
  const { reactors } = house.compute
  const waiting = reactors.next({ reactor, wait: 60 }, asking(caller))
  assert.equal((await reactors.telemetry(reactor, asking(caller))).waiting, 1)
  const at = beside(house, await sealedStep(house, asking(caller)))
  const view = await waiting
  assert.deepEqual([view.moved, view.step?.step, view.step?.state], [true, 1, at.state])
  assert.equal((await reactors.next({ reactor, after: 0, wait: 60 }, asking(caller))).step?.step, 1)
  assert.deepEqual((await reactors.next({ reactor, after: 1, wait: 0 }, asking(caller))).moved, false)
  const gone = new AbortController()
  const left = reactors.next({ reactor, wait: 60 }, asking(caller, { signal: gone.signal }))
  gone.abort(new Error('left'))
  await assert.rejects(left, /left/)
  const stop = new AbortController()
  const many = Array.from({ length: WAITS_PER_OWNER_MAX + 1 }, () =>
    reactors.next({ reactor, wait: 60 }, asking(caller, { signal: stop.signal })).catch((cause) => cause as Error),
  )
  stop.abort(new Error('enough'))
  const codes = (await Promise.all(many)).map((it) => (it as { code?: string }).code)
  assert.equal(codes.filter((code) => code === 'RATE_LIMITED').length, 1)
  assert.equal(reactors.load().waiting, 0)
}, 60_000)

test('an observation steps once a tick, is resumed without a gap, and ends with its condition', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  const { id: reactor } = await make(house, caller, { steps: 4 })
  const { reactors } = house.compute
  const first = await reactors.collect({ reactor, steps: 9 }, asking(caller), { after: undefined, wait: 0 })
  assert.deepEqual([first.steps.map((it) => it.step), first.next_after], [[1], 1])
  assert.equal(
    (await reactors.collect({ reactor }, asking(caller), { after: 1, wait: 0 })).steps.length,
    0,
    'one a tick',
  )
  const seen: (readonly [string, string])[] = []
  for await (const { id, event, data } of reactors.observe({ reactor }, asking(caller), 0)) {
    seen.push([id, event])
    if (event === 'step') assert.equal((data as StepView).step, Number(id))
    house.clock.advanceTicks(1)
  }
  assert.deepEqual(seen.join(), '1,step,2,step,3,step,4,step,4,end')
  const again = await make(house, caller, { observers: ['time'] })
  const until = { of: 'time', op: '>=', than: 1 } as const
  const ended = await reactors.collect({ reactor: again.id, until, steps: 9 }, asking(caller), {
    after: undefined,
    wait: 60,
  })
  assert.deepEqual([ended.steps.length, ended.reactor.status], [1, 'ready'])
  const unknown = { of: 'field', op: '<', than: 1 } as const
  const wrong = reactors.collect({ reactor: again.id, until: unknown }, asking(caller), { after: undefined, wait: 0 })
  assert.equal((await refusal(() => wrong)).code, 'INVALID_INPUT')
}, 60_000)

test('telemetry counts what was taken', async () => {
  using dir = tempDir()
  await using house = await openComputeHouse(dir.path)
  const { caller } = await newAccount(house)
  await make(house, caller, { observers: ['time', 'l2Norm'] })
  for (let i = 0; i < 3; i++) await sealedStep(house, asking(caller))
  const it = await house.compute.reactors.telemetry(undefined, asking(caller))
  assert.deepEqual([it.steps_taken, it.sealed, it.credits], [3, 3, 9])
  assert.ok(Math.abs(it.errorSum + it.error_left - 0.1) < 1e-12)
  assert.equal(it.errorPct?.mean, it.errorSum / 3)
  assert.ok('l2_pct' in it.figures && it.observed['l2Norm'] !== undefined)
  assert.ok(it.state_bytes > 1_000 && it.work > 0)
}, 60_000)

test.run()
