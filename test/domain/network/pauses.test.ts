/**
 * Goal: what came to nothing is tried again after its pause and not before, and what is over is forgotten. Method:
 * names and ticks by hand, and many names over many ticks.
 */
import assert from 'node:assert/strict'
import { createPauses } from '#domain/network/pauses.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('network: pauses')

test('something is tried again when its pause is over', () => {
  const pauses = createPauses(15)
  const tried = (tick: number): boolean => !pauses.isSoon('look one', tick)
  assert.deepEqual(
    [tried(100), tried(100), tried(114), tried(115), tried(129), tried(130)],
    [...[true, false, false, true, false, true]],
  )
  assert.equal(pauses.isSoon('look two', 130), false, 'each has its own')
})

test('no more is remembered than was tried within a pause', () => {
  const pauses = createPauses(15)
  for (let tick = 0; tick < 2_000; tick += 1) {
    for (const what of ['look', 'check']) assert.equal(pauses.isSoon(`${what} ${tick}`, tick), false)
    assert.ok(pauses.size <= 30, `${pauses.size} are remembered`)
  }
})

test.run()
