// Goal: a contract that is deployed is told what may go wrong: triggers that come before their computation is over,
// days that cost more than the budget, instants that are over. Method: a real node over HTTP; the seconds and credits
// that it warns of are those of its own quotes.
import assert from 'node:assert/strict'
import { TICK_SECONDS } from '#core/tick.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { counter, stageOf } from './contract-kit.ts'

const test = suite('domain: contracts, warnings')

const inputs = { t_max: 10, batches: 3_000 }
const compute = { kind: 'compute', solver: 'lorenz', inputs, bind: { f: '/value' } }

const computing = (trigger: object, more: object = {}, action: object = compute) => ({
  v: 1,
  name: 'Computing',
  context: { f: { type: 'number', initial: 0 } },
  states: { on: { initial: true } },
  transitions: [{ id: 'run', from: 'on', to: 'on', trigger, actions: [action] }],
  ...more,
})

test('a trigger that comes again before its computation is over, by what this node takes', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { expected_seconds: seconds } = await owner.call('compute.quote', {
    route: 'POST /api/svc/lorenz',
    input: inputs,
  })
  const fast = Math.floor(seconds / TICK_SECONDS)
  assert(fast >= 1, `a computation of ${seconds} s`)
  const rulesOf = async (definition: object) => {
    const { warnings } = await owner.call('contracts.custom', { slug: 'shut', definition })
    return warnings.map(({ rule, path }) => [rule, path])
  }
  const tooFast = [['too-fast', '/transitions/0/trigger']]
  assert.deepEqual(await rulesOf(computing({ kind: 'recurring', every_ticks: fast })), tooFast)
  assert.deepEqual(await rulesOf(computing({ kind: 'recurring', every_ticks: fast + 1 })), [])
  // What depends on the context is known at the fire alone.
  const open = { ...compute, inputs: { ...inputs, t_max: { $: 'context.f + 10' } } }
  assert.deepEqual(await rulesOf(computing({ kind: 'recurring', every_ticks: fast }, {}, open)), [])
})

test('a day that costs more than its budget, and an instant that is over', async () => {
  await using node = await testNode()
  const { keys } = await stageOf(node)
  const owner = node.as(keys.owner)
  const { price } = await owner.call('compute.quote', { route: 'POST /api/svc/lorenz', input: inputs })
  const hourly = { kind: 'cron', expression: '0 * * * *', timezone: 'Europe/Berlin' }
  const rulesOf = async (definition: object) => {
    const { contract, warnings } = await owner.call('contracts.custom', { slug: 'shut', definition })
    return { id: contract.id, rules: warnings.map(({ rule }) => rule) }
  }
  const within = await rulesOf(computing(hourly, { budget: { credits_per_day: 24 * price } }))
  assert.deepEqual(within.rules, [])
  assert.deepEqual((await rulesOf(computing(hourly, { budget: { credits_per_day: 23 * price } }))).rules, [
    'within-budget',
  ])
  const over = { id: 'once', from: 'counting', to: 'stopped', trigger: { kind: 'one_shot', at_unix: 1_000 } }
  const late = { ...counter, transitions: [...counter.transitions, over] }
  const patched = await owner.call('contracts.patch', {
    slug: 'shut',
    id: within.id,
    definition: late,
    migrate: { state: 'counting' },
  })
  assert.deepEqual(
    patched.warnings.map(({ rule }) => rule).filter((rule) => rule !== 'unused'),
    ['never-due'],
  )
  const back = await owner.call('contracts.rollback', {
    slug: 'shut',
    id: within.id,
    version: 1,
    migrate: { state: 'on' },
  })
  assert.deepEqual([back.contract.version_no, back.warnings], [3, []])
})

test.run()
