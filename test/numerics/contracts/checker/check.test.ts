// Goal: each rule of the checker tells a wrong contract from a right one, and says why in words that a person can act
// on. Method: for each rule a contract that breaks it and the same one mended; counterexamples are played by decisions.
import assert from 'node:assert/strict'
import { meshTickAt } from '#core/tick.ts'
import { NS_PER_SECOND } from '#core/time.ts'
import { type CheckOptions, checkContract, deployFaults } from '#numerics/contracts/checker/check.ts'
import { costPerDay } from '#numerics/contracts/checker/cost.ts'
import type { CheckRule, ContractFinding } from '#numerics/contracts/checker/finding.ts'
import { compileExpression } from '#numerics/contracts/language/evaluate.ts'
import { parseExpression } from '#numerics/contracts/language/grammar.ts'
import { suite } from '../../../kit/suite.ts'
import { CONTRACT, readyOf, UTC } from '../fire/drawn.ts'
import { hostile } from './hostile.ts'
import { decideAll, play, playSimulated } from './play.ts'

const test = suite('contracts/checker')

/** 2027, in Unix seconds, and the mesh tick then. */
const FROM = 1_800_000_000
const START = meshTickAt(BigInt(FROM) * NS_PER_SECOND)

const BERLIN = {
  ...UTC,
  ...{ zone: 'Europe/Berlin', offset: 3_600 },
  changes: [
    { at: 1_806_195_600, offset: 7_200 },
    { at: 1_824_944_400, offset: 3_600 },
  ],
}
const zones = { UTC, 'Europe/Berlin': BERLIN }
const GO = { kind: 'event', event: 'go' }

const contract = (transitions: readonly object[], more: object = {}) =>
  readyOf(
    {
      ...{ v: 1, name: 'looked at' },
      context: { n: { type: 'integer', initial: 0, min: 0, max: 100 } },
      events: { go: { data: { x: { type: 'number' }, k: { type: 'choice', of: ['a', 'b', 'c'] } } } },
      states: { a: { initial: true }, b: {}, end: { terminal: true } },
      ...more,
      transitions,
    },
    zones,
  )

const options: CheckOptions = { from: FROM, zones, priceOf: ({ kind }) => (kind === 'compute' ? 3 : 0) }
const findingsOf = (ready: ReturnType<typeof contract>, more: CheckOptions = {}): readonly ContractFinding[] =>
  checkContract(ready.definition, { ...options, ...more }).findings

/** What a rule says of a contract: places and answers. */
const said = (rule: CheckRule, transitions: readonly object[], more: object = {}, asked: CheckOptions = {}) =>
  findingsOf(contract(transitions, more), asked)
    .filter((it) => it.rule === rule)
    .map(({ path, answer }) => `${answer} ${path}`)

const t = (id: string, from: string | readonly string[], to: string, more: object = {}) => ({
  ...{ id, from, to, trigger: GO },
  ...more,
})

test('a state that is never entered', () => {
  assert.deepEqual(said('unreachable', [t('on', 'a', 'end')]), ['proved /states/b'])
  assert.deepEqual(said('unreachable', [t('on', 'a', 'b'), t('off', 'b', 'end')]), [])
  const counting = [
    t('count', 'a', 'a', { guard: 'context.n < 5', actions: [{ kind: 'set', n: { $: 'context.n + 1' } }] }),
    t('over', 'a', 'b', { guard: 'context.n > 5' }),
    t('end', 'a', 'end', { guard: 'context.n == 5' }),
  ]
  assert.deepEqual(said('unreachable', counting), ['proved /states/b'])
  assert.deepEqual(
    said('unreachable', [...counting, t('late', 'a', 'b', { trigger: { kind: 'after', ticks: 9 } })]),
    [],
  )
  assert.deepEqual(said('unreachable', [{ ...t('on', 'a', 'end'), on_refused: 'b' }, t('off', 'b', 'end')]), [])
})

test('a state that nothing leads out of', () => {
  assert.deepEqual(said('dead-end', [t('on', 'a', 'b')]), ['proved /states/b'])
  assert.deepEqual(said('dead-end', [t('on', 'a', 'b'), t('off', 'b', 'end')]), [])
  assert.deepEqual(said('dead-end', [t('on', 'a', 'b'), t('off', 'b', 'end', { guard: 'context.n > 100' })]), [
    'proved /states/b',
  ])
})

