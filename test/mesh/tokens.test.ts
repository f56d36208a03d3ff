/**
 * Goal: tokens go from node to node, each change decided by their home alone, and their owners see them where they are.
 * Method: real nodes on loopback with clocks that stand until moved; fsck of every data directory afterwards.
 */
import assert from 'node:assert/strict'
import { refusal } from '../domain/house.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { acquainted, again, enrich, listOf, type Member, member, orderOf, passing, sound } from './token-kit.ts'
import { cutAfter, joinInMemory } from './token-wire.ts'
import { joining } from './witness-kit.ts'

const test = suite('mesh: tokens')
const MS = 60_000

test(
  'a token arrives, is received, is sent on through its home, and comes back',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir, cDir] = [dirs.use(tempDir()), dirs.use(tempDir()), dirs.use(tempDir())]
    {
      await using a = await testNode({ directory: aDir.path, settings: { 'p2p.enabled': true } })
      await using b = await joining([a], { directory: bDir.path })
      await using c = await joining([a, b], { directory: cDir.path })
      const all = [a, b, c]
      const [ann, bob, cat] = [await member(a), await member(b), await member(c)]
      await acquainted(all, [ann, bob, cat], signal)
      const tokens = await enrich(a, ann, 3)
      const [first = '', second = ''] = tokens
      const sent = await ann.client.call('economy.send', { to: bob.zid, token_ids: [first, second] })
      assert.equal(sent.moved, 2)
      const [item] = await passing(
        all,
        async () => ((await listOf(bob)).length === 2 ? listOf(bob) : undefined),
        signal,
      )
      assert.equal(item?.where, 'elsewhere')
      assert.equal(item?.home, a.node.store.log.origin)
      assert.equal(item?.movable, true)
      assert.deepEqual([item?.counted, item?.uncounted, item?.spend_seq], [true, null, 1])
      await passing(all, async () => (await listOf(bob)).every((it) => it.arrival === 'received'), signal)
      assert.equal((await listOf(ann)).length, 1)

      const on = await bob.client.call('economy.send', { to: cat.zid, token_ids: [first] })
      assert.deepEqual([on.moved, on.move.direction, on.move.serial], [1, 'out', null])
      assert.equal((await listOf(bob)).length, 1)
      await passing(all, async () => (await listOf(cat))[0]?.arrival === 'received', signal)
      const back = await cat.client.call('economy.send', { to: ann.zid, token_ids: [first] })
      assert.equal(back.move.receipt.receipt.log, a.node.store.log.origin)
      assert.equal((await listOf(cat)).length, 0)
      assert.ok((await listOf(ann)).some((it) => it.token_id === first && it.where === 'here' && it.spend_seq === 3))
      assert.equal(
        (await refusal(() => bob.client.call('economy.send', { to: ann.zid, token_ids: [first] }))).code,
        'NOT_FOUND',
      )
    }
    for (const it of [aDir, bDir, cDir]) await sound(it.path)
  },
  MS,
)

test(
  'a ZID that keeps its key locks and sends a token that lives elsewhere; an op without answer outlives a restart',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    {
      await using a = await testNode({ directory: aDir.path, settings: { 'p2p.enabled': true } })
      const seed = Uint8Array.from({ length: 32 }, (_, i) => 7 * i)
      let sue!: Member
      let bob!: Member
      let lost: string
      const ann = await member(a)
      {
        await using b = await joining([a], { directory: bDir.path })
        ;[sue, bob] = [await member(b, seed), await member(b)]
        await acquainted([a, b], [ann, bob, sue], signal)
        const [one = '', two = ''] = await enrich(a, ann, 2)
        await ann.client.call('economy.send', { to: sue.zid, token_ids: [one] })
        await ann.client.call('economy.send', { to: bob.zid, token_ids: [two] })
        const whole = async () =>
          [...(await listOf(sue)), ...(await listOf(bob))].filter((it) => it.arrival === 'received')
        await passing([a, b], async () => (await whole()).length === 2, signal)

        const { meshTick: mesh_tick } = b.node.store.now()
        const common = { home: a.node.store.log.origin, mesh_tick, valid_to: mesh_tick + 100 }
        const lock = { ...common, op: 'lock', ref: 'vote:p1', until: mesh_tick + 50 }
        const place = (spend_seq: number) => [{ token_id: one, spend_seq }]
        await b.client.call('economy.token-op', orderOf(sue.seed, place(1), lock))
        const [tied] = await listOf(sue)
        assert.deepEqual([tied?.lock?.kind, tied?.immovable, tied?.spend_seq], ['vote', 'locked', 2])
        const transfer = orderOf(sue.seed, place(2), { ...common, op: 'transfer', to: ann.zid })
        assert.equal((await refusal(() => b.client.call('economy.token-op', transfer))).code, 'ENVELOPE_LOCKED')
        for (const it of [a, b]) await it.advanceTicks(50)
        const moved = await b.client.call('economy.token-op', transfer)
        assert.deepEqual(
          await b.client.call('economy.token-op', transfer),
          moved,
          'the same op again, the same receipt',
        )
        assert.equal((await listOf(sue)).length, 0)

        // The home applies it, and no answer comes before the node ends.
        let question = 0
        joinInMemory(b, [a], () => {
          question += 1
          return cutAfter(question === 1 ? undefined : 1)
        })
        const { moves } = b.node.services.economy
        const unknown = await refusal(() => moves.send(bob.caller, { to: ann.zid, token_ids: [two] }))
        assert.equal(unknown.details['pending'], true)
        lost = String(unknown.details['op_digest'])
      }
      await using b = await joining([a], { directory: bDir.path, start: a.node.store.now().instant })
      const back = again(b, bob)
      const known = async () => (await back.client.call('economy.moves', { limit: 5 })).moves
      await passing([a, b], async () => (await known()).some((it) => it.op_digest === lost), signal)
      assert.equal((await listOf(back)).length, 0)
      assert.equal((await listOf(ann)).filter((it) => it.movable).length, 2)
    }
    for (const it of [aDir, bDir]) await sound(it.path)
  },
  MS,
)

test.run()
