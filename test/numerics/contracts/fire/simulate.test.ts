// Goal: a simulation decides what a contract would, in the order of time, and says what it cost, covered and broke.
// Method: worked examples for the clock, events, readings, jitter, budgets, own events and claims; a random contract
// against decisions made one by one.
import assert from 'node:assert/strict'
import { contractDigest, fireId } from '#core/contract/cause.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { boundOf } from '#numerics/contracts/fire/bound.ts'
import { decide } from '#numerics/contracts/fire/decide.ts'
import { nextDue } from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { simulate, simulateWith } from '#numerics/contracts/fire/simulate.ts'
import type { SimulationPlan } from '#numerics/contracts/fire/simulation.ts'
import { windowValues } from '#numerics/contracts/fire/windows.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { drawnReady, NOW, readyOf } from './drawn.ts'

const test = suite('contracts/fire/simulate')

const ID = 'a1'.repeat(16)
const CONTRACT = contractDigest('0'.repeat(64), ID)
const STUBBED = () => ({ stubbed: true }) as const
const integer = { type: 'integer', initial: 0 }

const plan = (ready: ReadyContract, more: Partial<SimulationPlan> = {}): SimulationPlan => ({
  ...{ ready, contract: CONTRACT, id: ID, standing: beginning(ready, CONTRACT, NOW), from: NOW, until: NOW + 100 },
  ...{ happenings: [], priceOf: () => 3 },
  ...more,
})

const counting = (more: object = {}, of: object = {}) =>
  readyOf({
    v: 1,
    name: 'counting',
    context: { n: integer, p: { type: 'number', initial: 0 } },
    events: { go: { data: { x: { type: 'number' } } } },
    states: { a: { initial: true }, b: {} },
    transitions: [
      {
        ...{ id: 'every', from: 'a', to: 'a', trigger: { kind: 'recurring', every_ticks: 10 } },
        actions: [{ kind: 'set', n: { $: 'context.n + 1' } }],
        ...more,
      },
      { id: 'go', from: 'a', to: 'b', trigger: { kind: 'event', event: 'go' }, guard: 'event.data.x > 5' },
      { id: 'back', from: 'b', to: 'a', trigger: { kind: 'after', ticks: 25 } },
    ],
    ...of,
  })
const go = (tick: number, x: number) => ({ tick, kind: 'event', name: 'go', from: null, data: { x } }) as const

test('the clock and events are decided in the order of their ticks', () => {
  const happenings = [go(NOW + 5, 1), go(NOW + 20, 6), { tick: NOW + 90, kind: 'transition', id: 'go' } as const]
  const { timeline, counts, standing, coverage, stopped, next } = simulateWith(
    plan(counting(), { happenings }),
    STUBBED,
  )
  const told = timeline.map(({ tick, outcome, steps, to }) => `${tick - NOW} ${outcome} ${steps.join()} ${to}`)
  const every = [50, 60, 70, 80, 90].map((at) => `${at} fired every a`)
  assert.deepEqual(told, [
    ...['5 none  a', '10 fired every a', '20 fired every a', '20 fired go b', '45 fired back a'],
    ...every,
    '90 refused  a',
    '100 fired every a',
  ])
  assert.deepEqual(counts, { fired: 10, refused: 1, none: 1 })
  assert.deepEqual([standing.context['n'], stopped], [8, 'until'])
  assert.deepEqual(coverage, {
    ...{ states: ['a', 'b'], states_missed: [], transitions: ['every', 'go', 'back'], transitions_missed: [] },
  })
  assert.deepEqual([next.length, next[0]?.tick], [10, NOW + 110])
  assert.deepEqual(timeline[1]?.changed, { n: [0, 1] })
  assert.deepEqual(timeline[0]?.seen[0]?.values, { 'event.data.x': 1 })
})

