/**
 * Goal: a home that is away changes nothing, a restart loses nothing, only what a node's own policy takes is received
 * and counted, and a home that spends a token twice is proved to. Method: real nodes on loopback, stopped and started
 * again on their directories; twins made of two copies of one.
 */
import assert from 'node:assert/strict'
import { rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { utf8 } from '#core/bytes.ts'
import { verifyTokenEvidence } from '#core/token/evidence.ts'
import { refusal } from '../domain/house.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { until } from '../kit/until.ts'
import { acquainted, again, enrich, listOf, type Member, member, passing, sound } from './token-kit.ts'
import { joinInMemory } from './token-wire.ts'
import { after, copies, isJoined, joining } from './witness-kit.ts'

const test = suite('mesh: tokens, homes away and policies')
const random = seeded()
const MS = 60_000

test(
  'the home is down: 503 and nothing changed; up again what was told goes on where it was, through restarts',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    const p2p = { 'p2p.enabled': true }
    let token = ''
    let ann!: Member
    let bob!: Member
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p })
      {
        await using b = await joining([a], { directory: bDir.path })
        ;[ann, bob] = [await member(a), await member(b)]
        await acquainted([a, b], [ann, bob], signal)
      }
      // Sent while the recipient's node is down: the home keeps that it is to be told.
      const tokens = await enrich(a, ann, 2)
      token = tokens[0] ?? ''
      await ann.client.call('economy.send', { to: bob.zid, token_ids: tokens })
    }
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p, start: after(300) })
      {
        await using b = await joining([a], { directory: bDir.path, start: after(300) })
        await passing([a, b], async () => b.node.store.peek('awayPlace', 'all') !== undefined, signal)
      }
      // Stopped while they arrive.
      await using b = await joining([a], { directory: bDir.path, start: a.node.store.now().instant })
      const back = again(b, bob)
      await until(() => isJoined(b, a), signal)
      await passing(
        [a, b],
        async () => {
          const mine = await listOf(back)
          return mine.length === 2 && mine.every((it) => it.arrival === 'received')
        },
        signal,
      )
    }
    {
      await using b = await testNode({ directory: bDir.path, settings: p2p, start: after(2_000) })
      const back = again(b, bob)
      const before = await listOf(back)
      const { moves: door } = b.node.services.economy
      const away = await refusal(() => door.send(back.caller, { to: ann.zid, token_ids: [token] }))
      assert.equal(away.code, 'HOME_UNREACHABLE')
      assert.ok(Number(away.details['retry_after_seconds']) > 0)
      assert.deepEqual(await listOf(back), before)
      assert.ok(
        before.every((it) => !it.movable && it.immovable === 'unconfirmed'),
        'its home was not heard of for long',
      )
      const { moves } = await back.client.call('economy.moves', { limit: 10 })
      assert.deepEqual(
        moves.map((it) => [it.direction, it.count, it.state]),
        [['in', 2, 'sealed']],
      )
      await back.client.call('economy.file', { folder: 'far', token_ids: [token] })
      const { folders } = await back.client.call('economy.folders', { zid: bob.zid })
      assert.deepEqual(folders.find((it) => it.folder === 'far')?.count, 1)
      const way = await back.client.call('economy.history', { token_id: token })
      assert.deepEqual([way.minted.to, way.moves.length, way.evidence], [ann.zid, 1, null])
      const bundle = await back.client.call('compute.bundle', { token_id: token })
      assert.equal(bundle.envelope.claim.token_id, token)
      const found = await back.client.call('economy.envelopes', { zid: bob.zid, q: token, limit: 5, offset: 0 })
      assert.deepEqual([found.total, found.envelopes[0]?.folder], [1, 'far'])
    }
    for (const it of [aDir, bDir]) await sound(it.path)
  },
  MS,
)

