/*
 * Goal: a bond is made whole or not at all, every refusal changes nothing, and its locks end when the rules say.
 * Method: the owner of a real store with 1,000 envelopes and more, some soulbound; calls one after another, at once and
 * with hostile lists; a clock that the test moves; fsck, which holds bonds against locks both ways.
 */
import assert from 'node:assert/strict'
import { packSorted, placesOf, tokensRoot } from '#core/token/list.ts'
import { signOpWith } from '#core/token/order.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock } from '../../../kit/clock.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { newAccount, refusal } from '../../house.ts'
import { type Bonded, FACE, openBonded, rich } from './kit.ts'

const test = suite('contribution: bond')

const PAGE = { limit: 200, offset: 0 }

const lockOf = ({ store }: Bonded, token: string) => store.peek('envelope', token)?.lock ?? null

const sound = async (directory: string): Promise<void> => assert.deepEqual((await fsck({ directory })).bad, null)

/** Everything that a refusal must leave as it is. */
const stateOf = (house: Bonded) => ({
  size: house.store.log.size,
  events: house.store.events.size,
  here: house.store.peek('contribution', 'own'),
})

test('a bond locks 1,000 envelopes at once, soulbound ones first, and its event names the receipt', async () => {
  using dir = tempDir()
  {
    await using house = await openBonded(dir.path)
    const { bound, movable } = await rich(house, { soulbound: 400, movable: 620 })
    const { contribution, owner, store } = house
    const before = await contribution.status(owner, PAGE)
    assert.deepEqual([before.bond, before.held, before.days_remaining], [null, BOND_TOKENS, 0])
    const leaves = store.log.size

    const made = await contribution.bond(owner, {})
    assert.deepEqual([made.state, made.count, made.homes.length], ['held', BOND_TOKENS, 1])
    assert.equal(made.at_risk >= FACE * BOND_TOKENS, true)
    assert.equal(store.log.size, leaves + 1, 'one leaf for all of them')
    assert.ok(bound.every((it) => lockOf(house, it)?.ref === made.bond))
    assert.equal([...bound, ...movable].filter((it) => lockOf(house, it) !== null).length >= BOND_TOKENS - 1, true)

    const row = store.peek('bond', made.bond)
    assert.deepEqual([row?.author, row?.total, row?.parts[0]?.count], [house.keys.nodeId, BOND_TOKENS, BOND_TOKENS])
    assert.equal(row?.parts[0]?.index, leaves)
    const list = await contribution.list(made.bond, row?.parts[0]?.tokens_root ?? '')
    assert.ok(list !== undefined)
    assert.equal(tokensRoot(list), row?.parts[0]?.tokens_root, 'the list is served under its root')

    const after = await contribution.status(owner, { limit: 200, offset: 900 })
    assert.deepEqual([after.attestation.total, after.attestation.tokens.length], [BOND_TOKENS, 100])
    assert.deepEqual([after.days_remaining, after.works.open, after.works.max], [0, 0, 64])
    assert.deepEqual(await refusal(() => contribution.bond(owner, {})).then((it) => it.code), 'ALREADY_BONDED')
    const [token = ''] = movable.filter((it) => lockOf(house, it) !== null)
    const other = await newAccount(house, 'other')
    const sent = await refusal(() => house.economy.moves.send(owner, { to: other.zid, token_ids: [token] }))
    assert.deepEqual([sent.code, sent.details['kind'], sent.details['ref']], ['ENVELOPE_LOCKED', 'bond', made.bond])
  }
  await sound(dir.path)
}, 120_000)

test('what does not fit is refused with its code, and nothing has changed', async () => {
  using dir = tempDir()
  {
    await using house = await openBonded(dir.path)
    const { bound, movable } = await rich(house)
    const { contribution, owner, economy, clock } = house
    const tokens = [...bound, ...movable]
    const account = await newAccount(house, 'stranger')
    const before = stateOf(house)
    const code = async (order: Parameters<typeof contribution.bond>[1]) =>
      refusal(() => contribution.bond(owner, order))

    for (const order of [{ count: 999 }, { token_ids: tokens.slice(0, 999) }]) {
      const { code: found, details } = await code(order)
      assert.deepEqual([found, details['held'], details['needed']], ['BOND_TOO_SMALL', 999, BOND_TOKENS])
    }
    assert.equal((await code({ token_ids: [] })).code, 'BOND_TOO_SMALL')
    assert.equal((await code({ count: 1_000, token_ids: tokens.slice(0, 1_000) })).code, 'INVALID_INPUT')
    const twice = [...tokens.slice(0, 999), tokens[0] ?? '']
    assert.equal((await code({ token_ids: twice })).code, 'INVALID_INPUT')
    const foreign = 'f'.repeat(32)
    const unknown = await code({ token_ids: [...tokens.slice(0, 999), foreign] })
    assert.deepEqual([unknown.code, unknown.details['token_id']], ['NOT_FOUND', foreign])
    assert.equal(
      (await code({ token_ids: Array.from({ length: 1_001 }, (_, i) => i.toString(16).padStart(32, '0')) })).code,
      'INVALID_INPUT',
    )
    for (const caller of [account.caller, { ...account.caller, kind: 'anonymous' } as never]) {
      assert.equal((await refusal(() => contribution.bond(caller, {}))).code, 'SCOPE_REQUIRED')
      assert.equal((await refusal(() => contribution.release(caller))).code, 'SCOPE_REQUIRED')
      assert.equal((await refusal(() => contribution.setMode(caller, 'idle'))).code, 'SCOPE_REQUIRED')
      assert.equal((await refusal(() => contribution.heartbeat(caller))).code, 'SCOPE_REQUIRED')
    }
    for (const mode of ['contributing', 'experimenting'] as const) {
      assert.equal((await refusal(() => contribution.setMode(owner, mode))).code, 'NOT_BONDED')
    }
    assert.equal((await refusal(() => contribution.release(owner))).code, 'NOT_BONDED')
    assert.deepEqual(stateOf(house), before)

    // Tied by a vote: named, and not drawn.
    const pair = movable.slice(0, 2)
    const { meshTick } = house.store.now()
    const list = packSorted(pair.map((token_id) => ({ token_id, spend_seq: 0 })))
    const lock = await signOpWith(house.keys.signer, {
      ...{
        home: house.store.log.origin,
        op: 'lock',
        ref: 'vote:test',
        until: meshTick + 500,
        tokens_root: tokensRoot(list),
      },
      ...{ count: 2, mesh_tick: meshTick, valid_to: meshTick + 100 },
    })
    await economy.moves.apply({ ...lock, list: [...placesOf(list)] })
    const tied = await code({ token_ids: tokens.slice(0, 1_000) })
    assert.deepEqual([tied.code, tied.details['kind'], tied.details['ref']], ['ENVELOPE_LOCKED', 'vote', 'test'])
    const short = await code({})
    assert.deepEqual([short.code, short.details['held']], ['BOND_TOO_SMALL', 999])
    assert.deepEqual((await contribution.status(owner, PAGE)).days_remaining, 1)
    clock.advanceTicks(501)
    assert.equal((await contribution.bond(owner, { token_ids: tokens.slice(0, 1_000) })).state, 'held')
  }
  await sound(dir.path)
}, 120_000)

