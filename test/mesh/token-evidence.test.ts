/**
 * Goal: proof that a home spent a token twice goes from the node that met both receipts to all others, and from then on
 * no token of that home counts there. Method: a home that runs twice, on copies of one directory, and two nodes on
 * loopback of which one alone meets the second receipt.
 */
import assert from 'node:assert/strict'
import { rmSync } from 'node:fs'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { acquainted, again, enrich, listOf, type Member, member, passing, sound } from './token-kit.ts'
import { joinInMemory } from './token-wire.ts'
import { after, copies, isJoined, joining } from './witness-kit.ts'

const test = suite('mesh: evidence of tokens')
const MS = 60_000

test(
  'who never met the second receipt hears of it, and counts no token of that home',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir, cDir] = [dirs.use(tempDir()), dirs.use(tempDir()), dirs.use(tempDir())]
    const p2p = { 'p2p.enabled': true }
    let [ann, bob, sue, cat] = [{} as Member, {} as Member, {} as Member, {} as Member]
    let [token, kept] = ['', '']
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p })
      await using b = await joining([a], { directory: bDir.path })
      await using c = await joining([a, b], { directory: cDir.path })
      ;[ann, bob, sue, cat] = [await member(a), await member(b), await member(b), await member(c)]
      await acquainted([a, b, c], [ann, bob, sue, cat], signal)
      ;[token = '', kept = ''] = await enrich(a, ann, 2)
      await ann.client.call('economy.send', { to: cat.zid, token_ids: [kept] })
      await passing([a, b, c], async () => (await listOf(cat))[0]?.arrival === 'received', signal)
    }
    const twins = copies(aDir.path)
    try {
      await using b = await testNode({ directory: bDir.path, settings: p2p, start: after(1_000) })
      await using c = await joining([b], { directory: cDir.path, start: after(1_000) })
      await until(() => isJoined(b, c), signal)
      const cats = again(c, cat)
      assert.deepEqual([(await listOf(cats))[0]?.counted, (await listOf(cats))[0]?.uncounted], [true, null])
      for (const [i, to] of [again(b, bob), again(b, sue)].entries()) {
        await using a = await testNode({ directory: twins[i] ?? '', start: b.node.store.now().instant })
        joinInMemory(a, [b])
        joinInMemory(b, [a])
        await again(a, ann).client.call('economy.send', { to: to.zid, token_ids: [token] })
        await passing([a, b], async () => (await listOf(to)).length === 1, signal)
        // The other clock follows: what is told late by more than 120 ticks is no gossip.
        while (c.node.store.now().meshTick < b.node.store.now().meshTick) await c.advanceTicks(1)
      }
      const shown = await passing(
        [b, c],
        async () => (await listOf(cats)).find((it) => it.token_id === kept && !it.counted),
        signal,
      )
      assert.equal(shown.uncounted, 'evidence')
      const { evidence } = await cats.client.call('economy.history', { token_id: kept })
      assert.deepEqual([evidence?.token_id, evidence?.receipts.length], [token, 2])
      assert.deepEqual(
        c.lines.filter(({ event }) => event === 'token_spent_twice'),
        [],
        'it met no two receipts itself',
      )
    } finally {
      for (const it of twins) rmSync(it, { recursive: true })
    }
    for (const it of [bDir, cDir]) await sound(it.path)
  },
  MS,
)

test.run()