test('computations are asked of the caller, paid for, and kept within the budget of a day', () => {
  const compute = { kind: 'compute', solver: 'heat', inputs: { n: { $: 'context.n' } }, bind: { n: '/output/n' } }
  const ready = counting({ actions: [compute] }, { budget: { credits_per_day: 10, failures_in_row: 3 } })
  const simulation = simulate(plan(ready))
  let step = simulation.next()
  const asked: unknown[] = []
  while (step.done !== true) {
    asked.push(step.value.inputs)
    const n = Number(step.value.inputs['n']) + 2
    const bound = boundOf({ output: { output: { n } }, value: null, unit: null }, step.value.bind)
    step = simulation.next({ bound })
  }
  const { spending, counts, stopped, standing } = step.value
  assert.deepEqual(asked, [{ n: 0 }, { n: 2 }, { n: 4 }])
  assert.deepEqual([standing.context['n'], stopped, counts.refused], [6, 'failures', 3])
  assert.deepEqual([spending.credits, spending.computations, spending.most?.credits], [9, 3, 9])
  const fires = counting({}, { budget: { fires_per_day: 4, failures_in_row: 100 } })
  const { timeline } = simulateWith(plan(fires), STUBBED)
  assert.deepEqual(
    timeline.map(({ outcome }) => outcome).join(),
    'fired,fired,fired,fired,refused,refused,refused,refused,refused,refused',
  )
  assert.equal(timeline[4]?.problem?.reason, 'budget')
})

test('readings count until they are too old, unless an old one will do', () => {
  const from = { kind: 'machine', slug: 'pump-7', event: 'r', field: 'p' }
  for (const [on_stale, outcomes] of [
    ['refuse', 'refused,fired,fired,refused'],
    ['last', 'refused,fired,fired,fired'],
  ] as const) {
    const ready = counting(
      { actions: [{ kind: 'set', p: { $: 'oracle.o' } }] },
      { oracles: { o: { from, type: 'number', max_age: 15, on_stale } } },
    )
    const happenings = [{ tick: NOW + 15, kind: 'reading', oracle: 'o', value: 7 } as const]
    const { timeline } = simulateWith(plan(ready, { happenings, until: NOW + 40 }), STUBBED)
    assert.equal(timeline.map(({ outcome }) => outcome).join(), outcomes)
  }
})

test('jitter moves a decision by what the name of its fire says, and no instant is lost', () => {
  const ready = counting({ trigger: { kind: 'recurring', every_ticks: 10, jitter: 5 }, to: 'a' })
  const { timeline, counts } = simulateWith(plan(ready, { until: NOW + 1_005 }), STUBBED)
  assert.equal(counts.fired, 100)
  for (const { tick, due, fire } of timeline) {
    assert.equal(tick - (due ?? 0), Number.parseInt(fire.slice(0, 8), 16) % 6)
  }
  assert.ok(timeline.some(({ tick, due }) => tick !== due))
})

test('own events and calls act as causes of their own, eight deep at most', () => {
  const ready = readyOf({
    v: 1,
    name: 'echo',
    context: { n: integer },
    events: { go: { data: { x: { type: 'number' } } } },
    windows: { w: { event: 'go', fn: 'count', ticks: 600 } },
    states: { a: { initial: true } },
    transitions: [
      {
        ...{ id: 'go', from: 'a', to: 'a', trigger: { kind: 'event', event: 'go' } },
        actions: [
          { kind: 'set', n: { $: 'window.w' } },
          { kind: 'emit', event: 'go', data: { x: { $: 'event.data.x + 1' } } },
          { kind: 'call', contract: 'other', event: 'go', data: {} },
        ],
      },
    ],
  })
  const { timeline, too_deep, standing } = simulateWith(plan(ready, { happenings: [go(NOW + 5, 1)] }), STUBBED)
  assert.deepEqual([timeline.length, too_deep, standing.context['n']], [9, 1, 9])
  assert.deepEqual(timeline[1]?.cause, { fire: timeline[0]?.fire, action: 0 })
  assert.deepEqual(timeline[8]?.event?.data, { x: 9 })
})

test('a claim that does not hold is told where it was first seen, also by time alone', () => {
  const claims = [{ never: 'context.n > 2' }, { never: 'state == "b" && state_ticks > 20' }, { never: 'context.n < 0' }]
  const { broken } = simulateWith(plan(counting({}, { claims }), { happenings: [go(NOW + 40, 6)] }), STUBBED)
  assert.deepEqual(
    broken.map(({ claim, tick, fire }) => [claim, tick - NOW, fire === null]),
    [
      [0, 30, false],
      [1, 61, true],
    ],
  )
})

