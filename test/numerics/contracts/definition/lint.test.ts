// Goal: a definition is told all that is wrong with it at once, each at its path, and one without faults has one normal
// form and one version. Method: a good definition with one thing changed, for each fault that the linter knows; the
// earlier shape against what it means; the digest put together by hand.
import assert from 'node:assert/strict'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { sha256 } from '#crypto'
import { lintContract } from '#numerics/contracts/definition/lint.ts'
import { suite } from '../../../kit/suite.ts'
import { good } from './samples.ts'

const test = suite('contracts/definition')

const cron = (expression: string, timezone: string): string | undefined =>
  timezone === 'Mars/Olympus' ? `no zone ${timezone}` : expression === '0 0 31 2 *' ? 'it never comes' : undefined
const lint = (definition: unknown) => lintContract(definition, { cron })

/** The good definition with the value at a path of names changed; undefined takes it away. */
const changed = (path: string, value: unknown): unknown => {
  const copy = structuredClone(good) as Record<string, unknown>
  const names = path.split('/').slice(1)
  const last = names.pop() ?? ''
  const at = names.reduce<Record<string, unknown>>((of, name) => {
    of[name] ??= {}
    return of[name] as Record<string, unknown>
  }, copy)
  if (value === undefined) delete at[last]
  else at[last] = value
  return copy
}

const T = '/transitions/0'
const actions = (...list: readonly object[]) => [`${T}/actions`, list] as const
const trigger = (it: object) => [`${T}/trigger`, it] as const

