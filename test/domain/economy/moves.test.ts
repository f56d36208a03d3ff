/*
 * Goal: envelopes move whole or not at all, once, and every refusal changes nothing.
 * Method: accounts of a real store send to each other, in short and long moves, at once and across a crash; a plain
 * model of who owns what, and fsck, which makes every row again from the leaves.
 */
import assert from 'node:assert/strict'
import { fromHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import { nodeOfLog } from '#core/ids.ts'
import { signValue } from '#core/keys.ts'
import { packSorted, placesOf, type TokenPlace, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type SignedOp, type TokenOp } from '#core/token/op.ts'
import { verifyReceipt } from '#core/token/receipt.ts'
import { verifyTokenReceipt } from '#core/token/verify.ts'
import { keepList } from '#domain/economy/moving/lists.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { readList } from '#store/op-lists.ts'
import { fixedClock } from '../../kit/clock.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, openRooms, refusal, sealOne, wealthy } from '../house.ts'

const test = suite('economy: moves')

type Account = Awaited<ReturnType<typeof newAccount>>

const ownerOf = (house: House, token: string): string | undefined => house.store.peek('envelope', token)?.listed_under

const listOf = async (house: House, { zid, caller }: { zid: string; caller: Caller }, movable = false) => {
  const page = await house.economy.envelopes(zid, caller, { limit: 1_000, offset: 0, ...(movable ? { movable } : {}) })
  assert.equal(page.envelopes.length, Math.min(page.total, 1_000))
  return page.envelopes
}

const sound = async (directory: string): Promise<void> => {
  const report = await fsck({ directory })
  assert.deepEqual(report.bad, null)
}

const signed = (seed: string, op: TokenOp): SignedOp => ({
  op,
  public_key: '',
  signature: signValue(fromHex(seed), opPurpose(op), op as never),
})

/** An op of an account whose key the node hands out. */
const opOf = async (
  house: House,
  account: Account,
  places: readonly TokenPlace[],
  part: Partial<Record<string, unknown>>,
) => {
  const { seed } = await house.identity.exportKey(account.caller)
  const list = packSorted(places)
  const { meshTick } = house.store.now()
  const op = {
    home: house.store.log.origin,
    tokens_root: tokensRoot(list),
    count: places.length,
    until: null,
    mesh_tick: meshTick,
    valid_to: meshTick + 100,
    ...part,
  } as unknown as TokenOp
  const { signature } = signed(seed, op)
  const { public_key } = await house.identity.account(account.caller)
  const order = { op, list: [...placesOf(list)], signature, public_key }
  return { order, send: () => house.economy.moves.apply(order) }
}

test('what is sent by name goes whole, with its coins, and both see it', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [a, b] = [await wealthy(house, 5), await newAccount(house)]
    const { economy, store } = house
    const sent = await economy.moves.send(a.caller, { to: b.zid, token_ids: a.tokens.slice(0, 3) })
    assert.deepEqual([sent.moved, sent.weight, sent.move.direction], [3, 15, 'out'])
    assert.ok(verifyReceipt(sent.move.receipt.receipt, sent.move.receipt.receipt_signature))
    assert.deepEqual([store.balance('coin', a.zid), store.balance('coin', b.zid)], [10, 15])
    const [ofA, ofB] = [await listOf(house, a), await listOf(house, b)]
    assert.deepEqual(ofB.map((it) => it.token_id).sort(), a.tokens.slice(0, 3).sort())
    assert.ok(ofB.every((it) => it.owner === b.zid && it.spend_seq === 1 && it.movable && it.folder === ''))
    assert.equal(ofA.length, 3)
    const soulbound = ofA.find((it) => it.soulbound)
    assert.deepEqual([soulbound?.movable, soulbound?.immovable], [false, 'soulbound'])
    assert.deepEqual((await listOf(house, a, true)).map((it) => it.token_id).sort(), a.tokens.slice(3).sort())
    const [out] = (await economy.moves.moves(a.caller, { limit: 5 })).moves
    const [into] = (await economy.moves.moves(b.caller, { limit: 5 })).moves
    assert.deepEqual([out?.direction, into?.direction, into?.op_digest], ['out', 'in', out?.op_digest])
    const way = await economy.moves.history(b.caller, a.tokens[0]!)
    assert.deepEqual([way.minted.to, way.moves.map((it) => it.to)], [a.zid, [b.zid]])
    assert.equal((await refusal(() => economy.moves.history(a.caller, a.tokens[0]!))).code, 'NOT_FOUND')
    house.clock.advanceTicks(2)
    await store.closeTick()
    const whole = await economy.moves.move(b.caller, sent.move.op_digest)
    assert.equal(whole.receipt.list?.length, 3)
    assert.match(whole.receipt.proof ?? '', /^c2sp.org\/tlog-proof@v1/)
    const trusted = nodeOfLog(whole.receipt.receipt.log)
    assert.equal(verifyTokenReceipt(whole.receipt, { trusted }).outcome, 'verified')
    assert.deepEqual(verifyTokenReceipt(sent.move.receipt, { trusted }).unchecked, ['checkpoint', 'inclusion'])
  }
  await sound(dir.path)
})

