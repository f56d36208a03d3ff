/*
 * Goal: of two signed ops that spend one token at one count of its changes, sent at once, exactly one is applied.
 * Method: rounds on a real store in which two devices of one owner sign and send at the same time, short against short,
 * short against a long list and long against long, now and then after a tick; the winner's leaf is the only new one,
 * and either op sent again gets its first answer. `npm run hunt -- economy/moves-twice` adds rounds.
 */
import assert from 'node:assert/strict'
import { fromHex } from '#core/bytes.ts'
import type { Caller } from '#core/caller.ts'
import type { Json } from '#core/canonical.ts'
import { Fault } from '#core/fault.ts'
import { type Signer, signValue } from '#core/keys.ts'
import { packSorted, placesOf, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type TokenOp } from '#core/token/op.ts'
import { createHome } from '#domain/economy/moving/home.ts'
import type { SignedOrder } from '#domain/economy/moving/types.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, openHouse, wealthy } from '../house.ts'

const test = suite('economy: one token sent from two places')

const ROUNDS = 100
/** Of each envelope here, in credits and coins. */
const FACE = 5
/** Envelopes of the flock: more than one transaction moves. */
const FLOCK = 260
/** Envelopes of each holder beside it: no round is decided by coins that are not there. */
const SPARE = 4
/** Turns of the event loop in which a long move looks at its tokens, if nothing holds it. */
const TURNS = 200
/** Rounds of a hundred in which one op or both are on the whole flock. */
const LONG_PCT = 8

interface Account {
  readonly zid: string
  readonly caller: Caller
  readonly seed: string
  readonly public_key: string
}

const withKey = async (house: House, { zid, caller }: Pick<Account, 'zid' | 'caller'>): Promise<Account> => {
  const { seed } = await house.identity.exportKey(caller)
  return { zid, caller, seed, public_key: (await house.identity.account(caller)).public_key }
}

const seqOf = (house: House, token: string): number => house.store.peek('envelope', token)?.spend_seq ?? -1
const ownerOf = (house: House, token: string): string | undefined => house.store.peek('envelope', token)?.listed_under

/** A transfer as one device signs it; `nth` alone makes it another op than that of another device. */
const signed = (
  house: House,
  { from, to, tokens, nth = 0 }: { from: Account; to: Account; tokens: readonly string[]; nth?: number },
): SignedOrder => {
  const list = packSorted(tokens.map((token_id) => ({ token_id, spend_seq: seqOf(house, token_id) })))
  const { meshTick } = house.store.now()
  const op: TokenOp = {
    ...{ home: house.store.log.origin, op: 'transfer', to: to.zid, tokens_root: tokensRoot(list) },
    ...{ count: tokens.length, until: null, mesh_tick: meshTick, valid_to: meshTick + 100 + nth },
  }
  const signature = signValue(fromHex(from.seed), opPurpose(op), op as unknown as Json)
  return { op, list: [...placesOf(list)], signature, public_key: from.public_key }
}

/** What an order is answered: the receipt, or the code of the refusal. */
const answer = async (house: House, order: SignedOrder): Promise<object | string> => {
  try {
    const { receipt, receipt_signature } = (await house.economy.moves.apply(order)).receipt
    return { receipt, receipt_signature }
  } catch (cause) {
    if (cause instanceof Fault) return cause.code
    throw cause
  }
}

/** Whoever reads a list waits for the rows of a long move on it. */
const settled = (house: House, accounts: readonly Account[]) =>
  Promise.all(accounts.map(({ zid, caller }) => house.economy.envelopes(zid, caller, { limit: 1, offset: 0 })))

/** Ops that were ever applied; the log has leaves of ticks beside theirs. */
const moveCount = async ({ store }: House): Promise<number> => {
  let count = 0
  for await (const _ of store.range('move')) count += 1
  return count
}

const LOST: readonly unknown[] = ['SUPERSEDED', 'NOT_FOUND']

