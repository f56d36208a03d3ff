/**
 * Goal: an add-checkpoint body is read as C2SP tlog-witness says, its rules are judged in that text's order, and
 * evidence of equivocation proves itself and nothing else. Method: logs in memory with keys of their own; expected
 * answers are written out from the specification; random bytes never do anything but be refused.
 */
import assert from 'node:assert/strict'
import Value from 'typebox/value'
import {
  ADD_CHECKPOINT_BYTES_MAX,
  addCheckpointBody,
  checkAddCheckpoint,
  PROOF_LINES_MAX,
  parseAddCheckpoint,
} from '#core/add-checkpoint.ts'
import { fromBase64, toBase64, utf8 } from '#core/bytes.ts'
import { parseAnyCheckpoint, signCheckpoint } from '#core/checkpoint.ts'
import { type EquivocationProof, equivocationOf, equivocationSchema, verifyEquivocation } from '#core/equivocation.ts'
import { Fault } from '#core/fault.ts'
import { publicKeyOfSeed } from '#core/keys.ts'
import { emptyRoot, oldRootOf } from '#core/merkle.ts'
import { NOTE_BYTES_MAX, parseNote, signNote, verifierOf } from '#core/note.ts'
import { makeLog, type ToyLog } from '../domain/network/log-kit.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/add-checkpoint')
const random = seeded()

const refused = (bytes: Uint8Array): string => {
  try {
    parseAddCheckpoint(bytes)
  } catch (cause) {
    assert.ok(cause instanceof Fault, String(cause))
    assert.equal(cause.code, 'INVALID_INPUT')
    return cause.message
  }
  throw new Error('the body was taken')
}

const sofa = 'example.com/behind-the-sofa'
/** The example of the specification, as it stands there. */
const example = `old 20852014
PlRNCrwHpqhGrupue0L7gxbjbMiKA9temvuZZDDpkaw=
jrJZDmY8Y7SyJE0MWLpLozkIVMSMZcD5kvuKxPC3swk=
5+pKlUdi2LeF/BcMHBn+Ku6yhPGNCswZZD1X/6QgPd8=
/6WVhPs2CwSsb5rYBH5cjHV/wSmA79abXAwhXw3Kj/0=

example.com/behind-the-sofa
20852163
CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=

— ${sofa} Az3grlgtzPICa5OS8npVmf1Myq/5IZniMp+ZJurmRDeOoRDe4URYN7u5/Zhcyv2q1gGzGku9nTo+zyWE+xeMcTOAYQ8=
— ${sofa} opLqBQsREYCgu6xQkYQwJr9fo45a62DN9EdmHXnZdXNqlcVGlCum2Wks+49/V6267UEjw6QUXTS5Rovnzv++qbSzm9Q=
`

test('the example of the specification is read, and written again byte for byte', () => {
  const read = parseAddCheckpoint(utf8(example))
  assert.equal(read.oldSize, 20852014)
  assert.equal(read.proof.length, 4)
  assert.deepEqual(
    [read.checkpoint.origin, read.checkpoint.size, toBase64(read.checkpoint.root)],
    ['example.com/behind-the-sofa', 20852163, 'CsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I='],
  )
  assert.equal(read.note.signatures.length, 2)
  const note = example.slice(example.indexOf('\n\n') + 2)
  assert.equal(addCheckpointBody(read.oldSize, read.proof, note), example)
})

test('every other form is refused', () => {
  const log = makeLog(random, 9)
  const good = new TextDecoder().decode(log.push(5))
  const [first = '', ...rest] = good.split('\n')
  const with1 = (line: string): Uint8Array => utf8([line, ...rest].join('\n'))
  const hash = toBase64(random.bytes(32))
  const rows: readonly (readonly [Uint8Array, RegExp])[] = [
    [with1('old 05'), /first line/],
    [with1('old  5'), /first line/],
    [with1('old 5 '), /first line/],
    [with1('old -5'), /first line/],
    [with1('old 5e0'), /first line/],
    [with1('OLD 5'), /first line/],
    [with1('5'), /first line/],
    [with1('old'), /first line/],
    [with1('old 9007199254740992'), /first line/],
    [with1('old 99999999999999999999'), /first line/],
    [with1(`${first}\r`), /first line/],
    [utf8(good.replace('\n\n', '\n')), /checkpoint|empty line|line of the proof/i],
    [utf8(`\n\n${good}`), /first line/],
    [utf8(good.replace('\n', `\n${hash.slice(0, -1)}\n`)), /not base64/],
    [utf8(good.replace('\n', `\n${hash} \n`)), /not base64/],
    [utf8(good.replace('\n', `\n${toBase64(random.bytes(31))}\n`)), /32 bytes/],
    [utf8(good.replace('\n', `\n${toBase64(random.bytes(33))}\n`)), /32 bytes/],
    [utf8(good.replace('\n', `\n${`${hash}\n`.repeat(64)}`)), /at most 63/],
    [utf8(good.slice(0, -1)), /newline/],
    [utf8(`${good}\n`), /./],
    [utf8(good.slice(0, good.lastIndexOf('\n\n') + 2)), /./],
    [utf8(`${good.slice(0, good.indexOf('\n\n') + 2)}`), /./],
    [utf8(good.replace(`${log.size}\n`, `0${log.size}\n`)), /tree size/],
    [utf8(good.replace(`${log.size}\n`, '-1\n')), /tree size/],
    [utf8(good.replace(toBase64(log.root()), toBase64(random.bytes(20)))), /32 bytes/],
    [utf8(good.replace(log.origin, '')), /./],
    [utf8(good.replace('— ', '- ')), /./],
    [utf8(`${good}${good.slice(good.indexOf('— ')).repeat(32)}`), /at most 32/],
    [utf8(good.replace('old', 'old\0')), /first line/],
    [Uint8Array.of(0xff, 0xfe, ...utf8(good)), /UTF-8/],
    [new Uint8Array(0), /empty line/],
    [new Uint8Array(ADD_CHECKPOINT_BYTES_MAX + 1).fill(0x61), /at most/],
    [new Uint8Array(ADD_CHECKPOINT_BYTES_MAX).fill(0x0a), /./],
  ]
  for (const [bytes, why] of rows) assert.match(refused(bytes), why, new TextDecoder().decode(bytes).slice(0, 80))
  assert.equal(parseAddCheckpoint(utf8(good)).oldSize, 5)
  const full = utf8(good.replace('\n', `\n${`${hash}\n`.repeat(63 - log.proof(5).length)}`))
  assert.equal(parseAddCheckpoint(full).proof.length, 63, '63 lines are taken')
})

