// Goal: time never falls, follows what a suspend or an adjustment did to the wall clock, and does not believe nonsense.
// Method: a wall and a monotonic clock that the test moves apart.
import assert from 'node:assert/strict'
import { isoOf } from '#core/iso.ts'
import { TICK_NS } from '#core/tick.ts'
import { nodeClock } from '#node/clock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('node/clock')

const MS = 1_000_000n
const DAY = 86_400_000n * MS

const clocks = () => {
  let wall = 1_800_000_000_000n * MS
  let monotonic = 5n * MS
  const clock = nodeClock({ wall: () => wall, monotonic: () => monotonic })
  return {
    clock,
    run: (ns: bigint): void => {
      wall += ns
      monotonic += ns
    },
    step: (ns: bigint): void => {
      wall += ns
    },
  }
}

test('it runs with the monotonic clock, from where the wall clock was', () => {
  const { clock, run } = clocks()
  assert.equal(clock.now(), 1_800_000_000_000n * MS)
  run(123n)
  assert.equal(clock.now(), 1_800_000_000_000n * MS + 123n)
  assert.deepEqual(clock.compare(), { kind: 'steady' })
})

test('a forward step of two ticks to a day is followed and is a jump', () => {
  for (const step of [2n * TICK_NS, 3_600_000n * MS, DAY]) {
    const { clock, step: move } = clocks()
    const before = clock.now()
    move(step)
    assert.equal(clock.now(), before)
    const verdict = clock.compare()
    assert.deepEqual(verdict, { kind: 'followed', jump: { stepNs: step, before, after: before + step } })
    assert.equal(clock.now(), before + step)
    assert.deepEqual(clock.compare(), { kind: 'steady' })
    assert.equal(clock.broken(), undefined)
  }
})

test('a smaller one is followed without a jump; reading noise is not followed', () => {
  const { clock, step } = clocks()
  const before = clock.now()
  step(10n * MS)
  assert.deepEqual(clock.compare(), { kind: 'steady' })
  assert.equal(clock.now(), before)
  step(990n * MS)
  assert.deepEqual(clock.compare(), { kind: 'steady' })
  assert.equal(clock.now(), before + 1000n * MS)
})

test('a longer step is not believed until a restart', () => {
  const { clock, step, run } = clocks()
  const before = clock.now()
  step(DAY + 1n)
  assert.equal(clock.compare().kind, 'refused')
  assert.match(clock.broken() ?? '', /86400 s/)
  run(1000n * MS)
  assert.deepEqual(clock.compare(), { kind: 'steady' })
  assert.equal(clock.now(), before + 1000n * MS)
  assert.notEqual(clock.broken(), undefined)
})

test('a backward step is never followed', () => {
  const { clock, step, run } = clocks()
  const before = clock.now()
  step(-3_600_000n * MS)
  assert.equal(clock.compare().kind, 'backward')
  run(7n)
  assert.equal(clock.now(), before + 7n)
  step(3_600_000n * MS)
  assert.deepEqual(clock.compare(), { kind: 'steady' })
})

test('whatever the wall clock does, time never falls', () => {
  const random = seeded()
  const { clock, step, run } = clocks()
  let last = clock.now()
  for (let i = 0; i < 2000; i++) {
    if (random.next() < 0.3) step(BigInt(random.integer(-5000, 5000)) * MS)
    run(BigInt(random.integer(0, 2000)) * MS)
    clock.compare()
    const now = clock.now()
    assert(now >= last)
    last = now
  }
})

test('ISO 8601 of an instant, over the years', () => {
  const random = seeded()
  for (let i = 0; i < 5000; i++) {
    const ms = random.next() * 253_402_300_799_999
    const whole = BigInt(ms.toFixed(0))
    assert.equal(isoOf(whole * MS + 999_999n), new Date(Number(whole)).toISOString())
  }
  assert.equal(isoOf(0n), '1970-01-01T00:00:00.000Z')
  assert.equal(isoOf(951_782_400_000n * MS), '2000-02-29T00:00:00.000Z')
})

test.run()