/** Sends two ops at once. @returns which of them was applied */
const race = async (house: House, pair: readonly SignedOrder[]): Promise<number> => {
  const before = await moveCount(house)
  const answers = await Promise.all(pair.map((it) => answer(house, it)))
  const won = answers.findIndex((it) => typeof it === 'object')
  assert.ok(LOST.includes(answers[1 - won]), `one wins and one loses: ${JSON.stringify(answers)}`)
  const again = await Promise.all(pair.map((it) => answer(house, it)))
  assert.deepEqual(again[won], answers[won], 'the winner has its receipt again')
  assert.ok(LOST.includes(again[1 - won]), 'the loser does not win later')
  assert.equal(await moveCount(house), before + 1, 'both times together they made one leaf')
  return won
}

/** A key that signs nothing until it is told to. */
const gated = (signer: Signer) => {
  const [asked, open] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
  const sign: Signer['sign'] = async (bytes) => {
    asked.resolve()
    await open.promise
    return signer.sign(bytes)
  }
  return { signer: { ...signer, sign }, asked: asked.promise, open: open.resolve }
}

test('a long list does not spend what a short move spent that is not durable yet', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const [rich, other] = [await wealthy(house, FLOCK + SPARE), await wealthy(house, SPARE)]
    const [from, to] = [await withKey(house, rich), await withKey(house, other)]
    const flock = rich.tokens.slice(SPARE)
    const [one, all] = [flock.slice(0, 1), flock].map((tokens) => signed(house, { from, to, tokens }))
    assert.ok(one !== undefined && all !== undefined)
    const { signer, asked, open } = gated(house.keys.signer)
    const home = createHome({ store: house.store, signer, known: () => [] })
    const apply = ({ list, ...it }: SignedOrder) =>
      home
        .apply({ ...it, public_key: from.public_key }, packSorted(list))
        .catch((cause: { code?: string }) => cause.code)
    const short = apply(one)
    await asked
    // The short move is planned, and its batch waits for the receipt; the long one looks at its tokens meanwhile.
    const long = apply(all)
    for (let turn = 0; turn < TURNS; turn += 1) await new Promise((resolve) => setImmediate(resolve))
    open()
    assert.equal(typeof (await short), 'object')
    assert.ok(LOST.includes(await long), 'its first token was spent')
    await settled(house, [from, to])
    assert.equal(flock.filter((it) => ownerOf(house, it) === to.zid).length, 1)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('one of two is applied, whichever came first and however long their lists are', async () => {
  using dir = tempDir()
  const random = seeded()
  const wins = [0, 0]
  {
    await using house = await openHouse(dir.path)
    const rich = await wealthy(house, FLOCK + SPARE)
    const others = [await wealthy(house, SPARE), await wealthy(house, SPARE)]
    const accounts = await Promise.all([rich, ...others].map((it) => withKey(house, it)))
    const flock = rich.tokens.slice(SPARE)
    let [from] = accounts
    for (let round = 0; round < ROUNDS; round += 1) {
      assert.ok(from !== undefined)
      const [holder, token] = [from, random.pick(flock)]
      const longs = random.integer(1, 100) <= LONG_PCT ? random.pick([[0], [1], [0, 1]]) : []
      const recipients = [0, 1].map(() => random.pick(accounts.filter((it) => it !== holder)))
      const pair = recipients.map((to, nth) =>
        signed(house, { from: holder, to, tokens: longs.includes(nth) ? flock : [token], nth }),
      )
      const before = seqOf(house, token)
      const won = await race(house, pair)
      await settled(house, accounts)
      wins[won] = (wins[won] ?? 0) + 1
      const to = recipients[won] as Account
      assert.deepEqual([ownerOf(house, token), seqOf(house, token)], [to.zid, before + 1])
      const went = flock.filter((it) => ownerOf(house, it) === to.zid).length
      assert.equal(went, longs.includes(won) ? FLOCK : 1, 'the op that lost moved nothing')
      assert.equal(house.store.balance('coin', to.zid), FACE * (SPARE + went))
      if (longs.includes(won)) from = to
      else await house.economy.moves.apply(signed(house, { from: to, to: holder, tokens: [token] }))
      if (random.next() < 0.2) house.clock.advanceTicks(1)
    }
  }
  assert.equal((wins[0] ?? 0) + (wins[1] ?? 0), ROUNDS)
  assert.equal((await fsck({ directory: dir.path })).bad, null)
}, 60_000)

test.run()
