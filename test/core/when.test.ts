/**
 * Goal: *When* of protocol.md is what the page says, at every edge; and the bounded lists of cosignatures that it reads
 * never make an event look earlier than it was, never depend on the order in which cosignatures came, and are exact
 * while a window is open. Method: edges by hand; drawn cosignatures, of honest witnesses and of ones that contradict
 * themselves, kept in drawn orders and held against a plain search over all of them.
 */
import assert from 'node:assert/strict'
import { COSIGNED_POINTS_MAX, type CosignedPoint, coarsened, firstCover } from '#core/cosigned.ts'
import { meshTickStart } from '#core/tick.ts'
import { type Happening, happenedAt, LATE_TICKS, meshTickOfSecond } from '#core/when.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core: when')
const random = seeded()

/** A second, and the mesh tick that it begins in. */
const SECOND = 1_795_000_000
const AT = meshTickOfSecond(SECOND)

const when = (tick: number, more: Partial<Parameters<typeof happenedAt>[0]> = {}): Happening =>
  happenedAt({ tick, named: [], cosigned: SECOND, witnesses: true, ...more })
const at = (tick: number): Happening => ({ at: tick, mark: null })

test('a second is the mesh tick that it begins in: floor(second · 10^9 / TICK_NS)', () => {
  assert.equal(AT, 2_310_165_000)
  assert.ok(meshTickStart(AT) <= BigInt(SECOND) * 1_000_000_000n)
  assert.ok(meshTickStart(AT + 1) > BigInt(SECOND) * 1_000_000_000n)
})

test('an event happened at its own tick, but no later than its first cosignature', () => {
  assert.deepEqual(when(AT - 1), at(AT - 1))
  assert.deepEqual(when(AT), at(AT))
  assert.deepEqual(when(AT + 1), at(AT))
})

test('more than 120 ticks apart, either way, the cosignature counts, and the event is late', () => {
  assert.equal(LATE_TICKS, 120)
  assert.deepEqual(when(AT - 120), at(AT - 120))
  assert.deepEqual(when(AT - 121), { at: AT, mark: 'late' })
  assert.deepEqual(when(AT + 120), at(AT))
  assert.deepEqual(when(AT + 121), { at: AT, mark: 'late' })
})

test('it did not happen before what it names, and still no later than its cosignature', () => {
  assert.deepEqual(when(AT - 50, { named: [at(AT - 60), at(AT - 20), at(AT - 30)] }), at(AT - 20))
  assert.deepEqual(when(AT - 50, { named: [{ at: AT + 7, mark: 'late' }] }), at(AT))
  assert.deepEqual(when(AT - 121, { named: [at(AT - 60)] }), { at: AT, mark: 'late' })
})

test('without a cosignature it is pending; what names a pending event is, unless its cosignature decides alone', () => {
  assert.equal(when(AT, { cosigned: undefined }), 'pending')
  assert.equal(when(AT - 5, { named: ['pending'] }), 'pending')
  assert.equal(when(AT - 5, { named: [at(AT - 3), 'pending'] }), 'pending')
  assert.deepEqual(when(AT - 5, { named: [at(AT + 3), 'pending'] }), at(AT))
  assert.deepEqual(when(AT + 5, { named: ['pending'] }), at(AT))
  assert.deepEqual(when(AT - 121, { named: ['pending'] }), { at: AT, mark: 'late' })
})

test('without witnesses in the policy the own tick counts, and is marked so', () => {
  const open = { witnesses: false, cosigned: undefined }
  assert.deepEqual(when(AT, open), { at: AT, mark: 'unwitnessed' })
  assert.deepEqual(when(AT, { ...open, named: [{ at: AT + 9, mark: 'unwitnessed' }] }), {
    at: AT + 9,
    mark: 'unwitnessed',
  })
  assert.equal(when(AT, { ...open, named: ['pending'] }), 'pending')
})

/** Cosignatures of a log that grows now fast, now slowly; a liar's sizes and seconds are in no order. */
const drawn = (count: number, honest: boolean): readonly CosignedPoint[] => {
  let [size, seconds] = [0, SECOND]
  return Array.from({ length: count }, () => {
    if (!honest) return { size: random.integer(1, 4 * count), seconds: SECOND + random.integer(0, 200_000) }
    size += random.integer(1, 3)
    seconds += random.integer(0, 9) === 0 ? random.integer(0, 5_000) : random.integer(0, 3)
    return { size, seconds }
  })
}

const newestOf = (points: readonly CosignedPoint[]): number => Math.max(...points.map((it) => it.seconds))

const shuffled = <T>(items: readonly T[]): T[] =>
  items
    .map((it) => [random.next(), it] as const)
    .sort(([a], [b]) => a - b)
    .map(([, it]) => it)

/** Keeps points as they come, a few at a time. */
const keptOneByOne = (points: readonly CosignedPoint[]): readonly CosignedPoint[] => {
  let [kept, newest]: [readonly CosignedPoint[], number] = [[], 0]
  for (let done = 0; done < points.length; ) {
    const some = points.slice(done, done + random.integer(1, 40))
    newest = Math.max(newest, newestOf(some))
    kept = coarsened([...kept, ...some], newest)
    done += some.length
  }
  return kept
}

const exactCover = (points: readonly CosignedPoint[], leaf: number): number | undefined => {
  const covering = points.filter((it) => it.size > leaf).map((it) => it.seconds)
  return covering.length === 0 ? undefined : Math.min(...covering)
}

for (const honest of [true, false]) {
  const who = honest ? 'an honest witness' : 'a witness that contradicts itself'
  test(`${who}: the list is the same in whatever order it came, and never looks earlier`, () => {
    for (let round = 0; round < 12; round++) {
      const points = drawn(600, honest)
      const newest = newestOf(points)
      const whole = coarsened(points, newest)
      assert.deepEqual(coarsened(whole, newest), whole)
      for (let i = 0; i < 3; i++) assert.deepEqual(keptOneByOne(shuffled(points)), whole)
      for (const [i, { size, seconds }] of whole.entries()) {
        const before = whole[i - 1]
        assert.ok(before === undefined || (before.size < size && before.seconds < seconds))
      }
      for (let leaf = 0; leaf <= newest - SECOND && leaf < 2_500; leaf++) {
        const [exact, kept] = [exactCover(points, leaf), firstCover(whole, leaf)]
        // A liar's largest tree may lie in a cell with an earlier one; what was covered stays covered.
        assert.equal(kept === undefined, exact === undefined)
        if (exact === undefined || kept === undefined) continue
        assert.ok(kept >= exact, `leaf ${leaf}: ${kept} is earlier than ${exact}`)
        assert.ok(kept - exact <= Math.max(0, (newest - exact) / 1_024), `leaf ${leaf}: ${kept - exact} s late`)
        if (newest - exact < 2_046) assert.equal(kept, exact)
      }
    }
  })
}

test('a log that is signed in every second of a day keeps to its bound, and its last half hour is exact', () => {
  const day = Array.from({ length: 86_400 }, (_, i) => ({ size: i + 1, seconds: SECOND + i }))
  const kept = coarsened(day, SECOND + 86_399)
  assert.ok(kept.length < 2_048 + 6 * 1_030, `${kept.length} points`)
  assert.ok(kept.length < COSIGNED_POINTS_MAX)
  assert.equal(firstCover(kept, 86_399 - 2_000), SECOND + 86_399 - 2_000)
  assert.equal(firstCover(kept, 86_400), undefined)
})

test.run()
