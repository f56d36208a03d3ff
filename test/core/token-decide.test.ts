/*
 * Goal: what the vectors of ops do not show: what a fallen bond does to a token, and when a lock stands.
 * Method: rows and ticks around each bound.
 */
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { immovable, type TokenRow, withheld } from '#core/token/decide.ts'
import { lockAt } from '#core/token/state.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core: what an op does to a token')

const row: TokenRow = {
  ...{ token_id: '0'.repeat(32), owner: 'zid1a', soulbound: false, spend_seq: 4 },
  lock: { kind: 'vote', ref: 'p', until: 100 },
}

test('a lock stands below its tick, and is void from it on', () => {
  assert.deepEqual(lockAt(row.lock, 99), row.lock)
  assert.equal(lockAt(row.lock, 100), null)
  assert.equal(lockAt(null, 0), null)
  assert.deepEqual([immovable(row, 99), immovable(row, 100)], ['locked', undefined])
  assert.equal(immovable({ ...row, soulbound: true }, 100), 'soulbound')
})

test('what is withheld stays so: no tick and no second ruling changes it', () => {
  const fallen = withheld(row, 'ruling')
  assert.deepEqual(fallen, { ...row, lock: { kind: 'withheld', ref: 'ruling', until: null }, spend_seq: 5 })
  assert.equal(immovable(fallen, Number.MAX_SAFE_INTEGER), 'locked')
  assert.throws(
    () => withheld(fallen, 'again'),
    (cause) => cause instanceof Fault && cause.code === 'ENVELOPE_LOCKED',
  )
})

test.run()
