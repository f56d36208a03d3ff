/**
 * Goal: a message enters only if it passes every check of protocol.md, "Handshake", in that order, and each failure is
 * counted under its own reason. Method: one table in which row after row is wrong in exactly one more way than the row
 * before, so the first check that fails tells the order; then each entrance, the window's edges, rotation and repeats.
 * No network: a fixed clock and the service itself.
 */
import assert from 'node:assert/strict'
import { concat, fromHex, toHex, utf8 } from '#core/bytes.ts'
import { nodeIdOf } from '#core/keys.ts'
import { ed25519Verify } from '#crypto'
import { frameOf } from '#domain/network/frame.ts'
import type { MessageOutcome } from '#domain/network/types.ts'
import type { DropReason } from '#domain/network/views.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { author, body, handshake, party, SECRET } from './party.ts'

const test = suite('domain/network handshake')
const random = seeded()

/** The order of Ed25519's group. */
const ORDER = 2n ** 252n + 27_742_317_777_372_353_535_851_937_790_883_648_493n

const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes)
const reasonOf = (outcome: MessageOutcome): DropReason | MessageOutcome['status'] =>
  outcome.status === 'dropped' ? outcome.reason : outcome.status

test('the order of checks: a message wrong in all ways fails at the first, then at the next, to the last', () => {
  using it = party(random)
  using bare = party(random, { secrets: [] })
  const now = it.meshTick()
  const other = author(random)
  const good = body(other.presence(now))
  const make = (bytes: Uint8Array, tick = now): string => handshake(other.node, tick, bytes)

  const notJson = utf8('{"event":')
  const noForm = utf8('{"event":{"__proto__":1}}')
  const unsigned = body({ ...other.presence(now), signature: '0'.repeat(128), payload: 7 })
  const misfit = body(other.event({ tick: now - 1_000, payload: { strange: true } }))
  const old = body(other.presence(now - 121))
  const repeated = body(other.presence(now, { version: 'repeated' }))
  const used = make(repeated)
  assert.equal(it.network.receive(repeated, { kind: 'http', handshake: used }).status, 'received')

  const replayOf = utf8('not JSON at all')
  const rows: readonly (readonly [string, Uint8Array, string | undefined])[] = [
    ['too_large', new Uint8Array(65_536), undefined],
    ['missing', replayOf, undefined],
    ['missing', replayOf, ''],
    ['bad', replayOf, `v2;${other.node};1;zz`],
    ['bad', replayOf, `v1;${other.node};${now - 121};${'0'.repeat(63)}`],
    ['stale', replayOf, `v1;${other.node};${now - 121};${'0'.repeat(64)}`],
    ['stale', replayOf, `v1;${other.node};${now + 121};${'0'.repeat(64)}`],
    ['bad', replayOf, make(good)],
    ['lifted', replayOf, used],
    ['duplicate', repeated, used],
    ['malformed', notJson, make(notJson)],
    ['not_canonical', noForm, make(noForm)],
    ['bad_signature', unsigned, make(unsigned)],
    ['schema', misfit, make(misfit)],
    ['stale_event', old, make(old)],
    ['received', good, make(good)],
  ]
  for (const [expected, bytes, header] of rows) {
    const before = it.network.counters()
    const outcome = it.network.receive(bytes, { kind: 'http', handshake: header })
    assert.equal(reasonOf(outcome), expected, `${expected}: ${header}`)
    if (outcome.status !== 'dropped') continue
    const { dropped } = it.network.counters()
    assert.equal(dropped[outcome.reason], before.dropped[outcome.reason] + 1, 'counted under its reason')
    const sum = (counts: object): number => Object.values(counts).reduce((all, one) => all + one, 0)
    assert.equal(sum(dropped), sum(before.dropped) + 1, 'and under no other')
  }
  assert.equal(
    reasonOf(bare.network.receive(new Uint8Array(65_536), { kind: 'http', handshake: undefined })),
    'secret_missing',
  )
})

test('every drop answers HTTP with its own code', () => {
  using it = party(random)
  using bare = party(random, { secrets: [] })
  const now = it.meshTick()
  const other = author(random)
  const good = body(other.presence(now))
  const codeOf = (outcome: MessageOutcome): string =>
    outcome.status === 'dropped' ? outcome.fault.code : outcome.status
  const ask = (bytes: Uint8Array, header?: string): string =>
    codeOf(it.network.receive(bytes, { kind: 'http', handshake: header }))

  assert.equal(codeOf(bare.network.receive(good, { kind: 'http', handshake: undefined })), 'MESH_SECRET_MISSING')
  assert.equal(ask(good), 'MISSING_HANDSHAKE')
  assert.equal(ask(good, 'v1;x;1;y'), 'BAD_HANDSHAKE')
  assert.equal(ask(good, handshake(other.node, now, good, utf8('another secret'))), 'BAD_HANDSHAKE')
  assert.equal(ask(good, handshake(other.node, now - 121, good)), 'STALE_HANDSHAKE')
  const unknown = body(other.event({ type: 'weather' as 'close', tick: now }))
  assert.equal(ask(unknown, handshake(other.node, now, unknown)), 'INVALID_INPUT')
  assert.equal(it.network.counters().dropped.unknown_type, 1)
})