test('a claim that time alone breaks between two decisions is told with its first tick, windows and all', () => {
  const { next: draw } = seeded()
  const until = NOW + 2_000
  for (let i = 0; i < 20; i += 1) {
    const ticks = 60 + Math.floor(draw() * 600)
    const [low, least, held] = [1, 2, 3].map(() => Math.floor(draw() * 700)) as [number, number, number]
    const never = [
      `state_ticks > ${low} && state_ticks < ${low + 1 + Math.floor(draw() * 3)}`,
      `window.w == ${Math.floor(draw() * 4)} && state_ticks >= ${least}`,
      'state_ticks == context.n',
    ]
    const ready = readyOf({
      v: 1,
      name: 'waiting',
      context: { n: { type: 'integer', initial: held } },
      events: { go: { data: {} } },
      windows: { w: { event: 'go', fn: 'count', ticks } },
      states: { a: { initial: true } },
      transitions: [{ id: 'go', from: 'a', to: 'a', trigger: { kind: 'event', event: 'go' } }],
      claims: never.map((it) => ({ never: it })),
    })
    const events = Array.from({ length: 3 }, () => NOW + 1 + Math.floor(draw() * 1_500)).toSorted((a, b) => a - b)
    const happenings = events.map((tick) => ({ tick, kind: 'event', name: 'go', from: null, data: {} }) as const)
    const { broken } = simulateWith(plan(ready, { happenings, until }), STUBBED)
    // Every tick is looked at here: an instant of each in which nothing else happens.
    const first = new Map<number, number>()
    for (let tick = NOW; tick <= until; tick += 1) {
      const before = happenings.filter((it) => it.tick < tick)
      const { standing } = simulateWith(plan(ready, { happenings: before, until: tick }), STUBBED)
      for (const after of happenings.some((it) => it.tick === tick) ? [false, true] : [false]) {
        const at = after
          ? simulateWith(plan(ready, { happenings: happenings.filter((it) => it.tick <= tick), until: tick }), STUBBED)
          : { standing }
        for (const [claim, it] of ready.claims.entries()) {
          const values = {
            ...{ context: at.standing.context, state: at.standing.state },
            window: windowValues(ready.definition.windows, at.standing.windows, tick),
            state_ticks: tick - at.standing.entered.tick,
          }
          if (!first.has(claim) && it.run(values) === true) first.set(claim, tick)
        }
      }
    }
    const told = Object.fromEntries(broken.map(({ claim, tick }) => [claim, tick - NOW]))
    const wanted = Object.fromEntries([...first].map(([claim, tick]) => [claim, tick - NOW]))
    assert.deepEqual(told, wanted, `${never.join(', ')} with ${held}`)
  }
})

test('it stops at its bounds, and lists no more than it may', () => {
  const { stopped, tick } = simulateWith(plan(counting(), { decisionsMax: 3 }), STUBBED)
  assert.deepEqual([stopped, tick], ['decisions', NOW + 30])
  const { timeline, counts } = simulateWith(plan(counting(), { timelineMax: 2 }), STUBBED)
  assert.deepEqual([timeline.length, counts.fired], [2, 10])
})

test('what it decides of the clock is what decide says, one by one', () => {
  const random = seeded()
  for (let round = 0; round < 40; round += 1) {
    const ready = drawnReady(random)
    const { timeline } = simulateWith(plan(ready, { timelineMax: 1_000 }), STUBBED)
    let standing = beginning(ready, CONTRACT, NOW)
    for (const it of timeline) {
      if (it.by !== 'clock') break
      const due = nextDue(ready, standing, NOW)
      assert.deepEqual([due?.due, due?.tick], [it.due, it.tick])
      const of = { kind: 'trigger', trigger: due?.trigger ?? '' } as const
      const cause = it.cause
      const asked = { fire: fireId(CONTRACT, cause), cause, tick: it.tick, due: it.due, attempt: 0, of, readings: {} }
      const decision = decide(ready, standing, asked, Array.from({ length: 5 }, STUBBED))
      assert.ok(decision.kind !== 'compute')
      assert.equal(decision.kind, it.outcome)
      standing = decision.after
    }
  }
})

test('a place of a result is found as a JSON pointer says', () => {
  const of = { output: { 'a/b': [1, { '~': 2 }] }, value: 3, unit: 'm' }
  const bind = {
    one: '/a~1b/0',
    two: '/a~1b/1/~0',
    three: '/value',
    four: '/unit',
    none: '/a~1b/length',
    off: '/a~1b/01',
  }
  const none = { none: undefined, off: undefined }
  assert.deepEqual(boundOf(of, bind), { one: 1, two: 2, three: 3, four: 'm', ...none })
})

test.run()