/** What is changed, the path of the one fault that comes of it, its reason, and its place in an expression. */
const cases: readonly (readonly [readonly [string, unknown], string, RegExp, number?])[] = [
  [['/v', 2], '/v', /equal/],
  [['/name', ''], '/name', /fewer|1 char/],
  [['/name', undefined], '/name', /required/],
  [['/nmae', 'x'], '/nmae', /Did you mean name/],
  [['/budget', []], '/budget', /object/],
  [['/context/1a', { type: 'number', initial: 1 }], '/context/1a', /form/],
  [['/context/in', { type: 'number', initial: 1 }], '/context/in', /word of expressions/],
  [['/context/kind', { type: 'number', initial: 1 }], '/context/kind', /no name/],
  [['/context/c', { type: 'numbr', initial: 1 }], '/context/c/type', /Did you mean number/],
  [['/context/c', 5], '/context/c', /object/],
  [['/context/c', { type: 'number' }], '/context/c/initial', /required/],
  [['/context/c', { type: 'number', initial: 'a' }], '/context/c/initial', /no number/],
  [['/context/c', { type: 'integer', initial: 1.5 }], '/context/c/initial', /whole/],
  [['/context/c', { type: 'boolean', initial: 0 }], '/context/c/initial', /no boolean/],
  [['/context/c', { type: 'text', initial: 1 }], '/context/c/initial', /no text/],
  [['/context/c', { type: 'text', initial: 'abc', chars: 2 }], '/context/c/initial', /longer/],
  [['/context/c', { type: 'choice', of: ['a'], initial: 'b' }], '/context/c/initial', /none of a/],
  [['/context/c', { type: 'choice', of: [], initial: null, nullable: true }], '/context/c/of', /fewer/],
  [['/context/c', { type: 'number', initial: null }], '/context/c/initial', /nullable/],
  [['/context/c', { type: 'number', initial: 5, max: 4 }], '/context/c/initial', /range/],
  [['/context/c', { type: 'number', initial: null, nullable: true, min: 5, max: 4 }], '/context/c/min', /above max/],
  [['/context/c', { type: 'number', initial: 1, unit: 'blub' }], '/context/c/unit', /not a unit/, 0],
  [['/context/c', { type: 'boolean', initial: true, unit: 'm' }], '/context/c/unit', /not known/],
  [['/events/reading/more', 1], '/events/reading/more', /not known/],
  [['/events/reading/data/f', { type: 'number', initial: 1 }], '/events/reading/data/f/initial', /not known/],
  [['/events/reading/data/in', { type: 'number' }], '/events/reading/data/in', /word/],
  [['/windows/w', { event: 'nothing', fn: 'count', ticks: 9 }], '/windows/w/event', /no event/],
  [['/windows/w', { event: 'reading', fn: 'count', ticks: 1_000_001 }], '/windows/w/ticks', /<=/],
  [['/windows/w', { event: 'reading', fn: 'cuont', ticks: 9 }], '/windows/w/fn', /one of/],
  [['/windows/w', { event: 'reading', fn: 'avg', ticks: 9 }], '/windows/w/field', /of a field/],
  [['/windows/w', { event: 'reading', fn: 'avg', field: 'x', ticks: 9 }], '/windows/w/field', /no member of reading/],
  [['/windows/w', { event: 'reading', fn: 'avg', field: 'ok', ticks: 9 }], '/windows/w/field', /of a number/],
  [['/windows/w', { event: 'reading', fn: 'count', field: 'p', ticks: 9 }], '/windows/w/field', /no field/],
  [['/oracles/o/from', { kind: 'url', url: 'ftp://x/', pointer: '' }], '/oracles/o/from/url', /pattern/],
  [['/oracles/o/from', { kind: 'web' }], '/oracles/o/from/kind', /one of/],
  [['/oracles/o/max_age', 0], '/oracles/o/max_age', />=/],
  [['/states/idle/initial', false], '/states', /none is initial/],
  [['/states/busy/initial', true], '/states/idle/initial', /before it/],
  [['/states/a b', {}], '/states/a b', /form/],
  [['/states/busy/colour', 1], '/states/busy/colour', /not known/],
  [
    ['/states/busy/entry', [{ kind: 'set', n: { $: 'event.data.p' } }]],
    '/states/busy/entry/0/n/$',
    /no member event/,
    0,
  ],
  [['/states/busy/terminal', true], '/transitions/1/from', /terminal/],
  [[`${T}/id`, 'back'], '/transitions/1/id', /already/],
  [[`${T}/id`, undefined], `${T}/id`, /required/],
  [[`${T}/from`, 'idel'], `${T}/from`, /Did you mean idle/],
  [[`${T}/to`, 'nowhere'], `${T}/to`, /no state/],
  [[`${T}/on_refused`, 'nowhere'], `${T}/on_refused`, /no state/],
  [[`${T}/priority`, 0.5], `${T}/priority`, /integer/],
  [[`${T}/guard`, 'context.n +'], `${T}/guard`, /ends where/, 11],
  [[`${T}/guard`, 'context.n'], `${T}/guard`, /boolean is wanted/, 0],
  [[`${T}/guard`, 'event.data.p > context.m'], `${T}/guard`, /balance/, 13],
  [[`${T}/guard`, '1 > 2'], `${T}/guard`, /never true/, 0],
  [[`${T}/guard`, '1 / 0 > 2'], `${T}/guard`, /can have no value/, 2],
  [[`${T}/guard`, '[1, 2][5] > 2'], `${T}/guard`, /no such place/, 6],
  [[`${T}/guard`, 'oracle.x > 1'], `${T}/guard`, /no member x/, 7],
  [[`${T}/guard`, 'window.x > 1'], `${T}/guard`, /no member x/, 7],
  [[`${T}/guard`, 'state == "idel"'], `${T}/guard`, /never/, 6],
  [trigger({ kind: 'evnet', event: 'reading' }), `${T}/trigger/kind`, /Did you mean event/],
  [trigger({ kind: 'event', event: 'raeding' }), `${T}/trigger/event`, /Did you mean reading/],
  [trigger({ kind: 'event', event: 'reading', catchUp: {} }), `${T}/trigger/catchUp`, /not known/],
  [trigger({ kind: 'event', event: 'reading', overlap: { queue: 0 } }), `${T}/trigger/overlap`, /./],
  [['/transitions/1/trigger', { kind: 'one_shot' }], '/transitions/1/trigger', /one of them/],
  [['/transitions/1/trigger', { kind: 'one_shot', at_unix: 1, at_tick: 1 }], '/transitions/1/trigger', /one of them/],
  [['/transitions/1/trigger', { kind: 'recurring', every_ticks: 0 }], '/transitions/1/trigger/every_ticks', />=/],
  [
    ['/transitions/1/trigger', { kind: 'recurring', every_ticks: 4, phase: 4 }],
    '/transitions/1/trigger/phase',
    /below/,
  ],
  [
    ['/transitions/1/trigger', { kind: 'recurring', every_ticks: 4, jitter: 3 }],
    '/transitions/1/trigger/jitter',
    /half/,
  ],
  [
    ['/transitions/1/trigger', { kind: 'recurring', every_ticks: 4, catchUp: { mode: 'some' } }],
    '/transitions/1/trigger/catchUp/mode',
    /one of/,
  ],
  [['/transitions/1/trigger', { kind: 'cron', expression: '* * *' }], '/transitions/1/trigger/expression', /pattern/],
  [
    ['/transitions/1/trigger', { kind: 'cron', expression: '0 0 31 2 *' }],
    '/transitions/1/trigger/expression',
    /never comes/,
  ],
  [
    ['/transitions/1/trigger', { kind: 'cron', expression: '0 0 * * *', timezone: 'Mars/Olympus' }],
    '/transitions/1/trigger/expression',
    /no zone/,
  ],
  [['/transitions/1/trigger', { kind: 'after', ticks: 0 }], '/transitions/1/trigger/ticks', />=/],
  [['/transitions/1/trigger', { kind: 'always', ticks: 1 }], '/transitions/1/trigger/ticks', /not known/],
  [actions({ kind: 'sett', n: 1 }), `${T}/actions/0/kind`, /Did you mean set/],
  [actions({ kind: 'set' }), `${T}/actions/0`, /sets nothing/],
  [actions({ kind: 'set', m_: 1 }), `${T}/actions/0/m_`, /Did you mean m/],
  [actions({ kind: 'set', n: 'a' }), `${T}/actions/0/n`, /no integer/],
  [actions({ kind: 'set', n: 101 }), `${T}/actions/0/n`, /range/],
  [actions({ kind: 'set', n: { $: '100 + 1' } }), `${T}/actions/0/n/$`, /range/, 0],
  [actions({ kind: 'set', n: { $: 5 } }), `${T}/actions/0/n/$`, /a text/],
  [actions({ kind: 'set', n: { $: '"a"' } }), `${T}/actions/0/n/$`, /two types/, 0],
  [actions({ kind: 'set', n: { $: 'null' } }), `${T}/actions/0/n/$`, /not nullable/, 0],
  [actions({ kind: 'set', m: { $: 'event.data.p' } }), `${T}/actions/0/m/$`, /balance/, 0],
  [actions({ kind: 'set', mode: { $: '"fast"' } }), `${T}/actions/0/mode/$`, /never/, 0],
  [actions({ kind: 'emit', event: 'alrm' }), `${T}/actions/0/event`, /Did you mean alarm/],
  [actions({ kind: 'emit', event: 'alarm', data: {} }), `${T}/actions/0/data/p`, /required/],
  [actions({ kind: 'emit', event: 'alarm', data: { p: 1, q: 1 } }), `${T}/actions/0/data/q`, /no member of alarm/],
  [actions({ kind: 'emit', event: 'alarm', data: { p: 'x' } }), `${T}/actions/0/data/p`, /no number/],
  [actions({ kind: 'compute' }), `${T}/actions/0`, /one solver/],
  [actions({ kind: 'compute', solver: 'heat', operators: ['NM19'] }), `${T}/actions/0`, /one solver/],
  [
    actions({ kind: 'compute', solver: 'heat', bind: { x: '/value' } }),
    `${T}/actions/0/bind/x`,
    /no member of the context/,
  ],
  [actions({ kind: 'compute', solver: 'heat', bind: { n: 'value' } }), `${T}/actions/0/bind/n`, /pattern/],
  [
    actions({ kind: 'compute', solver: 'heat', inputs: { initial: { size: { $: 'context.' } } } }),
    `${T}/actions/0/inputs/initial/size/$`,
    /name of a member/,
    8,
  ],
  [actions({ kind: 'transfer', to: 'zid', amount: 0 }), `${T}/actions/0/amount`, /whole number from 1/],
  [actions({ kind: 'transfer', to: 'zid', amount: { $: 'context.on' } }), `${T}/actions/0/amount/$`, /two types/, 0],
  [actions({ kind: 'notify', url: 'http://a b', body: '' }), `${T}/actions/0/url`, /pattern/],
  [
    actions({ kind: 'notify', url: 'https://a/', body: { v: { $: 'contxt.n' } } }),
    `${T}/actions/0/body/v/$`,
    /Did you mean/,
    0,
  ],
  [
    actions({ kind: 'notify', url: 'https://a/', body: '', headers: { 'x-a': 'a\r\nb' } }),
    `${T}/actions/0/headers/x-a`,
    /pattern/,
  ],
  [actions({ kind: 'call', contract: '', event: 'go' }), `${T}/actions/0/contract`, /1 char|fewer/],
  [actions(...Array.from({ length: 17 }, () => ({ kind: 'set', n: 1 }))), `${T}/actions`, /16/],
  [actions(...Array.from({ length: 5 }, () => ({ kind: 'compute', solver: 'heat' }))), T, /5 computations/],
  [['/budget/failures_in_row', 0], '/budget/failures_in_row', />=/],
  [['/budget/fires', 1], '/budget/fires', /not known/],
  [['/retry/attempts', 9], '/retry/attempts', /<=/],
  [['/claims', [{ never: 'context.n == 0' }]], '/claims/0/never', /at the start/, 0],
  [['/claims', [{ never: 'context.n' }]], '/claims/0/never', /boolean/, 0],
  [['/claims', [{ never: 'event.data.p > 1' }]], '/claims/0/never', /no member event/, 0],
  [['/claims', [{}]], '/claims/0/never', /required/],
]

