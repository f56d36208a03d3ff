// Goal: days are civil dates and back, before 1970 too. Method: the engine's own Date, over drawn days and every day of
// two of the calendar's turns.
import assert from 'node:assert/strict'
import { civilOf, daysOf } from '#core/civil.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/civil')
const random = seeded()

const MS_PER_DAY = 86_400_000
/** 1 January of the years 1 and 9999. */
const [FIRST, LAST] = [-719_162, 2_932_532]

test('a day has the date that the engine gives it, and a date its day', () => {
  const turns = [1900, 1970, 2000, 2024, 2100].map((year) => Date.UTC(year, 0, 1) / MS_PER_DAY)
  const days = [
    ...turns.flatMap((day) => Array.from({ length: 800 }, (_, i) => day - 400 + i)),
    ...Array.from({ length: 2_000 }, () => random.integer(FIRST, LAST)),
  ]
  for (const day of days) {
    const date = new Date(day * MS_PER_DAY)
    const wanted = { year: date.getUTCFullYear(), month: date.getUTCMonth() + 1, day: date.getUTCDate() }
    assert.deepEqual(civilOf(day), wanted, String(day))
    assert.equal(daysOf(wanted.year, wanted.month, wanted.day), day)
  }
})

test.run()
