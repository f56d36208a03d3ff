// Goal: a signed link opens its channel until it is over or the channel is closed, an altered one never; encrypted
// frames are opened by whoever the session is for, with another author's implementation, and by nobody else; nothing
// of either reaches log, audit, metrics or a refusal. Method: a real node over HTTP; frames opened with `hpke` and
// WebCrypto alone.
import assert from 'node:assert/strict'
import { request as httpRequest } from 'node:http'
import * as hpke from 'hpke'
import { fromHex, toHex, utf8 } from '#core/bytes.ts'
import { canonical, type Json } from '#core/canonical.ts'
import { frameContext, frameNonce, readFrame, secureInfo } from '#core/channel/frame.ts'
import { LINK_TICKS_MAX } from '#core/channel/link.ts'
import { purposes } from '#core/digest.ts'
import { verifyValue } from '#core/keys.ts'
import { SESSIONS_PER_CHANNEL_MAX } from '#domain/channels/sessions.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, codeOf, RADIUS } from './channel-kit.ts'

const test = suite('domain: doors of channels')

const TEMPLATE = '<p title="{{unit}}">{{value|exp:3}} of {{channel}}</p>'

const channelOf = async (it: TestNode) => {
  const { client, key: accountKey } = await accountOf(it)
  const order = { ...RADIUS, outputFormat: 'template', contentType: 'text/html', template: TEMPLATE } as const
  const { stream, key } = await client.call('compute.stream-create', order)
  await client.call('compute.stream-tick', { id: stream.id })
  return { client, accountKey, key, id: stream.id, channel: it.as(key) }
}

const got = async (it: TestNode, path: string, init: RequestInit = {}) => {
  const answer = await fetch(`${it.url}${path}`, init)
  const bytes = new Uint8Array(await answer.arrayBuffer())
  return { status: answer.status, headers: answer.headers, bytes, text: new TextDecoder().decode(bytes) }
}

const codeAt = async (it: TestNode, path: string): Promise<string> => {
  const { status, text } = await got(it, path)
  return status === 200 ? 'ok' : `${status} ${(JSON.parse(text) as { code: string }).code}`
}

test('a link shows the newest output to whoever has it, under either path, with what holds it in', async () => {
  await using it = await testNode()
  const { channel, id, client } = await channelOf(it)
  const { path, sig } = await channel.call('compute.stream-link', { id })
  const { status, headers, text } = await got(it, path)
  assert.equal(status, 200)
  assert.match(text, /^<p title="[^"<]*">\d\.\d{3}e[+-]\d+ of [0-9a-f]{32}<\/p>$/)
  const named = [
    'content-type',
    'cache-control',
    'referrer-policy',
    'x-content-type-options',
    'content-security-policy',
  ]
  assert.deepEqual(
    named.map((name) => headers.get(name)),
    [
      'text/html; charset=utf-8',
      'no-store',
      'no-referrer',
      'nosniff',
      "sandbox; default-src 'none'; style-src 'unsafe-inline'; img-src data:",
    ],
  )
  for (const name of ['sealed', 'proof', 'token', 'tick', 'verify']) assert.ok(headers.get(`x-svc-${name}`), name)
  const legacy = await got(it, `/stream/channels/${id}/pull?sig=${sig}`)
  assert.deepEqual([legacy.text, legacy.headers.get('deprecation')], [text, '@1795132800'])
  assert.ok(!(legacy.headers.get('link') ?? '').includes(sig))
  const { channel: other } = { channel: await channelOf(it) }
  assert.equal(await codeAt(it, `/api/svc/streams/${other.id}/pull?sig=${sig}`), '401 UNAUTHENTICATED')
  // It is a link and no credential: whatever else is asked with it is refused as without one.
  assert.equal((await got(it, `/api/svc/streams/${id}`, { headers: { Authorization: `Bearer ${sig}` } })).status, 401)
  assert.equal(await codeOf(it.as(other.accountKey).call('compute.stream-link', { id })), 'NOT_FOUND')
  assert.equal(await codeOf(client.call('compute.stream-link', { id, ticks: 1, seconds: 1 })), 'INVALID_INPUT')
  assert.equal(await codeOf(client.call('compute.stream-link', { id, ticks: LINK_TICKS_MAX + 1 })), 'INVALID_INPUT')
})

