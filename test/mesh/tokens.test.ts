/**
 * Goal: tokens go from node to node, each change decided by their home alone, and their owners see them where they are.
 * Method: real nodes on loopback with clocks that stand until moved; fsck of every data directory afterwards.
 */
import assert from 'node:assert/strict'
import { refusal } from '../domain/house.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { acquainted, enrich, listOf, member, passing, sound } from './token-kit.ts'
import { joining } from './witness-kit.ts'

const test = suite('mesh: tokens')
const MS = 120_000

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

test.run()
