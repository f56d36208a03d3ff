/**
 * Goal: the story of tokens between nodes as people live it: a ZID without a node gets one and sends it on by a key
 * that no node has, is told to wait while the home is down, and cannot spend it twice. Method: two nodes on loopback,
 * the home stopped and started again on its directory; clocks moved by hand.
 */
import assert from 'node:assert/strict'
import { toHex } from '#core/bytes.ts'
import { publicKeyOfSeed, zidOf } from '#core/keys.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { refusal } from '../domain/house.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { acquainted, again, enrich, listOf, type Member, member, orderOf, passing, sound } from './token-kit.ts'
import { after, isJoined, joining } from './witness-kit.ts'

const test = suite('mesh: a story of tokens')
const random = seeded()
const MS = 60_000

/** Transfers of one token, as somebody signs them who has nothing but a key and what the home said last. */
const signing = (seed: string, home: string, token_id: string) => (it: TestNode, to: string, spend_seq: number) => {
  const { meshTick: mesh_tick } = it.node.store.now()
  const part = { home, op: 'transfer', to, mesh_tick, valid_to: mesh_tick + 9_000 }
  return orderOf(seed, [{ token_id, spend_seq }], part)
}

test(
  'ann gives sue, who has a key and no node; sue gives bob, and once only; it comes back to both',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    const p2p = { 'p2p.enabled': true }
    const seed = random.bytes(32)
    const sue = { seed: toHex(seed), zid: zidOf(publicKeyOfSeed(seed)) }
    let [ann, bob] = [{} as Member, {} as Member]
    let [home, token] = ['', '']
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p })
      await using b = await joining([a], { directory: bDir.path })
      ;[ann, bob] = [await member(a), await member(b)]
      await acquainted([a, b], [ann, bob], signal)
      home = a.node.store.log.origin
      token = (await enrich(a, ann, 1))[0] ?? ''
      const order = { to: sue.zid, token_ids: [token] }
      assert.equal((await refusal(() => a.node.services.economy.moves.send(ann.caller, order))).code, 'UNKNOWN_ZID')
      const { place } = await a.client.call('identity.node', { zid: sue.zid })
      assert.deepEqual(place, { zid: sue.zid, known: false, node: null, here: false })
      const known = await a.client.call('identity.node', { zid: bob.zid })
      assert.deepEqual(known.place, { zid: bob.zid, known: true, node: b.node.nodeId, here: false })
      await ann.client.call('economy.send', { ...order, allow_unknown: true })
      assert.deepEqual(await listOf(ann), [])
      await a.advanceTicks(1)
    }
    const sign = signing(sue.seed, home, token)
    await using b = await testNode({ directory: bDir.path, settings: p2p, start: after(1_000) })
    const bobs = again(b, bob)
    const gift = sign(b, bob.zid, 1)
    // The home is down: she is told to wait, and nothing changed.
    const { apply } = b.node.services.economy.moves
    const wait = await refusal(() => apply(gift as never))
    assert.deepEqual([wait.code, wait.details['pending']], ['HOME_UNREACHABLE', undefined])
    assert.ok(Number(wait.details['retry_after_seconds']) > 0)
    assert.deepEqual([await listOf(bobs), b.node.store.peek('awayPlace', 'all')], [[], undefined])
    {
      await using a = await joining([b], { directory: aDir.path, start: b.node.store.now().instant })
      await until(() => isJoined(a, b), signal)
      // It was cosigned, and waits for a word of its witness.
      await passing([a], async () => a.node.store.held === undefined, signal)
      await until(() => isJoined(b, a), signal)
      // The same op again, now that its home is there; the home closes no tick meanwhile.
      const made = await b.client.call('economy.token-op', gift)
      assert.equal(made.receipt.receipt.op, 'transfer')
      const [coming] = await passing(
        [b],
        async () => ((await listOf(bobs)).length === 1 ? listOf(bobs) : false),
        signal,
      )
      assert.deepEqual([coming?.arrival, coming?.owner, coming?.spend_seq], ['arriving', bob.zid, 2])
      // She has signed the same token away to another: it is hers no more.
      const second = sign(b, ann.zid, 1)
      const twice = await refusal(() => apply(second as never))
      assert.deepEqual([twice.code, twice.details['token_id']], ['NOT_FOUND', token])
      assert.deepEqual(await b.client.call('economy.token-op', gift), made, 'the same op again, the same receipt')
      await passing([a, b], async () => (await listOf(bobs))[0]?.arrival === 'received', signal)

      // Who has the receipt shows it to anyone.
      const { moves } = await bobs.client.call('economy.moves', { limit: 5 })
      const { receipt } = await bobs.client.call('economy.move', { op_digest: moves[0]?.op_digest ?? '' })
      const found = verifyTokenReceipt(receipt, { trusted: a.node.nodeId })
      assert.deepEqual([found.outcome, found.failing], ['verified', undefined])

      // He gives it back, and what she signed second is still refused: the token has gone on since.
      await bobs.client.call('economy.send', { to: sue.zid, token_ids: [token], allow_unknown: true })
      assert.deepEqual(await listOf(bobs), [])
      const late = await refusal(() => apply(second as never))
      assert.deepEqual([late.code, late.details['spend_seq']], ['SUPERSEDED', 3])
      await b.client.call('economy.token-op', sign(b, ann.zid, 3))
      const [back] = await listOf(again(a, ann))
      assert.deepEqual([back?.token_id, back?.where, back?.spend_seq], [token, 'here', 4])
    }
    await b[Symbol.asyncDispose]()
    for (const it of [aDir, bDir]) await sound(it.path)
  },
  MS,
)

test.run()