test('an altered link is refused, one that is over says so, and closing ends all', async () => {
  await using it = await testNode()
  const { client, channel, id } = await channelOf(it)
  const { path, expires_mesh_tick } = await channel.call('compute.stream-link', { id, ticks: 2 })
  assert.equal(expires_mesh_tick, it.node.store.now().meshTick + 2)
  const { path: lasting } = await client.call('compute.stream-link', { id, seconds: 3_600 })
  const flipped = (at: string): string => at.slice(0, -2) + (at.at(-2) === 'A' ? 'B' : 'A') + at.at(-1)
  assert.equal(await codeAt(it, flipped(lasting)), '401 UNAUTHENTICATED')
  assert.equal(await codeAt(it, lasting.replace('sig=', 'sig=A')), '401 UNAUTHENTICATED')
  assert.equal(await codeAt(it, lasting.replace(/\?.*/, '')), '401 UNAUTHENTICATED')
  await it.advanceTicks(2)
  assert.equal(await codeAt(it, path), 'ok')
  await it.advanceTicks(1)
  assert.deepEqual([await codeAt(it, path), await codeAt(it, lasting)], ['401 LINK_EXPIRED', 'ok'])
  await client.call('compute.stream-close', { id })
  assert.deepEqual([await codeAt(it, path), await codeAt(it, lasting)], ['401 UNAUTHENTICATED', '401 UNAUTHENTICATED'])
  assert.equal(await codeOf(client.call('compute.stream-link', { id })), 'CHANNEL_CLOSED')
})

const suiteOfHpke = () =>
  new hpke.CipherSuite(hpke.KEM_DHKEM_X25519_HKDF_SHA256, hpke.KDF_HKDF_SHA256, hpke.AEAD_AES_256_GCM)

const plain = (bytes: Uint8Array): Uint8Array<ArrayBuffer> => new Uint8Array(bytes)

const opened = async (secret: Uint8Array, at: { channel: string; session: string }, frame: Uint8Array) => {
  const read = readFrame(frame)
  assert.ok(read !== undefined)
  const key = await crypto.subtle.importKey('raw', plain(secret), 'AES-GCM', false, ['decrypt'])
  const iv = plain(frameNonce(read.counter))
  const additionalData = plain(frameContext(at, read.counter))
  const bytes = await crypto.subtle.decrypt({ name: 'AES-GCM', iv, additionalData }, key, plain(read.sealed))
  return { counter: read.counter, text: new TextDecoder().decode(bytes) }
}

test('frames are opened by the receiver of the session with another implementation of HPKE', async () => {
  await using it = await testNode()
  const { channel, id } = await channelOf(it)
  const receiver = suiteOfHpke()
  const pair = await receiver.GenerateKeyPair(true)
  const public_key = toHex(new Uint8Array(await receiver.SerializePublicKey(pair.publicKey)))
  const { signature, enc, session, ...rest } = await channel.call('compute.stream-secure-open', { id, public_key })
  assert.ok(enc !== null)
  const told = { channel: id, session, public_key, enc, expires_tick: rest.expires_tick }
  const pinned = fromHex(it.node.services.identity.publicKey)
  assert.ok(verifyValue(pinned, purposes.secure, told, signature))
  assert.ok(!verifyValue(pinned, purposes.secure, { ...told, enc: session }, signature))
  const info = plain(secureInfo({ channel: id, session, public_key }))
  const context = await receiver.SetupRecipient(pair.privateKey, plain(fromHex(enc)), { info })
  const secret = new Uint8Array(await context.Export(plain(utf8('frame')), 32))

  const at = `/api/svc/streams/${id}/secure/pull?session=${session}`
  const [first, again] = [await got(it, at), await got(it, at)]
  assert.deepEqual([first.status, first.headers.get('content-type')], [200, 'application/octet-stream'])
  assert.deepEqual(first.bytes, again.bytes)
  const tokenId = first.headers.get('x-svc-token')
  const { counter, text } = await opened(secret, { channel: id, session }, first.bytes)
  const envelope = JSON.parse(text) as { claim: { token_id: string } }
  assert.deepEqual([counter, envelope.claim.token_id], [1, tokenId])
  assert.equal(canonical(envelope as unknown as Json), text)
  await channel.call('compute.stream-tick', { id })
  const next = await got(it, `/stream/channels/${id}/secure/pull?session=${session}`)
  assert.equal((await opened(secret, { channel: id, session }, next.bytes)).counter, 2)
  // A frame is of its channel, session and counter.
  const moved = plain(next.bytes)
  moved[8] = 1
  await assert.rejects(opened(secret, { channel: id, session }, moved))
  await assert.rejects(opened(secret, { channel: id, session: '00'.repeat(32) }, next.bytes))
})