test('what a send answers is what is read of it later, and equal sends of one tick are one move', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [a, b] = [await wealthy(house, 4), await newAccount(house)]
    const { moves } = house.economy
    const one = await moves.send(a.caller, { to: b.zid, token_ids: a.tokens.slice(0, 2) })
    assert.deepEqual(one.move, await moves.move(a.caller, one.move.op_digest))
    assert.deepEqual(
      one.move.receipt.list?.map((it) => it.token_id),
      a.tokens.slice(0, 2).sort(),
    )
    const leaves = house.store.log.size
    const order = { to: b.zid, token_ids: a.tokens.slice(2, 4) }
    const both = await Promise.all([moves.send(a.caller, order), moves.send(a.caller, order)])
    // The clock stands still, so both sign the same op: it is applied once, and both are told of it.
    assert.deepEqual(both[0], both[1])
    assert.deepEqual([house.store.log.size, house.store.balance('coin', b.zid)], [leaves + 1, 20])
  }
  await sound(dir.path)
})

test('a send under an Idempotency-Key is one move, however often it is called', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [a, b] = [await wealthy(house, 3), await newAccount(house)]
    const repeat = { scope: 'economy.send', key: 'k1', input: {} }
    const order = { to: b.zid, count: 2 }
    const first = await house.economy.moves.send(a.caller, order, repeat)
    const again = await house.economy.moves.send(a.caller, order, repeat)
    assert.deepEqual([first.replayed, again.replayed, again.move.op_digest], [false, true, first.move.op_digest])
    assert.equal((await listOf(house, b)).length, 2)
    const other = await refusal(() => house.economy.moves.send(a.caller, { to: b.zid, count: 1 }, repeat))
    assert.equal(other.code, 'IDEMPOTENCY_KEY_REUSED')
  }
  await sound(dir.path)
})

