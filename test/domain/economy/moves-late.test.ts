/*
 * Goal: an op on a package that ends while its long list is looked at is refused and changes nothing, rather than
 * applied at a tick at which its rows can never be written. Method: the clock moves on between look and leaf.
 */
import assert from 'node:assert/strict'
import { fromHex, toHex } from '#core/bytes.ts'
import type { Json } from '#core/canonical.ts'
import { publicKeyOfSeed, signValue } from '#core/keys.ts'
import { packSorted, tokensRoot } from '#core/token/list.ts'
import { opPurpose, type TokenOp } from '#core/token/op.ts'
import { createHome } from '#domain/economy/moving/home.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Store } from '#store/store.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, refusal, wealthy } from '../house.ts'

const test = suite('economy: long moves that come late')

/** Envelopes of a list that is longer than one transaction moves. */
const LONG = 260
const PACKAGE = new Uint8Array(32).fill(7)
/** Commits of a long move before the one of its leaf: what waits for what is planned, and its list. */
const BEFORE_LEAF = 2

/** The store of a house, which tells how often it was asked to commit, after each time. */
const counting = ({ store }: House, onCommit: (count: number) => void): Store => {
  let count = 0
  const commit: Store['commit'] = async (plan) => {
    const made = await store.commit(plan)
    count += 1
    onCommit(count)
    return made
  }
  return Object.create(store, { commit: { value: commit } }) as Store
}

const signed = (
  house: House,
  seed: Uint8Array,
  { tokens, seq, part }: { tokens: string[]; seq: number; part: object },
) => {
  const list = packSorted(tokens.map((token_id) => ({ token_id, spend_seq: seq })))
  const { meshTick } = house.store.now()
  const op = {
    ...{ home: house.store.log.origin, tokens_root: tokensRoot(list), count: tokens.length, until: null },
    ...{ mesh_tick: meshTick, valid_to: meshTick + 90, ...part },
  } as unknown as TokenOp
  const signature = signValue(seed, opPurpose(op), op as unknown as Json)
  return [{ op, public_key: toHex(publicKeyOfSeed(seed)), signature }, list] as const
}

test('a package that ends between look and leaf is neither redeemed nor reclaimed', async () => {
  for (const kind of ['redeem', 'reclaim']) {
    using dir = tempDir()
    {
      await using house = await openHouse(dir.path)
      const [from, to] = [await wealthy(house, LONG), await newAccount(house, 'to')]
      const seed = fromHex((await house.identity.exportKey(from.caller)).seed)
      const ref = toHex(publicKeyOfSeed(PACKAGE))
      const until = house.store.now().meshTick + 1
      const parts = { store: house.store, signer: house.keys.signer, known: () => [] }
      const home = createHome(parts)
      await home.apply(...signed(house, seed, { tokens: from.tokens, seq: 0, part: { op: 'bearer', ref, until } }))
      await home.settled(from.zid)
      const store = counting(house, (count) => {
        if (count === BEFORE_LEAF) house.clock.advanceTicks(1)
      })
      const late = createHome({ ...parts, store })
      const part = kind === 'redeem' ? { op: kind, to: to.zid } : { op: kind, ref }
      const order = signed(house, kind === 'redeem' ? PACKAGE : seed, { tokens: from.tokens, seq: 1, part })
      assert.equal((await refusal(() => late.apply(...order))).code, 'SUPERSEDED', kind)
      assert.equal(house.store.now().meshTick, until, 'it was looked at while the package stood')
      await late.settled(from.zid)
      const rows = from.tokens.map((it) => late.through(house.store.peek('envelope', it)!))
      assert.ok(rows.every((it) => it.listed_under === from.zid && it.spend_seq === 1))
      for await (const [place] of house.store.range('intent')) assert.fail(`an intent is left at ${place}`)
      await home.resume()
    }
    assert.equal((await fsck({ directory: dir.path })).bad, null)
  }
})

test.run()
