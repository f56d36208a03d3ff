// Goal: proof that a home spent a token twice convicts it at every node that hears it, whoever says so and in whatever
// order; what only looks like such proof is refused, a key that was superseded convicts nobody, and strangers' proofs
// take bounded room. Method: network services with stores, given events over libp2p's entrance.
import assert from 'node:assert/strict'
import type { Json } from '#core/canonical.ts'
import { logName } from '#core/ids.ts'
import { nodeIdOf, publicKeyOfSeed } from '#core/keys.ts'
import { type TokenProof, verifyTokenProof } from '#core/token/evidence.ts'
import { createTwice } from '#domain/economy/abroad/twice.ts'
import { keepTokenProof, tokenProofOf } from '#domain/network/token-evidence.ts'
import { homePart, TOKEN_EVIDENCE_PLACES } from '#store/away.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Store } from '#store/store.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { GENESIS as HOMES } from './party.ts'
import { eventOf, keyOf, listener, passOn, payloadOf } from './succession-kit.ts'
import { spentTwice } from './twice-kit.ts'

const test = suite('domain/network: evidence of tokens')
const random = seeded()

const homeOf = (seed: Uint8Array): string => logName(nodeIdOf(publicKeyOfSeed(seed)), HOMES)
const provenIn = ({ peek }: Store, seed: Uint8Array): TokenProof | undefined =>
  tokenProofOf({ get: peek }, homeOf(seed))

/** What a stranger says of two receipts. */
const told = (proof: object, tick: number, more: object = {}) =>
  eventOf(keyOf(random), { kind: 'receipt', ...proof, ...more } as unknown as Json, { type: 'evidence', tick })

test('whoever says it, it is verified, kept and passed on; said again it changes nothing', async () => {
  using dir = tempDir()
  const home = random.bytes(32)
  const proof = spentTwice(random, { home })
  {
    await using it = await listener(random, dir.path)
    const event = told(proof, it.meshTick())
    assert.equal(it.hear(event).status, 'received')
    await it.settled()
    assert.deepEqual(provenIn(it.store, home), proof)
    assert.equal(it.hear(event).status, 'duplicate')
    const more = spentTwice(random, { home, index: 9 })
    assert.equal(it.hear(told(more, it.meshTick())).status, 'received')
    await it.settled()
    assert.deepEqual(provenIn(it.store, home), proof, 'of two the one with the earlier leaves')
    assert.equal(provenIn(it.store, random.bytes(32)), undefined)
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test('what only looks like proof is dropped, costs its bearer score, and changes nothing', async () => {
  using dir = tempDir()
  await using it = await listener(random, dir.path)
  const home = random.bytes(32)
  const [proof, other] = [spentTwice(random, { home }), spentTwice(random, { home: random.bytes(32) })]
  const [one, two] = proof.receipts
  assert.ok(one !== undefined && two !== undefined)
  const [a, b, c] = [keyOf(random), keyOf(random), keyOf(random)]
  const byHeir = spentTwice(random, { home: a.seed, by: b.seed, successions: [passOn(a, b)] })
  const hostile: Readonly<Record<string, object>> = {
    'one receipt, said twice': { ...proof, receipts: [one, one] },
    'the other order': { ...proof, receipts: [two, one] },
    'three receipts': { ...proof, receipts: [one, two, two] },
    'another token': { ...proof, token_id: other.token_id },
    'another count': { ...proof, spend_seq: 1 },
    'receipts of two homes': { ...proof, receipts: [one, other.receipts[1]] },
    'a weight that was not signed': { ...proof, receipts: [{ ...one, receipt: { ...one.receipt, weight: 1 } }, two] },
    'an op that was not signed': { ...proof, receipts: [{ ...one, op: { ...one.op, valid_to: HOMES + 99 } }, two] },
    'a path that leads elsewhere': { ...proof, receipts: [{ ...one, path: ['0'.repeat(64)] }, two] },
    'a member more': { ...proof, note: 'believe me' },
    'no word of successions': { ...proof, successions: undefined },
    'a stranger who signed': { ...byHeir, successions: [] },
    'a succession of somebody else': { ...proof, successions: [passOn(b, c)] },
    'two heirs of one key': { ...byHeir, successions: [passOn(a, b), passOn(a, c)] },
    'more successions than are read': { ...byHeir, successions: Array.from({ length: 9 }, () => passOn(a, b)) },
    'a kind that nobody knows': { ...proof, kind: 'hearsay' },
  }
  for (const [why, payload] of Object.entries(hostile)) {
    const outcome = it.hear(told(JSON.parse(JSON.stringify(payload)), it.meshTick()))
    assert.deepEqual([outcome.status, outcome.status === 'dropped' && outcome.reason], ['dropped', 'schema'], why)
    assert.ok(outcome.status === 'dropped' && outcome.blame, why)
  }
  await it.settled()
  assert.deepEqual([provenIn(it.store, home), provenIn(it.store, a.seed)], [undefined, undefined])
})

test('a successor convicts the home by the succession that it brings, and no stolen key does', async () => {
  const [a, b, thief] = [keyOf(random), keyOf(random), keyOf(random)]
  const real = passOn(a, b, 6)
  const succession = (tick: number) => eventOf(b, payloadOf(a, real), { tick })
  // The log of `passOn` is that of another genesis than the homes: nothing of the home's own log counts behind it.
  const late = spentTwice(random, { home: a.seed })
  const forged = spentTwice(random, { home: a.seed, by: thief.seed, successions: [passOn(a, thief)] })
  const byHeir = spentTwice(random, { home: a.seed, by: b.seed, successions: [real], index: 40 })
  for (const order of [0, 1, 2, 3]) {
    using dir = tempDir()
    {
      await using it = await listener(random, dir.path)
      const now = it.meshTick()
      const events = [succession(now), told(late, now), told(forged, now), told(byHeir, now)]
      for (const event of [...events.slice(order), ...events.slice(0, order)]) {
        assert.equal(it.hear(event).status, 'received')
        await it.settled()
      }
      // Heard before the succession is known, the others stand in its way until they are seen to be void.
      assert.equal(it.hear(told(byHeir, now)).status, 'received')
      await it.settled()
      assert.deepEqual(provenIn(it.store, a.seed), byHeir, `begun with ${order}`)
    }
    assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
  }
  assert.equal(verifyTokenProof(byHeir).nodes[0], b.node)
})

test("strangers' proofs take bounded room, and none displaces one against a home of tokens that are held", async () => {
  using dir = tempDir()
  {
    await using it = await listener(random, dir.path)
    const { store } = it
    const [held, other] = [random.bytes(32), random.bytes(32)]
    for (const home of [held, other]) await store.commit((tx) => keepTokenProof(tx, spentTwice(random, { home })))
    const state = { home: homeOf(held), log: homeOf(held), zid: '', mesh_tick: 1, tokens: [] }
    await store.commit((tx) => tx.put('awayState', `zid1a/${homePart(state.home)}/0`, { state, signature: '' }))
    await createTwice({ store, ports: () => undefined }).look()
    await store.commit((tx) => tx.del('awayState', `zid1a/${homePart(state.home)}/0`))
    for (let i = 0; i < TOKEN_EVIDENCE_PLACES; i += 1) {
      await store.commit((tx) => keepTokenProof(tx, spentTwice(random, { home: random.bytes(32) })))
    }
    let rows = 0
    for await (const _ of store.range('awayEvidence')) rows += 1
    assert.equal(rows, TOKEN_EVIDENCE_PLACES + 1)
    assert.ok(provenIn(store, held) !== undefined)
    assert.equal(provenIn(store, other), undefined)
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test.run()