test('of many bonds at once one is made, and the owner cannot tie its envelopes to no bond', async () => {
  using dir = tempDir()
  {
    await using house = await openBonded(dir.path)
    const { movable } = await rich(house, { soulbound: 500, movable: 1_600 })
    const { contribution, owner } = house
    const calls = [
      {},
      { count: 1_000 },
      { token_ids: movable.slice(0, 1_000) },
      { token_ids: movable.slice(600, 1_600) },
      {},
    ]
    const ended = await Promise.allSettled(calls.map((it) => contribution.bond(owner, it)))
    assert.equal(ended.filter((it) => it.status === 'fulfilled').length, 1)
    for (const it of ended) if (it.status === 'rejected') assert.equal(it.reason.code, 'ALREADY_BONDED')
    assert.equal(house.store.peek('bondCount', 'all'), 1)
    const { meshTick } = house.store.now()
    const [free = ''] = movable.filter((it) => lockOf(house, it) === null)
    const list = packSorted([{ token_id: free, spend_seq: 0 }])
    const lock = await signOpWith(house.keys.signer, {
      ...{ home: house.store.log.origin, op: 'lock', ref: 'bond:none', until: null, tokens_root: tokensRoot(list) },
      ...{ count: 1, mesh_tick: meshTick, valid_to: meshTick + 100 },
    })
    const refused = await refusal(() => house.economy.moves.apply({ ...lock, list: [...placesOf(list)] }))
    assert.equal(refused.code, 'INVALID_INPUT')
  }
  await sound(dir.path)
}, 120_000)

test('a release stops offers at once; its end moves later and never earlier, then the envelopes are free', async () => {
  using dir = tempDir()
  let name = ''
  {
    await using house = await openBonded(dir.path)
    await rich(house)
    const { contribution, owner, store, clock } = house
    name = (await contribution.bond(owner, {})).bond
    await contribution.setMode(owner, 'contributing')
    assert.equal(contribution.takesWork, true)
    await store.commit((tx) => contribution.load(tx, name, { result: tx.meshTick }))
    const result = store.now().meshTick
    const said: string[] = []
    const end = contribution.onMode((mode) => said.push(mode))
    const first = await contribution.release(owner)
    assert.equal(first.unlocks_at, result + DISPUTE_TICKS + SERVE_TICKS)
    assert.deepEqual([contribution.mode, contribution.takesWork, said.join()], ['idle', false, 'idle'])
    end()
    assert.equal((await refusal(() => contribution.setMode(owner, 'contributing'))).code, 'NOT_BONDED')
    assert.equal((await contribution.status(owner, PAGE)).bond?.state, 'releasing')

    // A dispute that may last longer, and one that may not.
    const events = store.events.size
    await store.commit((tx) => contribution.load(tx, name, { disputeUntil: first.unlocks_at + 700 }))
    assert.equal((await contribution.release(owner)).unlocks_at, first.unlocks_at + 700)
    await store.commit((tx) => contribution.load(tx, name, { disputeUntil: first.unlocks_at }))
    assert.equal((await contribution.release(owner)).unlocks_at, first.unlocks_at + 700)
    assert.equal(store.events.size, events + 1, 'said again where it moved, and only there')
    clock.advanceTicks(DISPUTE_TICKS + SERVE_TICKS + 699)
    await contribution.resume()
    assert.equal(store.peek('ownBond', name)?.state, 'held', 'one tick before its time')
  }
  await sound(dir.path)
  {
    // Time passed while the node was down: the start lets them go.
    const clock = fixedClock()
    clock.advanceTicks(DISPUTE_TICKS + SERVE_TICKS + 700 + 1_000)
    await using house = await openBonded(dir.path, { clock })
    const { contribution, owner, store } = house
    await contribution.resume()
    assert.equal(store.peek('ownBond', name)?.state, 'over')
    const status = await contribution.status(owner, PAGE)
    assert.deepEqual([status.bond, status.held], [null, BOND_TOKENS])
    for await (const [, row] of store.range('envelope')) assert.equal(row.lock, null, 'none is tied')
    assert.equal((await contribution.bond(owner, {})).state, 'held', 'and can be bonded again')
  }
  await sound(dir.path)
}, 120_000)

test.run()
