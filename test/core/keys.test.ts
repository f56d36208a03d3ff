// Goal: names that come from keys, and the texts that carry them. Method: identities both ways round, the peer ids
// that libp2p itself makes, and refusals of every malformed text.
import assert from 'node:assert/strict'
import { generateKeyPairFromSeed } from '@libp2p/crypto/keys'
import { peerIdFromPrivateKey } from '@libp2p/peer-id'
import fc from 'fast-check'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { purposes } from '#core/digest.ts'
import { Fault } from '#core/fault.ts'
import {
  API_KEY_BYTES,
  apiKey,
  apiKeyKindOf,
  eventsLogName,
  isNodeId,
  isTokenId,
  isZid,
  logName,
  patterns,
  tokenIdOf,
  witnessName,
} from '#core/ids.ts'
import {
  assertSoundKey,
  nodeIdOf,
  publicKeyOf,
  publicKeyOfSeed,
  signValue,
  signValueWith,
  verifyValue,
  zidOf,
} from '#core/keys.ts'
import { isSlug, reservedSlugs } from '#core/slug.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seed, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/keys')
const random = seeded()

test('a node id is the peer id that libp2p makes of the same key, and gives the key back', async () => {
  for (let round = 0; round < 5; round++) {
    const seedBytes = random.bytes(32)
    const publicKey = publicKeyOfSeed(seedBytes)
    const peerId = peerIdFromPrivateKey(await generateKeyPairFromSeed('Ed25519', seedBytes))
    assert.equal(nodeIdOf(publicKey), peerId.toString())
    assert.deepEqual(publicKeyOf(nodeIdOf(publicKey)), publicKey)
    assert.ok(isNodeId(nodeIdOf(publicKey)))
    assert.match(zidOf(publicKey), /^zid1[a-z2-7]{32}$/)
    assert.ok(isZid(zidOf(publicKey)))
  }
  // The extremes of 32 bytes keep the prefix and the length that the pattern asks for.
  for (const fill of [0, 255]) assert.ok(isNodeId(nodeIdOf(new Uint8Array(32).fill(fill))))
})

test('what is no node id is refused', () => {
  const node = nodeIdOf(publicKeyOfSeed(random.bytes(32)))
  const bad = ['', node.slice(1), `${node}1`, node.replace('12D3KooW', '12D3KooX'), `${node.slice(0, -1)}0`, 'QmYyQ']
  for (const text of bad) assert.throws(() => publicKeyOf(text), Fault, text)
  const other = `${node.slice(0, 20)}${node[20] === 'a' ? 'b' : 'a'}${node.slice(21)}`
  assert.notDeepEqual(publicKeyOf(other), publicKeyOf(node))
})

test('a value is signed under its purpose, and verifies under no other key, purpose, value or spelling', async () => {
  const seedBytes = random.bytes(32)
  const publicKey = publicKeyOfSeed(seedBytes)
  const value = { b: 1, a: 'ä' }
  const signature = signValue(seedBytes, purposes.signUp, value)
  assert.equal(await signValueWith(createSigner(seedBytes), purposes.signUp, value), signature)
  assert.equal(verifyValue(publicKey, purposes.signUp, { a: 'ä', b: 1 }, signature), true)
  assert.equal(verifyValue(publicKey, purposes.claim, value, signature), false)
  assert.equal(verifyValue(publicKey, purposes.signUp, { ...value, b: 2 }, signature), false)
  assert.equal(verifyValue(publicKeyOfSeed(random.bytes(32)), purposes.signUp, value, signature), false)
  for (const text of ['', signature.toUpperCase(), signature.slice(2), `${signature}00`, signature.replace(/./, 'g')]) {
    assert.equal(verifyValue(publicKey, purposes.signUp, value, text), false)
  }
})

test('only a sound key is let in', () => {
  assertSoundKey(publicKeyOfSeed(random.bytes(32)))
  const unsound = [`01${'00'.repeat(31)}`, '00'.repeat(32), `ed${'ff'.repeat(30)}7f`, '11'.repeat(31)]
  for (const key of unsound) {
    assert.throws(
      () => assertSoundKey(fromHex(key)),
      (error) => error instanceof Fault && error.code === 'BAD_PUBLIC_KEY',
    )
  }
})

test('slugs have one form, and the words beside them are taken', () => {
  for (const text of ['a', '0', 'a-b', 'a1-2b', 'a'.repeat(64), 'actives']) assert.ok(isSlug(text), text)
  const bad = ['', '-a', 'a-', 'a--b', 'A', 'a_b', 'a b', 'ä', 'a'.repeat(65), 'a\n', ...reservedSlugs]
  for (const text of bad) assert.ok(!isSlug(text), text)
})

test('logs and witnesses are named after their node', () => {
  const node = nodeIdOf(publicKeyOfSeed(random.bytes(32)))
  assert.match(logName(node, 0), new RegExp(patterns.logName))
  assert.match(eventsLogName(node, 2_310_000_000), new RegExp(patterns.eventsLogName))
  assert.match(witnessName(node), new RegExp(patterns.witnessName))
  assert.doesNotMatch(`tickmesh.log/${node}/007`, new RegExp(patterns.logName))
})

test('a token id depends on log and index, and on nothing else', () => {
  const id = tokenIdOf('tickmesh.log/x/1', 5)
  assert.ok(isTokenId(id))
  assert.equal(tokenIdOf('tickmesh.log/x/1', 5), id)
  assert.notEqual(tokenIdOf('tickmesh.log/x/1', 6), id)
  assert.notEqual(tokenIdOf('tickmesh.log/x/2', 5), id)
  for (const index of [-1, 0.5, 2 ** 53]) assert.throws(() => tokenIdOf('tickmesh.log/x/1', index), /invariant/)
})

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz'

test('an API key is its 32 bytes in base62, and its kind is read off its prefix', () => {
  fc.assert(
    fc.property(fc.uint8Array({ minLength: API_KEY_BYTES, maxLength: API_KEY_BYTES }), (bytes) => {
      const key = apiKey('account', bytes)
      assert.match(key, /^svc_ak_[0-9A-Za-z]{43}$/)
      const value = [...key.slice(7)].reduce((sum, digit) => sum * 62n + BigInt(alphabet.indexOf(digit)), 0n)
      assert.equal(value.toString(16).padStart(64, '0'), toHex(bytes))
    }),
    { seed },
  )
  const bytes = random.bytes(32)
  for (const kind of ['demo', 'account', 'machine', 'channel'] as const) {
    assert.equal(apiKeyKindOf(apiKey(kind, bytes)), kind)
    assert.equal(apiKeyKindOf(`${apiKey(kind, bytes)} `), undefined)
    assert.equal(apiKeyKindOf(apiKey(kind, bytes).slice(0, -1)), undefined)
  }
  assert.throws(() => apiKey('demo', utf8('short')), /invariant/)
})

test.run()
