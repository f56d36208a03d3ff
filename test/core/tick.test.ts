// Goal: ticks, prices and the catalogue of refusals say what the specification says. Method: fixed points, and random
// instants against exact integer arithmetic.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { momentAt } from '#core/clock.ts'
import { Fault, faults } from '#core/fault.ts'
import { OPERATORS_MAX, price } from '#core/price.ts'
import { genesisAtOrAfter, meshTickAt, meshTickStart, PULSE_MILLIHZ, phaseAt, TICK_NS } from '#core/tick.ts'
import { seed } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/tick')

test('the period is exact, and its product with the pulse is one to a part in 10^12', () => {
  assert.equal(TICK_NS, 777_000_777n)
  assert.equal(TICK_NS * PULSE_MILLIHZ, 999_999_999_999n)
})

test('any instant lies in its tick, and all nodes share the boundaries', () => {
  fc.assert(
    fc.property(fc.bigInt({ min: 0n, max: 4_000_000_000_000_000_000n }), fc.nat(1_000_000), (instant, back) => {
      const meshTick = meshTickAt(instant)
      assert.ok(meshTickStart(meshTick) <= instant && instant < meshTickStart(meshTick + 1))
      const phase = phaseAt(instant)
      assert.ok(phase >= 0 && phase < 1)
      assert.equal(phaseAt(meshTickStart(meshTick)), 0)
      const genesis = genesisAtOrAfter(instant)
      assert.ok(meshTickStart(genesis) >= instant && meshTickStart(genesis) - instant < TICK_NS)
      const born = Math.max(0, meshTick - back)
      assert.deepEqual(momentAt(instant, born), { instant, meshTick, phase, tick: meshTick - born })
    }),
    { seed },
  )
  assert.equal(genesisAtOrAfter(meshTickStart(5)), 5)
  assert.throws(() => meshTickAt(-1n), /invariant/)
})

test('prices are 3, 5 and 6', () => {
  assert.deepEqual([1, 2, OPERATORS_MAX].map(price), [3, 5, 6])
  for (const count of [0, 4, 1.5]) assert.throws(() => price(count), /invariant/)
})

test('a fault carries its code, a sentence and what it is given', () => {
  for (const [code, row] of Object.entries(faults)) {
    assert.match(code, /^[A-Z]+(_[A-Z]+)*$/)
    assert.ok(row.status >= 400 && row.status < 600)
    assert.match(row.title, /\.$/)
  }
  const fault = new Fault('INSUFFICIENT_BALANCE', undefined, { price: 3 })
  assert.equal(fault.message, faults.INSUFFICIENT_BALANCE.title)
  assert.deepEqual(fault.details, { price: 3 })
  assert.ok(fault instanceof Error)
  assert.equal(new Fault('NOT_FOUND', 'No such token.').message, 'No such token.')
})

test.run()