test('the window is 120 ticks either way, both edges included', () => {
  for (const [offset, expected] of [
    [-121, 'stale'],
    [-120, 'received'],
    [120, 'received'],
    [121, 'stale'],
  ] as const) {
    using it = party(random)
    const bytes = body(author(random).presence(it.meshTick()))
    const header = handshake(it.node, it.meshTick() + offset, bytes)
    assert.equal(reasonOf(it.network.receive(bytes, { kind: 'http', handshake: header })), expected, String(offset))
  }
})

test('a handshake is spent for as long as it could be used again, and a failed one is not', () => {
  using it = party(random)
  const other = author(random)
  const early = it.meshTick() + 120
  const bytes = body(other.presence(it.meshTick() + 120))
  const header = handshake(other.node, early, bytes)
  const ask = (): string => reasonOf(it.network.receive(bytes, { kind: 'http', handshake: header }))
  assert.equal(ask(), 'received')
  it.clock.advanceTicks(240)
  assert.equal(ask(), 'duplicate')
  it.clock.advanceTicks(1)
  assert.equal(ask(), 'stale')
  assert.equal(it.sent.length, 1, 'a repeat is not published again')

  const forged = body({ ...other.presence(it.meshTick()), signature: '0'.repeat(128) })
  const forHim = handshake(other.node, it.meshTick(), forged)
  for (let i = 0; i < 2; i++) {
    assert.equal(reasonOf(it.network.receive(forged, { kind: 'http', handshake: forHim })), 'bad_signature')
  }
})

test('during rotation the previous secret opens, and what is published is made with the new one', () => {
  const fresh = utf8('the new secret, as long as the one before it was')
  using it = party(random, { secrets: [fresh, SECRET] })
  const bytes = body(author(random).presence(it.meshTick()))
  const header = handshake(it.node, it.meshTick(), bytes)
  assert.equal(reasonOf(it.network.receive(bytes, { kind: 'http', handshake: header })), 'received')
  assert.deepEqual(it.sent[0]!.data, frameOf(bytes, handshake(it.node, it.meshTick(), bytes, fresh)))
})

test('HTTP takes any spelling of JSON; what is passed on is the canonical form, once', () => {
  using it = party(random)
  const event = author(random).presence(it.meshTick())
  const spelled = utf8(JSON.stringify({ event: Object.fromEntries(Object.entries(event).reverse()) }, null, 2))
  const header = handshake(it.node, it.meshTick(), spelled)
  assert.equal(reasonOf(it.network.receive(spelled, { kind: 'http', handshake: header })), 'received')
  assert.deepEqual(it.sent[0]!.data, frameOf(body(event), handshake(it.node, it.meshTick(), body(event))))
  const again = body(event)
  const fresh = handshake(it.node, it.meshTick(), again)
  assert.equal(reasonOf(it.network.receive(again, { kind: 'http', handshake: fresh })), 'duplicate')
  assert.equal(it.network.counters().repeated.duplicate, 1, 'known by its id, under another handshake')
  assert.equal(it.sent.length, 1)
})

test('HTTP refuses JSON that two readers could understand differently, and what only looks like an outcome', () => {
  using it = party(random)
  const event = text(body(author(random).presence(it.meshTick()))).slice('{"event":'.length, -1)
  const other = text(body(author(random).presence(it.meshTick()))).slice('{"event":'.length, -1)
  const rows = [
    ['malformed', `{"event":${event},"event":${other}}`],
    ['malformed', `{"event":${event.replace('"v":1', '"v":1,"\\u0076":1')}}`],
    ['malformed', `{"event":${'['.repeat(40)}${']'.repeat(40)}}`],
    ['malformed', `\ufeff{"event":${event}}`],
    ['schema', '{"status":"dropped","reason":"stale","blame":false}'],
    ['schema', '{"status":"admitted"}'],
    ['schema', `[${event}]`],
    ['schema', 'null'],
  ] as const
  for (const [expected, spelled] of rows) {
    const bytes = utf8(spelled)
    const header = handshake(it.node, it.meshTick(), bytes)
    assert.equal(reasonOf(it.network.receive(bytes, { kind: 'http', handshake: header })), expected, spelled)
  }
  assert.equal(it.network.counters().received.http, 0)
  assert.equal(it.sent.length, 0)
})

test('a signature in another spelling, or with S + L for S, is none', () => {
  using it = party(random)
  const event = author(random).presence(it.meshTick())
  const { signature } = event
  const s = BigInt(`0x${toHex(fromHex(signature).subarray(32).reverse())}`) + ORDER
  const second = signature.slice(0, 64) + toHex(fromHex(s.toString(16).padStart(64, '0')).reverse())
  const rows = [
    ['bad_signature', second],
    ['bad_signature', signature.slice(64) + signature.slice(0, 64)],
    ['schema', signature.toUpperCase()],
    ['schema', `${signature}00`],
    ['schema', ` ${signature}`],
    ['schema', signature.slice(0, 126)],
    ['received', signature],
  ] as const
  for (const [expected, spelled] of rows) {
    const bytes = body({ ...event, signature: spelled })
    const header = handshake(it.node, it.meshTick(), bytes)
    assert.equal(reasonOf(it.network.receive(bytes, { kind: 'http', handshake: header })), expected, spelled)
  }
})

