// Goal: the class of a refusal says what it is about, and so what is to be done: sets that the node derives from it
// must hold what they are for. Method: classes held against the statuses, which were fixed before them.
import assert from 'node:assert/strict'
import { codesOf, type FaultClass, type FaultCode, faults } from '#core/fault.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/fault')

const codes = Object.keys(faults) as FaultCode[]
const withStatus = (...statuses: readonly number[]) => codes.filter((it) => statuses.includes(faults[it].status))

test('classes part the table', () => {
  const classes: readonly FaultClass[] = ['caller', 'state', 'gate', 'commit', 'node']
  assert.deepEqual(classes.flatMap((it): readonly string[] => codesOf(it)).sort(), [...codes].sort())
})

test('the gate refuses by 422 and nothing else does; 503 is of the node or of its log', () => {
  assert.deepEqual(codesOf('gate'), withStatus(422))
  assert.deepEqual([...codesOf('commit'), ...codesOf('node')], withStatus(503))
  // Held until the clock, or the witnesses, have spoken; or for good.
  assert.deepEqual(codesOf('commit'), ['CLOCK_BEHIND', 'LOG_ROLLED_BACK', 'LOG_UNCONFIRMED'])
})

test('what the header and the body of a call are refused for is the caller’s', () => {
  for (const code of withStatus(400, 401, 403, 405, 406, 413, 415, 421, 431)) assert.equal(faults[code].class, 'caller')
  for (const code of withStatus(402, 409, 410, 429)) assert.equal(faults[code].class, 'state')
})

test('the same call may succeed later where only time lacks, and nowhere else', () => {
  // These need a person: a log to be given up, a secret to be set, a disk to be mended.
  const forGood: readonly FaultCode[] = ['LOG_ROLLED_BACK', 'MESH_SECRET_MISSING', 'STORE_FAILED']
  // Of conflicts those that end by themselves.
  const passing: readonly FaultCode[] = [
    'IDEMPOTENCY_IN_PROGRESS',
    'REACTOR_BUSY',
    'NOT_SEALED_YET',
    'BOND_FULL',
    'CONTRACT_FIRING',
  ]
  const due = [...withStatus(408, 429, 503).filter((it) => !forGood.includes(it)), ...passing]
  assert.deepEqual(codes.filter((it) => faults[it].retryable).sort(), due.sort())
})

test.run()
