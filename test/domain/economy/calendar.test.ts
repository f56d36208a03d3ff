/*
 * Goal: days and months are those of UTC. Method: the platform's own calendar, which only tests may ask, judges
 * instants from 1970 to 2500.
 */
import assert from 'node:assert/strict'
import { meshTickStart } from '#core/tick.ts'
import { dayOf, dayPeriod, hourPeriod, monthOf } from '#domain/economy/calendar.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('economy: calendar')
const MS_MAX = 16_725_225_600_000

test('days and months agree with the platform', () => {
  const random = seeded()
  const edges = [0, 951_782_400_000, 951_868_799_999, 4_107_542_400_000, 1_709_164_800_000]
  for (const ms of [...edges, ...Array.from({ length: 2_000 }, () => random.integer(0, MS_MAX / 1_000) * 1_000)]) {
    const iso = new Date(ms).toISOString()
    assert.equal(dayOf(BigInt(ms) * 1_000_000n), iso.slice(0, 10))
    assert.equal(monthOf(BigInt(ms) * 1_000_000n), iso.slice(0, 7))
  }
})

test('a period ends after all of its instants, and the next one begins there', () => {
  const random = seeded()
  for (const [period, lengthNs] of [
    [dayPeriod, 86_400_000_000_000n],
    [hourPeriod, 3_600_000_000_000n],
  ] as const) {
    for (let i = 0; i < 500; i++) {
      const instant = BigInt(random.integer(0, MS_MAX)) * 1_000_000n
      const end = (instant / lengthNs + 1n) * lengthNs
      const { endMeshTick, secondsLeft } = period(instant)
      assert.ok(meshTickStart(endMeshTick) >= end)
      assert.ok(secondsLeft > 0 && BigInt(secondsLeft) * 1_000_000_000n >= end - instant)
      assert.notEqual(period(end).endMeshTick, endMeshTick)
      assert.equal(period(end - 1n).endMeshTick, endMeshTick)
    }
  }
})

test.run()
