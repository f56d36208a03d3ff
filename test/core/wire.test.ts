// Goal: events, handshakes and verdicts are accepted only as they were made. Method: each rule of protocol.md in its
// order, broken once, with random keys and bodies.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { toHex, utf8 } from '#core/bytes.ts'
import { canonical, canonicalBytes, type Json } from '#core/canonical.ts'
import { hiddenDigest, type LedgerEntry, ledgerLeaf, pulseHmac, signLedgerEntry, tickLeaf } from '#core/envelope.ts'
import {
  EVENT_BYTES_MAX,
  eventBytes,
  eventId,
  eventLeaf,
  type MeshEvent,
  parseEvent,
  signEvent,
  signEventWith,
  verifyEvent,
} from '#core/events.ts'
import { Fault } from '#core/fault.ts'
import { checkHandshake, HANDSHAKE_WINDOW_TICKS, makeHandshake } from '#core/handshake.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { leafHash } from '#core/merkle.ts'
import { misfit } from '#core/schema.ts'
import { signedVerdictSchema, signVerdict, signVerdictWith, type Verdict, verifyVerdict } from '#core/verdict.ts'
import { createSigner } from '#ports/signer.node.ts'
import { seed, seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/wire')
const random = seeded()
const seedBytes = random.bytes(32)
const node = nodeIdOf(publicKeyOfSeed(seedBytes))
const otherSeed = random.bytes(32)
const otherNode = nodeIdOf(publicKeyOfSeed(otherSeed))

const refused = (run: () => unknown, code: string): void => {
  assert.throws(run, (error) => error instanceof Fault && error.code === code)
}

const unsigned = {
  v: 1,
  type: 'presence',
  sourceNodeId: node,
  seq: 0,
  tick: 2_310_000_000,
  payload: { a: [1] },
} as const
const event = signEvent(seedBytes, unsigned)

test('an event is read back from the bytes that travel, and its id is its leaf hash', async () => {
  assert.deepEqual(parseEvent(eventBytes(event)), event)
  assert.deepEqual(await signEventWith(createSigner(seedBytes), unsigned), event)
  assert.equal(eventId(event), toHex(leafHash(eventLeaf(event))))
  assert.ok(verifyEvent(event))
})

test('an event of every type of the document is read back', () => {
  const lasting = 'bond work challenge reveal ruling proposal stake resolve evidence succession identity.assert'
  for (const type of `${lasting} presence head`.split(' ')) {
    const signed = signEvent(seedBytes, { ...unsigned, type: type as MeshEvent['type'] })
    assert.deepEqual(parseEvent(eventBytes(signed)), signed, type)
  }
})

test('an event altered anywhere, or spelled otherwise, is refused', () => {
  const altered: readonly Partial<Record<keyof MeshEvent, unknown>>[] = [
    { type: 'head' },
    { sourceNodeId: otherNode },
    { seq: 1 },
    { tick: event.tick + 1 },
    { payload: { a: [2] } },
    { payload: null },
    { signature: signEvent(otherSeed, unsigned).signature },
  ]
  for (const change of altered) {
    const bytes = canonicalBytes({ ...event, ...change } as unknown as Json)
    refused(() => parseEvent(bytes), 'BAD_SIGNATURE')
  }
  const malformed: readonly Record<string, unknown>[] = [
    { v: 2 },
    { type: 'rumour' },
    { sourceNodeId: 'me' },
    { seq: -1 },
    { tick: 0.5 },
    { signature: event.signature.toUpperCase() },
    { more: 1 },
  ]
  for (const change of malformed) {
    refused(() => parseEvent(canonicalBytes({ ...event, ...change } as unknown as Json)), 'INVALID_INPUT')
  }
  refused(() => parseEvent(canonicalBytes([event as unknown as Json])), 'INVALID_INPUT')
  const { payload: _, ...without } = event
  refused(() => parseEvent(canonicalBytes(without as unknown as Json)), 'INVALID_INPUT')
  const text = canonical(event as unknown as Json)
  refused(() => parseEvent(utf8(` ${text}`)), 'NOT_CANONICAL')
  refused(() => parseEvent(utf8(text.replace('"v":1', '"v":1,"v":1'))), 'NOT_CANONICAL')
  refused(() => parseEvent(utf8(text.slice(1))), 'NOT_CANONICAL')
  refused(() => parseEvent(new Uint8Array(EVENT_BYTES_MAX + 1).fill(0x20)), 'BODY_TOO_LARGE')
})

const secret = random.bytes(32)
const TICK = 2_310_000_000
const body = utf8('{"a":1}')
const header = makeHandshake(secret, { sender: node, meshTick: TICK, body })
const question = { header, body, secrets: [secret], meshTick: TICK }

const codeOf = (change: Partial<typeof question> | { readonly header: undefined }): string => {
  const verdict = checkHandshake({ ...question, ...change })
  return verdict.ok ? 'ok' : verdict.code
}

test('a handshake is good for its body, inside its window, under the secret or the one before', () => {
  const verdict = checkHandshake(question)
  assert.deepEqual(verdict, { ok: true, sender: node, meshTick: TICK, mac: header.slice(-64) })
  assert.equal(codeOf({ secrets: [random.bytes(32), secret] }), 'ok')
  for (const off of [-HANDSHAKE_WINDOW_TICKS, HANDSHAKE_WINDOW_TICKS])
    assert.equal(codeOf({ meshTick: TICK + off }), 'ok')
  for (const off of [-HANDSHAKE_WINDOW_TICKS - 1, HANDSHAKE_WINDOW_TICKS + 1]) {
    assert.equal(codeOf({ meshTick: TICK + off }), 'STALE_HANDSHAKE')
  }
  assert.equal(codeOf({ header: undefined }), 'MISSING_HANDSHAKE')
  assert.equal(codeOf({ header: '' }), 'MISSING_HANDSHAKE')
  assert.equal(codeOf({ secrets: [random.bytes(32)] }), 'BAD_HANDSHAKE')
  assert.equal(codeOf({ secrets: [] }), 'BAD_HANDSHAKE')
})

test('a handshake lifted onto another body, sender or tick is bad, and so is every other spelling', () => {
  assert.equal(codeOf({ body: utf8('{"a":2}') }), 'BAD_HANDSHAKE')
  assert.equal(codeOf({ header: header.replace(node, otherNode) }), 'BAD_HANDSHAKE')
  assert.equal(codeOf({ header: header.replace(`;${TICK};`, `;${TICK + 1};`) }), 'BAD_HANDSHAKE')
  const [, sender = '', tick = '', mac = ''] = header.split(';')
  const spellings = [
    `v2;${sender};${tick};${mac}`,
    `v1;${sender};0${tick};${mac}`,
    `v1;${sender};${tick};${mac.slice(1)}`,
    `v1;${sender};${tick};${mac.toUpperCase().replace(/^[0-9]*/, 'A')}`,
    `v1;${sender};${tick};${mac};`,
    `v1;${sender};${tick}`,
    `v1;someone;${tick};${mac}`,
    `v1;${sender};-1;${mac}`,
    `v1;${sender};9999999999999999;${mac}`,
    ` ${header}`,
    `${header}\n`,
    'v1',
  ]
  for (const text of spellings) assert.equal(codeOf({ header: text }), 'BAD_HANDSHAKE', text)
})

test('any body has its own handshake', () => {
  const bytes = fc.uint8Array({ maxLength: 200 })
  fc.assert(
    fc.property(bytes, bytes, (a, b) => {
      const made = makeHandshake(secret, { sender: node, meshTick: TICK, body: a })
      assert.equal(codeOf({ header: made, body: a }), 'ok')
      assert.equal(codeOf({ header: made, body: b }), Buffer.compare(a, b) === 0 ? 'ok' : 'BAD_HANDSHAKE')
    }),
    { seed, numRuns: 100 },
  )
})

test('a verdict is signed by its node, for one kind, and fits its schema', async () => {
  const verdict: Verdict = {
    v: 1,
    node,
    subject: '0'.repeat(64),
    claimed_result_digest: '1'.repeat(64),
    recomputed_result_digest: null,
    verdict: 'unverifiable',
    reason: 'The solver is not known here.',
    code: null,
    signer: 'unknown',
    mesh_tick: TICK,
  }
  const signed = signVerdict(seedBytes, 'verdict', verdict)
  assert.deepEqual(await signVerdictWith(createSigner(seedBytes), 'verdict', verdict), signed)
  assert.equal(misfit(signedVerdictSchema, signed), undefined)
  assert.equal(verifyVerdict('verdict', signed), true)
  assert.equal(verifyVerdict('attestation', signed), false)
  const changes: readonly Partial<Verdict>[] = [
    { node: otherNode },
    { verdict: 'agree' },
    { signer: 'pinned' },
    { recomputed_result_digest: verdict.claimed_result_digest },
    { mesh_tick: TICK + 1 },
  ]
  for (const change of changes) {
    assert.equal(verifyVerdict('verdict', { ...signed, verdict: { ...verdict, ...change } }), false)
  }
})

test('leaves begin with their purpose, and the pulse binds what it stamps', () => {
  assert.deepEqual(tickLeaf(7), utf8('tickmesh/tick/1\n{"tick":7}'))
  const entry: LedgerEntry = {
    v: 1,
    node,
    log: `tickmesh.log/${node}/1`,
    index: 0,
    kind: 'grant',
    asset: 'paid',
    to: 'zid1',
    amount: 5,
    ref: 'owner',
    tick: 1,
    nonce: '0'.repeat(32),
  }
  const signature = signLedgerEntry(seedBytes, entry)
  const leaf = new TextDecoder().decode(ledgerLeaf(entry, signature))
  assert.equal(leaf, `tickmesh/ledger/1\n${canonical({ entry, signature } as unknown as Json)}`)
  const stamp = { token_id: 'a', operators: ['KO42'], R_t: '1.000000', tick: 1, result_digest: 'b' }
  const hmac = pulseHmac(secret, stamp)
  const others = [
    pulseHmac(otherSeed, stamp),
    pulseHmac(secret, { ...stamp, tick: 2 }),
    pulseHmac(secret, { ...stamp, R_t: '1.000001' }),
    hiddenDigest(secret, 'b'),
  ]
  assert.equal(new Set([hmac, ...others]).size, 5)
})

test.run()