test('random and altered bytes are refused or read, and do nothing else', () => {
  const log = makeLog(random, 13)
  const good = log.push(6)
  for (let i = 0; i < 3_000; i++) {
    const bytes = Uint8Array.from(good)
    for (let flips = random.integer(1, 4); flips > 0; flips--)
      bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
    const cut = random.next() < 0.3 ? bytes.subarray(0, random.integer(0, bytes.length)) : bytes
    try {
      parseAddCheckpoint(cut)
    } catch (cause) {
      assert.ok(cause instanceof Fault && cause.code === 'INVALID_INPUT', String(cause))
    }
  }
})

test('the rules, in the order of the specification', () => {
  const log = makeLog(random, 12)
  const other = log.fork(4)
  other.grow(8)
  const asked = (body: Uint8Array) => parseAddCheckpoint(body)
  const at = (size: number) => ({ size, root: log.root(size) })
  const status = (...it: Parameters<typeof checkAddCheckpoint>): number => checkAddCheckpoint(...it).status
  const { checkpoint } = asked(log.push(5))

  assert.equal(status(asked(log.push(5)), at(5)), 200)
  assert.equal(status(asked(log.push(0)), undefined), 200, 'a first checkpoint needs no proof')
  assert.equal(status(asked(log.push(12)), at(12)), 200, 'the same head again')
  assert.equal(status({ oldSize: 13, proof: [], checkpoint }, at(13)), 400, 'an old size above the new one')
  assert.equal(status({ oldSize: 13, proof: [], checkpoint }, undefined), 400, 'that comes before 409')
  const conflict = checkAddCheckpoint(asked(log.push(5)), at(7))
  assert.deepEqual(conflict, { status: 409, size: 7 })
  assert.deepEqual(checkAddCheckpoint(asked(log.push(5)), undefined), { status: 409, size: 0 })
  assert.deepEqual(checkAddCheckpoint(asked(log.push(0)), at(3)), { status: 409, size: 3 }, 'how a size is asked for')
  const first = { oldSize: 0, proof: [random.bytes(32)], checkpoint }
  assert.equal(status(first, undefined), 422, 'a proof from size 0')
  assert.equal(status({ ...asked(log.push(5)), proof: [] }, at(5)), 422, 'no proof')
  assert.equal(status({ ...asked(log.push(5)), proof: log.proof(6) }, at(5)), 422, 'a proof of something else')
  assert.equal(status(asked(other.push(5)), at(5)), 422, 'another history')
  assert.equal(status(asked(other.push(12)), at(12)), 422, 'equal sizes, other roots')
  const empty = { origin: log.origin, size: 0, root: emptyRoot(), extensions: 0 }
  assert.equal(status({ oldSize: 0, proof: [], checkpoint: empty }, undefined), 200)
  assert.equal(status({ oldSize: 0, proof: [], checkpoint: { ...empty, root: random.bytes(32) } }, undefined), 422)
})

const headOf = (log: ToyLog, size = log.size) => {
  const note = log.note(size)
  return { note, checkpoint: parseAnyCheckpoint(parseNote(note).text) }
}

