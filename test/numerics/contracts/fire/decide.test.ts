// Goal: one decision, total and the same everywhere, by the rules that the wire document gives. Method: a worked
// example for each rule; random sound definitions, standings and stimuli, for which nothing throws, nothing given is
// changed, a refusal leaves the context as it was, and the same question has the same answer.
// TICKMESH_FUZZ_INPUTS=100000 takes that many of them.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import type { Json } from '#core/canonical.ts'
import { canonical } from '#core/canonical.ts'
import type { ContractStanding, Scalar } from '#core/contract/standing.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import {
  type ComputeOutcome,
  contextDigest,
  type Decision,
  decide,
  refusedFor,
  type Stimulus,
} from '#numerics/contracts/fire/decide.ts'
import { type ReadyContract, triggerId } from '#numerics/contracts/fire/ready.ts'
import { type Random, seed, seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { CONTRACT, drawnOutcomes, drawnReady, drawnStanding, drawnStimulus, NOW, readyOf } from './drawn.ts'

const test = suite('contracts/fire/decide')
const PAIRS = Number(process.env['TICKMESH_FUZZ_INPUTS'] ?? 4_000)
/** Stimuli of which each definition is asked. */
const ASKED = 20

type Kind<K extends Decision['kind']> = Extract<Decision, { kind: K }>

const GO = { kind: 'event', event: 'go' }
const FIRE = 'f1'.repeat(32)
const integer = { type: 'integer', initial: 0, min: 0, max: 100 }

/** A contract with states a (first), b and c, numbers n and m, and the event go {x}. */
const contract = (transitions: readonly object[], more: object = {}): ReadyContract =>
  readyOf({
    v: 1,
    name: 'worked',
    context: { n: integer, m: { ...integer, initial: 7 } },
    events: { go: { data: { x: { type: 'number' } } } },
    states: { a: { initial: true }, b: {}, c: {} },
    ...more,
    transitions,
  })

const asked = (of: Stimulus['of'], more: Partial<Stimulus> = {}): Stimulus => ({
  ...{ fire: FIRE, cause: { key: 'k' }, tick: NOW, due: null, attempt: 0, readings: {}, of },
  ...more,
})
const go = (x: Json = 1, at: number | null = null): Stimulus =>
  asked({ kind: 'event', name: 'go', from: null, data: { x }, at })

const start = (ready: ReadyContract, more: Partial<ContractStanding> = {}): ContractStanding => ({
  ...beginning(ready, CONTRACT, NOW - 10),
  ...more,
})

const decided = <K extends Decision['kind']>(
  kind: K,
  ready: ReadyContract,
  of: { stimulus: Stimulus; standing?: ContractStanding; outcomes?: readonly ComputeOutcome[] },
): Kind<K> => {
  const { stimulus, standing = start(ready), outcomes = [] } = of
  const decision = decide(ready, standing, stimulus, outcomes)
  assert.equal(decision.kind, kind, JSON.stringify(decision))
  return decision as Kind<K>
}
const fired = (ready: ReadyContract, stimulus: Stimulus, outcomes: readonly ComputeOutcome[] = []): Kind<'fired'> =>
  decided('fired', ready, { stimulus, outcomes })
const refused = (ready: ReadyContract, stimulus: Stimulus, outcomes: readonly ComputeOutcome[] = []): Kind<'refused'> =>
  decided('refused', ready, { stimulus, outcomes })

test('the highest priority is looked at first, then the order of the definition; the first true guard is taken', () => {
  const ready = contract([
    { id: 'last', from: 'a', to: 'c', trigger: GO, priority: -1 },
    { id: 'false', from: 'a', to: 'c', trigger: GO, priority: 3, guard: 'context.n > 5' },
    { id: 'first', from: ['a', 'b'], to: 'b', trigger: GO, priority: 1 },
    { id: 'second', from: 'a', to: 'c', trigger: GO, priority: 1 },
    { id: 'elsewhere', from: 'b', to: 'c', trigger: GO, priority: 9 },
  ])
  const { from, to, steps, after } = fired(ready, go())
  assert.deepEqual([from, to, steps], ['a', 'b', ['first']])
  assert.deepEqual(after, { ...start(ready), state: 'b', entered: { fire: FIRE, tick: NOW } })
})

test('a guard without a value refuses the fire, even where a later one would be true', () => {
  const ready = contract([
    { id: 'one', from: 'a', to: 'b', trigger: GO, priority: 1, guard: '1 / context.n > 2', on_refused: 'c' },
    { id: 'two', from: 'a', to: 'c', trigger: GO },
  ])
  const { problem, from, to, steps, after } = refused(ready, go())
  assert.deepEqual([from, to, steps, after], ['a', 'a', [], start(ready)])
  const message = 'The expression has no value: the result is no finite number.'
  assert.deepEqual(problem, { reason: 'guard', message, path: '/transitions/0/guard', position: 2 })
})

test('without a candidate, or with false guards alone, nothing is taken, and the guards say what they saw', () => {
  const guard = 'event.data.x > 5 && context.m < 9 || has(event.data.x) && state == "b"'
  const ready = contract([{ id: 'one', from: 'a', to: 'b', trigger: GO, guard }])
  const none = decided('none', ready, { stimulus: go(1) })
  const values = { 'event.data.x': 1, 'context.m': 7, state: 'a' }
  assert.deepEqual([none.why, none.seen], ['guard', [{ transition: 'one', guard, values }]])
  const elsewhere = decided('none', ready, { stimulus: go(9), standing: start(ready, { state: 'b' }) })
  assert.deepEqual([elsewhere.why, elsewhere.seen], ['transition', []])
  const lost = decided('none', ready, { stimulus: go(9), standing: start(ready, { state: 'nowhere' }) })
  assert.equal(lost.why, 'transition')
})

test('exit, actions and entry run in this order, each on what the one before left; sets of one action at once', () => {
  const set = (of: object) => ({ kind: 'set', ...of })
  const ready = contract(
    [
      {
        ...{ id: 'swap', from: 'a', to: 'a', trigger: GO },
        actions: [set({ n: { $: 'context.n + event.data.x' } }), set({ n: { $: 'context.m' }, m: { $: 'context.n' } })],
      },
    ],
    {
      states: {
        a: {
          initial: true,
          exit: [set({ n: { $: 'state_ticks' } })],
          entry: [set({ m: { $: 'state_ticks * 10 + context.m' } })],
        },
        b: {},
        c: {},
      },
    },
  )
  // Ten ticks in the state: n = 10, then 13, then n = 7 and m = 13; in the state entered no tick has gone by.
  const { after } = fired(ready, go(3))
  assert.deepEqual(after.context, { n: 7, m: 13 })
})

test('a refusal undoes the whole fire; on_refused of the last transition taken says where to', () => {
  const actions = [
    { kind: 'emit', event: 'go', data: { x: 1 } },
    { kind: 'set', n: 5 },
    { kind: 'set', n: { $: 'context.n + event.data.x' } },
  ]
  const ready = contract([{ id: 'one', from: 'a', to: 'b', trigger: GO, actions, on_refused: 'c' }])
  const { problem, to, steps, after } = refused(ready, go(96))
  assert.equal(problem.reason, 'range')
  assert.equal(problem.path, '/transitions/0/actions/2/n')
  assert.deepEqual([to, steps], ['c', ['one']])
  assert.deepEqual(after, { ...start(ready), state: 'c', entered: { fire: FIRE, tick: NOW } })
  const value = refused(
    contract([{ id: 'one', from: 'a', to: 'b', trigger: GO, actions: [{ kind: 'set', n: { $: '1 / context.n' } }] }]),
    go(),
  )
  assert.deepEqual(
    [value.problem.reason, value.problem.path, value.problem.position, value.to],
    ['value', '/transitions/0/actions/0/n/$', 2, 'a'],
  )
})

test('the data of an event has to fit, where a trigger or a window is over it', () => {
  const ready = contract([{ id: 'one', from: 'b', to: 'c', trigger: GO }], {
    events: { go: { data: { x: { type: 'number' }, y: { type: 'text', optional: true } } }, other: { data: {} } },
  })
  const of = (name: string, data: Readonly<Record<string, Json>>) =>
    asked({ kind: 'event', name, from: null, data, at: null })
  for (const [data, path] of [
    [{}, 'x'],
    [{ x: 'a' }, 'x'],
    [{ x: null }, 'x'],
    [{ x: 1, y: 5 }, 'y'],
    [{ x: 1, __x: 5 }, '__x'],
    [{ x: 1, constructor: 5 }, 'constructor'],
  ] as const) {
    const { problem, from, to, steps } = refused(ready, of('go', data as Readonly<Record<string, Json>>))
    assert.deepEqual([problem.reason, problem.path, from, to, steps], ['data', `/events/go/data/${path}`, 'a', 'a', []])
  }
  for (const it of [of('other', { x: [1] }), of('nothing', {}), of('constructor', {})])
    assert.equal(decided('none', ready, { stimulus: it }).why, 'transition')
  const elsewhere = asked({ kind: 'event', name: 'go', from: 'pump-7', data: {}, at: NOW })
  assert.equal(decided('none', ready, { stimulus: elsewhere }).why, 'transition')
})

test('transitions of always follow, at most sixteen, without the event', () => {
  const step = (n: number, most: number) => ({
    ...{ id: 'on', from: 'b', to: 'b', trigger: { kind: 'always' }, guard: `context.n < ${most}` },
    actions: [{ kind: 'set', n: { $: `context.n + ${n}` } }],
  })
  const first = { id: 'one', from: 'a', to: 'b', trigger: GO, actions: [{ kind: 'set', m: { $: 'event.data.x' } }] }
  const { steps, after, to } = fired(contract([first, step(1, 16)]), go(9))
  assert.deepEqual([steps.length, steps[0], steps[16], to, after.context], [17, 'one', 'on', 'b', { n: 16, m: 9 }])
  const { problem, steps: taken, after: undone } = refused(contract([first, step(1, 17)]), go(9))
  assert.deepEqual([problem.reason, taken.length, undone.context], ['chain', 17, { n: 0, m: 7 }])
})

test('a computation is asked for with its values in place, and binds what it gave', () => {
  const compute = {
    ...{ kind: 'compute', solver: 'heat', bind: { n: '/value' } },
    inputs: { a: { $: 'context.m + 1' }, deep: [{ b: { $: 'event.data.x' } }, 'text'], same: { c: 1 } },
  }
  const ready = contract([
    {
      ...{ id: 'one', from: 'a', to: 'b', trigger: GO, on_refused: 'c' },
      actions: [{ kind: 'set', m: 9 }, compute, { kind: 'set', m: { $: 'context.n * 2' } }, compute],
    },
  ])
  const first = decided('compute', ready, { stimulus: go(3) })
  const order = {
    ...{ solver: 'heat', bind: { n: '/value' }, path: '/transitions/0/actions/1', transition: 'one' },
    inputs: { a: 10, deep: [{ b: 3 }, 'text'], same: { c: 1 } },
  }
  assert.deepEqual(first, { kind: 'compute', index: 0, order })
  const second = decided('compute', ready, { stimulus: go(3), outcomes: [{ bound: { n: 4 } }] })
  assert.deepEqual([second.index, second.order.inputs['a']], [1, 9])
  const done = fired(ready, go(3), [{ bound: { n: 4 } }, { bound: { n: 5 } }])
  assert.deepEqual([done.after.context, done.computations], [{ n: 5, m: 8 }, 2])
  const stubbed = fired(ready, go(3), [{ stubbed: true }, { stubbed: true }])
  assert.deepEqual(stubbed.after.context, { n: 0, m: 0 })
  const gate = refused(ready, go(3), [{ bound: { n: 4 } }, { refused: { reason: 'gate', message: 'No.', code: 'X' } }])
  assert.deepEqual(gate.problem, { reason: 'gate', message: 'No.', code: 'X', path: '/transitions/0/actions/3' })
  assert.deepEqual([gate.to, gate.after.context], ['c', { n: 0, m: 7 }])
  for (const [value, reason] of [
    [undefined, 'value'],
    [101, 'range'],
    [1.5, 'range'],
    [[1], 'range'],
    ['a', 'range'],
    [null, 'range'],
  ] as const) {
    const { problem } = refused(ready, go(3), [{ bound: { n: value } }])
    assert.deepEqual([problem.reason, problem.path], [reason, '/transitions/0/actions/1/bind/n'])
  }
  assert.equal(refused(ready, go(3), [{ bound: {} }]).problem.reason, 'value')
})

test('a fire has at most four computations, those of its chain with it', () => {
  const compute = { kind: 'compute', operators: ['NM19'], inputs: {} }
  const ready = contract([
    { id: 'one', from: 'a', to: 'b', trigger: GO, actions: [compute, compute, compute] },
    { id: 'two', from: 'b', to: 'c', trigger: { kind: 'always' }, actions: [compute, compute] },
  ])
  const outcomes = Array.from({ length: 4 }, (): ComputeOutcome => ({ bound: {} }))
  const { problem, steps } = refused(ready, go(), outcomes)
  assert.deepEqual([problem.reason, problem.path, steps], ['chain', '/transitions/1/actions/1', ['one', 'two']])
})

test('effects stand in the order of their actions, with their values', () => {
  const actions = [
    { kind: 'emit', event: 'go', data: { x: { $: 'context.m' } } },
    { kind: 'transfer', to: 'zid', amount: { $: 'context.m * 2' } },
    { kind: 'notify', url: 'https://example.org/', body: ['{{secret.a}}', { $: 'fire.attempt' }], headers: { a: 'b' } },
    { kind: 'call', contract: 'other', event: 'go', data: { at: { $: 'fire.tick' }, due: { $: 'fire.due' } } },
  ]
  const ready = contract([{ id: 'one', from: 'a', to: 'b', trigger: GO, actions }])
  assert.deepEqual(fired(ready, go()).effects, [
    { kind: 'emit', event: 'go', data: { x: 7 } },
    { kind: 'transfer', to: 'zid', amount: 14 },
    { kind: 'notify', url: 'https://example.org/', body: ['{{secret.a}}', 0], headers: { a: 'b' } },
    { kind: 'call', contract: 'other', event: 'go', data: { at: NOW, due: null } },
  ])
  for (const text of ['context.n', 'context.m / 2', '0 - context.m']) {
    const none = contract([
      { id: 'one', from: 'a', to: 'b', trigger: GO, actions: [{ kind: 'transfer', to: 'z', amount: { $: text } }] },
    ])
    assert.equal(refused(none, go()).problem.reason, 'range')
  }
})

test('an oracle without a value refuses who reads it, and has() may ask for it', () => {
  const from = { kind: 'machine', slug: 'pump-7', event: 'r', field: 'p' }
  const more = { oracles: { o: { from, type: 'number', max_age: 9 }, p: { from, type: 'number', max_age: 9 } } }
  const guarded = (guard: string) => contract([{ id: 'one', from: 'a', to: 'b', trigger: GO, guard }], more)
  const readings = (it: Readonly<Record<string, Scalar | undefined>>) => ({ ...go(), readings: it })
  const { problem } = refused(guarded('context.n == 0 && oracle.o > 1'), readings({ o: undefined, p: 1 }))
  assert.deepEqual([problem.reason, problem.position], ['stale', 25])
  assert.equal(fired(guarded('oracle.o > 1'), readings({ o: 2 })).to, 'b')
  assert.equal(fired(guarded('context.n == 0 || oracle.o > 1'), readings({ o: undefined })).to, 'b')
  const has = guarded('!has(oracle.o)')
  assert.equal(fired(has, readings({ o: undefined })).to, 'b')
})

test('what is asked for by name, and what now, is taken from the present state', () => {
  const ready = contract([
    { id: 'event', from: 'a', to: 'b', trigger: GO, guard: 'event.data.x > 1', priority: 9 },
    { id: 'late', from: 'a', to: 'c', trigger: { kind: 'after', ticks: 9 } },
    { id: 'often', from: 'a', to: 'b', trigger: { kind: 'recurring', every_ticks: 9 }, priority: 1 },
    { id: 'other', from: 'b', to: 'c', trigger: { kind: 'always' }, guard: 'context.n > 0' },
  ])
  assert.deepEqual(fired(ready, asked({ kind: 'now' })).steps, ['often'])
  assert.deepEqual(fired(ready, asked({ kind: 'transition', id: 'late' })).steps, ['late'])
  assert.equal(decided('none', ready, { stimulus: asked({ kind: 'transition', id: 'other' }) }).why, 'transition')
  const by = (x: number) => asked({ kind: 'transition', id: 'event', event: { name: 'go', data: { x } } })
  assert.deepEqual(fired(ready, by(2)).steps, ['event'])
  assert.equal(decided('none', ready, { stimulus: by(1) }).why, 'guard')
  assert.equal(refused(ready, asked({ kind: 'transition', id: 'event' })).problem.reason, 'data')
  const wrong = asked({ kind: 'transition', id: 'late', event: { name: 'go', data: { x: 1 } } })
  assert.equal(decided('none', ready, { stimulus: wrong }).why, 'transition')
})

test('a due instant moves the mark of its trigger, and an entry the windows, whatever comes of them', () => {
  const trigger = { kind: 'recurring', every_ticks: 9, phase: 0, jitter: 0 }
  const ready = contract(
    [
      { id: 'false', from: 'a', to: 'b', trigger, guard: 'window.w > 1' },
      { id: 'wrong', from: 'b', to: 'c', trigger, guard: '1 / context.n > 1' },
      { id: 'event', from: 'a', to: 'b', trigger: GO, guard: 'window.w > 1' },
    ],
    { windows: { w: { event: 'go', fn: 'count', ticks: 60 } } },
  )
  const [id = ''] = ready.triggers.keys()
  const due = (tick: number) => asked({ kind: 'trigger', trigger: id }, { tick, due: tick })
  const none = decided('none', ready, { stimulus: due(NOW + 90) })
  assert.deepEqual(none.after.marks, { [id]: NOW + 90 })
  const late = decided('none', ready, { stimulus: due(NOW + 81), standing: none.after })
  assert.deepEqual(late.after.marks, { [id]: NOW + 90 })
  const wrong = decided('refused', ready, { stimulus: due(NOW + 99), standing: { ...none.after, state: 'b' } })
  assert.deepEqual(wrong.after, { ...none.after, state: 'b', marks: { [id]: NOW + 99 } })
  const once = decided('none', ready, { stimulus: go(1, NOW - 1) })
  const twice = decided('fired', ready, { stimulus: go(1, NOW), standing: once.after })
  assert.equal(twice.after.windows['w']?.length, 2)
  assert.equal(decided('none', ready, { stimulus: go(1), standing: once.after }).after.windows, once.after.windows)
  assert.deepEqual(refused(ready, go('a', NOW)).after.windows, {})
})

test('what no decision sees refuses a fire in the same way', () => {
  const ready = contract([{ id: 'one', from: 'a', to: 'b', trigger: GO, on_refused: 'c' }], {
    windows: { w: { event: 'go', fn: 'count', ticks: 60 } },
  })
  const problem = { reason: 'budget', message: 'The day has no more.' } as const
  const stimulus = go(1, NOW)
  const { steps } = fired(ready, stimulus)
  const { to, after } = refusedFor(ready, start(ready), { stimulus, steps, problem })
  assert.deepEqual([to, after.state, after.windows['w']?.length], ['c', 'c', 1])
})

test('transitions with the same trigger share its name, and a context has a digest', () => {
  const every = (every_ticks: number) =>
    ({
      kind: 'recurring',
      every_ticks,
      phase: 0,
      jitter: 0,
      catchUp: { mode: 'one', window: 9, max: 1 },
      overlap: 'skip',
    }) as const
  assert.equal(triggerId(every(4)), triggerId({ ...every(4) }))
  assert.notEqual(triggerId(every(4)), triggerId(every(5)))
  assert.match(triggerId(every(4)), /^[0-9a-f]{16}$/)
  assert.equal(contextDigest({ b: 1, a: null }), contextDigest({ a: null, b: 1 }))
})

const frozen = <T>(it: T): T => {
  if (typeof it === 'object' && it !== null) for (const part of Object.values(Object.freeze(it))) frozen(part)
  return it
}

/** Asks once, with outcomes as they are wanted, and looks at what comes of it. @returns the kind of the decision */
const askedOnce = (random: Random, ready: ReadyContract): Decision['kind'] => {
  const standing = frozen(random.integer(0, 1) === 0 ? beginning(ready, CONTRACT, NOW - 5) : drawnStanding(random))
  const stimulus = frozen(drawnStimulus(random, ready))
  const outcomes = frozen(drawnOutcomes(random))
  let used: readonly ComputeOutcome[] = []
  let decision = decide(ready, standing, stimulus, used)
  while (decision.kind === 'compute') {
    assert.equal(decision.index, used.length)
    used = outcomes.slice(0, used.length + 1)
    decision = decide(ready, standing, stimulus, used)
  }
  const again = decide(ready, structuredClone(standing), structuredClone(stimulus), used)
  assert.equal(canonical(decision as unknown as Json), canonical(again as unknown as Json))
  if (decision.kind !== 'fired') assert.deepEqual(decision.after.context, standing.context)
  if (decision.kind === 'fired') assert.ok(decision.computations <= 4 && decision.steps.length <= 17)
  return decision.kind
}

test('of whatever is asked there is one decision, and nothing that was given is changed', () => {
  const kinds: Record<string, number> = {}
  const property = fc.property(fc.integer({ min: 0, max: 0xffffffff }), (from) => {
    const random = seeded(from)
    const ready = drawnReady(random)
    for (let i = 0; i < ASKED; i += 1) {
      const kind = askedOnce(random, ready)
      kinds[kind] = (kinds[kind] ?? 0) + 1
    }
  })
  fc.assert(property, { seed, numRuns: Math.ceil(PAIRS / ASKED) })
  for (const kind of ['fired', 'refused', 'none']) assert.ok((kinds[kind] ?? 0) > PAIRS / 20, JSON.stringify(kinds))
}, 600_000)

test.run()
