/**
 * Goal: judging gossip leaves the node time for its ticks, however much of it neighbours send. Method: a clock that
 * each judgement moves on.
 */
import assert from 'node:assert/strict'
import { createPatience } from '#mesh/patience.ts'
import { fixedClock, START } from '../kit/clock.ts'
import { suite } from '../kit/suite.ts'

const test = suite('mesh: patience')
const MS = 1_000_000n

test('one neighbour has a part of a tick, all together have more, and the next tick begins anew', () => {
  const clock = fixedClock()
  let now = START
  const patience = createPatience({ ...clock, now: () => now })
  const judged = (neighbour: string, ms: bigint): boolean =>
    patience.spend(neighbour, () => {
      now += ms * MS
      return true
    }) === true
  const many = (neighbour: string): number => {
    let count = 0
    while (count < 1_000 && judged(neighbour, 10n)) count += 1
    return count
  }
  assert.equal(many('a'), 20)
  assert.equal(many('b'), 20)
  assert.equal(many('c'), 0, 'nothing is left of this tick')
  clock.advanceTicks(1)
  now = clock.now()
  assert.equal(many('c'), 20)
  assert.ok(judged('a', 10n))
})

test('what fails has used its time, too', () => {
  let now = START
  const patience = createPatience({ ...fixedClock(), now: () => now })
  const fails = (): never => {
    now += 300n * MS
    throw new Error('it failed')
  }
  assert.throws(() => patience.spend('a', fails), /it failed/)
  assert.equal(
    patience.spend('a', () => 1),
    undefined,
  )
})

test.run()