test('an event whose key anybody can sign with is refused at both entrances', () => {
  // The neutral point: S = 0 and R = A verify for every message, by the letter of the rule.
  const neutral = Uint8Array.from({ length: 32 }, (_, i) => (i === 0 ? 1 : 0))
  const signature = `01${'00'.repeat(63)}`
  assert.equal(ed25519Verify(neutral, utf8('anything'), fromHex(signature)), true)
  for (const secrets of [[SECRET], []]) {
    using it = party(random, { secrets })
    const forged = body({ ...author(random).presence(it.meshTick()), sourceNodeId: nodeIdOf(neutral), signature })
    const header = handshake(it.node, it.meshTick(), forged)
    const data = secrets.length === 0 ? forged : frameOf(forged, header)
    assert.equal(
      reasonOf(it.network.receive(data, { kind: 'libp2p', channel: 'event', from: it.node })),
      'bad_signature',
    )
    if (secrets.length > 0)
      assert.equal(reasonOf(it.network.receive(forged, { kind: 'http', handshake: header })), 'bad_signature')
    assert.equal(it.network.peers().length, 0)
  }
})

test('libp2p: the handshake travels with the event, and its sender is the publisher', () => {
  using it = party(random)
  const [a, b] = [author(random), author(random)]
  const bytes = body(a.presence(it.meshTick()))
  const from = (data: Uint8Array, node: string, channel: 'event' | 'head' = 'event'): string =>
    reasonOf(it.network.receive(data, { kind: 'libp2p', channel, from: node }))

  assert.equal(from(bytes, a.node), 'missing')
  const framed = frameOf(bytes, handshake(a.node, it.meshTick(), bytes))
  assert.equal(from(framed, b.node), 'lifted', "another publisher's handshake")
  assert.equal(from(framed, a.node, 'head'), 'schema', 'the wrong topic')
  assert.equal(from(framed, a.node), 'received')
  assert.equal(from(framed, a.node), 'duplicate')
  const moved = body(b.presence(it.meshTick(), { version: '9' }))
  assert.equal(
    from(frameOf(moved, handshake(a.node, it.meshTick(), bytes)), a.node),
    'lifted',
    'moved to another event',
  )
  const loose = concat(utf8('{ "event":'), bytes.subarray(9))
  assert.equal(from(frameOf(loose, handshake(a.node, it.meshTick(), loose)), a.node), 'not_canonical')
  const inner = utf8(new TextDecoder().decode(body(b.presence(it.meshTick()))).replace('{"event":{', '{"event":{ '))
  assert.equal(from(frameOf(inner, handshake(a.node, it.meshTick(), inner)), a.node), 'not_canonical')
  assert.equal(from(new Uint8Array(70_000), a.node), 'too_large')
  assert.equal(it.sent.length, 0, 'gossipsub forwards; the node does not publish again')
})

test('an open mesh works on signatures alone, and its HTTP entrance stays closed', () => {
  using it = party(random, { secrets: [] })
  const other = author(random)
  const good = other.presence(it.meshTick())
  const at = (data: Uint8Array): string =>
    reasonOf(it.network.receive(data, { kind: 'libp2p', channel: 'event', from: other.node }))
  assert.equal(at(body({ ...good, payload: { ...(good.payload as object), version: 'tampered' } })), 'bad_signature')
  assert.equal(at(body({ ...good, sourceNodeId: author(random).node })), 'bad_signature', 'the key of another')
  assert.equal(at(body(other.presence(it.meshTick() - 121))), 'stale_event')
  assert.equal(at(body(good)), 'received')
  assert.equal(at(body(good)), 'duplicate')
  const header = handshake(other.node, it.meshTick(), body(good))
  assert.equal(reasonOf(it.network.receive(body(good), { kind: 'http', handshake: header })), 'secret_missing')
})

test('any bytes at all get an outcome, and nothing is applied', () => {
  using it = party(random, { secrets: [] })
  const good = body(author(random).presence(it.meshTick()))
  for (let i = 0; i < 500; i++) {
    const bytes = good.slice()
    for (let n = random.integer(1, 4); n > 0; n--) bytes[random.integer(0, bytes.length - 1)] = random.integer(0, 255)
    const cut = bytes.subarray(0, random.integer(0, 3) === 0 ? random.integer(0, bytes.length) : bytes.length)
    if (cut.length === good.length && cut.every((byte, at) => byte === good[at])) continue
    const outcome = it.network.receive(cut, { kind: 'libp2p', channel: 'event', from: it.node })
    assert.equal(outcome.status, 'dropped')
  }
  assert.equal(it.network.counters().received.libp2p, 0)
})

test.run()
