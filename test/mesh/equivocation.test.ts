/**
 * Goal: a node that signs two histories is proved to all, also to one that saw neither note, and a node whose own key
 * signed what its log does not hold seals nothing. Method: real nodes on loopback with clocks that stand until moved;
 * an equivocating node is made of two copies of one data directory, or of a bare host that pushes what it likes.
 */
import assert from 'node:assert/strict'
import { cpSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { askExchange } from '#mesh/exchange.ts'
import { witnessExchange } from '#mesh/protocols/witness.ts'
import { createBackup, restoreBackup } from '#node/backup.ts'
import { makeLog } from '../domain/network/log-kit.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { stranger } from './party.ts'
import {
  after,
  copies,
  isCosigned,
  isJoined,
  joining,
  scrape,
  seal,
  status,
  ticking,
  witnessOf,
} from './witness-kit.ts'

const test = suite('mesh: equivocation')
const random = seeded()
const MS = 60_000

test(
  'a node that runs twice: gossip shows two roots of one size, all learn it and keep it, and both twins stop',
  async (signal) => {
    using dir = tempDir()
    {
      await using seedling = await testNode({ directory: dir.path })
      await seal(seedling)
      await seedling.advanceTicks(1)
    }
    const twins = copies(dir.path)
    const [one, two] = twins
    using cDir = tempDir()
    try {
      for (const directory of twins) {
        await using alone = await testNode({ directory, start: after(10) })
        await seal(alone)
        await alone.advanceTicks(1)
      }
      await using b = await testNode({ start: after(20), settings: { 'p2p.enabled': true } })
      const proved = await (async () => {
        await using c = await joining([b], { directory: cDir.path, start: after(20) })
        await until(() => isJoined(b, c), signal)
        {
          await using first = await joining([b], { directory: one, start: after(20) })
          await until(() => isJoined(b, first), signal)
          await ticking([b, c, first], async () => isCosigned(first), signal)
          assert.equal((await witnessOf(first)).state, 'growing')
        }
        await using second = await joining([b], { directory: two, start: after(40) })
        await until(() => isJoined(b, second), signal)
        const all = [b, c, second]
        const found = await ticking(all, async () => (await witnessOf(b)).evidence[0], signal)
        const { origin } = second.node.store.log
        assert.deepEqual([found.origin, found.node, found.prefix], [origin, second.node.nodeId, null])
        assert.deepEqual(await ticking(all, async () => (await witnessOf(c)).evidence[0], signal), found)
        const standing = { counts: true, up_to: found.size, because: 'evidence' }
        for (const it of [b, c]) assert.deepEqual(it.node.services.witness.standingOf(origin), standing)
        const head = (await status(b)).heads.find((it) => it.origin === origin)
        assert.deepEqual(head?.standing, standing)
        assert.match(await scrape(b), /tickmesh_evidence_total 1/)
        await ticking(all, async () => (await witnessOf(second)).state === 'rolled_back', signal)
        await assert.rejects(seal(second), { code: 'LOG_ROLLED_BACK' })
        return found
      })()
      {
        await using again = await testNode({ directory: cDir.path, start: after(400) })
        assert.deepEqual((await witnessOf(again)).evidence, [proved], 'evidence survives a restart')
      }
      // The other twin holds what the witness cosigned; it learns by the evidence, or by a later note of its own key
      // that the witness has, that it is not the only one.
      await using first = await joining([b], { directory: one, start: after(60) })
      await until(() => isJoined(b, first), signal)
      await ticking([b, first], async () => (await witnessOf(first)).state === 'rolled_back', signal)
      assert.ok(['evidence', b.node.nodeId].includes((await witnessOf(first)).lost?.from ?? ''))
    } finally {
      for (const path of twins) rmSync(path, { recursive: true, force: true })
    }
  },
  2 * MS,
)

test(
  'two histories of an event log, of unequal sizes: whoever syncs both has the proof',
  async (signal) => {
    using dir = tempDir()
    {
      await using seedling = await testNode({ directory: dir.path })
      await seedling.client.call('identity.sign-up', {})
      await seedling.advanceTicks(1)
    }
    const twins = copies(dir.path)
    try {
      for (const [i, directory] of twins.entries()) {
        await using alone = await testNode({ directory, start: after(10) })
        for (let more = 0; more <= i; more++) await alone.client.call('identity.sign-up', {})
        await alone.advanceTicks(1)
      }
      await using b = await testNode({ start: after(20), settings: { 'p2p.enabled': true } })
      const held = async (size: number) => (await status(b)).sources.some((it) => it.size === size)
      const sizes: number[] = []
      for (const [i, directory] of twins.entries()) {
        await using twin = await joining([b], { directory, start: after(20 + 20 * i) })
        await until(() => isJoined(b, twin), signal)
        const { origin, size } = twin.node.store.events
        sizes.push(size)
        if (i === 0) await ticking([b, twin], () => held(size), signal)
        else {
          const proof = await ticking([b, twin], async () => (await witnessOf(b)).evidence[0], signal)
          assert.deepEqual([proof.origin, proof.size, proof.larger], [origin, ...sizes])
          assert.notEqual(proof.prefix, null)
          assert.equal(b.node.services.witness.standingOf(origin).up_to, sizes[0])
        }
      }
    } finally {
      for (const path of twins) rmSync(path, { recursive: true, force: true })
    }
  },
  MS,
)

test(
  'a node that pushes two histories: the witness proves it by the path it was given, a third node takes the proof',
  async (signal) => {
    await using b = await testNode({ settings: { 'p2p.enabled': true } })
    await using c = await joining([b])
    await until(() => isJoined(b, c), signal)
    await using liar = await stranger(random)
    const [address = ''] = (await status(b)).addresses
    await liar.join(address, signal)
    await until(async () => (await status(b)).peers.some(({ node }) => node === liar.node), signal)
    const push = async (body: Uint8Array): Promise<number> => {
      const asking = { node: b.node.nodeId, question: body, signal }
      return (await askExchange(liar.host, witnessExchange, asking)).status
    }
    const log = makeLog(random, 6, liar.seed)
    assert.equal(await push(log.push(0)), 200)
    const other = log.fork(3)
    other.grow(8)
    assert.equal(await push(other.push(6)), 422)
    log.grow(1)
    assert.equal(await push(log.push(6)), 200, 'the rules stay what they are: the first history may grow')
    const found = await ticking([b, c], async () => (await witnessOf(b)).evidence[0], signal)
    assert.deepEqual([found.origin, found.size, found.larger], [log.origin, 6, 11])
    assert.notEqual(found.prefix, null)
    assert.deepEqual(await ticking([b, c], async () => (await witnessOf(c)).evidence[0], signal), found)
    assert.equal(c.node.services.witness.standingOf(log.origin).up_to, 6)
    const heard = (await status(c)).heads.some(({ origin }) => origin === log.origin)
    assert.equal(heard, false, 'c saw neither note')
  },
  MS,
)

test(
  'data put back: the witness shows a larger note of our own key, nothing is sealed; newer data go on',
  async (signal) => {
    using dir = tempDir()
    using old = tempDir()
    await using b = await testNode({ settings: { 'p2p.enabled': true } })
    const grow = async (it: TestNode): Promise<void> => {
      await until(() => isJoined(b, it), signal)
      await ticking([it, b], () => seal(it).catch(() => undefined), signal)
      const { size } = it.node.store.log
      await ticking([it, b], async () => ((await witnessOf(it)).logs[0]?.quorum_size ?? 0) > size - 1, signal)
    }
    {
      await using a = await joining([b], { directory: dir.path })
      await grow(a)
    }
    cpSync(dir.path, old.path, { recursive: true })
    {
      await using a = await joining([b], { directory: dir.path, start: after(60) })
      await grow(a)
    }
    {
      await using back = await joining([b], { directory: old.path, start: after(120) })
      assert.equal((await witnessOf(back)).state === 'growing', false, 'it waits for a word of its witnesses')
      await ticking([back, b], async () => (await witnessOf(back)).state === 'rolled_back', signal)
      await assert.rejects(seal(back), { code: 'LOG_ROLLED_BACK', status: 503 })
      const { lost } = await witnessOf(back)
      assert.equal(lost?.from, b.node.nodeId)
      assert.ok((lost?.signed ?? 0) > (lost?.size ?? 0))
      const size = back.node.store.log.size
      await back.advanceTicks(3)
      assert.deepEqual([back.node.store.log.size, back.node.store.log.checkpoint?.size], [size, size])
      assert.match(await scrape(back), /tickmesh_log_held 1/)
    }
    {
      // Alone it remembers what it was shown.
      await using alone = await testNode({ directory: old.path, start: after(180) })
      await assert.rejects(seal(alone), { code: 'LOG_ROLLED_BACK' })
    }
    // Newer data: the log holds what was signed, and goes on.
    await using fine = await joining([b], { directory: dir.path, start: after(240) })
    await grow(fine)
    assert.equal((await witnessOf(fine)).state, 'growing')
  },
  2 * MS,
)

test(
  'data put back from an archive wait for one who had cosigned them, however long; a stranger is no help',
  async (signal) => {
    using dir = tempDir()
    using bDir = tempDir()
    using to = tempDir()
    const file = join(to.path, 'node.backup')
    {
      await using b = await testNode({ directory: bDir.path, settings: { 'p2p.enabled': true } })
      await using a = await joining([b], { directory: dir.path })
      await until(() => isJoined(b, a), signal)
      await seal(a)
      await ticking([a, b], async () => isCosigned(a), signal)
    }
    await createBackup({ directory: dir.path, file, keys: true })
    const directory = join(to.path, 'again')
    await restoreBackup({ directory, file, opening: {}, force: false, check: false })
    await using c = await testNode({ start: after(60), settings: { 'p2p.enabled': true } })
    {
      await using back = await joining([c], { directory, start: after(60) })
      await until(() => isJoined(c, back), signal)
      const size = back.node.store.log.size
      for (let i = 0; i < 40; i++) {
        await c.advanceTicks(1)
        await back.advanceTicks(1)
      }
      await assert.rejects(seal(back), { code: 'LOG_UNCONFIRMED' })
      assert.equal(back.node.store.log.size, size)
    }
    await using b = await testNode({ directory: bDir.path, start: after(120), settings: { 'p2p.enabled': true } })
    await using back = await joining([b, c], { directory, start: after(120) })
    await until(() => isJoined(b, back), signal)
    await ticking([b, back], async () => (await witnessOf(back)).state === 'growing', signal)
    assert.notEqual(await seal(back), '')
  },
  2 * MS,
)

test(
  'a start without its witnesses waits a few ticks and goes on; without libp2p it does not wait at all',
  async (signal) => {
    using dir = tempDir()
    {
      await using a = await testNode({ directory: dir.path, settings: { 'p2p.enabled': true } })
      await using b = await joining([a])
      await until(() => isJoined(a, b), signal)
      await seal(a)
      await ticking([a, b], async () => isCosigned(a), signal)
    }
    {
      await using off = await testNode({ directory: dir.path, start: after(60) })
      assert.notEqual(await seal(off), '')
      await off.advanceTicks(1)
    }
    await using alone = await testNode({
      directory: dir.path,
      start: after(120),
      settings: { 'p2p.enabled': true },
    })
    await assert.rejects(seal(alone), { code: 'LOG_UNCONFIRMED' })
    await alone.advanceTicks(8)
    assert.notEqual(await seal(alone), '')
  },
  MS,
)

test.run()
