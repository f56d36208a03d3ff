/*
 * Goal: wherever a bond is cut off, it ends whole or not at all, and a start goes on with it. Method: the door to moves
 * and the recorder are wrapped so that one call of them fails as a crash or as a refusal does, before or after its
 * effect; then the directory is opened again, and fsck looks at it before and after.
 */
import assert from 'node:assert/strict'
import { Fault } from '#core/fault.ts'
import { BOND_TOKENS } from '#core/work/bond.ts'
import { DISPUTE_TICKS, SERVE_TICKS } from '#core/work/exposure.ts'
import { createCustody } from '#domain/identity/custody.ts'
import { createContribution } from '#domain/network/contribution/service.ts'
import type { ContributionPorts } from '#domain/network/contribution/types.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { fixedClock } from '../../../kit/clock.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { type Bonded, KERNELS, openBonded, rich } from './kit.ts'

const test = suite('contribution: cut off')

const sound = async (directory: string): Promise<void> => assert.deepEqual((await fsck({ directory })).bad, null)

/** Contributing with other ports than the house's. */
const withPorts = (house: Bonded, change: Partial<ContributionPorts>) =>
  createContribution({
    ...{ store: house.store, moves: house.economy.moves, recorder: house.recorder, nodeId: house.keys.nodeId },
    ...{ custody: createCustody(house.keys), policy: 'open', kernels: KERNELS, heard: () => [] },
    ...change,
  })

const locksIn = async ({ store }: Bonded): Promise<number> => {
  let count = 0
  for await (const [, { lock }] of store.range('envelope')) if (lock !== null) count += 1
  return count
}

/** Ticks from a release to its end, where nothing happened under the bond. */
const LOCKED_TICKS = DISPUTE_TICKS + SERVE_TICKS
const CRASH = new Error('the process ended')

test('cut off before its first lock, or between lock and event, a bond is there after the next start', async () => {
  for (const when of ['before the lock', 'after the lock', 'before the event'] as const) {
    using dir = tempDir()
    let name = ''
    {
      await using house = await openBonded(dir.path)
      await rich(house)
      const { moves } = house.economy
      const apply: typeof moves.apply = async (order) => {
        if (when === 'before the lock') throw CRASH
        const made = await moves.apply(order)
        if (when === 'after the lock') throw CRASH
        return made
      }
      const cutRecorder: ContributionPorts['recorder'] = {
        ...house.recorder,
        in: () => {
          throw CRASH
        },
      }
      const cut = withPorts(house, {
        moves: { ...moves, apply },
        ...(when === 'before the event' ? { recorder: cutRecorder } : {}),
      })
      await assert.rejects(cut.bond(house.owner, {}), CRASH, when)
      await moves.settled(house.owner.zid)
      name = house.store.peek('contribution', 'own')?.bond ?? ''
      assert.equal(house.store.peek('ownBond', name)?.state, 'locking')
      const other = await withPorts(house, {})
        .bond(house.owner, {})
        .catch((it: Fault) => it)
      assert.ok(other instanceof Fault && other.code === 'ALREADY_BONDED')
    }
    await sound(dir.path)
    {
      await using house = await openBonded(dir.path)
      await house.contribution.resume()
      await house.economy.moves.settled(house.owner.zid)
      assert.equal(house.store.peek('ownBond', name)?.state, 'held', when)
      assert.equal(await locksIn(house), BOND_TOKENS)
    }
    await sound(dir.path)
  }
}, 180_000)

test('a lock or an event that is refused leaves no bond and ties nothing, wherever that is cut off', async () => {
  for (const cutOff of [false, true]) {
    using dir = tempDir()
    {
      await using house = await openBonded(dir.path)
      await rich(house)
      const { moves } = house.economy
      const refused = {
        ...house.recorder,
        in: () => {
          throw new Fault('CLOCK_BEHIND')
        },
      }
      const apply: typeof moves.apply = (order) => {
        if (cutOff && order.op.op === 'unlock') return Promise.reject(CRASH)
        return moves.apply(order)
      }
      const bonding = withPorts(house, { recorder: refused, moves: { ...moves, apply } })
      await assert.rejects(bonding.bond(house.owner, {}), (it) => it === CRASH || (it as Fault).code === 'CLOCK_BEHIND')
      const name = house.store.peek('contribution', 'own')?.bond
      assert.equal(name === null, !cutOff)
      if (name != null) assert.equal(house.store.peek('ownBond', name)?.state, 'undoing')
    }
    await sound(dir.path)
    {
      await using house = await openBonded(dir.path)
      await house.contribution.resume()
      await house.economy.moves.settled(house.owner.zid)
      assert.deepEqual([house.store.peek('contribution', 'own')?.bond, await locksIn(house)], [null, 0])
      assert.equal(await house.store.peek('bondCount', 'all'), undefined)
      assert.equal((await house.contribution.bond(house.owner, {})).state, 'held', 'and can be bonded')
    }
    await sound(dir.path)
  }
}, 180_000)

test('the end of a bond that is cut off goes on; a rival that spent an envelope first leaves none tied', async () => {
  using dir = tempDir()
  let name = ''
  {
    await using house = await openBonded(dir.path)
    const { movable } = await rich(house, { soulbound: 0, movable: 1_000 })
    const { moves } = house.economy
    const to = `zid1${'a'.repeat(32)}`
    const apply: typeof moves.apply = async (order) => {
      if (order.op.op === 'lock')
        await moves.send(house.owner, { to, token_ids: movable.slice(0, 1), allow_unknown: true })
      return moves.apply(order)
    }
    const rival = withPorts(house, { moves: { ...moves, apply } })
    const refused = await rival.bond(house.owner, { token_ids: movable }).catch((it: Fault) => it)
    assert.ok(refused instanceof Fault && ['NOT_FOUND', 'SUPERSEDED'].includes(refused.code))
    assert.deepEqual([await locksIn(house), house.store.peek('contribution', 'own')?.bond], [0, null])
    await rich(house, { soulbound: 0, movable: 10 })
    name = (await house.contribution.bond(house.owner, {})).bond
    await house.contribution.release(house.owner)
    house.clock.advanceTicks(LOCKED_TICKS)
    const cut = withPorts(house, {
      moves: { ...moves, apply: async (order) => moves.apply(order).then(() => Promise.reject(CRASH)) },
      onStuck: (cause) => assert.equal(cause, CRASH),
    })
    await cut.resume()
    await moves.settled(house.owner.zid)
    assert.equal(house.store.peek('ownBond', name)?.state, 'held')
  }
  await sound(dir.path)
  {
    const clock = fixedClock()
    clock.advanceTicks(LOCKED_TICKS)
    await using house = await openBonded(dir.path, { clock })
    await house.contribution.resume()
    await house.economy.moves.settled(house.owner.zid)
    assert.deepEqual([house.store.peek('ownBond', name)?.state, await locksIn(house)], ['over', 0])
  }
  await sound(dir.path)
}, 180_000)

test.run()