test('without a public key the secret is of the API key presented, and a session of the page has none', async () => {
  await using it = await testNode()
  const { channel, key, id } = await channelOf(it)
  const { session, enc } = await channel.call('compute.stream-secure-open', { id })
  assert.equal(enc, null)
  const material = await crypto.subtle.importKey('raw', plain(utf8(key)), 'HKDF', false, ['deriveBits'])
  const info = plain(secureInfo({ channel: id, session, public_key: null }))
  const how = { name: 'HKDF', hash: 'SHA-256', salt: plain(fromHex(session)), info }
  const secret = new Uint8Array(await crypto.subtle.deriveBits(how, material, 256))
  const { bytes } = await got(it, `/api/svc/streams/${id}/secure/pull?session=${session}`)
  assert.equal((await opened(secret, { channel: id, session }, bytes)).counter, 1)

  // Not of full order: whatever is shared with it is known to all.
  for (const public_key of ['00'.repeat(32), `01${'00'.repeat(31)}`, 'zz']) {
    assert.equal(await codeOf(channel.call('compute.stream-secure-open', { id, public_key })), 'INVALID_INPUT')
  }
  const { channelDoors, channels } = it.node.services
  const zid = channels.peek(id)?.row.owner ?? ''
  const page = { kind: 'account', bucket: '', zid, keyId: 'k', account: zid, shared: false } as const
  assert.equal(await codeOf(channelDoors.openSecure({ caller: page, id }, {})), 'PUBLIC_KEY_REQUIRED')
})

test('sessions are few, end when nobody uses them, and are gone with the channel', async () => {
  await using it = await testNode()
  const { client, channel, id } = await channelOf(it)
  const open = () => channel.call('compute.stream-secure-open', { id })
  const first = await open()
  const pathOf = (session: string): string => `/api/svc/streams/${id}/secure/pull?session=${session}`
  const all = [first]
  for (let i = 1; i < SESSIONS_PER_CHANNEL_MAX; i++) all.push(await open())
  assert.equal(await codeOf(open()), 'CAPACITY_EXCEEDED')
  assert.equal(await codeAt(it, pathOf('00'.repeat(32))), '410 GONE')
  assert.equal(await codeAt(it, pathOf('').slice(0, -9)), '401 UNAUTHENTICATED')
  const other = await channelOf(it)
  assert.equal(await codeAt(it, `/api/svc/streams/${other.id}/secure/pull?session=${first.session}`), '410 GONE')
  const idle = first.expires_tick - it.node.store.now().meshTick
  await it.advanceTicks(idle - 1)
  assert.equal(await codeAt(it, pathOf(first.session)), 'ok')
  await it.advanceTicks(1)
  assert.deepEqual(
    [await codeAt(it, pathOf(first.session)), await codeAt(it, pathOf(all[1]?.session ?? ''))],
    ['ok', '410 GONE'],
  )
  await open()
  await client.call('compute.stream-close', { id })
  assert.equal(await codeAt(it, pathOf(first.session)), '410 GONE')
  assert.equal(await codeOf(open()), 'CHANNEL_CLOSED')
})

test('a session ends with the process; a link opens the channel of a node that was started again', async () => {
  using dir = tempDir()
  const at = { session: '', link: '' }
  const own = { id: '', key: '' }
  {
    await using it = await testNode({ directory: dir.path })
    const { channel, key, id } = await channelOf(it)
    const { session } = await channel.call('compute.stream-secure-open', { id })
    const { path } = await channel.call('compute.stream-link', { id })
    Object.assign(at, { session: `/api/svc/streams/${id}/secure/pull?session=${session}`, link: path })
    Object.assign(own, { id, key })
    assert.deepEqual([await codeAt(it, at.session), await codeAt(it, at.link)], ['ok', 'ok'])
  }
  await using it = await testNode({ directory: dir.path })
  assert.deepEqual([await codeAt(it, at.session), await codeAt(it, at.link)], ['410 GONE', 'ok'])
  const { session } = await it.as(own.key).call('compute.stream-secure-open', { id: own.id })
  assert.equal(await codeAt(it, `/api/svc/streams/${own.id}/secure/pull?session=${session}`), 'ok')
})

test('nothing that opens a channel reaches log, audit, metrics or the text of a refusal', async () => {
  await using it = await testNode()
  const { channel, client, id } = await channelOf(it)
  const { path, sig } = await channel.call('compute.stream-link', { id })
  const { session } = await channel.call('compute.stream-secure-open', { id })
  const at = `/api/svc/streams/${id}/secure/pull?session=${session}`
  const answers = [await got(it, path), await got(it, at), await got(it, `${path}&x=1`), await got(it, `${at}&x=1`)]
  await client.call('compute.stream-close', { id })
  answers.push(await got(it, path), await got(it, at), await got(it, path, { method: 'POST' }))
  answers.push(await got(it, path.replace('/api/', '/nowhere/')), await got(it, '/metrics'))
  const { port } = new URL(it.url)
  await new Promise((done) => httpRequest({ port, path: `${path}%zz`, method: 'GET' }, done).end())
  const told = JSON.stringify(it.lines, (_, value: unknown) => (value instanceof Error ? value.stack : value))
  const [, mac = ''] = sig.split('.')
  for (const { text, headers } of answers) {
    const all = `${text} ${JSON.stringify([...headers])}`
    assert.ok(!all.includes(mac) && !all.includes(session))
  }
  assert.ok(it.lines.length > 0)
  assert.ok(!told.includes(mac) && !told.includes(session))
})

test.run()
