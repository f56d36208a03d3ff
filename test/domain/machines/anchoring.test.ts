/*
 * Goal: a machine with a mother anchors by itself, once an interval and only when its head moved; what was missed comes
 * as one anchor; a refusal is said once and tried again; nobody anchors where they may not. Method: houses on a clock
 * that the test moves by whole intervals, started again on their directory; then `fsck`, also of spoiled stores.
 */
import assert from 'node:assert/strict'
import { ANCHOR_TICKS } from '#domain/machines/anchoring.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Transaction } from '#store/transaction.ts'
import { fixedClock } from '../../kit/clock.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, newAccount, openHouse, refusal } from '../house.ts'
import { asWriting, bodiesOf, passTicks, type TallyCaller } from './tally-kit.ts'

const test = suite('machines: anchoring by itself')

const anchors = (house: House, caller: TallyCaller) => house.machines.anchors({ caller, slug: 'mother' }, 100)
const write = (house: House, caller: TallyCaller, slug = 'child') =>
  house.machines.event(asWriting(caller, slug), { type: 'moved' })

const family = async (house: House) => {
  const account = await newAccount(house)
  for (const slug of ['mother', 'child']) await house.machines.create(account.caller, { slug, is_public: true })
  await house.machines.setAnchorConfig({ caller: account.caller, slug: 'child' }, { mother: 'mother' })
  return account
}

