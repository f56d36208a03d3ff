/*
 * Goal: the ladder and the measure of work are those of the protocol. Method: the rungs in a table, bytes and nonces
 * whose leading zeros are counted by hand, and the golden challenges, of which each is taken or refused as it says.
 */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { fromHex } from '#core/bytes.ts'
import { leadingZeroBits, searchWork, workOf } from '#core/proof-of-work.ts'
import {
  bitsAfter,
  type ChallengeTerms,
  challengeText,
  createProofOfWork,
  type WorkFor,
} from '#domain/identity/proof-of-work.ts'
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

interface Golden {
  readonly name: string
  readonly terms: ChallengeTerms
  readonly challenge: string
  readonly nonce: string
  readonly sha256: string
  readonly given: number
  readonly asked: WorkFor
  readonly mesh_tick: number
  readonly refused: Readonly<Record<string, unknown>> | null
}

test('golden challenges: the bytes, the work, and what is said of each', async () => {
  const file = new URL('../../../protocols/vectors/proof-of-work.json', import.meta.url)
  const { secret, cases } = JSON.parse(readFileSync(file, 'utf8')) as { secret: string; cases: readonly Golden[] }
  const key = fromHex(secret)
  const own = createProofOfWork(key)
  for (const { name, terms, challenge, nonce, sha256, given, asked, mesh_tick, refused } of cases) {
    // The bytes are put together by hand once more.
    const body = Buffer.from(JSON.stringify(terms, Object.keys(terms).sort())).toString('base64url')
    assert.equal(challenge.split('.')[0], body, name)
    assert.equal(challengeText(key, terms), challenge, name)
    const proof = createHash('sha256').update(`tickmesh/pow/1\n${challenge}\n${nonce}`).digest('hex')
    assert.deepEqual([proof, workOf(challenge, nonce)], [sha256, given], name)
    const check = () => own.check({ challenge, nonce }, asked, mesh_tick)
    if (refused === null)
      assert.deepEqual(check(), { random: terms.random, expires: terms.expires, machine: terms.machine })
    else assert.deepEqual(await refusal(check), { code: 'INVALID_INPUT', details: refused }, name)
  }
})

test('a challenge of an earlier release, which names no machine, is one of none', () => {
  const secret = new Uint8Array(32).fill(1)
  const terms = { account: 'sign-up', bucket: 'b', day: '2026-11-20', bits: 0, expires: 9, random: '00' }
  const asked = { account: 'sign-up', bucket: 'b', day: '2026-11-20' }
  const work = { challenge: challengeText(secret, terms), nonce: '1' }
  assert.equal(createProofOfWork(secret).check(work, { ...asked, machine: null }, 9).machine, null)
})

test('a search goes through its lane in order, carries, and meets no other lane', () => {
  const work = { challenge: 'challenge', bits: 0 }
  const nonces = (lane: number, count: number): readonly (string | undefined)[] => {
    const search = searchWork(work, lane)
    return Array.from({ length: count }, () => search.go(1))
  }
  const numbers = Array.from({ length: 1_101 }, (_, i) => 100 * 1e12 + i)
  assert.deepEqual(nonces(0, 1_101), numbers.map(String))
  assert.deepEqual(nonces(7, 2), ['107000000000000', '107000000000001'])
  const search = searchWork({ challenge: 'challenge', bits: 10 }, 3)
  const found = search.go(1 << 20)
  assert.ok(found !== undefined && workOf('challenge', found) >= 10)
  // Every nonce before it gives less.
  for (let n = 103 * 1e12; n < Number(found); n++) assert.ok(workOf('challenge', String(n)) < 10)
  assert.equal(search.tried, Number(found) - 103 * 1e12 + 1)
})

test.run()
