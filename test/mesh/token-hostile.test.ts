/**
 * Goal: whatever a stranger sends on /tickmesh/token/1 changes nothing and tells it nothing, and whatever a home
 * answers counts only if it proves itself. Method: a real node that is sent good questions with one change, noise, and
 * pieces that lie; a real home whose answers are changed on their way.
 */
import assert from 'node:assert/strict'
import { equalBytes, toHex, utf8 } from '#core/bytes.ts'
import { canonicalBytes, type Json, parseCanonical } from '#core/canonical.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { FRAME_BYTES_MAX, frameOf } from '#domain/economy/abroad/forms.ts'
import { tokenDialogue } from '#mesh/protocols/token.ts'
import { refusal } from '../domain/house.ts'
import { altered, leavesOf, replaced } from '../kit/alterations.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { stranger } from './party.ts'
import { acquainted, enrich, listOf, member, orderOf, passing, sound } from './token-kit.ts'
import { joinInMemory, wires } from './token-wire.ts'
import { joining } from './witness-kit.ts'

const test = suite('mesh: hostile frames about tokens')
const random = seeded(0x0701)
const MS = 60_000
/** Questions that are sent, each with a change. */
const SENT = 2_000

const asker = nodeIdOf(publicKeyOfSeed(Uint8Array.from({ length: 32 }, (_, i) => i)))

/** Sends frames to a node. @returns what it answers, until it ends the stream */
const say = async (it: TestNode, frames: readonly Uint8Array[], from = asker): Promise<readonly Json[]> => {
  const [mine, theirs] = wires()
  for (const frame of frames) await mine.wire.send(frame)
  mine.close()
  const answered = it.node.services.economy.abroad.answer(from, theirs.wire).catch(() => undefined)
  await answered
  theirs.close()
  const said: Json[] = []
  for await (const frame of mine.wire.frames) if (frame.length > 1) said.push(parseCanonical(frame))
  return said
}

/** Another value at one place of a document. */
const changed = (document: Json): Uint8Array => {
  const [path, old] = random.pick(leavesOf(document))
  const wild = random.pick<unknown>([altered(old), null, -1, 2 ** 53, '', [], {}, 'x'.repeat(200)])
  const lie = replaced(document, path, wild) as Json
  try {
    return canonicalBytes(lie)
  } catch {
    return utf8(JSON.stringify(lie))
  }
}

/** All that a node keeps of tokens, as one text. */
const kept = async ({ node: { store } }: TestNode): Promise<string> => {
  const rows: unknown[] = [store.log.size]
  for (const table of ['awayToken', 'awayMove', 'awayArrival', 'awayPending', 'notice', 'envelope'] as const) {
    for await (const row of store.range(table)) rows.push(row)
  }
  return JSON.stringify(rows)
}

test(
  'questions with a change, noise and lying pieces: refused, nothing told, nothing changed',
  async (signal) => {
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    const seed = random.bytes(32)
    const sue = await member(a, seed)
    const [token_id = ''] = await enrich(a, sue, 1)
    const bob = await member(a)
    const { meshTick: mesh_tick } = a.node.store.now()
    const part = { home: a.node.store.log.origin, op: 'transfer', to: bob.zid, mesh_tick, valid_to: mesh_tick + 100 }
    const { op, public_key, signature } = orderOf(sue.seed, [{ token_id, spend_seq: 0 }], part)
    const { zid } = sue
    const digest = 'a'.repeat(64)
    const proof = { public_key, mesh_tick, signature: '0'.repeat(128) }
    const file = { v: 1, kind: 'token-receipt', op, public_key, signature, receipt_signature: signature, proof: null }
    const { valid_to: _, mesh_tick: __, ...same } = op
    const receipt = { ...same, log: part.home, index: 1, op_digest: digest, weight: 3, mesh_tick }
    const good: readonly Json[] = [
      { v: 1, ask: 'apply', op, public_key, signature, bytes: 20 },
      { v: 1, ask: 'state', zid, proof: null, home: part.home, token_ids: [token_id] },
      { v: 1, ask: 'state', zid, proof, home: part.home, token_ids: [token_id] },
      { v: 1, ask: 'list', zid, proof, op_digest: digest },
      { v: 1, ask: 'receipt', zid, proof: null, op_digest: digest },
      { v: 1, ask: 'bundle', zid, proof, token_id },
      { v: 1, ask: 'bundles', zid, proof, token_ids: [token_id] },
      { v: 1, ask: 'arrived', file: { ...file, receipt } },
    ] as unknown as readonly Json[]
    const before = await kept(a)
    const codes = new Set<unknown>()
    for (let i = 0; i < SENT; i += 1) {
      const document = random.pick(good)
      const isApply = (document as { ask: string }).ask === 'apply'
      const frames = random.pick([
        // An op that is whole is applied, whoever brings it: its list lies instead.
        () => [isApply ? changed(document) : canonicalBytes(document), random.bytes(20)],
        () => [changed(document), random.bytes(random.integer(0, 40))],
        () => [random.bytes(random.integer(0, 300))],
        () => [canonicalBytes(document).subarray(0, random.integer(0, 200))],
        () => [canonicalBytes(document), random.bytes(random.integer(0, 40)), random.bytes(20), random.bytes(1)],
        () => [canonicalBytes(document), ...Array.from({ length: 12 }, () => random.bytes(20))],
        () => [],
      ])()
      for (const answer of await say(a, frames)) {
        const { answer: kind, code } = answer as { answer: string; code?: string }
        assert.equal(kind, 'fault', JSON.stringify(answer))
        codes.add(code)
      }
    }
    assert.equal(await kept(a), before)
    for (const code of ['INVALID_INPUT', 'NOT_CANONICAL', 'NOT_FOUND', 'BAD_SIGNATURE', 'UNKNOWN_ZID']) {
      assert.ok(codes.has(code), `${code} among ${[...codes].join(' ')}`)
    }
    // Over a real stream: a frame beyond the limit, and one that never comes.
    await using far = await stranger(random)
    await far.join(a.node.mesh?.addresses()[0] ?? '', signal)
    const [connection] = far.host.getConnections()
    const stream = await connection?.newStream(tokenDialogue.name, { signal })
    assert.ok(stream !== undefined)
    const gone = new Promise((resolve) => stream.addEventListener('close', resolve))
    // The length of a frame, as a varint: one more than may come.
    const length = FRAME_BYTES_MAX + 1
    stream.send(Uint8Array.of((length & 0x7f) | 0x80, ((length >> 7) & 0x7f) | 0x80, (length >> 14) & 0x7f))
    stream.send(new Uint8Array(1_024))
    await gone
    assert.equal(await kept(a), before)
  },
  MS,
)