test('a good definition has no fault, and one with one thing changed has that one', () => {
  assert.deepEqual(lint(good).faults, [])
  for (const [[path, value], at, reason, position] of cases) {
    const { faults, contract } = lint(changed(path, value))
    const shown = `${path} ${JSON.stringify(value)}: ${JSON.stringify(faults)}`
    assert.equal(faults.length, 1, shown)
    assert.equal(faults[0]?.path, at, shown)
    assert.match(faults[0]?.reason ?? '', reason, shown)
    assert.equal(faults[0]?.position, position, shown)
    assert.equal(contract, undefined, shown)
  }
})

test('all faults are told at once, up to a bound', () => {
  const bad = { ...(changed('/context/c', { type: 'numbr' }) as object), name: 5, claims: [{ never: '1' }, 4] }
  assert.deepEqual(
    lint(bad).faults.map(({ path }) => path),
    ['/name', '/context/c/type', '/claims/0/never', '/claims/1'],
  )
  const many = Object.fromEntries(Array.from({ length: 3_000 }, (_, i) => [`x${i}`, i]))
  const { faults } = lint({ ...good, ...many })
  assert.equal(faults.length, 1_001)
  assert.match(faults.at(-1)?.reason ?? '', /more than 1000/)
})

test('a definition has bounds on its bytes, states, transitions and members', () => {
  const states = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`s${i}`, i === 0 ? { initial: true } : {}]))
  assert.match(lint({ v: 1, name: 'x', states, transitions: [] }).faults[0]?.reason ?? '', /65 members/)
  const short = { from: 'idle', to: 'idle', trigger: { kind: 'always' } }
  const long = Array.from({ length: 257 }, (_, i) => ({ ...short, id: `t${i}` }))
  assert.match(JSON.stringify(lint({ ...good, transitions: long }).faults), /256/)
  const context = Object.fromEntries(Array.from({ length: 65 }, (_, i) => [`m${i}`, { type: 'number', initial: 0 }]))
  assert.match(
    JSON.stringify(lint({ ...good, context: { ...context, ...good.context } }).faults),
    /members; it has 0 to 64/,
  )
  assert.match(lint({ ...good, name: 'x'.repeat(70_000) }).faults[0]?.reason ?? '', /bytes/)
})