test(
  'received is what the own policy says: outside it a token is not counted, without its witness it only arrives',
  async (signal) => {
    using dirs = new DisposableStack()
    const [bDir, cDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    const vkeysOf = async (it: TestNode) => (await it.client.call('identity.node', {})).vkeys
    await using a = await testNode({ settings: { 'p2p.enabled': true } })
    const [log, witness] = [(await vkeysOf(a)).log, (await vkeysOf(a)).witness]
    const other = await (async () => {
      await using it = await testNode()
      return await vkeysOf(it)
    })()
    const file = (directory: string, text: string): string => {
      const path = join(directory, 'policy.txt')
      writeFileSync(path, utf8(text))
      return path
    }
    // One names another log; one names this log, and a witness that nobody runs.
    const outside = file(bDir.path, `log ${other.log}\nwitness w ${witness}\nquorum none\n`)
    const strict = file(cDir.path, `log ${log}\nwitness w ${other.witness}\nquorum w\n`)
    await using b = await joining([a], { settings: { 'mesh.policy': outside } })
    await using c = await joining([a], { settings: { 'mesh.policy': strict } })
    const [ann, bob, cat] = [await member(a), await member(b), await member(c)]
    for (const it of [b, c]) await until(() => isJoined(a, it), signal)
    const [one = '', two = ''] = await enrich(a, ann, 2)
    for (const [to, id] of [
      [bob, one],
      [cat, two],
    ] as const) {
      await ann.client.call('economy.send', { to: to.zid, token_ids: [id], allow_unknown: true })
    }
    const [shown] = await passing(
      [a, b, c],
      async () => {
        const [item] = await listOf(bob)
        return item?.arrival === 'received' && (await listOf(cat)).length === 1 ? [item] : undefined
      },
      signal,
    )
    assert.deepEqual([shown?.counted, shown?.uncounted, shown?.movable], [false, 'outside_policy', true])
    for (let i = 0; i < 20; i += 1) for (const it of [a, b, c]) await it.advanceTicks(1)
    const [waiting] = await listOf(cat)
    assert.deepEqual([waiting?.arrival, waiting?.counted], ['arriving', true])
  },
  MS,
)

test(
  'a home that runs twice spends a token twice: both receipts are kept as evidence, and nothing of it counts',
  async (signal) => {
    using dirs = new DisposableStack()
    const [aDir, bDir] = [dirs.use(tempDir()), dirs.use(tempDir())]
    const seed = Uint8Array.from({ length: 32 }, () => random.integer(0, 255))
    const p2p = { 'p2p.enabled': true }
    let ann!: Member
    let bob!: Member
    let sue!: Member
    let token = ''
    {
      await using a = await testNode({ directory: aDir.path, settings: p2p })
      await using b = await joining([a], { directory: bDir.path })
      ;[ann, bob, sue] = [await member(a), await member(b), await member(b, seed)]
      await acquainted([a, b], [ann, bob, sue], signal)
      token = (await enrich(a, ann, 1))[0] ?? ''
      await a.advanceTicks(2)
    }
    const twins = copies(aDir.path)
    try {
      await using b = await testNode({ directory: bDir.path, start: after(1_000) })
      const [bobs, sues] = [again(b, bob), again(b, sue)]
      for (const [i, to] of [bobs, sues].entries()) {
        await using a = await testNode({ directory: twins[i] ?? '', start: b.node.store.now().instant })
        joinInMemory(a, [b])
        joinInMemory(b, [a])
        await again(a, ann).client.call('economy.send', { to: to.zid, token_ids: [token] })
        await passing([a, b], async () => (await listOf(to)).length === 1, signal)
      }
      assert.equal((await listOf(bobs)).length, 0, 'one owner a token')
      const [item] = await listOf(sues)
      assert.deepEqual([item?.counted, item?.uncounted], [false, 'evidence'])
      const { evidence } = await sues.client.call('economy.history', { token_id: token })
      const proven = verifyTokenEvidence(evidence)
      assert.deepEqual([proven.token_id, proven.spend_seq, proven.home], [token, 0, item?.home])
    } finally {
      for (const it of twins) rmSync(it, { recursive: true })
    }
    await sound(bDir.path)
  },
  MS,
)

test.run()
