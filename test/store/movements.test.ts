/*
 * Goal: fsck finds money that no leaf stands behind wherever it is, accepts transfers in any order, and reads them only
 * as far as the leaves ask, so that its memory does not grow with the envelopes. Method: a directory that the real
 * services wrote; movements posted through the real store beside it, rows put in each other's places, and a count of
 * the rows that are read.
 */
import assert from 'node:assert/strict'
import { type Database, openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { issueName, readMovements } from '#store/fsck/ledger.ts'
import { databaseDirectory } from '#store/lock.ts'
import type { Transfer, TransferRow } from '#store/rows/transfer.ts'
import { grantOnce, newAccount, openHouse, ownerCaller, sealOne } from '../domain/house.ts'
import type { FixedClock } from '../kit/clock.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { all } from './kit.ts'

const test = suite('fsck: movements')

const ENVELOPES = 24

/** Free and paid envelopes, several to a batch, and issues between them. */
const fill = async (directory: string): Promise<FixedClock> => {
  await using house = await openHouse(directory)
  const { economy, store, clock } = house
  const { caller, zid } = await newAccount(house)
  for (let batch = 0; batch < ENVELOPES / 4; batch++) {
    await economy.grant(ownerCaller(house), { zid, credits: 50, reason: 'test' }, grantOnce(`grant-${batch}`))
    await Promise.all([0, 1, 2, 3].map((i) => sealOne(house, { caller: i === 0 ? ownerCaller(house) : caller })))
    clock.advanceTicks(1)
    await store.closeTick()
  }
  return clock
}

const opened = (directory: string): Promise<Database> => openDatabase(databaseDirectory(directory), false)

const transfersOf = async (directory: string): Promise<(readonly [string, TransferRow])[]> => {
  await using database = await opened(directory)
  return await all(database.range('transfer')) // Before the database is closed.
}

const isMoney = ({ reason }: Transfer): boolean => reason === 'mint' || reason === 'compute'
const isGrant = ({ debit }: Transfer): boolean => debit === 'issued:grant'

test('a coin, a burn or an issue without a leaf, or a second one, is found and named', async () => {
  for (const reason of ['mint', 'compute', 'grant'] as const) {
    for (const ref of [undefined, 'f'.repeat(32)]) {
      using dir = tempDir()
      const clock = await fill(dir.path)
      const rows = await transfersOf(dir.path)
      const first = rows.map(([, row]) => row).find((it) => (reason === 'grant' ? isGrant(it) : it.reason === reason))
      assert.ok(first !== undefined)
      const { tick: _, ...movement } = first
      const posted = { ...movement, ref: ref ?? movement.ref }
      {
        await using house = await openHouse(dir.path, clock)
        await house.store.commit((tx) => tx.post(posted))
      }
      const { bad } = await fsck({ directory: dir.path })
      if (reason === 'grant') assert.equal(bad?.table, 'transfer')
      else assert.deepEqual([bad?.table, bad?.key], ['envelope', posted.ref], `${reason}, ${bad?.what}`)
    }
  }
}, 60_000)

test('money that goes missing is found, whichever row it was and wherever it stood', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const rows = await transfersOf(dir.path)
  const wanted = [
    rows.find(([, it]) => isMoney(it)),
    rows.findLast(([, it]) => isMoney(it)),
    rows.find(([, it]) => isGrant(it)),
  ]
  for (const found of wanted) {
    assert.ok(found !== undefined)
    const [key, row] = found
    const put = async (it: TransferRow): Promise<void> => {
      await using database = await opened(dir.path)
      await database.write([{ table: 'transfer', key, row: it }])
    }
    // The sums stay what they are: only what the movement is for is another thing.
    await put({ ...row, reason: 'a gift', ref: 'a gift' })
    const { bad } = await fsck({ directory: dir.path })
    assert.equal(bad?.table, isGrant(row) ? 'leaf' : 'envelope', bad?.what)
    await put(row)
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
}, 60_000)

test('coins in each other’s places are held against the same leaves', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const mints = (await transfersOf(dir.path)).filter(([, it]) => it.reason === 'mint')
  assert.equal(mints.length, ENVELOPES)
  {
    await using database = await opened(dir.path)
    const turned = mints.map(([key], i) => ({ table: 'transfer', key, row: mints.at(-1 - i)?.[1] }) as const)
    await database.write(turned as Parameters<Database['write']>[0])
  }
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
})

test('transfers are read as far as the leaves ask, and no further', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const rows = (await transfersOf(dir.path)).map(([, row]) => row)
  await using database = await opened(dir.path)
  let read = 0
  const movements = readMovements({
    database,
    counts: undefined as never,
    step: () => {
      read += 1
    },
  })
  const tokens = new Set(rows.filter(isMoney).map(({ ref }) => ref))
  assert.equal(tokens.size, ENVELOPES)
  for (const token of tokens) {
    assert.notEqual(await movements.takeMoney(token), undefined)
    assert.equal(read, rows.findLastIndex((it) => it.ref === token && isMoney(it)) + 1)
  }
  const grants = rows.filter(isGrant)
  for (const { asset, credit: to, amount, ref, tick } of grants) {
    assert.ok(await movements.takeIssue(issueName({ kind: 'grant', asset, to, amount, ref, tick })))
  }
  assert.equal(await movements.takeMoney([...tokens][0] ?? ''), undefined, 'what was taken is gone')
  assert.equal(read, rows.length)
})

test.run()