test('what is no definition at all is told so', () => {
  const deep = Array.from({ length: 40 }).reduce<unknown>((it) => ({ a: it }), 1)
  for (const it of [
    null,
    5,
    'a',
    [],
    undefined,
    deep,
    { a: Number.NaN },
    JSON.parse('{"__proto__":1}'),
    { a: '\ud800' },
  ]) {
    assert.ok(lint(it).faults.length > 0)
    assert.equal(lint(it).contract, undefined)
  }
})

test('the normal form has every default, is its own normal form, and its digest is the version', () => {
  const { contract } = lint(good)
  assert.ok(contract !== undefined)
  const { definition, version } = contract
  assert.deepEqual(definition.retry, { attempts: 3, backoff: 10, factor: 2, deadline: 1_287 })
  assert.deepEqual(definition.transitions[1]?.trigger, {
    ...{ kind: 'cron', expression: '*/5 * * * *', timezone: 'UTC', jitter: 0, overlap: 'skip' },
    catchUp: { mode: 'one', window: 111_197, max: 100 },
  })
  assert.deepEqual(definition.transitions[1]?.from, ['busy', 'idle'])
  const bytes = utf8(`tickmesh/contract/1\n${canonical(definition as unknown as Json)}`)
  assert.equal(version, toHex(sha256(bytes)))
  assert.deepEqual(lint(definition), { earlier: false, faults: [], contract })
  assert.equal(lint(changed('/transitions/1/from', ['idle', 'busy'])).contract?.version, version)
  assert.notEqual(lint(changed('/context/n/initial', 1)).contract?.version, version)
})