test('it anchors once an interval, and only when it moved', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  let caller: TallyCaller
  {
    await using house = await openHouse(dir.path, clock)
    caller = (await family(house)).caller
    const { next_mesh_tick, every_ticks, refused } = house.machines.anchorConfig({ caller, slug: 'child' })
    assert.deepEqual([every_ticks, refused], [ANCHOR_TICKS, false])
    await passTicks(house, next_mesh_tick! - house.store.now().meshTick - 1)
    assert.equal((await anchors(house, caller)).length, 0)
    await passTicks(house, 1)
    const [first] = await anchors(house, caller)
    assert.ok(first !== undefined)
    const [body] = await bodiesOf(house, 'mother', 'anchor')
    assert.deepEqual(body, { pseudonym: first.pseudonym, head: first.head, source: 'node' })
    for (let i = 0; i < 3; i++) await passTicks(house, ANCHOR_TICKS)
    assert.equal((await anchors(house, caller)).length, 1, 'nothing moved')
    await write(house, caller)
    await write(house, caller)
    await passTicks(house, ANCHOR_TICKS)
    assert.equal((await anchors(house, caller)).length, 2)
    await write(house, caller)
  }
  clock.advanceTicks(50 * ANCHOR_TICKS)
  {
    await using house = await openHouse(dir.path, clock)
    await Promise.all([house.machines.beat(), house.machines.beat()])
    const found = await anchors(house, caller)
    assert.equal(found.length, 3, 'one catches up')
    assert.equal(new Set(found.map((it) => it.pseudonym)).size, 1)
    await house.machines.setAnchorConfig({ caller, slug: 'child' }, { mother: null })
    await passTicks(house, 2 * ANCHOR_TICKS)
    assert.equal((await anchors(house, caller)).length, 3)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('no machine is its own mother, and asking for it changes nothing', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await family(house)
  const before = house.machines.anchorConfig({ caller, slug: 'child' })
  const order = { mother: 'child', accepts: 'anyone' } as const
  const { code } = await refusal(() => house.machines.setAnchorConfig({ caller, slug: 'child' }, order))
  assert.equal(code, 'INVALID_INPUT')
  assert.deepEqual(house.machines.anchorConfig({ caller, slug: 'child' }), before)
  assert.equal((await bodiesOf(house, 'child', 'anchor_config')).length, 1)
})

test('a mother that refuses is told of once, asked at each interval, and anchored in when she takes it', async () => {
  using dir = tempDir()
  {
    await using house = await openHouse(dir.path)
    const { caller } = await family(house)
    await house.machines.setStatus({ caller, slug: 'mother' }, 'paused')
    for (let i = 0; i < 4; i++) await passTicks(house, ANCHOR_TICKS)
    const told = await bodiesOf(house, 'child', 'anchor_refused')
    assert.deepEqual(
      told.map(({ code, source }) => [code, source]),
      [['MACHINE_NOT_ACTIVE', 'node']],
    )
    assert.equal(JSON.stringify(told).includes('mother'), false, 'who she is stays sealed')
    assert.equal(house.machines.anchorConfig({ caller, slug: 'child' }).refused, true)
    await house.machines.setStatus({ caller, slug: 'mother' }, 'active')
    await passTicks(house, ANCHOR_TICKS)
    assert.equal((await anchors(house, caller)).length, 1)
    assert.equal(house.machines.anchorConfig({ caller, slug: 'child' }).refused, false)
    await house.machines.setAnchorConfig({ caller, slug: 'child' }, { mother: 'nowhere' })
    await passTicks(house, ANCHOR_TICKS)
    assert.deepEqual((await bodiesOf(house, 'child', 'anchor_refused')).at(-1)?.['code'], 'NOT_FOUND')
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('nobody has a machine anchor where they themselves may not, whoever owns it', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const owner = await newAccount(house)
  const admin = await newAccount(house)
  for (const [slug, is_public] of [
    ['private', false],
    ['child', true],
  ] as const) {
    await house.machines.create(owner.caller, { slug, is_public })
  }
  await house.machines.addAdmin({ caller: owner.caller, slug: 'child' }, admin.zid, 'admin')
  // The owner could: who names the mother is not the owner.
  await house.machines.setAnchorConfig({ caller: admin.caller, slug: 'child' }, { mother: 'private' })
  await passTicks(house, ANCHOR_TICKS)
  assert.deepEqual((await bodiesOf(house, 'child', 'anchor_refused'))[0]?.['code'], 'NOT_FOUND')
  assert.equal((await bodiesOf(house, 'private', 'anchor')).length, 0)
  const stranger = await newAccount(house)
  const refused = await refusal(() =>
    house.machines.setAnchorConfig({ caller: stranger.caller, slug: 'child' }, { mother: 'child' }),
  )
  assert.equal(refused.code, 'SCOPE_REQUIRED')
  await house.machines.create(admin.caller, { slug: 'theirs', is_public: true })
  await house.machines.setAnchorConfig({ caller: admin.caller, slug: 'child' }, { mother: 'theirs' })
  await house.machines.removeAdmin({ caller: owner.caller, slug: 'child' }, admin.zid)
  await passTicks(house, ANCHOR_TICKS)
  assert.equal((await bodiesOf(house, 'theirs', 'anchor')).length, 0, 'who named her is no member any more')
})

test('two that are each other’s mothers anchor once an interval each', async () => {
  using dir = tempDir()
  await using house = await openHouse(dir.path)
  const { caller } = await family(house)
  await house.machines.setAnchorConfig({ caller, slug: 'mother' }, { mother: 'child' })
  for (let i = 0; i < 3; i++) await passTicks(house, ANCHOR_TICKS)
  for (const slug of ['mother', 'child']) assert.equal((await bodiesOf(house, slug, 'anchor')).length, 3)
})

test('fsck names a machine that is due when it should not be', async () => {
  const bad = async (change: (tx: Transaction) => void) => {
    using dir = tempDir()
    {
      await using house = await openHouse(dir.path)
      await family(house)
      await house.store.commit(change)
    }
    const { bad: found } = await fsck({ directory: dir.path })
    return found === null ? null : [found.table, found.what]
  }
  const row = (tx: Transaction) => tx.get('machineAnchoring', 'child')!
  assert.equal(await bad(() => undefined), null)
  assert.deepEqual(await bad((tx) => tx.put('machineAnchoring', 'child', { ...row(tx), next: 5 })), [
    'machineAnchorDue',
    'it is not that of its machine',
  ])
  assert.deepEqual(await bad((tx) => tx.put('machineAnchoring', 'child', { ...row(tx), anchored: 99 })), [
    'machineAnchoring',
    'its machine has not so many entries',
  ])
  assert.deepEqual(await bad((tx) => tx.put('machineAnchorDue', '00000000000005/child', 'child')), [
    'machineAnchorDue',
    'there are more than machines that anchor',
  ])
})

test.run()