test('a guard that cannot hold', () => {
  const guarded = (guard: string) => said('guard-never', [t('on', 'a', 'b', { guard }), t('off', 'b', 'end')])
  for (const guard of ['context.n > 100', 'event.data.x > 3 && event.data.x < 2', 'context.n == 7', 'state == "b"'])
    assert.deepEqual(guarded(guard), ['proved /transitions/0/guard'], guard)
  for (const guard of ['context.n < 100', 'event.data.x > 2 && event.data.x < 3', 'event.data.k == "c"'])
    assert.deepEqual(guarded(guard), [], guard)
})

test('two guards that can hold at once, with a witness; priority and exclusive guards settle it', () => {
  const pair = (first: object, second: object) =>
    contract([t('one', 'a', 'b', first), t('two', 'a', 'end', second), t('off', 'b', 'end')])
  const ready = pair({ guard: 'event.data.x > 3' }, { guard: 'event.data.x < 5 && event.data.k != "a"' })
  const [found] = findingsOf(ready).filter(({ rule }) => rule === 'exclusive')
  assert.deepEqual([found?.answer, found?.severity, found?.path], ['refuted', 'fault', '/transitions/1'])
  assert.match(found?.reason ?? '', /one and two .*same priority, 0.*another priority/)
  const data = { x: found?.witness?.['event.data.x'], k: found?.witness?.['event.data.k'] }
  for (const it of ready.definition.transitions.slice(0, 2))
    assert.equal(compileExpression(parseExpression(it.guard ?? ''))({ event: { data } }), true)
  const overlapping = (first: object, second: object) =>
    findingsOf(pair(first, second)).filter(({ rule }) => rule === 'exclusive').length
  assert.equal(overlapping({}, {}), 1)
  assert.equal(overlapping({ guard: 'event.data.x > 3' }, {}), 1)
  assert.equal(overlapping({ guard: 'event.data.x > 3', priority: 1 }, {}), 0)
  assert.equal(overlapping({ guard: 'event.data.x > 3' }, { guard: 'event.data.x <= 3' }), 0)
  assert.equal(overlapping({ guard: 'event.data.k == "a"' }, { guard: 'event.data.k in ["b", "c"]' }), 0)
  assert.equal(overlapping({ guard: 'event.data.x * 3 > 1' }, { guard: '!(event.data.x * 3 > 1)' }), 0)
  assert.equal(overlapping({}, { trigger: { kind: 'after', ticks: 5 } }), 0)
  assert.equal(overlapping({ guard: 'context.n > 0' }, {}), 0)
  assert.deepEqual(
    deployFaults(findingsOf(ready)).map(({ path }) => path),
    ['/transitions/1'],
  )
})

test('transitions of always that do not end, played until they are refused', () => {
  const always = { kind: 'always' }
  const ready = contract([
    t('in', 'a', 'b'),
    t('to', 'b', 'a', { trigger: always }),
    t('fro', 'a', 'b', { trigger: always }),
  ])
  const [found] = findingsOf(ready).filter(({ rule }) => rule === 'always-ends')
  assert.deepEqual([found?.answer, found?.severity], ['refuted', 'fault'])
  assert.ok(play(ready, found?.trace ?? [], START).refused.has('chain'))
  const counted = (guard: string) =>
    said('always-ends', [
      t('in', 'a', 'b', { actions: [{ kind: 'set', n: 0 }] }),
      t('more', 'b', 'b', { trigger: always, guard, actions: [{ kind: 'set', n: { $: 'context.n + 1' } }] }),
      t('off', 'b', 'end', { priority: -1 }),
    ])
  assert.deepEqual(counted('context.n < 9'), [])
  assert.deepEqual(counted('context.n < 40'), ['refuted /transitions/1'])
})

