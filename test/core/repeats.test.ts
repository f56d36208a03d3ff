// Goal: a flood is told a few times and counted, nothing is lost from the count, and memory stays bounded.
// Method: a clock in the test's hand.
import assert from 'node:assert/strict'
import { createRepeats, OTHERS } from '#core/repeats.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/repeats')

test('the first few are told, the rest is counted and told once when the window is over', () => {
  const it = createRepeats({ timesMax: 2, windowMs: 100, keysMax: 8 })
  assert.deepEqual(
    [0, 1, 2, 99].map((at) => it.admit('a', at)),
    [true, true, false, false],
  )
  assert.deepEqual(it.over(99), [])
  assert.deepEqual(it.over(100), [['a', 2]])
  assert.deepEqual(it.over(100), [])
  assert.equal(it.admit('a', 101), true)
})

test('keys have windows of their own; those beyond the places share one', () => {
  const it = createRepeats({ timesMax: 1, windowMs: 100, keysMax: 2 })
  assert.deepEqual(
    ['a', 'b', 'c', 'd', 'a'].map((key) => it.admit(key, 0)),
    [true, true, true, false, false],
  )
  assert.deepEqual(it.over(100), [
    ['a', 1],
    [OTHERS, 1],
  ])
})

test('whatever comes: what was told and what was counted is all there was, over any run', () => {
  const random = seeded()
  const it = createRepeats({ timesMax: 3, windowMs: 50, keysMax: 5 })
  let [told, counted, now] = [0, 0, 0]
  const calls = 20_000
  for (let i = 0; i < calls; i++) {
    now += Math.floor(random.next() * 4)
    if (it.admit(`k${Math.floor(random.next() * 40)}`, now)) told += 1
    if (random.next() < 0.01) for (const [, times] of it.over(now)) counted += times
  }
  for (const [, times] of it.over(now + 50)) counted += times
  assert.equal(told + counted, calls)
})

test.run()
