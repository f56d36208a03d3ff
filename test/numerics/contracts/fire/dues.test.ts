// Goal: what is due is due once, in the right tick, and what was missed is counted. Method: hand-made instants for each
// kind of trigger; random standings against a walk over all instants.
import assert from 'node:assert/strict'
import type { ContractStanding } from '#core/contract/standing.ts'
import { TICK_NS } from '#core/tick.ts'
import { beginning } from '#numerics/contracts/fire/beginning.ts'
import { decide } from '#numerics/contracts/fire/decide.ts'
import {
  decidedTick,
  duesBetween,
  duesPaused,
  entering,
  jitterOf,
  nextDue,
  nextDues,
} from '#numerics/contracts/fire/dues.ts'
import type { ReadyContract } from '#numerics/contracts/fire/ready.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { CONTRACT, NOW, readyOf } from './drawn.ts'

const test = suite('contracts/fire/dues')

const withTriggers = (...triggers: readonly object[]): ReadyContract =>
  readyOf({
    v: 1,
    name: 'due',
    states: { a: { initial: true }, b: {} },
    transitions: triggers.map((trigger, i) => ({ id: `t${i}`, from: 'a', to: 'a', trigger })),
  })
const startOf = (ready: ReadyContract, tick = NOW): ContractStanding => beginning(ready, CONTRACT, tick)
const idOf = (ready: ReadyContract, i = 0): string => [...ready.triggers.keys()][i] ?? ''

/** The mesh tick that holds a second. */
const tickOf = (second: number): number => Number((BigInt(second) * 1_000_000_000n) / TICK_NS)
const MINUTE = 1_800_000_000

test('a civil instant is decided in the tick after the one that holds its second, a tick in itself', () => {
  const ready = withTriggers(
    { kind: 'cron', expression: '* * * * *' },
    { kind: 'one_shot', at_unix: MINUTE + 1 },
    { kind: 'one_shot', at_tick: tickOf(MINUTE) + 9 },
    { kind: 'recurring', every_ticks: 1_000, phase: 700 },
    { kind: 'after', ticks: 5 },
  )
  const standing = startOf(ready, tickOf(MINUTE))
  const dues = nextDues(ready, standing, { armedTick: 0, countMax: 5 })
  const after = tickOf(MINUTE)
  assert.deepEqual(
    dues.map(({ kind, due, tick }) => [kind, due, tick]),
    [
      ['cron', MINUTE, after + 1],
      ['one_shot', MINUTE + 1, tickOf(MINUTE + 1) + 1],
      ['after', after + 5, after + 5],
      ['one_shot', after + 9, after + 9],
      ['cron', MINUTE + 60, tickOf(MINUTE + 60) + 1],
    ].toSorted((a, b) => Number(a[2]) - Number(b[2])),
  )
  const recurring = nextDues(ready, standing, { armedTick: 0, countMax: 100 }).find(({ kind }) => kind === 'recurring')
  assert.equal((recurring?.due ?? 0) % 1_000, 700)
})

test('only triggers of the present state are due, after their mark, the entry and the start', () => {
  const ready = withTriggers({ kind: 'recurring', every_ticks: 10 })
  const standing = startOf(ready, 100)
  const dueOf = (more: Partial<ContractStanding>, armedTick = 0) =>
    nextDue(ready, { ...standing, ...more }, armedTick)?.due
  assert.equal(dueOf({}), 110)
  assert.equal(dueOf({ marks: { [idOf(ready)]: 120 } }), 130)
  assert.equal(dueOf({}, 119), 120)
  assert.equal(dueOf({}, 120), 130)
  assert.equal(
    entering(ready, { ...standing, state: 'b' }, { state: 'a', fire: 'f', tick: 125 }).marks[idOf(ready)],
    125,
  )
  assert.equal(dueOf({ state: 'b' }), undefined)
  assert.equal(dueOf({ state: 'nowhere' }), undefined)
})

test('a time in a state is over once for each entry, and runs on while the contract is paused', () => {
  const ready = withTriggers({ kind: 'after', ticks: 5 })
  const standing = startOf(ready, 100)
  assert.equal(nextDue(ready, standing, 500)?.tick, 105)
  assert.equal(nextDue(ready, { ...standing, marks: { [idOf(ready)]: 105 } }, 0), undefined)
  const again = { ...standing, entered: { fire: 'f', tick: 103 }, marks: { [idOf(ready)]: 105 } }
  assert.equal(nextDue(ready, again, 0)?.tick, 108)
  assert.deepEqual(duesPaused(ready, standing, { armedTick: 0, until: 900 }), [])
  assert.equal(duesBetween(ready, standing, { armedTick: 0, until: 900 })[0]?.dues[0]?.due, 105)
})

