// Goal: a fire that computes is sealed, charged and written down once, whatever happens between its intent and its
// commit, and what is refused costs nothing. Method: a real node that is stopped and started again on its directory;
// balances are counted again from the rows.
import assert from 'node:assert/strict'
import { SIGN_UP_CREDITS } from '#domain/identity/sign-up.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { until } from '../../../kit/until.ts'
import { counting, entriesOf, firesOf, pass, rowsOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, computing')

const FORCE = { kind: 'compute', operators: ['nm19'], inputs: { m: { $: 'context.m' }, a: 2 }, bind: { f: '/value' } }
/** It takes a thread a second or so. */
const SLOW = { kind: 'compute', solver: 'lorenz', inputs: { t_max: 10, batches: 800 }, bind: { f: '/value' } }
/** The scheme is unstable with this step, and the solver says so. */
const UNSTABLE = { kind: 'compute', solver: 'heat', inputs: { scheme: 'ftcs', dt: 100 } }

const computing = (trigger: object, actions: readonly object[], more: object = {}) => ({
  v: 1,
  name: 'Computing',
  context: {
    ...{ m: { type: 'number', initial: 3 }, f: { type: 'number', initial: 0 }, n: { type: 'integer', initial: 0 } },
  },
  states: { on: { initial: true }, broken: {} },
  transitions: [
    { id: 'run', from: 'on', to: 'on', trigger, actions: [...actions, { kind: 'set', n: { $: 'context.n + 1' } }] },
  ],
  ...more,
})

type Stage = Awaited<ReturnType<typeof stage>>

const started = async ({ owner }: Pick<Stage, 'owner'>, definition: object, slug = 'open') =>
  (await owner.call('contracts.custom', { slug, definition, start: true })).contract

const spentOf = async ({ owner }: Pick<Stage, 'owner'>): Promise<number> => {
  const { free, paid } = await owner.call('economy.credits', {})
  return SIGN_UP_CREDITS - free - paid
}

const envelopesOf = async ({ node: { store } }: TestNode): Promise<readonly string[]> => {
  const ids: string[] = []
  for await (const [id] of store.range('envelope')) ids.push(id)
  return ids
}

test('a computation is sealed in the batch of its fire, and what it gave is bound', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await started(at, computing({ kind: 'recurring', every_ticks: 4 }, [FORCE, FORCE]))
  await pass(it, 8)
  const rows = await firesOf(it, id)
  assert.equal(rows.length, 2)
  const [row] = rows
  assert.deepEqual([row?.outcome, row?.context, row?.charged], ['fired', { m: 3, f: 6, n: 1 }, 6])
  assert.deepEqual(
    row?.computations.map(({ kind, bound }) => [kind, bound]),
    [
      ['compute', { f: 6 }],
      ['compute', { f: 6 }],
    ],
  )
  const tokens = rows.flatMap(({ computations }) => computations.map(({ token_id }) => token_id))
  assert.deepEqual(tokens.toSorted(), (await envelopesOf(it)).toSorted())
  const [entry] = await entriesOf(it, 'open', 'contract_fire')
  const said = entry?.body as unknown as { computations: { token_id: string }[] }
  assert.deepEqual(
    said.computations.map(({ token_id }) => token_id),
    tokens.slice(0, 2),
  )
  assert.equal(
    await spentOf(at),
    rows.reduce((sum, { charged }) => sum + charged, 0),
  )
  assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
})

test('a refused computation costs nothing, undoes its fire and goes where it is told to', async () => {
  const at = await stage()
  await using it = at.it
  const trigger = { kind: 'recurring', every_ticks: 2 }
  const stays = await started(at, computing(trigger, [FORCE, UNSTABLE], { budget: { failures_in_row: 2 } }))
  const leaves = await started(
    at,
    computing(trigger, [], {
      transitions: [{ id: 'run', from: 'on', to: 'on', trigger, actions: [UNSTABLE], on_refused: 'broken' }],
    }),
  )
  await pass(it, 8)
  const refused = await firesOf(it, stays.id)
  assert.deepEqual(
    refused.map(({ outcome, problem }) => [outcome, problem?.reason]),
    [
      ['refused', 'gate'],
      ['refused', 'gate'],
    ],
  )
  assert(refused.every(({ charged, context, seq }) => charged === 0 && context['n'] === 0 && seq === null))
  const row = it.node.store.peek('contract', stays.id)
  assert.deepEqual([row?.status, row?.paused_by, row?.failures], ['paused', 'failures', 2])
  const [left] = await firesOf(it, leaves.id)
  assert.deepEqual([left?.outcome, left?.to, typeof left?.seq], ['refused', 'broken', 'number'])
  assert.deepEqual([await spentOf(at), await envelopesOf(it)], [0, []])
  for (const { id } of [stays, leaves]) {
    assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
  }
})