test('bad input is refused with its code and changes nothing', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [a, b] = [await wealthy(house, 4), await wealthy(house, 2)]
    const soulbound = (await listOf(house, a)).find((it) => it.soulbound)?.token_id ?? ''
    const { moves } = house.economy
    const [first = '', second = ''] = a.tokens
    const lock = await opOf(house, a, [{ token_id: second, spend_seq: 0 }], { op: 'lock', ref: 'vote:p1', until: 9e12 })
    await lock.send()
    const strangers = b.tokens[0]!
    const unknown = 'zid1aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa'
    const before = [house.store.log.size, house.store.balance('coin', a.zid)]
    const cases = [
      [{ to: b.zid, token_ids: [soulbound] }, 'SOULBOUND', { token_id: soulbound }],
      [{ to: b.zid, token_ids: [first, second] }, 'ENVELOPE_LOCKED', { token_id: second, kind: 'vote', ref: 'p1' }],
      [{ to: b.zid, token_ids: [first, first] }, 'INVALID_INPUT', { token_id: first }],
      [{ to: b.zid, token_ids: [strangers] }, 'NOT_FOUND', { token_id: strangers }],
      [{ to: b.zid, count: 4 }, 'TOO_FEW', { movable: 3 }],
      [{ to: unknown, count: 1 }, 'UNKNOWN_ZID', { zid: unknown }],
      [{ to: a.zid, count: 1 }, 'INVALID_INPUT', {}],
      [{ to: b.zid }, 'INVALID_INPUT', {}],
      [{ to: b.zid, count: 1, token_ids: [first] }, 'INVALID_INPUT', {}],
    ] as const
    for (const [order, code, details] of cases) {
      const found = await refusal(() => moves.send(a.caller, order))
      assert.equal(found.code, code, JSON.stringify(order))
      for (const [name, value] of Object.entries(details)) assert.equal(found.details[name], value, `${code} ${name}`)
    }
    assert.deepEqual([house.store.log.size, house.store.balance('coin', a.zid)], before)
    const ok = await moves.send(a.caller, { to: unknown, count: 1, allow_unknown: true })
    assert.equal(ok.moved, 1)
  }
  await sound(dir.path)
})

test('a signed op: once, of its time, with its root, in order, by its owner', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [a, b] = [await wealthy(house, 3), await newAccount(house)]
    const [one = '', two = ''] = [...a.tokens].sort()
    const place = (token_id: string, spend_seq = 0): TokenPlace => ({ token_id, spend_seq })
    const { moves } = house.economy
    const good = await opOf(house, a, [place(one)], { op: 'transfer', to: b.zid })
    const receipt = await good.send()
    assert.deepEqual(await good.send(), receipt, 'the same op again gives the same receipt')
    const { public_key: _, ...keyless } = good.order
    assert.deepEqual(await moves.apply(keyless), receipt, 'the key of an owner who is known need not be sent')
    const stale = await opOf(house, a, [place(one)], { op: 'transfer', to: a.zid })
    assert.equal((await refusal(stale.send)).code, 'NOT_FOUND', 'it is no longer theirs')
    const back = await opOf(house, b, [place(one, 1)], { op: 'transfer', to: a.zid })
    await back.send()
    const endless = await opOf(house, a, [place(two)], { op: 'transfer', to: b.zid, valid_to: 9e12 })
    assert.equal((await refusal(endless.send)).code, 'INVALID_INPUT')
    const superseded = await refusal((await opOf(house, a, [place(one)], { op: 'transfer', to: b.zid, until: 1 })).send)
    assert.deepEqual([superseded.code, superseded.details['spend_seq']], ['SUPERSEDED', 2])
    const fresh = () => opOf(house, a, [place(two)], { op: 'transfer', to: b.zid })
    const wrong = async (change: (order: Awaited<ReturnType<typeof fresh>>['order']) => object) => {
      const { order } = await fresh()
      return (await refusal(() => moves.apply({ ...order, ...change(order) } as never))).code
    }
    assert.equal(await wrong((it) => ({ signature: `00${it.signature.slice(2)}` })), 'BAD_SIGNATURE')
    assert.equal(await wrong(() => ({ list: [place(two, 1)] })), 'INVALID_INPUT')
    assert.equal(await wrong(() => ({ list: [place(two), place(one, 2)] })), 'INVALID_INPUT')
    const home = house.store.log.origin.replace(/\d+$/, '7')
    const away = await opOf(house, a, [place(two)], { op: 'transfer', to: b.zid, home })
    assert.equal((await refusal(away.send)).code, 'HOME_UNREACHABLE')
    const late = await opOf(house, a, [place(two)], { op: 'transfer', to: b.zid })
    house.clock.advanceTicks(101)
    assert.equal((await refusal(late.send)).code, 'OP_EXPIRED')
    assert.deepEqual(await good.send(), await good.send(), 'what was applied goes on to say so')
    const early = await opOf(house, a, [place(two)], {
      op: 'transfer',
      to: b.zid,
      mesh_tick: house.store.now().meshTick + 121,
    })
    assert.equal((await refusal(early.send)).code, 'INVALID_INPUT')
  }
  {
    await using house = { ...(await openRooms(dir.path, fixedClock())), clock: fixedClock() }
    assert.ok(house.store.log.size > 0)
  }
  await sound(dir.path)
})

