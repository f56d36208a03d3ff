/*
 * Goal: lists of machines are as if each were read anew, though their names are kept between one call and the next.
 * Method: a real store; lists after everything that changes them, lists beside it, and more rows than are kept.
 */
import assert from 'node:assert/strict'
import type { Caller } from '#core/caller.ts'
import { createListed, LIST_MAX } from '#domain/machines/listed.ts'
import { keyOf, seqKey } from '#store/layout.ts'
import type { Store } from '#store/store.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse } from '../house.ts'

const test = suite('machines: listed')

const slugsOf = async ({ machines }: House, caller: Caller): Promise<string[]> =>
  (await machines.list(caller)).map(({ slug }) => slug).sort()

test('what is founded, shown, hidden, given and taken stands in the next list', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { machines } = house
  const [{ caller }, other] = [await newAccount(house), await newAccount(house)]
  assert.deepEqual(await slugsOf(house, other.caller), [])
  await machines.create(caller, { slug: 'open', is_public: true })
  await machines.create(caller, { slug: 'shut', is_public: false })
  assert.deepEqual(await slugsOf(house, caller), ['open', 'shut'])
  assert.deepEqual(await slugsOf(house, other.caller), ['open'])
  await machines.addAdmin({ caller, slug: 'shut' }, other.zid, 'viewer')
  assert.deepEqual(await slugsOf(house, other.caller), ['open', 'shut'])
  await machines.removeAdmin({ caller, slug: 'shut' }, other.zid)
  assert.deepEqual(await slugsOf(house, other.caller), ['open'])
  await machines.settings({ caller, slug: 'shut' }, { is_public: true })
  await machines.settings({ caller, slug: 'open' }, { is_public: false })
  assert.deepEqual(await slugsOf(house, other.caller), ['shut'])
  const { share_token } = await machines.share({ caller, slug: 'open' })
  await machines.unlock({ caller: other.caller, slug: 'open' }, share_token)
  assert.deepEqual(await slugsOf(house, other.caller), ['open', 'shut'])
  await machines.unshare({ caller, slug: 'open' })
  assert.deepEqual(await slugsOf(house, other.caller), ['shut'])
})

test('of a full list the machines in which one has a role are never left out', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { machines } = house
  const [{ caller }, other] = [await newAccount(house), await newAccount(house)]
  await machines.create(caller, { slug: 'shut', is_public: false })
  house.clock.advanceTicks(1)
  for (let i = 0; i < LIST_MAX; i++) await machines.create(caller, { slug: `open-${i}`, is_public: true })
  const isListed = async () => (await slugsOf(house, other.caller)).includes('shut')
  assert.equal(await isListed(), false)
  await machines.addAdmin({ caller, slug: 'shut' }, other.zid, 'viewer')
  assert.equal(await isListed(), true)
  await machines.removeAdmin({ caller, slug: 'shut' }, other.zid)
  assert.equal(await isListed(), false)
  await machines.addAdmin({ caller, slug: 'shut' }, other.zid, 'viewer')
  assert.equal(await isListed(), true)
})

test('what changes while it is read is read again', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { store } = house
  const read = Promise.withResolvers<void>()
  const goOn = Promise.withResolvers<void>()
  /** The rows of the store, and at the end of the first two readings a wait. */
  const slow: Pick<Store, 'range'> = {
    range: async function* (...asked) {
      yield* store.range(...asked)
      read.resolve()
      await goOn.promise
    },
  }
  const listed = createListed(slow)
  const newest = async (): Promise<number> => {
    let count = 0
    await listed.newest(() => ++count > 0)
    return count
  }
  const before = Promise.all([newest(), listed.of('zid1test')])
  await read.promise
  await store.commit((tx) => {
    listed.changedBy(tx)
    tx.put('machineByGenesis', keyOf(seqKey(1), 'one'), 'one')
    tx.put('machineByZid', keyOf('zid1test', 'one'), 'one')
  })
  goOn.resolve()
  assert.deepEqual(await before, [0, []])
  assert.deepEqual([await newest(), await listed.of('zid1test')], [1, ['one']])
})

test('beyond the names that are kept the rows go on, in the same order, as far as they are wanted', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const names = Array.from({ length: 300 }, (_, i) => `m-${String(i).padStart(3, '0')}`)
  const listed = createListed(house.store)
  const all = async (wanted: number): Promise<string[]> => {
    const found: string[] = []
    await listed.newest((slug) => found.push(slug) < wanted)
    return found
  }
  assert.deepEqual(await all(1_000), [])
  await house.store.commit((tx) => {
    listed.changedBy(tx)
    for (const [i, slug] of names.entries()) tx.put('machineByGenesis', keyOf(seqKey(i), slug), slug)
  })
  const newestFirst = names.toReversed()
  for (const wanted of [1_000, 3, 256, 257]) assert.deepEqual(await all(wanted), newestFirst.slice(0, wanted))
})

test.run()
