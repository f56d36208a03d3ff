/*
 * Goal: a signed link opens what it names to nobody who altered it, and a frame is opened by whoever has its key.
 * Method: the golden vectors, each signature altered in every place; frames opened with WebCrypto alone.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { frameContext, frameNonce, frameOf, readFrame, secureInfo } from '#core/channel/frame.ts'
import { channelLinkKey, isOfLinkKey, LINK_CHARS_MAX, readChannelLink, signChannelLink } from '#core/channel/link.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('core/channel: links and frames')

const vectors = JSON.parse(
  readFileSync(new URL('../../../protocols/vectors/channel-link.json', import.meta.url), 'utf8'),
)

const opens = (key: Uint8Array, sig: string): boolean => {
  const read = readChannelLink(sig)
  return read !== undefined && isOfLinkKey(key, read)
}

test('the vectors are made again, and what they refuse opens nothing', () => {
  for (const { secret, channel, salt, key, link, sig } of vectors.links) {
    const own = channelLinkKey(fromHex(secret), { id: channel, salt })
    assert.deepEqual([toHex(own), signChannelLink(own, link)], [key, sig])
    assert.deepEqual(readChannelLink(sig)?.link, link)
    assert.ok(opens(own, sig))
    for (const it of vectors.refused) assert.equal(opens(own, it.sig), false, it.why)
    assert.equal(opens(channelLinkKey(fromHex(secret), { id: channel, salt: `${salt}0` }), sig), false)
  }
})

test('no character of a signature can be another one, be left out or be added', () => {
  const key = seeded().bytes(32)
  const sig = signChannelLink(key, { c: 'c', e: 5, n: 'n' })
  const signs = 'ABCabc019-_.+/= '
  for (let at = 0; at <= sig.length; at++) {
    assert.equal(opens(key, sig.slice(0, at) + sig.slice(at + 1)), at === sig.length)
    for (const sign of signs) {
      if (sign !== sig[at]) assert.equal(opens(key, sig.slice(0, at) + sign + sig.slice(at + 1)), false)
      assert.equal(opens(key, sig.slice(0, at) + sign + sig.slice(at)), false)
    }
  }
  assert.equal(readChannelLink('a'.repeat(LINK_CHARS_MAX + 1)), undefined)
})

test('a frame has its counter in front, and another reader opens it with the key of the session', async () => {
  for (const it of vectors.frames) {
    const { channel, session, public_key, bearer, counter } = it
    const info = secureInfo({ channel, session, public_key })
    const context = frameContext({ channel, session }, counter)
    assert.deepEqual([toHex(info), toHex(frameNonce(counter)), toHex(context)], [it.info, it.nonce, it.aad])
    const material = await crypto.subtle.importKey('raw', new Uint8Array(utf8(bearer)), 'HKDF', false, ['deriveBits'])
    const how = { name: 'HKDF', hash: 'SHA-256', salt: Buffer.from(session, 'hex'), info: Buffer.from(it.info, 'hex') }
    const bits = await crypto.subtle.deriveBits(how, material, 256)
    assert.equal(Buffer.from(bits).toString('hex'), it.key)
    const key = await crypto.subtle.importKey('raw', bits, 'AES-GCM', false, ['decrypt'])
    const bytes = Buffer.from(it.frame, 'hex')
    const [iv, additionalData] = [Buffer.from(it.nonce, 'hex'), Buffer.from(it.aad, 'hex')]
    const open = (at: Uint8Array<ArrayBuffer>) =>
      crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, at)
    assert.equal(Buffer.from(await open(bytes.subarray(9))).toString(), it.plain)
    const read = readFrame(bytes)
    assert.equal(read?.counter, counter)
    assert.deepEqual(Buffer.from(frameOf(counter, read!.sealed)), bytes)
  }
})

test('bytes that are no frame are not read as one', () => {
  const frame = frameOf(7, new Uint8Array(16))
  assert.equal(readFrame(frame)?.counter, 7)
  assert.equal(readFrame(frame.subarray(0, 24)), undefined)
  assert.equal(readFrame(Uint8Array.of(2, ...frame.subarray(1))), undefined)
  assert.equal(readFrame(Uint8Array.of(1, 255, ...frame.subarray(2))), undefined)
})

test.run()
