// Goal: lengths of time in one another are right. Method: each against the others and the calendar.
import assert from 'node:assert/strict'
import {
  MS_PER_MINUTE,
  MS_PER_SECOND,
  msOf,
  NS_PER_DAY,
  NS_PER_HOUR,
  NS_PER_MS,
  NS_PER_SECOND,
  SECONDS_PER_DAY,
  SECONDS_PER_HOUR,
  secondsOf,
} from '#core/time.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/time')

test('a day has 24 hours of 60 minutes of 60 seconds of 1,000 milliseconds of a million nanoseconds', () => {
  assert.equal(NS_PER_DAY, 24n * NS_PER_HOUR)
  assert.equal(NS_PER_HOUR, 60n * 60n * NS_PER_SECOND)
  assert.equal(NS_PER_SECOND, 1_000n * NS_PER_MS)
  assert.equal(NS_PER_MS, 1_000_000n)
  assert.deepEqual([SECONDS_PER_DAY, SECONDS_PER_HOUR], [24 * SECONDS_PER_HOUR, 60 * 60])
  assert.deepEqual([MS_PER_MINUTE, MS_PER_SECOND], [60 * MS_PER_SECOND, 1_000])
})

test('a span is as long in any unit', () => {
  const day = (Date.UTC(2026, 10, 23) - Date.UTC(2026, 10, 22)) / 1_000
  assert.deepEqual([secondsOf(NS_PER_DAY), msOf(NS_PER_DAY)], [day, day * 1_000])
  assert.deepEqual([secondsOf(1_500_000_000n), msOf(1_500_000n), secondsOf(-1n), msOf(0n)], [1.5, 1.5, -1e-9, 0])
})

test.run()