test('a fire that was begun when the node stopped ends once after the start', async (signal: AbortSignal) => {
  using dir = tempDir()
  const begun = async () => {
    const at = await stage({ directory: dir.path, settings: { 'compute.threads': 1 } })
    await using it = at.it
    const { id } = await started(at, computing({ kind: 'recurring', every_ticks: 4 }, [FORCE, SLOW]))
    const due = it.node.store.peek('contract', id)?.next ?? 0
    await it.advanceTicks(due - it.node.store.now().meshTick)
    const intent = await until(() => it.node.store.peek('contractIntent', id), signal)
    assert.deepEqual([await spentOf(at), await envelopesOf(it), await firesOf(it, id)], [0, [], []])
    return { id, key: at.key, intent, instant: it.node.store.now().instant }
  }
  const { id, key, intent, instant } = await begun()
  for (let i = 0; i < 2; i += 1) {
    await using it = await testNode({ directory: dir.path, start: instant + 1_000_000n })
    await it.node.services.contracts.idle()
    await until(() => it.node.store.peek('contractIntent', id) === undefined, signal)
    const rows = await firesOf(it, id)
    assert.deepEqual(
      rows.map(({ fire, outcome, context, mesh_tick }) => [fire, outcome, context['n'], mesh_tick]),
      [[intent.fire, 'fired', 1, intent.begun_tick]],
    )
    assert.equal((await envelopesOf(it)).length, 2)
    assert.equal(await spentOf({ owner: it.as(key) }), rows[0]?.charged)
    assert.equal(it.node.store.peek('contract', id)?.firing, null)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('a budget is not gone beyond, nor an account, and another day begins anew', async () => {
  const at = await stage()
  await using it = at.it
  const trigger = { kind: 'recurring', every_ticks: 2 }
  const credits = await started(
    at,
    computing(trigger, [FORCE], { budget: { credits_per_day: 7, failures_in_row: 100 } }),
  )
  const fires = await started(at, counting(trigger, { budget: { fires_per_day: 2, failures_in_row: 100 } }))
  await pass(it, 8)
  const shown = async (id: string) => (await firesOf(it, id)).map(({ outcome, problem }) => problem?.reason ?? outcome)
  assert.deepEqual(await shown(credits.id), ['fired', 'fired', 'budget', 'budget'])
  assert.deepEqual(await shown(fires.id), ['fired', 'fired', 'budget', 'budget'])
  assert.equal(await spentOf(at), 6)
  await it.advanceTicks(112_000)
  await it.node.services.contracts.idle()
  assert.deepEqual([(await shown(fires.id)).at(-1), await spentOf(at)], ['fired', 9])
  for (const { id } of [credits, fires]) {
    assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
  }
})

test('without credits a fire is tried as often as it may be, and then has failed', async () => {
  const at = await stage()
  await using it = at.it
  const other = await it.client.call('identity.sign-up', {})
  const poor = it.as(other.api_key)
  await poor.call('machines.create', { slug: 'poor', is_public: true })
  // Every credit but two goes.
  const { free } = await poor.call('economy.credits', {})
  const cost = computing(
    { kind: 'recurring', every_ticks: 1 },
    Array.from({ length: 4 }, () => FORCE),
  )
  const { id: spender } = await started({ owner: poor }, cost, 'poor')
  await pass(it, Math.ceil(free / 12) + 1)
  const { free: left } = await poor.call('economy.credits', {})
  assert(left < 12)
  await poor.call('contracts.pause', { slug: 'poor', id: spender })
  const retry = { attempts: 2, backoff: 2, factor: 2 }
  const trigger = { kind: 'one_shot', at_tick: it.node.store.now().meshTick + 2 }
  const { id } = await started(
    { owner: poor },
    computing(
      trigger,
      Array.from({ length: 4 }, () => FORCE),
      { retry },
    ),
    'poor',
  )
  await pass(it, 3)
  assert.deepEqual(
    it.node.store.peek('contract', id)?.waiting.map(({ attempt }) => attempt),
    [1],
  )
  await pass(it, 10)
  const rows = await firesOf(it, id)
  assert.deepEqual(
    rows.map(({ outcome, attempt, problem }) => [outcome, attempt, problem?.reason]),
    [['failed', 2, 'credits']],
  )
  assert.equal((await poor.call('economy.credits', {})).free, left)
})

test('what comes while a fire is under way is left out, waits or takes its place', async (signal: AbortSignal) => {
  const at = await stage()
  await using it = at.it
  const every = { kind: 'recurring', every_ticks: 1 }
  const outcomes = async (overlap: unknown) => {
    const { id } = await started(at, computing({ ...every, overlap }, [SLOW]))
    await it.advanceTicks(1)
    const first = await until(() => it.node.store.peek('contractIntent', id)?.fire, signal)
    await it.advanceTicks(1)
    const moved = async () => {
      const { waiting = [], rows = 0 } = it.node.store.peek('contract', id) ?? {}
      return waiting.length > 0 || rows > 1
    }
    await until(moved, signal)
    await at.owner.call('contracts.pause', { slug: 'open', id })
    await it.node.services.contracts.idle()
    await at.owner.call('contracts.freeze', { slug: 'open', id })
    const rows = (await rowsOf(it, id)).filter((row) => 'fire' in row)
    return rows.map((row) => [row.outcome, row.fire === first])
  }
  assert.deepEqual(await outcomes('skip'), [
    ['skipped', false],
    ['fired', true],
  ])
  assert.deepEqual(await outcomes({ queue: 2 }), [
    ['fired', true],
    ['skipped', false],
  ])
  assert.deepEqual(await outcomes('replace'), [
    ['replaced', true],
    ['fired', false],
  ])
})

test('instants that come due together behind a fire under way are decided in their order', async (signal) => {
  const at = await stage()
  await using it = at.it
  const clock = { kind: 'recurring', every_ticks: 1, catchUp: { mode: 'all' }, overlap: { queue: 50 } }
  const { id } = await started(at, computing(clock, [SLOW]))
  await it.advanceTicks(1)
  await until(() => it.node.store.peek('contract', id)?.firing !== null, signal)
  it.passTicks(3)
  await it.node.beat()
  await it.node.services.contracts.idle()
  const dues = (await firesOf(it, id)).map(({ due }) => due ?? 0)
  const [first = 0] = dues
  assert.deepEqual(dues, [first, first + 1, first + 2, first + 3])
}, 60_000)

test.run()
