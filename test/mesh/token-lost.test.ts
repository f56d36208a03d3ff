/**
 * Goal: whatever is lost on the way to a home, an op is applied once or not at all, its sender gets that one receipt,
 * and tokens arrive whole. Method: two real nodes whose streams are in memory and are cut after any number of frames.
 */
import assert from 'node:assert/strict'
import { refusal } from '../domain/house.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { acquainted, enrich, listOf, type Member, member, orderOf, passing } from './token-kit.ts'
import { arrived, pair } from './token-pair.ts'
import { cutAfter, joinInMemory } from './token-wire.ts'

const test = suite('mesh: tokens and lost answers')
const random = seeded()
const MS = 60_000

test(
  'an answer is lost: the same call, and the node by itself, get the receipt of the one op',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann, bob } = await pair(stack, signal)
    const [first = '', second = '', third = ''] = await enrich(a, ann, 3)
    await ann.client.call('economy.send', { to: bob.zid, token_ids: [first, second, third] })
    await arrived([a, b], bob, [first, second, third], signal)
    const { moves } = b.node.services.economy
    const repeat = { scope: 'economy.send', key: 'one', input: {} }
    const size = a.node.store.log.size

    // Nothing goes out: nothing changed, and the state that was asked for first says so.
    joinInMemory(b, [a], () => cutAfter(0))
    const away = await refusal(() => moves.send(bob.caller, { to: ann.zid, token_ids: [first] }, repeat))
    assert.deepEqual([away.code, away.details['pending']], ['HOME_UNREACHABLE', undefined])
    assert.equal(a.node.store.log.size, size)
    assert.equal((await listOf(bob)).length, 3)

    // The home applies it and its answer is lost, three times.
    let question = 0
    joinInMemory(b, [a], () => {
      question += 1
      return cutAfter(question === 1 ? undefined : 1)
    })
    const lost = await refusal(() => moves.send(bob.caller, { to: ann.zid, token_ids: [first] }, repeat))
    assert.deepEqual([lost.code, lost.details['pending']], ['HOME_UNREACHABLE', true])
    assert.ok(
      (await listOf(ann)).some((it) => it.token_id === first),
      'the home did apply it',
    )
    // The home is away as the caller comes back: what may have been applied is not given up.
    joinInMemory(b, [])
    const still = await refusal(() => moves.send(bob.caller, { to: ann.zid, token_ids: [first] }, repeat))
    assert.deepEqual(
      [still.code, still.details['pending'], still.details['op_digest']],
      ['HOME_UNREACHABLE', true, lost.details['op_digest']],
    )
    joinInMemory(b, [a])
    const again = await moves.send(bob.caller, { to: ann.zid, token_ids: [first] }, repeat)
    assert.equal(again.move.op_digest, lost.details['op_digest'])
    assert.equal((await moves.send(bob.caller, { to: ann.zid, token_ids: [first] }, repeat)).replayed, true)
    assert.equal((await listOf(bob)).length, 2)

    // Lost again, and the caller never comes back.
    question = 0
    joinInMemory(b, [a], () => {
      question += 1
      return cutAfter(question === 1 ? undefined : 1)
    })
    const gone = await refusal(() => moves.send(bob.caller, { to: ann.zid, token_ids: [second] }))
    joinInMemory(b, [a])
    const known = async () => (await bob.client.call('economy.moves', { limit: 5 })).moves
    await passing([a, b], async () => (await known()).some((it) => it.op_digest === gone.details['op_digest']), signal)
    assert.deepEqual(
      (await listOf(bob)).map((it) => it.token_id),
      [third],
    )
  },
  MS,
)

test(
  'streams that are cut anywhere: tokens arrive whole, and fsck finds nothing',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann, bob } = await pair(stack, signal)
    const tokens = await enrich(a, ann, 6)
    const cuts = () => cutAfter(random.next() < 0.5 ? random.integer(0, 3) : undefined)
    for (const it of [a, b]) joinInMemory(it, it === a ? [b] : [a], cuts)
    for (const token of tokens) await ann.client.call('economy.send', { to: bob.zid, token_ids: [token] })
    await arrived([a, b], bob, tokens, signal)
    for (const token of tokens) {
      const sent = (): Promise<unknown> => bob.client.call('economy.send', { to: ann.zid, token_ids: [token] })
      await passing(
        [a, b],
        async () => {
          const mine = (await listOf(bob)).some((it) => it.token_id === token)
          if (mine) await sent().catch(() => undefined)
          return !mine
        },
        signal,
      )
    }
    assert.deepEqual(
      (await listOf(ann))
        .filter((it) => it.movable)
        .map((it) => it.token_id)
        .sort(),
      tokens.toSorted(),
    )
    assert.ok(
      (await listOf(ann)).filter((it) => it.movable).every((it) => it.spend_seq === 2),
      'each went once each way',
    )
  },
  MS,
)

test(
  'two ops for one token from two places at once: one wins, always',
  async (signal) => {
    await using stack = new AsyncDisposableStack()
    const { a, b, ann } = await pair(stack, signal)
    const seed = Uint8Array.from({ length: 32 }, () => random.integer(0, 255))
    const sue = await member(b, seed)
    const dan = await member(a)
    await acquainted([a, b], [sue, dan], signal)
    const tokens = await enrich(a, ann, 4)
    for (const token_id of tokens) {
      await ann.client.call('economy.send', { to: sue.zid, token_ids: [token_id] })
      await arrived([a, b], sue, [token_id], signal)
      const { meshTick: mesh_tick } = b.node.store.now()
      const common = { home: a.node.store.log.origin, op: 'transfer', mesh_tick, valid_to: mesh_tick + 100 }
      const place = [{ token_id, spend_seq: 1 }]
      const toAnn = orderOf(sue.seed, place, { ...common, to: ann.zid })
      const toDan = orderOf(sue.seed, place, { ...common, to: dan.zid })
      const both = [b.client.call('economy.token-op', toAnn), a.client.call('economy.token-op', toDan)]
      const results = await Promise.allSettled(random.next() < 0.5 ? both : both.reverse())
      assert.deepEqual(results.map((it) => it.status).sort(), ['fulfilled', 'rejected'])
      const [lost] = results.flatMap((it) => (it.status === 'rejected' ? [it.reason as { code: string }] : []))
      assert.equal(lost?.code, 'NOT_FOUND')
      const has = async (who: Member) => (await listOf(who)).some((it) => it.token_id === token_id)
      assert.deepEqual([await has(ann), await has(dan)].sort(), [false, true])
      assert.equal(await has(sue), false, 'a refusal of its home is news')
    }
    const [left = ''] = await enrich(a, ann, 1)
    await ann.client.call('economy.send', { to: sue.zid, token_ids: [left] })
    await arrived([a, b], sue, [left], signal)
    const unsigned = await refusal(() => sue.client.call('economy.send', { to: ann.zid, token_ids: [left] }))
    assert.equal(unsigned.code, 'SCOPE_REQUIRED')
  },
  MS,
)

test.run()