const former = {
  name: 'timelock_release',
  version: '1.0',
  states: { held: { initial: true }, released: { terminal: true }, expired: { terminal: true } },
  transitions: [
    {
      ...{ from: 'held', to: 'released', operator: 'KO42', proof_required: false, auto: false },
      trigger: { kind: 'on_aggregate', event: 'sign', within: 60, aggregate: { fn: 'count' }, op: '>=', threshold: 2 },
      condition: 'input.acknowledged == true && amount > 0 && input.who != "nobody"',
      post_actions: [{ type: 'emit', event: 'released' }],
    },
    { from: 'held', to: 'expired', operator: 'KO42', trigger: { kind: 'one_shot', at_unix: 4_102_444_800 } },
    {
      ...{ from: 'held', to: 'held', operator: 'NM19', trigger: { kind: 'on_events', events: ['a', 'b'] } },
      condition: 'input.mass_kg * input.acceleration_ms2 > 1',
    },
    { from: 'held', to: 'held', operator: 'KO42', condition: 'input.yes == true' },
  ],
  ...{ observers: [], audit_clock: true, tick_rate_field: 1 },
}

test('the earlier shape is read as what it means', () => {
  const { earlier, faults, contract } = lint(former)
  assert.deepEqual([earlier, faults], [true, []])
  const { transitions = [], events = {}, windows = {} } = contract?.definition ?? {}
  assert.deepEqual(
    transitions.map(({ id, guard, trigger: { kind } }) => [id, kind, guard]),
    [
      [
        ...['t1', 'event'],
        'window.w1 >= 2 && (event.data.acknowledged == true && event.data.amount > 0 && event.data.who != "nobody")',
      ],
      ['t2', 'one_shot', undefined],
      ['t3_1', 'event', 'event.data.mass_kg * event.data.acceleration_ms2 > 1'],
      ['t3_2', 'event', 'event.data.mass_kg * event.data.acceleration_ms2 > 1'],
      ['t4', 'event', 'event.data.yes == true'],
    ],
  )
  assert.deepEqual(windows, { w1: { event: 'sign', fn: 'count', ticks: 60 } })
  assert.deepEqual(Object.keys(events).toSorted(), ['a', 'b', 'released', 'request', 'sign'])
  const types = Object.entries(events['sign']?.data ?? {}).map(([name, { type }]) => [name, type])
  assert.deepEqual(Object.fromEntries(types), { acknowledged: 'boolean', amount: 'number', who: 'text' })
  assert.deepEqual(transitions[2]?.actions, [
    {
      kind: 'compute',
      operators: ['NM19'],
      inputs: { mass_kg: { $: 'event.data.mass_kg' }, acceleration_ms2: { $: 'event.data.acceleration_ms2' } },
    },
  ])
  assert.deepEqual(transitions[0]?.actions, [{ kind: 'emit', event: 'released', data: {} }])
})

test('what the earlier shape says and nothing here does is named', () => {
  const [first] = former.transitions
  const { faults } = lint({
    ...{ ...former, observers: ['x'] },
    transitions: [
      { ...first, pre_actions: [{ call: 'x' }] },
      { ...first, trigger: { kind: 'on_logic' } },
      { ...first, auto: true, trigger: undefined, condition: 'input.x >' },
    ].map((it) => JSON.parse(JSON.stringify(it)) as object),
  })
  assert.deepEqual(
    faults.map(({ path }) => path),
    ['/observers', '/transitions/0/pre_actions', '/transitions/1/trigger/kind', '/transitions/2/guard'],
  )
})

test.run()