test('of two triggers in one tick the civil one comes first, then the lower name', () => {
  const both = withTriggers(
    { kind: 'one_shot', at_tick: tickOf(MINUTE) + 1 },
    { kind: 'one_shot', at_tick: tickOf(MINUTE) + 1, overlap: 'replace' },
    { kind: 'cron', expression: '* * * * *' },
  )
  const [first, second, third] = nextDues(both, startOf(both, tickOf(MINUTE)), { armedTick: 0, countMax: 3 })
  assert.equal(first?.kind, 'cron')
  assert.ok((second?.trigger ?? '') < (third?.trigger ?? ''))
})

test('every instant up to a tick is decided or missed, as catchUp has it', () => {
  const random = seeded()
  for (let i = 0; i < 120; i += 1) {
    const mode = random.pick(['none', 'one', 'all'] as const)
    const catchUp = { mode, window: random.pick([1, 50, 500, 5_000]), max: random.integer(1, 9) }
    const trigger = random.pick([
      { kind: 'recurring', every_ticks: random.integer(1, 90), phase: 0, catchUp },
      { kind: 'cron', expression: random.pick(['* * * * *', '*/7 3,4 * * *', '0 * * * 2']), catchUp },
      { kind: 'one_shot', at_tick: NOW + random.integer(-5, 99), catchUp },
    ])
    const ready = withTriggers(trigger)
    const standing = startOf(ready)
    const until = NOW + random.integer(0, 9_000)
    const walked = nextDues(ready, standing, { armedTick: 0, countMax: 10_000 }).filter(({ tick }) => tick <= until)
    const [found] = duesBetween(ready, standing, { armedTick: 0, until })
    const count = mode === 'all' ? catchUp.max : 1
    const wanted = walked.slice(-count).filter(({ tick }) => tick >= (mode === 'none' ? until : until - catchUp.window))
    const missed = walked.slice(0, walked.length - wanted.length)
    assert.deepEqual(found?.dues ?? [], wanted)
    const [from, to] = [missed[0]?.due, missed.at(-1)?.due]
    assert.deepEqual(found?.missed, missed.length === 0 ? undefined : { from, to, count: missed.length })
    const [paused] = duesPaused(ready, standing, { armedTick: 0, until })
    const all = { trigger: idOf(ready), from: walked[0]?.due, to: walked.at(-1)?.due, count: walked.length }
    assert.deepEqual(paused, walked.length === 0 ? undefined : all)
  }
}, 20_000)

test('jitter comes of the name of the fire', () => {
  const [plain, late] = [
    withTriggers({ kind: 'cron', expression: '* * * * *' }),
    withTriggers({ kind: 'recurring', every_ticks: 90, jitter: 38 }),
  ]
  const of = (ready: ReadyContract, fire: string): number => {
    const it = ready.triggers.get(idOf(ready))
    assert.ok(it)
    assert.equal(decidedTick(it, 1_000) > 0, true)
    return jitterOf(it, fire)
  }
  assert.equal(of(plain, 'ffffffff00'), 0)
  assert.equal(of(late, 'ffffffff00'), 0xffffffff % 39)
  assert.equal(of(late, '0000002700'), 0)
})

test('a fire that is late loses no instant that came meanwhile, and a state that is entered begins to count', () => {
  const tick = { kind: 'recurring', every_ticks: 1, catchUp: { mode: 'all' } }
  const other = { kind: 'recurring', every_ticks: 2 }
  const ready = readyOf({
    v: 1,
    name: 'late',
    states: { a: { initial: true }, b: {} },
    transitions: [
      { id: 'stay', from: ['a', 'b'], to: 'a', trigger: tick },
      { id: 'go', from: 'b', to: 'a', trigger: other },
    ],
  })
  const begun = beginning(ready, CONTRACT, NOW)
  const stayed = decide(
    ready,
    begun,
    {
      ...{ fire: 'f'.repeat(64), cause: { trigger: '', due: NOW + 1 }, tick: NOW + 5, due: NOW + 1, attempt: 0 },
      ...{ of: { kind: 'trigger', trigger: ready.transitions.get('stay')?.trigger ?? '' }, readings: {} },
    },
    [],
  )
  assert(stayed.kind === 'fired')
  assert.deepEqual([stayed.after.entered.tick, nextDue(ready, stayed.after, NOW)?.due], [NOW + 5, NOW + 2])
  const moved = entering(ready, stayed.after, { state: 'b', fire: 'e'.repeat(64), tick: NOW + 5 })
  const dues = duesBetween(ready, moved, { armedTick: NOW, until: NOW + 8 }).map(({ trigger, dues: all }) => [
    trigger,
    all.map(({ due }) => due),
  ])
  const even = (NOW + 7) % 2 === 0 ? NOW + 7 : NOW + 8
  assert.deepEqual(
    new Map(dues as [string, number[]][]),
    new Map([
      [ready.transitions.get('stay')?.trigger ?? '', Array.from({ length: 7 }, (_, i) => NOW + 2 + i)],
      [ready.transitions.get('go')?.trigger ?? '', [even]],
    ]),
  )
})

test.run()
