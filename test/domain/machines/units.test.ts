/*
 * Goal: units are found by number and by holder, page by page, as the chain says; what a private machine's chain has
 * sealed is for its owner and for who holds it, and so are sums. Method: seeded transfers against a list with an
 * element a unit; strangers and members of private machines; a token of before that units were numbered; altered rows.
 */
import assert from 'node:assert/strict'
import { tokenEntries } from '#core/token-ranges.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { keyOf, seqKey, under } from '#store/layout.ts'
import { tokenDigits } from '#store/rows/machine-token.ts'
import type { Transaction } from '#store/transaction.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, refusal } from '../house.ts'
import { asWriting, bodiesOf, sendUnits, type TallyCaller, tokenHouse } from './tally-kit.ts'

const test = suite('machines: units')

const pages = async (house: House, caller: TallyCaller, query: { owner?: string; limit: number }, slug = 'pump') => {
  const ranges = []
  let after: number | null = 0
  while (after !== null) {
    const page = await house.machines.tokenRanges({ caller, slug }, { ...query, after })
    assert.ok(page.ranges.length <= query.limit + 1)
    ranges.push(...page.ranges)
    after = page.next_after
  }
  return ranges
}

test('units are where transfers took them, page by page and one by one', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const random = seeded()
  const { caller, zid } = await tokenHouse(house, { initial: 400 })
  const others = [await newAccount(house), await newAccount(house)]
  const units: string[] = Array.from({ length: 400 }, () => 'owner')
  const seqs: number[] = []
  for (let from = 0; from < 350; ) {
    const to = random.pick(others).zid
    const amount = random.integer(1, 30)
    const { entry } = await sendUnits(house, 'pump', to, amount)
    units.fill(to, from, from + amount)
    for (let i = from; i < from + amount; i++) seqs[i] = entry.seq
    from += amount
  }
  for (const limit of [1, 3, 200]) {
    const all = await pages(house, caller, { limit })
    assert.deepEqual(
      all.flatMap(({ owner, count }) => Array.from({ length: count }, () => owner)),
      units,
    )
    for (const { zid: owner } of others) {
      const own = await pages(house, caller, { limit, owner })
      assert.deepEqual(
        own,
        all.filter((it) => it.owner === owner),
      )
    }
    const rest = all.filter((it) => it.owner === 'owner')
    assert.deepEqual(await pages(house, caller, { limit, owner: 'owner' }), rest)
    assert.deepEqual(await pages(house, caller, { limit, owner: zid }), rest, 'members know the ZID of the owner')
    assert.deepEqual(await pages(house, others[0]!.caller, { limit, owner: zid }), [], 'others do not')
  }
  const genesis = (await bodiesOf(house, 'pump', tokenEntries.genesis)).length
  assert.equal(genesis, 1)
  for (let i = 0; i < 20; i++) {
    const number = random.integer(1, 400)
    const found = await house.machines.tokenUnit({ caller, slug: 'pump' }, number)
    assert.equal(found.owner, units[number - 1])
    assert.equal(found.issued?.seq, 1)
    assert.deepEqual(
      found.moves.map(({ seq }) => seq),
      seqs[number - 1] === undefined ? [] : [seqs[number - 1]],
    )
    assert.ok(found.range!.first <= number && number <= found.range!.last)
  }
  for (const number of [401, Number.MAX_SAFE_INTEGER]) {
    const none = await refusal(() => house.machines.tokenUnit({ caller, slug: 'pump' }, number))
    assert.deepEqual([none.code, none.details], ['NOT_FOUND', { issued: 400 }])
  }
  const found = await house.machines.verifyTally({ caller: others[0]!.caller, slug: 'pump' })
  assert.deepEqual([found.valid, found.ledger, found.issued, found.holders], [true, 'equal', 400, found.holders])
})

test('of a private machine strangers see nothing, members their own, and the owner all', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller, machineCaller } = await tokenHouse(house, { is_public: false })
  const [viewer, stranger] = [await newAccount(house), await newAccount(house)]
  await house.machines.addAdmin({ caller, slug: 'pump' }, viewer.zid, 'viewer')
  await sendUnits(house, 'pump', stranger.zid, 10)
  await sendUnits(house, 'pump', viewer.zid, 5)
  const asked = (by: TallyCaller) => house.machines.tokenRanges({ caller: by, slug: 'pump' }, { limit: 50 })
  const mint = (by: TallyCaller) => house.machines.mintRate({ caller: by, slug: 'pump' })
  for (const work of [asked, mint, (by: TallyCaller) => house.machines.verifyTally({ caller: by, slug: 'pump' })]) {
    assert.equal((await refusal(() => work(stranger.caller))).code, 'NOT_FOUND')
  }
  const all = await asked(caller)
  assert.deepEqual(
    all.ranges.map(({ first, last, owner }) => [first, last, owner]),
    [
      [1, 10, stranger.zid],
      [11, 15, viewer.zid],
      [16, 100, 'owner'],
    ],
  )
  assert.equal(all.withheld, false)
  const seen = await asked(viewer.caller)
  assert.deepEqual([seen.ranges.map((it) => it.owner), seen.withheld], [[viewer.zid], true])
  const byKey = await asked(machineCaller)
  assert.deepEqual([byKey.ranges, byKey.withheld], [[], true], 'a key is no owner')
  for (const [number, owner] of [
    [5, null],
    [12, viewer.zid],
    [50, null],
  ] as const) {
    const unit = await house.machines.tokenUnit({ caller: viewer.caller, slug: 'pump' }, number)
    assert.deepEqual([unit.owner, unit.withheld], [owner, owner === null])
  }
  const verdict = await house.machines.verifyTally({ caller: viewer.caller, slug: 'pump' })
  assert.deepEqual([verdict.valid, verdict.withheld, verdict.issued, verdict.ledger], [true, 3, null, 'not-compared'])
  const own = await house.machines.verifyTally({ caller, slug: 'pump' })
  assert.deepEqual([own.valid, own.withheld, own.issued, own.ledger], [true, 0, 100, 'equal'])
  // Made public, it says openly what comes from now on: what was sealed stays so.
  await house.machines.settings({ caller, slug: 'pump' }, { is_public: true })
  await sendUnits(house, 'pump', viewer.zid, 1)
  const after = await asked(stranger.caller)
  assert.deepEqual(
    after.ranges.map(({ first, owner }) => [first, owner]),
    [
      [1, stranger.zid],
      [16, viewer.zid],
    ],
  )
  assert.equal(after.withheld, true)
})