test('locks end by the clock; packages are redeemed by their key, once, or reclaimed', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [a, b] = [await wealthy(house, 2), await newAccount(house)]
    const [token_id = '', other = ''] = a.tokens
    const until = house.store.now().meshTick + 10
    await (await opOf(house, a, [{ token_id, spend_seq: 0 }], { op: 'lock', ref: 'vote:p', until })).send()
    assert.equal(
      (await refusal(() => house.economy.moves.send(a.caller, { to: b.zid, token_ids: [token_id] }))).code,
      'ENVELOPE_LOCKED',
    )
    assert.equal((await listOf(house, a, true)).length, 1)
    assert.equal(
      (await refusal((await opOf(house, a, [{ token_id, spend_seq: 1 }], { op: 'unlock', ref: 'vote:p' })).send)).code,
      'ENVELOPE_LOCKED',
    )
    house.clock.advanceTicks(10)
    const [item] = (await listOf(house, a, true)).filter((it) => it.token_id === token_id)
    assert.deepEqual([item?.lock, item?.movable, item?.spend_seq], [null, true, 1])
    await house.economy.moves.send(a.caller, { to: b.zid, token_ids: [token_id] })
    assert.equal(ownerOf(house, token_id), b.zid)

    const { seed, public_key } = await (async () => {
      const key = await newAccount(house, '192.0.2.9')
      const { seed: raw } = await house.identity.exportKey(key.caller)
      return { seed: raw, public_key: (await house.identity.account(key.caller)).public_key }
    })()
    const packed = await opOf(house, a, [{ token_id: other, spend_seq: 0 }], { op: 'bearer', ref: public_key })
    await packed.send()
    assert.equal((await listOf(house, a)).find((it) => it.token_id === other)?.where, 'bearer')
    const list = packSorted([{ token_id: other, spend_seq: 1 }])
    const { meshTick } = house.store.now()
    const op: TokenOp = {
      ...{
        home: house.store.log.origin,
        op: 'redeem',
        to: b.zid,
        tokens_root: tokensRoot(list),
        count: 1,
        until: null,
      },
      ...{ mesh_tick: meshTick, valid_to: meshTick + 9 },
    }
    const redeem = { op, list: [...placesOf(list)], signature: signed(seed, op).signature, public_key }
    await house.economy.moves.apply(redeem)
    assert.equal(ownerOf(house, other), b.zid)
    const again = { ...redeem, op: { ...op, valid_to: op.valid_to + 1 } }
    const second = { ...again, signature: signed(seed, again.op).signature }
    assert.equal((await refusal(() => house.economy.moves.apply(second))).code, 'SUPERSEDED')
    assert.equal(
      (
        await refusal(
          (
            await opOf(house, a, [{ token_id: other, spend_seq: 2 }], { op: 'reclaim', ref: public_key })
          ).send,
        )
      ).code,
      'NOT_FOUND',
    )
  }
  await sound(dir.path)
})

