// Goal: one Ed25519 rule at every entrance. Method: the five vectors of RFC 8032, then all 914 edge cases of the C2SP
// CCTV list, made anew and proven equal to the published file by its hash, put to Node's port and the browser's.
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { ed25519 } from '@noble/curves/ed25519.js'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import * as nodePort from '#ports/crypto.node.ts'
import type { CryptoPort } from '#ports/crypto.ts'
import * as webPort from '#ports/crypto.web.ts'
import { encodesSmallOrder } from '#ports/edwards.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { EDGE_CASES_SHA256, type EdgeCase, edgeCases, edgeCasesText } from './cctv.ts'
import { rfc8032 } from './rfc8032.ts'

const test = suite('core/crypto')
const ports: readonly (readonly [string, CryptoPort])[] = [
  ['node', nodePort],
  ['web', webPort],
]
const cases = edgeCases()

for (const [name, port] of ports) {
  test(`${name}: RFC 8032 section 7.1 signs and verifies as published`, () => {
    assert.equal(rfc8032.length, 5)
    for (const vector of rfc8032) {
      const seed = fromHex(vector.seed)
      const message = fromHex(vector.message)
      const signature = fromHex(vector.signature)
      assert.equal(toHex(port.ed25519PublicKey(seed)), vector.publicKey, vector.name)
      assert.equal(toHex(port.ed25519Sign(seed, message)), vector.signature, vector.name)
      assert.equal(port.ed25519Verify(fromHex(vector.publicKey), message, signature), true, vector.name)
      assert.equal(port.ed25519KeyIsSound(fromHex(vector.publicKey)), true, vector.name)
      signature[0] = (signature[0] as number) ^ 1
      assert.equal(port.ed25519Verify(fromHex(vector.publicKey), message, signature), false, vector.name)
    }
  })

  test(`${name}: SHA-256 and HMAC-SHA256 give the published values`, () => {
    const abc = 'ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad'
    assert.equal(toHex(port.sha256(utf8('abc'))), abc)
    // A text is hashed by its UTF-8: one byte, two, three and four to a letter.
    for (const text of ['', 'abc', 'µ', '€\u0000', '\ud83d\ude00', 'a€'.repeat(1_000)]) {
      assert.equal(port.sha256OfText(text), toHex(port.sha256(utf8(text))))
    }
    // RFC 4231 test case 2.
    const mac = '5bdcc146bf60754e6a042426089575c75a003f089d2739839dec58b964ec3843'
    assert.equal(toHex(port.hmacSha256(utf8('Jefe'), utf8('what do ya want for nothing?'))), mac)
    // A key is its bytes: those of one that was written over are another key, and a longer one is no shorter one.
    const said = utf8('what do ya want for nothing?')
    const key = utf8('Jef')
    const before = toHex(port.hmacSha256(key, said))
    key.set(utf8('Abc'))
    const after = toHex(port.hmacSha256(key, said))
    assert.notEqual(after, before)
    assert.equal(after, toHex(port.hmacSha256(utf8('Abc'), said)))
    assert.equal(toHex(port.hmacSha256(utf8('Jefe'), said)), mac)
    assert.equal(toHex(port.hmacSha256(utf8('Jef'), said)), before)
    assert.equal(port.randomBytes(33).length, 33)
    assert.notDeepEqual(port.randomBytes(32), port.randomBytes(32))
  })

  test(`${name}: S at or above the group order is refused, and so is every other length`, () => {
    const [vector] = rfc8032
    assert.ok(vector !== undefined)
    const publicKey = fromHex(vector.publicKey)
    const signature = fromHex(vector.signature)
    const order = ed25519.Point.Fn.ORDER
    const s = signature.slice(32).reduceRight((sum, byte) => (sum << 8n) | BigInt(byte), 0n) + order
    for (let i = 0; i < 32; i++) signature[32 + i] = Number((s >> BigInt(8 * i)) & 0xffn)
    assert.equal(port.ed25519Verify(publicKey, new Uint8Array(0), signature), false)
    assert.equal(port.ed25519Verify(publicKey, new Uint8Array(0), signature.subarray(1)), false)
    assert.equal(port.ed25519Verify(publicKey.subarray(1), new Uint8Array(0), signature), false)
    assert.equal(port.ed25519KeyIsSound(publicKey.subarray(1)), false)
  })
}

