// Goal: each kind of trigger fires once for each of its causes, and what a fire does is a row and an entry of the chain.
// Method: a real node whose clock is moved by hand, and its rows and chains read beside it.
import assert from 'node:assert/strict'
import { fireId } from '#core/contract/cause.ts'
import { triggerId } from '#numerics/contracts/fire/ready.ts'
import { numberedKey } from '#store/rows/contract.ts'
import { suite } from '../../../kit/suite.ts'
import { counting, entriesOf, firesOf, pass, rowsOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, fires')

const started = async ({ owner }: Awaited<ReturnType<typeof stage>>, definition: object, slug = 'open') =>
  (await owner.call('contracts.custom', { slug, definition, start: true })).contract

test('a recurring trigger fires in each of its ticks, with a row and an entry of each', async () => {
  const at = await stage()
  await using it = at.it
  const { id, contract, version } = await started(at, counting({ kind: 'recurring', every_ticks: 3 }))
  await pass(it, 9)
  const rows = await firesOf(it, id)
  assert.equal(rows.length, 3)
  const entries = await entriesOf(it, 'open', 'contract_fire')
  assert.equal(entries.length, 3)
  const { definition } = it.node.store.peek('contractVersion', numberedKey(id, 1)) as never as {
    definition: { transitions: { trigger: never }[] }
  }
  const trigger = triggerId(definition.transitions[0]?.trigger as never)
  rows.forEach((row, i) => {
    const due = row.mesh_tick
    assert.equal(due % 3, 0)
    assert.deepEqual([row.outcome, row.due, row.lateness_ticks, row.context], ['fired', due, 0, { n: i + 1 }])
    assert.equal(row.fire, fireId(contract, { trigger, due }))
    const { body, seq } = entries[i] as { body: Record<string, unknown>; seq: number }
    assert.equal(row.seq, seq)
    assert.deepEqual(
      [body['contract'], body['version'], body['fire'], body['from'], body['to'], body['transition']],
      [contract, version, row.fire, 'on', 'on', 'count'],
    )
    assert.deepEqual(body['context'], { before: row.before, after: row.after })
  })
  assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).equal, true)
})

test('civil minutes, one instant, a time in a state, and always after another', async () => {
  const at = await stage()
  await using it = at.it
  const now = it.node.store.now()
  const second = Number(now.instant / 1_000_000_000n)
  const cron = await started(at, counting({ kind: 'cron', expression: '* * * * *' }))
  const once = await started(at, counting({ kind: 'one_shot', at_unix: second + 5 }))
  const tick = await started(at, counting({ kind: 'one_shot', at_tick: now.meshTick + 4 }))
  const states = { on: { initial: true }, off: {}, over: { terminal: true } }
  const set = [{ kind: 'set', n: { $: 'context.n + 1' } }]
  const after = await started(
    at,
    counting(
      {},
      {
        states,
        transitions: [
          { id: 'leave', from: 'on', to: 'off', trigger: { kind: 'after', ticks: 7 }, actions: set },
          { id: 'end', from: 'off', to: 'over', trigger: { kind: 'always' }, actions: set, guard: 'context.n == 1' },
        ],
      },
    ),
  )
  await pass(it, 240)
  const minutes = await firesOf(it, cron.id)
  const end = Number(it.node.store.now().instant / 1_000_000_000n)
  const first = Math.floor(second / 60) * 60 + 60
  const expected = Array.from({ length: Math.floor((end - first) / 60) + 1 }, (_, i) => first + 60 * i)
  assert.deepEqual(
    minutes.map(({ due }) => due),
    expected,
  )
  assert.deepEqual(
    (await firesOf(it, once.id)).map(({ due }) => due),
    [second + 5],
  )
  assert.deepEqual(
    (await firesOf(it, tick.id)).map(({ mesh_tick }) => mesh_tick),
    [now.meshTick + 4],
  )
  const [left, ...more] = await firesOf(it, after.id)
  assert.deepEqual([left?.steps, left?.to, left?.context, more.length], [['leave', 'end'], 'over', { n: 2 }, 0])
  assert.equal(it.node.store.peek('contract', after.id)?.done, true)
  for (const { id } of [cron, once, tick, after]) {
    assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
  }
})

test('events of chains fire once each, by their own machine or another, and feed windows', async () => {
  const at = await stage()
  await using it = at.it
  const events = { reading: { data: { v: { type: 'number' } } } }
  const windows = { seen: { event: 'reading', fn: 'sum', field: 'v', ticks: 600 } }
  const own = await started(
    at,
    counting(
      { kind: 'event', event: 'reading' },
      {
        ...{ events, windows },
        context: { n: { type: 'integer', initial: 0 }, total: { type: 'number', initial: 0 } },
        transitions: [
          {
            ...{
              id: 'high',
              from: 'on',
              to: 'on',
              trigger: { kind: 'event', event: 'reading' },
              guard: 'event.data.v > 2',
            },
            actions: [{ kind: 'set', n: { $: 'context.n + 1' }, total: { $: 'window.seen' } }],
          },
        ],
      },
    ),
  )
  const other = await started(at, counting({ kind: 'event', event: 'reading', from: 'open' }, { events }), 'shut')
  for (const v of [1, 2, 3, 4]) await at.owner.call('machines.event', { slug: 'open', type: 'reading', data: { v } })
  await at.owner.call('machines.event', { slug: 'open', type: 'reading', payload: { v: 9 } })
  await it.node.services.contracts.idle()
  const rows = await firesOf(it, own.id)
  assert.deepEqual(
    rows.map(({ context }) => context),
    [
      { n: 1, total: 6 },
      { n: 2, total: 10 },
    ],
  )
  assert.equal((await firesOf(it, other.id)).length, 4)
  assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id: own.id })).differs, null)
  await at.owner.call('machines.event', { slug: 'open', type: 'reading', data: { v: 'high' } })
  await it.node.services.contracts.idle()
  const refused = (await firesOf(it, own.id)).at(-1)
  assert.deepEqual([refused?.outcome, refused?.problem?.reason, refused?.seq], ['refused', 'data', null])
})

test('a private machine shows digests, and its owner the values', async () => {
  const at = await stage()
  await using it = at.it
  const events = { reading: { data: { v: { type: 'number' } } } }
  const { id } = await started(at, counting({ kind: 'event', event: 'reading' }, { events }), 'shut')
  await at.owner.call('machines.event', { slug: 'shut', type: 'reading', data: { v: 31_337 } })
  await it.node.services.contracts.idle()
  const [entry] = await entriesOf(it, 'shut', 'contract_fire')
  assert(entry !== undefined)
  assert(!JSON.stringify(entry).includes('31337'))
  const [row] = (await at.owner.call('contracts.audit', { slug: 'shut', id, limit: 1 })).rows
  assert.deepEqual((row as unknown as { event: unknown }).event, { name: 'reading', data: { v: 31_337 } })
})

test('a terminal state ends it, and no other cause moves it', async () => {
  const at = await stage()
  await using it = at.it
  const over = { states: { on: { initial: true }, off: { terminal: true } } }
  const trigger = { kind: 'recurring', every_ticks: 2 }
  const { id } = await started(
    at,
    counting({}, { ...over, transitions: [{ id: 'end', from: 'on', to: 'off', trigger }] }),
  )
  await pass(it, 10)
  const rows = await rowsOf(it, id)
  assert.deepEqual(
    rows.map(({ outcome }) => outcome),
    ['changed', 'fired'],
  )
  assert.deepEqual([it.node.store.peek('contract', id)?.next, it.node.store.peek('contract', id)?.done], [null, true])
})

test.run()