test(
  'answers that are changed on their way prove nothing: no receipt is taken, no token is shown',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    {
      await using a = await testNode({ directory: aDir.path, settings: { 'p2p.enabled': true } })
      await using b = await joining([a], { directory: bDir.path })
      const [ann, bob] = [await member(a), await member(b)]
      await acquainted([a, b], [ann, bob], signal)
      let lying = true
      joinInMemory(a, [b])
      joinInMemory(b, [a], () => (from, frame) => {
        if (!lying || from === 'opener' || frame.length < 2) return frame
        try {
          const lie = changed(parseCanonical(frame))
          return equalBytes(lie, frame) ? undefined : lie
        } catch {
          // A piece of a bundle: one bit of it.
          const bit = random.integer(0, frame.length - 1)
          return frame.map((byte, i) => (i === bit ? byte ^ 1 : byte))
        }
      })
      const [first = '', second = ''] = await enrich(a, ann, 2)
      for (const token of [first, second]) {
        await ann.client.call('economy.send', { to: bob.zid, token_ids: [token] })
      }
      for (let i = 0; i < 300; i += 1) {
        await a.advanceTicks(1)
        await b.advanceTicks(1)
      }
      assert.equal((await listOf(bob)).length, 0)
      lying = false
      await passing(
        [a, b],
        async () => (await listOf(bob)).filter((it) => it.arrival === 'received').length === 2,
        signal,
      )
      lying = true
      const { moves } = b.node.services.economy
      for (let i = 0; i < 20; i += 1) {
        const { code } = await refusal(() => moves.send(bob.caller, { to: ann.zid, token_ids: [first] }))
        assert.ok(['HOME_UNREACHABLE', 'NOT_FOUND'].includes(code), code)
      }
      lying = false
      await moves.send(bob.caller, { to: ann.zid, token_ids: [second] })
      assert.ok((await listOf(ann)).some((it) => it.token_id === second))
    }
    for (const it of [aDir, bDir]) await sound(it.path)
  },
  MS,
)

test(
  'a list of many pieces goes to its home whole, and a refusal may come before its end',
  async () => {
    await using a = await testNode()
    await using b = await testNode()
    joinInMemory(b, [a])
    const places = Array.from({ length: 30_000 }, (_, i) => ({ token_id: toHex(random.bytes(16)), spend_seq: i }))
    const { meshTick: mesh_tick } = a.node.store.now()
    const home = a.node.store.log.origin
    const part = {
      home,
      op: 'transfer',
      to: 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa',
      mesh_tick,
      valid_to: mesh_tick + 9,
    }
    const seed = toHex(random.bytes(32))
    const { moves } = b.node.services.economy
    const whole = await refusal(() => moves.apply(orderOf(seed, places, part)))
    assert.deepEqual([whole.code, whole.details['token_id']], ['NOT_FOUND', places.map((it) => it.token_id).sort()[0]])
    const early = await refusal(() => moves.apply(orderOf(seed, places, { ...part, home: `${home}0` })))
    assert.equal(early.code, 'INVALID_INPUT')
  },
  MS,
)

test('a frame of the largest state is one frame', () => {
  const lock = { kind: 'withheld', ref: 'x'.repeat(256), until: 2 ** 53 - 1 }
  const token = { token_id: 'f'.repeat(32), spend_seq: 2 ** 32 - 1, face: 2 ** 53 - 1, soulbound: false, lock }
  const log = `tickmesh.log/12D3KooW${'A'.repeat(44)}/${2 ** 53 - 1}`
  const state = { home: log, log, zid: 'zid1', mesh_tick: 1, tokens: Array.from({ length: 1_024 }, () => token) }
  assert.ok(frameOf({ v: 1, answer: 'state', signed: { state, signature: 'f'.repeat(128) } }).length < FRAME_BYTES_MAX)
})

test.run()