test('the 914 edge cases are the published ones, by the SHA-256 of their file', () => {
  assert.equal(cases.length, 914)
  assert.equal(createHash('sha256').update(edgeCasesText(cases)).digest('hex'), EDGE_CASES_SHA256)
})

/** The answer of recomputing R and comparing bytes, from the published flags: no residue, and R canonical. */
const verifies = ({ flags }: EdgeCase): boolean =>
  !(flags ?? []).some((flag) => flag === 'low_order_residue' || flag === 'non_canonical_R')

/** A key fit to be registered, from the published flags. */
const keyIsSound = ({ flags }: EdgeCase): boolean =>
  !(flags ?? []).some((flag) => ['low_order_A', 'low_order_component_A', 'non_canonical_A'].includes(flag))

for (const [name, port] of ports) {
  test(`${name}: each of the 914 edge cases gets the one answer`, () => {
    let accepted = 0
    for (const it of cases) {
      const key = fromHex(it.key)
      const verified = port.ed25519Verify(key, utf8(it.msg), fromHex(it.sig))
      assert.equal(verified, verifies(it), `#${it.number} verify`)
      assert.equal(port.ed25519KeyIsSound(key), keyIsSound(it), `#${it.number} key`)
      if (verified && keyIsSound(it)) accepted++
    }
    // Of those with a sound key only the honest signature stays, and the one whose R is the identity: a residue or
    // a second spelling of R refuses every other.
    assert.equal(accepted, 2)
  }, 60_000)
}

test('small order is known by every one of its 14 encodings, and by no other key or R of the list', () => {
  const encodings = new Set<string>()
  for (const it of cases) {
    const flags = it.flags ?? []
    const r = it.sig.slice(0, 64)
    assert.equal(encodesSmallOrder(fromHex(it.key)), flags.includes('low_order_A'))
    assert.equal(encodesSmallOrder(fromHex(r)), flags.includes('low_order_R'))
    if (flags.includes('low_order_A')) encodings.add(it.key)
    if (flags.includes('low_order_R')) encodings.add(r)
  }
  assert.equal(encodings.size, 14)
})

test('both ports sign alike, verify each other and refuse each flipped bit alike', () => {
  const random = seeded()
  for (let round = 0; round < 20; round++) {
    const seed = random.bytes(32)
    const message = random.bytes(random.integer(0, 300))
    const publicKey = nodePort.ed25519PublicKey(seed)
    const signature = nodePort.ed25519Sign(seed, message)
    assert.deepEqual(webPort.ed25519PublicKey(seed), publicKey)
    assert.deepEqual(webPort.ed25519Sign(seed, message), signature)
    const bit = random.integer(0, 511)
    const flipped = Uint8Array.from(signature)
    flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7))
    for (const [, port] of ports) {
      assert.equal(port.ed25519Verify(publicKey, message, signature), true)
      assert.equal(port.ed25519Verify(publicKey, message, flipped), false)
    }
  }
})

test('the signer of other threads gives the same signatures', async () => {
  const random = seeded()
  const seed = random.bytes(32)
  const signer = createSigner(seed)
  assert.deepEqual(signer.publicKey, nodePort.ed25519PublicKey(seed))
  const messages = Array.from({ length: 20 }, () => random.bytes(50))
  const signatures = await Promise.all(messages.map((message) => signer.sign(message)))
  assert.deepEqual(
    signatures,
    messages.map((message) => nodePort.ed25519Sign(seed, message)),
  )
})

test('short random bytes are drawn together, and none of them is given twice or changes afterwards', () => {
  const drawn = Array.from({ length: 3_000 }, (_, i) => nodePort.randomBytes(8 + (i % 60)))
  const texts = drawn.map(toHex)
  assert.equal(new Set(texts.map((it) => it.slice(0, 16))).size, texts.length)
  for (const [i, bytes] of drawn.entries()) {
    assert.equal(bytes.length, 8 + (i % 60))
    assert.equal(bytes.buffer.byteLength, bytes.length, 'no part of a buffer that others see')
  }
  const ones = drawn
    .flatMap((it) => [...it])
    .reduce((sum, byte) => sum + byte.toString(2).replaceAll('0', '').length, 0)
  const bits = drawn.reduce((sum, it) => sum + it.length * 8, 0)
  // Ten standard deviations of a fair coin.
  assert.ok(Math.abs(ones - bits / 2) < 5 * Math.sqrt(bits))
  assert.deepEqual(drawn.map(toHex), texts)
})

test.run()