test('equal sizes: two notes are evidence; one note twice, another log or another key are none', () => {
  const log = makeLog(random, 10)
  const forked = log.fork(6)
  forked.grow(4)
  const proof = equivocationOf(headOf(log), headOf(forked))
  assert.ok(proof)
  assert.deepEqual(verifyEquivocation(proof), { origin: log.origin, node: log.node, size: 10, larger: 10 })
  const [first = '', second = ''] = proof.notes
  const long = 'x'.repeat(1_024)
  for (const fits of [proof, { ...proof, notes: [long, long] }]) assert(Value.Check(equivocationSchema, fits))
  for (const notes of [[first], [first, second, second], [first, `${long}x`]]) {
    assert(!Value.Check(equivocationSchema, { ...proof, notes }))
  }
  assert.equal(equivocationOf(headOf(log), headOf(log)), undefined)
  assert.equal(equivocationOf(headOf(log), headOf(makeLog(random, 10))), undefined)
  const [a = '', b = ''] = proof.notes
  const bad: readonly EquivocationProof[] = [
    { ...proof, notes: [a, a] },
    { ...proof, notes: [a, b.replace('— ', '— x')] },
    { ...proof, notes: [a, b + a.slice(a.indexOf('— '))] },
    { ...proof, origin: makeLog(random).origin },
    { ...proof, origin: 'example.com/log' },
    { ...proof, prefix: { root: toBase64(log.root()), path: [] } },
    { ...proof, notes: [a, b.slice(0, -4)] },
    { ...proof, notes: ['', ''] },
  ]
  for (const it of bad) assert.throws(() => verifyEquivocation(it), Fault)
  const signed = signNote(`${log.origin}\n10\n`, verifierOf(log.origin, publicKeyOfSeed(log.seed)), log.seed)
  assert.throws(() => verifyEquivocation({ ...proof, notes: [a, signed] }), Fault, 'a note that is no checkpoint')
})

test('unequal sizes: what the larger tree says of its first leaves is evidence for every pair of sizes', () => {
  const log = makeLog(random, 24)
  const forked = log.fork(3)
  forked.grow(21)
  for (let small = 4; small < 24; small++) {
    for (let large = small + 1; large <= 24; large++) {
      const path = forked.proof(small, large)
      const known = { path, root: forked.root(small) }
      const proof = equivocationOf(headOf(log, small), headOf(forked, large), known)
      assert.ok(proof, `${small} ${large}`)
      assert(Value.Check(equivocationSchema, proof))
      assert.equal(verifyEquivocation(proof).size, small)
      const isPower = (small & (small - 1)) === 0
      const derived = equivocationOf(headOf(log, small), headOf(forked, large), { path })
      assert.equal(derived === undefined, isPower, 'a proof leaves the old root out only for powers of two')
      if (!isPower)
        assert.deepEqual(
          oldRootOf({ oldSize: small, newSize: large, newRoot: forked.root(large), path }),
          forked.root(small),
        )
    }
  }
})

test('an honest log is never accused, whatever path is made up', () => {
  const log = makeLog(random, 30)
  for (let i = 0; i < 400; i++) {
    const small = random.integer(1, 28)
    const large = random.integer(small + 1, 30)
    const path = [...log.proof(small, large)].map((hash) => (random.next() < 0.5 ? hash : random.bytes(32)))
    if (random.next() < 0.3) path.splice(random.integer(0, path.length), random.integer(0, 2), random.bytes(32))
    const way = random.next() < 0.5 ? { path } : { path, root: random.bytes(32) }
    assert.equal(equivocationOf(headOf(log, small), headOf(log, large), way), undefined)
  }
  const whole = equivocationOf(headOf(log, 5), headOf(log, 9), { path: log.proof(5, 9), root: log.root(5) })
  assert.equal(whole, undefined)
})

test('a note of size 0 proves nothing, and an order or a lack of a path is refused', () => {
  const log = makeLog(random, 8)
  const key = publicKeyOfSeed(log.seed)
  const wrong = signCheckpoint({ origin: log.origin, size: 0, root: random.bytes(32) }, key, log.seed)
  const [, second = ''] = [wrong, log.note()]
  const empty: EquivocationProof = {
    origin: log.origin,
    notes: [wrong, second],
    prefix: { root: toBase64(emptyRoot()), path: [] },
  }
  assert.throws(() => verifyEquivocation(empty), Fault)
  const forked = log.fork(2)
  forked.grow(6)
  const proof = equivocationOf(headOf(log, 5), headOf(forked, 8), { path: forked.proof(5, 8) })
  assert.ok(proof?.prefix)
  assert.throws(() => verifyEquivocation({ ...proof, notes: proof.notes.toReversed() }), Fault)
  assert.throws(() => verifyEquivocation({ ...proof, prefix: null }), Fault)
  const honest = { root: toBase64(log.root(5)), path: log.proof(5, 8).map(toBase64) }
  assert.throws(() => verifyEquivocation({ ...proof, notes: [log.note(5), log.note(8)], prefix: honest }), Fault)
  assert.equal(fromBase64(proof.prefix.root).length, 32)
})

test('the largest body is as large as the bound', () => {
  const proof = Array.from({ length: PROOF_LINES_MAX }, () => new Uint8Array(32))
  const body = addCheckpointBody(Number.MAX_SAFE_INTEGER, proof, 'x'.repeat(NOTE_BYTES_MAX))
  assert.equal(utf8(body).length, ADD_CHECKPOINT_BYTES_MAX)
})

test.run()