test('what is declared and not used', () => {
  const more = {
    context: {
      n: { type: 'integer', initial: 0 },
      seen: { type: 'number', initial: 0 },
      idle: { type: 'text', initial: '' },
    },
    events: { go: { data: { x: { type: 'number' } } }, lost: { data: {} } },
    windows: { w: { event: 'go', fn: 'count', ticks: 9 }, v: { event: 'go', fn: 'count', ticks: 9 } },
    oracles: {
      o: { from: { kind: 'machine', slug: 'pump-7', event: 'go', field: 'x' }, type: 'number', max_age: 9 },
    },
  }
  const set = { kind: 'set', seen: { $: 'event.data.x + window.v' } }
  const used = t('on', 'a', 'end', { guard: 'context.n >= 0', actions: [set] })
  assert.deepEqual(said('unused', [used, t('off', 'b', 'a')], more).toSorted(), [
    'proved /context/idle',
    'proved /context/seen',
    'proved /events/lost',
    'proved /oracles/o',
    'proved /windows/w',
  ])
})

test('a trigger that is never due', () => {
  const once = (trigger: object) => said('never-due', [t('on', 'a', 'end', { trigger })])
  assert.deepEqual(once({ kind: 'one_shot', at_unix: FROM }), ['proved /transitions/0/trigger'])
  assert.deepEqual(once({ kind: 'one_shot', at_unix: FROM + 60 }), [])
  assert.deepEqual(once({ kind: 'one_shot', at_tick: START }), ['proved /transitions/0/trigger'])
  assert.deepEqual(once({ kind: 'one_shot', at_tick: START + 1 }), [])
  assert.deepEqual(once({ kind: 'cron', expression: '0 9 29 2 *' }), [])
  const late = (expression: string) =>
    said(
      'never-due',
      [t('on', 'a', 'end', { trigger: { kind: 'cron', expression } })],
      {},
      { from: UTC.until - 86_400 * 2 },
    )
  assert.deepEqual(late('0 9 29 2 *'), ['proved /transitions/0/trigger'])
  assert.deepEqual(late('0 9 * * *'), [])
})

const compute = { kind: 'compute', solver: 'heat', inputs: {}, bind: { n: '/value' } }

test('a trigger that comes before its computations are over, and a day that may cost more than its budget', () => {
  const every = (trigger: object, seconds: number) =>
    said('too-fast', [t('on', 'a', 'a', { trigger, actions: [compute, compute] })], {}, { secondsOf: () => seconds })
  assert.deepEqual(every({ kind: 'recurring', every_ticks: 10 }, 3), [])
  assert.deepEqual(every({ kind: 'recurring', every_ticks: 10 }, 4), ['proved /transitions/0/trigger'])
  assert.deepEqual(every({ kind: 'cron', expression: '*/5 * * * *' }, 149), [])
  assert.deepEqual(every({ kind: 'cron', expression: '*/5 * * * *' }, 151), ['proved /transitions/0/trigger'])
  const budgeted = (credits_per_day: number, fires_per_day: number) =>
    said(
      'within-budget',
      [
        t('on', 'a', 'a', { trigger: { kind: 'cron', expression: '*/5 * * * *' }, actions: [compute] }),
        t('by', 'a', 'a', { actions: [compute] }),
      ],
      { budget: { credits_per_day, fires_per_day } },
    )
  assert.deepEqual(budgeted(864, 288), ['proved /budget/credits_per_day', 'proved /budget/fires_per_day'])
  assert.deepEqual(budgeted(863, 287), ['unknown /budget/credits_per_day', 'unknown /budget/fires_per_day'])
})

test('what a day costs, by trigger', () => {
  const always = { kind: 'always' }
  const { definition } = contract(
    [
      t('cron', 'a', 'a', {
        trigger: { kind: 'cron', expression: '30 2 * * *', timezone: 'Europe/Berlin' },
        actions: [compute],
      }),
      t('tick', 'a', 'b', { trigger: { kind: 'recurring', every_ticks: 1_000 } }),
      t('chain', 'b', 'a', { trigger: always, actions: [compute, compute] }),
      t('event', 'a', 'a', { actions: [compute] }),
      t('once', 'a', 'end', { trigger: { kind: 'after', ticks: 5 } }),
    ],
    { states: { a: { initial: true }, b: { entry: [compute] }, end: { terminal: true } } },
  )
  const { fires, credits, by } = costPerDay(definition, { priceOf: () => 3, from: FROM, zones })
  assert.deepEqual(
    by.map((it) => [it.transitions, it.fires, it.creditsPerFire, it.credits]),
    [
      [['cron'], 1, 3, 3],
      [['tick'], 112, 9, 1_008],
      [['event'], undefined, 3, undefined],
      [['once'], 22_240, 0, 0],
    ],
  )
  assert.deepEqual([fires, credits], [22_353, 1_011])
  assert.equal(costPerDay(definition, { priceOf: () => undefined, from: FROM }).credits, undefined)
})

