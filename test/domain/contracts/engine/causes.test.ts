// Goal: no cause is decided twice and none is lost: over a time in which the node did not run, over a restart amid
// events, in circles of calls, while a machine or a contract is paused, and when one owner has very many. Method: real
// nodes on one directory with clocks moved by hand; outcomes counted against what the chain and the grid say.
import assert from 'node:assert/strict'
import { fireId } from '#core/contract/cause.ts'
import { TICK_NS } from '#core/tick.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { counting, entriesOf, firesOf, pass, rowsOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, causes')

type Stage = Awaited<ReturnType<typeof stage>>
const set = [{ kind: 'set', n: { $: 'context.n + 1' } }]

const made = async ({ owner }: Pick<Stage, 'owner'>, definition: object, slug = 'open') =>
  (await owner.call('contracts.custom', { slug, definition, start: true })).contract

test('after a time without the node, each way to catch up decides what it should and tells the rest', async () => {
  using dir = tempDir()
  const every = (mode: string, max = 100) => ({ kind: 'recurring', every_ticks: 10, catchUp: { mode, max } })
  const begun = async () => {
    const at = await stage({ directory: dir.path })
    await using it = at.it
    const ids = []
    for (const trigger of [every('none'), every('one'), every('all'), every('all', 3)]) {
      ids.push((await made(at, counting(trigger))).id)
    }
    return { ids, armed: it.node.store.now() }
  }
  const { ids, armed } = await begun()
  // The node comes back in the middle between two instants.
  const back = Math.floor(armed.meshTick / 10) * 10 + 75
  await using it = await testNode({ directory: dir.path, start: BigInt(back) * TICK_NS + 1_000n })
  await pass(it, 1)
  const first = Math.floor(armed.meshTick / 10) * 10 + 10
  const dues = Array.from({ length: 7 }, (_, i) => first + 10 * i)
  const shown = await Promise.all(
    ids.map(async (id) =>
      (await rowsOf(it, id)).flatMap((row): unknown[] => {
        if (row.outcome === 'missed') return [[row.from, row.to, row.count, row.reason]]
        return row.outcome === 'fired' ? [row.due] : []
      }),
    ),
  )
  const [none, one, all, three] = shown
  assert.deepEqual(none, [[dues[0], dues[6], 7, 'down']])
  assert.deepEqual(one, [[dues[0], dues[5], 6, 'down'], dues[6]])
  assert.deepEqual(all, dues)
  assert.deepEqual(three, [[dues[0], dues[3], 4, 'down'], dues[4], dues[5], dues[6]])
})

test('an instant is left out when it is asked to be, and what a pause holds is missed', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, counting({ kind: 'recurring', every_ticks: 5 }))
  const which = { slug: 'open', id }
  const due = it.node.store.peek('contract', id)?.next
  await at.owner.call('contracts.skip-next', which)
  await pass(it, 10)
  await at.owner.call('contracts.pause', which)
  await pass(it, 11)
  await at.owner.call('contracts.resume', which)
  await pass(it, 5)
  const rows = (await rowsOf(it, id)).filter(({ outcome }) => outcome !== 'changed')
  assert.deepEqual(
    rows.map((row) => [row.outcome, row.outcome === 'skipped' ? [row.due, row.by] : null]),
    [
      ['skipped', [due, at.zid]],
      ['fired', null],
      ['missed', null],
      ['fired', null],
    ],
  )
  assert.equal((await at.owner.call('contracts.verify', which)).differs, null)
})

