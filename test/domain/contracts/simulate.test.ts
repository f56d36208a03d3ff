// Goal: a definition, or a contract from where it stands, is played as it would run, and nothing is written. Method: a
// real node over HTTP; what is played is counted by hand, and computations really run where that is asked for.
import assert from 'node:assert/strict'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { codeOf, counter, leftIn, stageOf } from './contract-kit.ts'

const test = suite('domain: contracts, simulated')

/** Computes when it is asked to, and keeps the value. */
const computing = {
  v: 1,
  name: 'Computing',
  context: { value: { type: 'number', initial: 0 } },
  states: { idle: { initial: true }, done: {}, gave_up: {} },
  transitions: [
    {
      id: 'go',
      from: 'idle',
      to: 'done',
      trigger: { kind: 'recurring', every_ticks: 10 },
      actions: [{ kind: 'compute', operators: ['GR37'], inputs: { mass: 1.98892e30 }, bind: { value: '/value' } }],
      on_refused: 'gave_up',
    },
  ],
  claims: [{ never: 'state == "gave_up"' }],
} as const

test('the clock, events and calls of a definition are played, and nothing is left', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const before = await leftIn(node)
  const played = await owner.call('contracts.simulate', {
    definition: counter,
    ticks: 100,
    events: [
      { at: 15, event: 'bump', data: { by: 5 } },
      { at: 16, event: 'bump', data: { by: 'five' } },
      { at: 95, event: 'stop' },
    ],
    calls: [{ at: 31, transition: 'tick' }],
  })
  assert.equal(played.until, played.from + 100)
  const instants = Math.floor((played.from + 95) / 10) - Math.floor(played.from / 10)
  assert.deepEqual(
    [played.state, played.context['n'], played.stopped, played.counts.fired, played.counts.refused],
    ['stopped', instants + 5 + 1, 'until', instants + 3, 1],
  )
  assert.deepEqual(played.coverage.states_missed, [])
  assert.deepEqual(played.timeline.find(({ outcome }) => outcome === 'refused')?.by, 'event')
  const short = await owner.call('contracts.simulate', { definition: counter, ticks: 100, limit: 2 })
  assert.deepEqual([short.timeline.length, short.counts.fired], [2, 10])
  assert.equal(await leftIn(node), before)
})

test('a deployed contract is played from where it stands, for whoever may see it', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { contract } = await owner.call('contracts.custom', { slug: 'shut', definition: counter })
  const which = { slug: 'shut', id: contract.id }
  await owner.call('contracts.patch', { ...which, migrate: { context: { n: 40 } } })
  const before = await leftIn(node)
  const order = { contract: which, ticks: 10 }
  assert.equal((await owner.call('contracts.simulate', order)).context['n'], 41)
  assert.equal((await node.as(keys.readKey).call('contracts.simulate', order)).context['n'], 41)
  assert.equal(await codeOf(node.as(keys.stranger).call('contracts.simulate', order)), 'NOT_FOUND')
  assert.equal(await codeOf(owner.call('contracts.simulate', { ticks: 10 })), 'INVALID_INPUT')
  const both = { ...order, definition: counter }
  assert.equal(await codeOf(owner.call('contracts.simulate', both)), 'INVALID_INPUT')
  const broken = { definition: { v: 1 }, ticks: 10 }
  assert.equal(await codeOf(owner.call('contracts.simulate', broken)), 'CONTRACT_INVALID')
  const unknown = { ...order, readings: [{ at: 1, oracle: 'none', value: 1 }] }
  assert.equal(await codeOf(owner.call('contracts.simulate', unknown)), 'CONTRACT_INVALID')
  const call = { ...order, calls: [{ at: 1, transition: 'none' }] }
  assert.equal(await codeOf(owner.call('contracts.simulate', call)), 'CONTRACT_INVALID')
  assert.equal(await leftIn(node), before)
})

test('computations run without a seal where that is asked for, and stand for none where not', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const balance = async () => (await owner.call('economy.credits', {})).available
  const had = await balance()
  const run = await owner.call('contracts.simulate', { definition: computing, ticks: 20, compute: 'run' })
  const direct = await owner.call('compute.compute', { operators: ['GR37'], inputs: { mass: 1.98892e30 } })
  assert.deepEqual([run.state, run.context['value']], ['done', direct.value])
  assert.deepEqual([run.spending.computations, run.spending.credits > 0], [1, true])
  assert.equal(await balance(), had - run.spending.credits)
  const stub = await owner.call('contracts.simulate', { definition: computing, ticks: 20 })
  assert.deepEqual([stub.state, stub.context['value'], stub.spending.credits], ['done', 0, run.spending.credits])
  const [go] = computing.transitions
  const [compute] = go.actions
  const wrong = { ...computing, transitions: [{ ...go, actions: [{ ...compute, inputs: { mass: -1 } }] }] }
  const refused = await owner.call('contracts.simulate', { definition: wrong, ticks: 20, compute: 'run' })
  assert.deepEqual(
    [refused.state, refused.counts.refused, refused.broken.map(({ never }) => never)],
    ['gave_up', 1, ['state == "gave_up"']],
  )
  const before = await leftIn(node)
  const again = { ...computing, transitions: [{ ...go, to: 'idle', trigger: { kind: 'recurring', every_ticks: 1 } }] }
  const many = owner.call('contracts.simulate', { definition: again, ticks: 200, compute: 'run' })
  assert.equal(await codeOf(many), 'WORK_LIMIT_EXCEEDED')
  assert.equal(await leftIn(node), before)
})

test('a year of a fire every five minutes is one call, and one that decides too much says where it ends', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const [tick] = counter.transitions
  const every = (trigger: object) => ({ ...counter, transitions: [{ ...tick, trigger, actions: [] }] })
  const year = 40_587_000
  const cron = every({ kind: 'cron', expression: '*/5 * * * *' })
  const [whole, busy] = await Promise.all([
    owner.call('contracts.simulate', { definition: cron, ticks: year }),
    owner.call('contracts.simulate', { definition: every({ kind: 'recurring', every_ticks: 1 }), ticks: 1_000_000 }),
  ])
  assert.deepEqual([whole.stopped, whole.timeline.length, whole.tick], ['until', 200, whole.until])
  assert(whole.counts.fired >= 105_110 && whole.counts.fired <= 105_121, `${whole.counts.fired} fires`)
  assert.deepEqual([busy.stopped, busy.counts.fired, busy.timeline.length], ['decisions', 110_000, 200])
  assert.equal(busy.tick, busy.from + 110_000)
})

test.run()