test('a long move is whole at once, others go on beside it, and a start after a crash ends it', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  let tokens: string[] = []
  let zids = ['', '']
  {
    const house: House = { ...(await openRooms(dir.path, clock)), clock }
    const [a, b] = [await wealthy(house, 700), await newAccount(house)]
    tokens = a.tokens
    zids = [a.zid, b.zid]
    const sent = await house.economy.moves.send(a.caller, { to: b.zid, token_ids: tokens })
    assert.deepEqual([sent.moved, sent.weight], [700, 3_500])
    assert.deepEqual([house.store.balance('coin', a.zid), house.store.balance('coin', b.zid)], [0, 3_500])
    const last = tokens.toSorted().at(-1)!
    assert.equal((await house.economy.envelope(last, b.caller)).owner, b.zid, 'every read sees it through the intent')
    assert.equal((await refusal(() => house.economy.envelope(last, a.caller))).code, 'NOT_FOUND')
    const on = house.economy.moves.send(b.caller, { to: a.zid, token_ids: [last] })
    await sealOne(house, { caller: b.caller })
    assert.equal((await on).moved, 1, 'what is on its way waits for its rows, then goes on')
    await house.economy.moves.send(b.caller, { to: a.zid, token_ids: tokens.filter((it) => it !== last) })
    // The process ends here: rows of the last move are not all written.
    await house.store[Symbol.asyncDispose]()
    const report = await fsck({ directory: dir.path })
    assert.deepEqual(report.bad, null, 'an intent that is half done is no break')
  }
  {
    const house: House = { ...(await openRooms(dir.path, clock)), clock }
    await using _ = house.store
    let open = 0
    for await (const it of house.store.range('intent')) open += it.length
    assert.ok(open > 0, 'the crash left an intent')
    const { rows } = await house.economy.moves.resume()
    await rows
    assert.ok(tokens.every((it) => ownerOf(house, it) === zids[0]))
  }
  await sound(dir.path)
})

test('whatever is sent, in whatever order and at once: one owner a token, one op a spend_seq, sums of 0', async () => {
  using dir = tempDir()
  const random = seeded(0x70ce)
  {
    await using house = await openHouse(dir.path)
    const accounts = [await wealthy(house, 12), await wealthy(house, 12), await wealthy(house, 300)]
    const all = accounts.flatMap((it) => it.tokens)
    for (let round = 0; round < 40; round += 1) {
      const works = Array.from({ length: 4 }, async () => {
        const [from, to] = [random.pick(accounts), random.pick(accounts)]
        const wish = random.next() < 0.5 ? { count: random.integer(1, 320) } : { token_ids: [random.pick(all)] }
        await house.economy.moves.send(from.caller, { to: to.zid, ...wish }).catch((cause: { code?: string }) => {
          if (!['TOO_FEW', 'NOT_FOUND', 'INVALID_INPUT', 'SUPERSEDED'].includes(cause.code ?? '')) throw cause
        })
      })
      await Promise.all(works)
      house.clock.advanceTicks(1)
    }
    for (const it of accounts) {
      const mine = await listOf(house, it)
      const faces = mine.filter((one) => !one.soulbound).reduce((sum, one) => sum + one.face_value, 0)
      assert.equal(house.store.balance('coin', it.zid), faces)
    }
    assert.equal(new Set(all.map((it) => ownerOf(house, it))).has(undefined), false)
  }
  await sound(dir.path)
})

test('a list that was kept when the node fell, of an op that was never applied, is gone after a start', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  const digest = 'd'.repeat(64)
  {
    await using house = await openRooms(dir.path, clock)
    const a = await wealthy(house, 2)
    const list = packSorted(a.tokens.map((token_id) => ({ token_id, spend_seq: 0 })))
    await keepList(house.store, digest, list)
    assert.deepEqual(await readList(house.store, 'moveList', digest), list)
  }
  await sound(dir.path)
  {
    await using house = await openRooms(dir.path, clock)
    await (await house.economy.moves.resume()).rows
    assert.equal((await readList(house.store, 'moveList', digest)).length, 0)
    assert.equal(house.store.peek('moveDraft', digest), undefined)
  }
  await sound(dir.path)
})

test.run()