test('events that nobody decided before a stop are decided after it, and none twice', async () => {
  using dir = tempDir()
  const begun = async () => {
    const at = await stage({ directory: dir.path })
    await using it = at.it
    const events = { hit: { data: { v: { type: 'integer' } } } }
    const { id } = await made(at, counting({ kind: 'event', event: 'hit' }, { events }))
    const told = []
    // Some are decided before the node stops, and which of them is left to the moment.
    for (let v = 0; v < 40; v += 1)
      told.push(at.owner.call('machines.event', { slug: 'open', type: 'hit', data: { v } }))
    await Promise.all(told)
    return { id, instant: it.node.store.now().instant }
  }
  const { id, instant } = await begun()
  for (let i = 0; i < 2; i += 1) {
    await using it = await testNode({ directory: dir.path, start: instant + 1_000_000n })
    await pass(it, 1)
    const rows = await firesOf(it, id)
    const seqs = (await entriesOf(it, 'open', 'event')).map(({ seq }) => seq)
    assert.equal(seqs.length, 40)
    const heard = rows.map(({ cause }) => ('slug' in cause ? cause.seq : -1))
    assert.deepEqual(heard, seqs)
    assert.equal(it.node.store.peek('contract', id)?.standing.context['n'], 40)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('a call is decided once by the one that is called, and a circle ends eight levels deep', async () => {
  const at = await stage()
  await using it = at.it
  const events = { go: { data: {} } }
  const called = await made(at, counting({ kind: 'event', event: 'go' }, { events }), 'shut')
  const call = { kind: 'call', contract: called.id, event: 'go', data: {} }
  const trigger = { kind: 'recurring', every_ticks: 3 }
  const caller = await made(
    at,
    counting(trigger, { transitions: [{ id: 'count', from: 'on', to: 'on', trigger, actions: [...set, call] }] }),
  )
  await pass(it, 6)
  const [first] = await firesOf(it, caller.id)
  const calls = await firesOf(it, called.id)
  assert.equal(calls.length, 2)
  const cause = { fire: first?.fire ?? '', action: 0 }
  assert.deepEqual(
    [calls[0]?.cause, calls[0]?.fire, calls[0]?.by],
    [cause, fireId(called.contract, cause), first?.fire],
  )

  const circle = counting(
    { kind: 'event', event: 'go' },
    {
      events,
      transitions: [
        {
          ...{ id: 'again', from: 'on', to: 'on', trigger: { kind: 'event', event: 'go' } },
          actions: [...set, { kind: 'emit', event: 'go', data: {} }],
        },
      ],
    },
  )
  const round = await made(at, { ...circle, budget: { failures_in_row: 100 } })
  await at.owner.call('machines.event', { slug: 'open', type: 'go', data: {} })
  await pass(it, 1)
  const rounds = (await firesOf(it, round.id)).map(({ outcome, problem }) => problem?.reason ?? outcome)
  assert.deepEqual(rounds, [...Array.from({ length: 8 }, () => 'fired'), 'chain'])
  assert.equal((await entriesOf(it, 'open', 'event')).length, 9)
})

test('a call to a contract that is not there, or is not one’s to call, refuses the fire', async () => {
  const at = await stage()
  await using it = at.it
  const other = it.as((await it.client.call('identity.sign-up', {})).api_key)
  await other.call('machines.create', { slug: 'theirs' })
  const theirs = await made(
    { owner: other },
    counting({ kind: 'event', event: 'go' }, { events: { go: { data: {} } } }),
    'theirs',
  )
  const trigger = { kind: 'one_shot', at_tick: it.node.store.now().meshTick + 2 }
  for (const contract of ['none', theirs.id]) {
    const call = { kind: 'call', contract, event: 'go', data: {} }
    const transitions = [{ id: 'call', from: 'on', to: 'on', trigger, actions: [...set, call] }]
    await made(at, counting(trigger, { transitions }))
  }
  await pass(it, 3)
  const outcomes = []
  for await (const [, row] of it.node.store.range('contractFire')) if ('problem' in row) outcomes.push(row)
  assert.deepEqual(
    outcomes.map(({ outcome, problem }) => [outcome, problem?.reason]),
    [
      ['refused', 'value'],
      ['refused', 'value'],
    ],
  )
  assert.equal((await rowsOf(it, theirs.id)).length, 1)
})

test('a machine that takes no entries lets its contracts rest, and they go on with it', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, counting({ kind: 'recurring', every_ticks: 4 }))
  await at.owner.call('machines.status', { slug: 'open', status: 'paused' })
  await pass(it, 12)
  assert.deepEqual(await firesOf(it, id), [])
  await at.owner.call('machines.status', { slug: 'open', status: 'active' })
  await pass(it, 140, 4)
  const rows = await rowsOf(it, id)
  const decided = rows.flatMap((row) => (row.outcome === 'fired' ? [1] : row.outcome === 'missed' ? [row.count] : []))
  const armed = it.node.store.peek('contract', id)?.armed_tick ?? 0
  const due = Math.floor(it.node.store.now().meshTick / 4) - Math.floor(armed / 4)
  assert.equal(
    decided.reduce((sum, n) => sum + n, 0),
    due,
  )
})

test('readings of a contract and a machine are part of the fire, and a stale one refuses it', async () => {
  const at = await stage()
  await using it = at.it
  const source = await made(at, counting({ kind: 'recurring', every_ticks: 1 }))
  const oracles = {
    other: { from: { kind: 'contract', id: source.id, member: 'n' }, type: 'integer', max_age: 5 },
    level: { from: { kind: 'machine', slug: 'open', event: 'level', field: 'v' }, type: 'number', max_age: 3 },
  }
  const trigger = { kind: 'recurring', every_ticks: 2 }
  const { id } = await made(
    at,
    counting(trigger, {
      oracles,
      budget: { failures_in_row: 100 },
      transitions: [
        {
          ...{ id: 'read', from: 'on', to: 'on', trigger, guard: 'oracle.level > 1' },
          actions: [{ kind: 'set', n: { $: 'oracle.other' } }],
        },
      ],
    }),
    'shut',
  )
  await at.owner.call('machines.event', { slug: 'open', type: 'level', data: { v: 2 } })
  await pass(it, 6)
  const rows = await firesOf(it, id)
  assert.deepEqual(rows.map(({ outcome, problem }) => problem?.reason ?? outcome).slice(0, 1), ['fired'])
  assert.equal(rows.at(-1)?.problem?.reason, 'stale')
  assert.deepEqual(
    rows[0]?.readings.map(({ oracle, basis }) => [oracle, basis]),
    [
      ['level', 'node'],
      ['other', 'node'],
    ],
  )
  assert.equal((await at.owner.call('contracts.verify', { slug: 'shut', id })).differs, null)
})

test('a trigger that a patch brings is due from then on alone', async () => {
  const at = await stage()
  await using it = at.it
  const { id } = await made(at, counting({ kind: 'recurring', every_ticks: 1_000_000 }))
  await pass(it, 30, 10)
  const patched = it.node.store.now().meshTick
  const definition = counting({ kind: 'recurring', every_ticks: 5, catchUp: { mode: 'all' } })
  await at.owner.call('contracts.patch', { slug: 'open', id, definition })
  await pass(it, 11)
  const rows = await rowsOf(it, id)
  assert.deepEqual(
    rows.filter(({ outcome }) => outcome === 'missed'),
    [],
  )
  const dues = (await firesOf(it, id)).map(({ due }) => due ?? 0)
  const first = Math.floor(patched / 5) * 5 + 5
  assert.deepEqual(dues.slice(0, 2), [first, first + 5])
  assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
})

test.run()