test('a token of before that units were numbered gets its rows when it is asked about', async () => {
  using dir = tempDir()
  const { zid: to } = await (async () => {
    await using house = await openHouse(dir.path)
    const { caller } = await tokenHouse(house, { is_public: false })
    const other = await newAccount(house)
    await sendUnits(house, 'pump', other.zid, 7)
    const digits = tokenDigits(house.store.peek('machine', 'pump')!.id_hash)
    const gone: (readonly ['tokenIssue' | 'tokenRange' | 'tokenRangeOf', string])[] = []
    for (const table of ['tokenIssue', 'tokenRange', 'tokenRangeOf'] as const) {
      for await (const [key] of house.store.range(table, under(digits))) gone.push([table, key])
    }
    await house.store.commit((tx) => {
      tx.del('tokenStanding', digits)
      for (const [table, key] of gone) tx.del(table, key)
    })
    await sendUnits(house, 'pump', other.zid, 3)
    const [list, verdict] = await Promise.all([
      house.machines.tokenRanges({ caller, slug: 'pump' }, { limit: 9 }),
      house.machines.verifyTally({ caller, slug: 'pump' }),
    ])
    assert.deepEqual(
      list.ranges.map(({ first, last }) => [first, last]),
      [
        [1, 7],
        [8, 10],
        [11, 100],
      ],
    )
    assert.deepEqual([verdict.valid, verdict.ledger], [true, 'equal'])
    return other
  })()
  assert.ok(to.startsWith('zid1'))
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('rows and ledgers of other hands are found, and so is a chain that does not add up', async () => {
  const seen = async (change: (tx: Transaction, digits: string, to: string) => void) => {
    using dir = tempDir()
    await using house = await openHouse(dir.path)
    const { caller } = await tokenHouse(house)
    const { zid } = await newAccount(house)
    await sendUnits(house, 'pump', zid, 30)
    const digits = tokenDigits(house.store.peek('machine', 'pump')!.id_hash)
    await house.store.commit((tx) => change(tx, digits, zid))
    const { valid, ledger, broken_at, message } = await house.machines.verifyTally({ caller, slug: 'pump' })
    return [valid, ledger, broken_at, message]
  }
  const first = (digits: string) => keyOf(digits, seqKey(1))
  assert.deepEqual(await seen(() => undefined), [true, 'equal', null, null])
  assert.deepEqual(
    await seen((tx, it) => tx.put('tokenRange', first(it), { ...tx.get('tokenRange', first(it))!, owner: 'x' })),
    [false, 'differs', null, 'The rows say other of unit 1.'],
  )
  const moved = await seen((tx, it, to) =>
    tx.post({ asset: `tally:${it}`, debit: to, credit: 'house', amount: 1, reason: 'x', ref: 'x' }),
  )
  assert.deepEqual(moved, [false, 'differs', null, 'The ledger says another balance of a holder.'])
  const altered = await seen((tx) => {
    const key = keyOf('pump', seqKey(2))
    const row = tx.get('machineEntry', key)!
    tx.put('machineEntry', key, { ...row, entry: { ...row.entry, body: { ...(row.entry.body as object), amount: 1 } } })
  })
  assert.deepEqual(altered, [false, 'not-compared', 2, 'Entry 2: its hash is another one.'])
})

test('it is added up as it stood at a tick, too', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await tokenHouse(house)
  const { zid } = await newAccount(house)
  const { tick } = house.store.now()
  house.clock.advanceTicks(1)
  await house.store.closeTick()
  await sendUnits(house, 'pump', zid, 30)
  const [then, now] = await Promise.all(
    [tick, undefined].map((to) => house.machines.verifyTally({ caller, slug: 'pump' }, to)),
  )
  assert.deepEqual([then?.moved, then?.ledger, now?.moved], [0, 'not-compared', 30])
  const none = await refusal(() => house.machines.setToken(asWriting(caller, 'no'), 'x'))
  assert.equal(none.code, 'NOT_FOUND')
})

test.run()