test('a day on which the clock is put back may have more fires', () => {
  const fires = (expression: string): number | undefined =>
    costPerDay(
      contract([t('on', 'a', 'a', { trigger: { kind: 'cron', expression, timezone: 'Europe/Berlin' } })]).definition,
      { priceOf: () => 0, from: FROM, zones },
    ).fires
  assert.deepEqual(['*/5 * * * *', '*/5 2 * * *', '30 2 * * *'].map(fires), [288, 24, 1])
})

const claimed = (never: string, transitions: readonly object[], more: object = {}) => {
  const ready = contract(transitions, { ...more, claims: [{ never }] })
  const [found] = findingsOf(ready).filter(({ rule }) => rule === 'claim')
  if (found?.answer === 'refuted') {
    const { trace = [] } = found
    assert.ok(play(ready, trace, START).broken.has(0), never)
    assert.ok(playSimulated(ready, trace, START).has(0), never)
  }
  return [found?.answer, found?.trace?.length]
}

test('claims are proved, or refuted by the shortest that breaks them, which plays', () => {
  const add = { kind: 'set', n: { $: 'context.n + 1' } }
  const counting = [
    t('add', 'a', 'a', { guard: 'context.n < 5', actions: [add] }),
    t('full', 'a', 'b', { guard: 'context.n >= 5' }),
    t('off', 'b', 'end', { trigger: { kind: 'after', ticks: 100 } }),
  ]
  assert.deepEqual(claimed('context.n > 5', counting), ['proved', undefined])
  assert.deepEqual(claimed('state == "b" && context.n < 5', counting), ['proved', undefined])
  assert.deepEqual(claimed('context.n == 3', counting), ['refuted', 3])
  assert.deepEqual(claimed('state == "end"', counting), ['refuted', 7])
  assert.deepEqual(claimed('state == "b" && state_ticks > 50', counting), ['refuted', 7])
  const summed = [
    t('add', 'a', 'a', { guard: 'event.data.x > 1', actions: [{ kind: 'set', n: { $: 'round(event.data.x)' } }] }),
  ]
  assert.deepEqual(claimed('context.n == 77', summed), ['refuted', 1])
  assert.deepEqual(claimed('context.n > 77', [{ ...summed[0], guard: 'event.data.x < 60.5' }]), ['proved', undefined])
  const windows = {
    mean: { event: 'go', field: 'x', fn: 'avg', ticks: 60 },
    many: { event: 'go', fn: 'count', ticks: 600 },
  }
  const meant = [t('rise', 'a', 'b', { guard: 'window.mean != null && window.mean > 300' }), t('off', 'b', 'end')]
  assert.deepEqual(claimed('state == "b"', meant, { windows }), ['refuted', 1])
  const counted = [t('rise', 'a', 'b', { guard: 'window.many > 3' }), t('off', 'b', 'end')]
  assert.deepEqual(claimed('state == "b"', counted, { windows }), ['refuted', 4])
})

test('hostile definitions are answered within bounds', () => {
  for (const make of hostile) {
    const { findings } = checkContract(readyOf(make()).definition, options)
    assert.ok(findings.length > 0 && findings.length < 2_000, make.name)
  }
}, 60_000)

test('a fire of two guards that hold at once takes the first: that is why a priority is asked for', () => {
  const ready = contract([t('one', 'a', 'b'), t('two', 'a', 'end')])
  const data = { x: 1, k: 'a' }
  const of = { kind: 'event', name: 'go', from: null, data, at: START } as const
  const stimulus = { fire: CONTRACT, cause: { key: 'k' }, tick: START + 1, due: null, attempt: 0, of, readings: {} }
  const { standing } = play(ready, [], START)
  assert.equal(decideAll(ready, standing, stimulus).after.state, 'b')
  assert.equal(findingsOf(ready)[0]?.rule, 'exclusive')
})

test.run()
