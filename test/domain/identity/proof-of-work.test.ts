/*
 * Goal: the ladder and the measure of work are those of the protocol. Method: the rungs in a table, and bytes and
 * nonces whose leading zeros are counted by hand.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { leadingZeroBits, workOf } from '#core/proof-of-work.ts'
import { bitsAfter, createProofOfWork } from '#domain/identity/proof-of-work.ts'
import { suite } from '../../kit/suite.ts'
import { refusal } from '../house.ts'

const test = suite('identity: proof of work')

test('18 bits up to 32 calls of an hour, one more per further 4, none after 64', () => {
  const table = [
    [0, 18],
    [31, 18],
    [32, 19],
    [35, 19],
    [36, 20],
    [63, 26],
    [64, undefined],
    [1_000, undefined],
  ] as const
  for (const [before, bits] of table) assert.equal(bitsAfter(before), bits, String(before))
})

test('leading zero bits, by hand', () => {
  assert.equal(leadingZeroBits(Uint8Array.of(0x80)), 0)
  assert.equal(leadingZeroBits(Uint8Array.of(0x01, 0xff)), 7)
  assert.equal(leadingZeroBits(Uint8Array.of(0, 0, 0x20)), 18)
  assert.equal(leadingZeroBits(new Uint8Array(32)), 256)
})

test('work is that of SHA-256 over purpose, challenge and nonce, line by line', () => {
  for (const nonce of ['0', '1', '12345']) {
    const hash = createHash('sha256').update(`tickmesh/pow/1\nchallenge\n${nonce}`).digest()
    const bits = [...hash].map((byte) => byte.toString(2).padStart(8, '0')).join('')
    assert.equal(workOf('challenge', nonce), bits.indexOf('1'))
  }
})

test('a challenge binds account, bucket and day, ends with its ticks, and cannot be made elsewhere', async () => {
  const [own, other] = [1, 2].map((n) => createProofOfWork(new Uint8Array(32).fill(n)))
  const asked = { account: 'sign-up', bucket: '192.0.2.1', day: '2026-11-20' }
  const { challenge, expires_mesh_tick } = own!.challenge(asked, 0, 1_000)
  assert.equal(expires_mesh_tick, 1_120)
  const work = { challenge, nonce: '7' }
  assert.equal(own!.check(work, asked, 1_120).expires, 1_120)
  assert.notEqual(own!.challenge(asked, 0, 1_000).challenge, challenge)
  const refused = [
    () => other!.check(work, asked, 1_000),
    () => own!.check(work, { ...asked, account: 'x' }, 1_000),
    () => own!.check(work, { ...asked, bucket: 'x' }, 1_000),
    () => own!.check(work, { ...asked, day: 'x' }, 1_000),
    () => own!.check(work, asked, 1_121),
    () => own!.check({ ...work, nonce: '-1' }, asked, 1_000),
    () => own!.check({ ...work, nonce: '1e3' }, asked, 1_000),
    () => own!.check({ ...work, challenge: `${challenge}.x` }, asked, 1_000),
    () => own!.check({ ...work, challenge: 'x'.repeat(5_000) }, asked, 1_000),
  ]
  for (const attempt of refused) assert.equal((await refusal(attempt)).code, 'INVALID_INPUT')
})

test.run()
