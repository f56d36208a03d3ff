/*
 * Goal: a stake counts iff a witness signed a tree that holds it at or before the close, whatever its own clock said,
 * in whatever order that came to be known; a count that is dated before the close is none. Method: two houses with
 * their logs and witnesses that sign the seconds they are told; the second learns all of it late and at once.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { logVerifierOf } from '#core/equivocation.ts'
import { encodeVkey } from '#core/note.ts'
import { parsePolicy } from '#core/policy.ts'
import { noMeter } from '#core/telemetry.ts'
import { TICK_SECONDS } from '#core/tick.ts'
import type { Resolved } from '#core/vote/documents.ts'
import { meshTickOfSecond } from '#core/when.ts'
import { createRecorder } from '#domain/network/recorder.ts'
import { createNetwork } from '#domain/network/service.ts'
import { createTimeOf } from '#domain/network/votes/time.ts'
import type { Votes } from '#domain/network/votes/types.ts'
import { silentLog } from '#node/log.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { type House, openHouse, wealthy } from '../house.ts'
import { askCosigned, cosign, type ToyWitness, takeOwn, toyWitness } from './cosigned-kit.ts'
import { syncBetween } from './keeper.ts'
import { GENESIS } from './party.ts'
import { leadOn, openVote, type Rich, votesIn } from './votes-kit.ts'

const test = suite('domain/network: when stakes happened')
const MS = 60_000

/** The first second that begins in a mesh tick at or after one. */
const secondAt = (tick: number): number => {
  let second = Math.floor(tick * TICK_SECONDS)
  while (meshTickOfSecond(second) < tick) second += 1
  return second
}

/** A house with a network over its store, and votes that go by its witnesses. */
interface Booth extends AsyncDisposable {
  readonly house: House
  readonly votes: Votes
  /** The house as one that keeps logs. */
  readonly keeper: Parameters<typeof syncBetween>[0] & Parameters<typeof cosign>[0] & Parameters<typeof takeOwn>[0]
}

const booth = async (house: House, witnesses: readonly ToyWitness[], home: House = house): Promise<Booth> => {
  const { store, keys, clock } = house
  const named = witnesses.map((it, i) => `witness w${i} ${it.vkey}\n`).join('')
  const policy = parsePolicy(utf8(`log ${encodeVkey(logVerifierOf(home.store.log.origin))}\n${named}quorum none\n`))
  const recorder = createRecorder(store, keys.signer)
  const network = createNetwork({
    ...{ signer: keys.signer, clock, genesisMeshTick: GENESIS, secrets: [], policy: 'open', meshSize: 64 },
    ...{ version: '0.1.0', registryVersion: 'sha256:aa', ownHead: () => undefined, coherence: () => undefined },
    ...{ log: silentLog, meter: noMeter, keeping: { store, recorder, policy } },
  })
  const { sync } = network
  if (sync === undefined) throw new Error('a network with a store syncs')
  const votes = await votesIn(house, { policy, recorder, timeOf: createTimeOf(store, network), alone: () => false })
  const keeper = { store, network, sync, node: keys.nodeId }
  return { house, votes, keeper, [Symbol.asyncDispose]: () => votes[Symbol.asyncDispose]() }
}

/** Stakes all that somebody has, so that the stake's event is of this mesh tick, under a checkpoint. */
const stakeAt = async (
  { house, votes }: Booth,
  rich: Rich,
  { id, tick }: { id: string; tick: number },
  signal: AbortSignal,
) => {
  house.clock.advanceTicks(tick - 1 - house.store.now().meshTick)
  await votes.stake(rich.caller, { id, side: 'yes', token_ids: rich.tokens })
  await leadOn({ house, votes, id }, (it) => it.stakes[0]?.why === 'not_cosigned', signal)
  assert.equal(house.store.now().meshTick, tick)
  house.clock.advanceTicks(1)
  await house.store.closeTick()
}

/** Lets somebody who was not there learn all that one knows, and gives what both make of the one stake. */
const bothSay = async (one: Booth, other: Booth, id: string) => {
  assert.equal((await syncBetween(other.keeper, one.keeper)).own.ok, true)
  await askCosigned(other.keeper, one.keeper)
  const [own, theirs] = await Promise.all([one, other].map(async ({ votes }) => (await votes.get(id)).stakes[0]))
  assert.deepEqual(theirs, own, 'whoever knows the same counts the same')
  return { counting: own?.counting, why: own?.why, at: own?.mesh_tick }
}

test(
  'a backdated stake, and one by a clock that is 119 ticks behind, count for nothing until a witness was there in time',
  async (signal) => {
    const random = seeded()
    const [far, near, early] = [toyWitness(random), toyWitness(random), toyWitness(random)]
    using dir = tempDir()
    using dir2 = tempDir()
    await using house = await openHouse(dir.path)
    await using house2 = await openHouse(dir2.path)
    await using a = await booth(house, [far, near, early])
    await using b = await booth(house2, [far, near, early], house)
    const rich = await wealthy(house, 2)
    const { id, closes } = await openVote(a.votes, rich)
    // The vote itself was seen in time.
    house.clock.advanceTicks(1)
    await house.store.closeTick()
    await cosign(a.keeper, far, secondAt(house.store.now().meshTick))
    // The second is after the close, and exactly 119 ticks after what the staker's clock says.
    const second = secondAt(closes + 50)
    const tick = meshTickOfSecond(second) - 119
    assert.ok(tick < closes - 8)
    await stakeAt(a, rich, { id, tick }, signal)
    assert.deepEqual(await bothSay(a, b, id), { counting: 'pending', why: 'not_cosigned', at: tick })

    const backdated = secondAt(closes + 500)
    await cosign(a.keeper, far, backdated)
    await takeOwn(a.keeper)
    assert.deepEqual(await bothSay(a, b, id), { counting: 'no', why: 'too_late', at: meshTickOfSecond(backdated) })
    await cosign(a.keeper, near, second)
    await takeOwn(a.keeper)
    // Within 120 ticks the own tick is believed, and that no witness saw it in time stands all the same.
    assert.deepEqual(await bothSay(a, b, id), { counting: 'no', why: 'too_late', at: tick })
    await cosign(a.keeper, early, secondAt(tick + 2))
    await takeOwn(a.keeper)
    assert.deepEqual(await bothSay(a, b, id), { counting: 'yes', why: null, at: tick })
    assert.equal((await b.votes.get(id)).tally.yes, 10)
  },
  MS,
)

test(
  "by a clock that is 119 ticks ahead, or further, a stake counts at its witness's second",
  async (signal) => {
    const random = seeded()
    for (const ahead of [119, 400]) {
      const witness = toyWitness(random)
      using dir = tempDir()
      using dir2 = tempDir()
      await using house = await openHouse(dir.path)
      await using house2 = await openHouse(dir2.path)
      await using a = await booth(house, [witness])
      await using b = await booth(house2, [witness], house)
      const rich = await wealthy(house, 1)
      const { id, closes } = await openVote(a.votes, rich)
      const second = secondAt(closes - 1_000)
      const tick = meshTickOfSecond(second) + ahead
      await stakeAt(a, rich, { id, tick }, signal)
      await cosign(a.keeper, witness, second)
      await takeOwn(a.keeper)
      assert.deepEqual(await bothSay(a, b, id), { counting: 'yes', why: null, at: tick - ahead })
    }
  },
  MS,
)

test(
  'a count dated before the close neither ends the vote nor gives a stake back, whenever its proposal came',
  async (signal) => {
    using dir = tempDir()
    using dir2 = tempDir()
    await using house = await openHouse(dir.path)
    await using house2 = await openHouse(dir2.path)
    await using a = await booth(house, [])
    await using b = await booth(house2, [], house)
    const rich = await wealthy(house, 1)
    const { id, closes } = await openVote(a.votes, rich)
    await a.votes.stake(rich.caller, { id, side: 'yes', token_ids: rich.tokens })
    await leadOn({ house, votes: a.votes, id }, (it) => it.stakes[0]?.counting === 'unwitnessed', signal)
    house.clock.advanceTicks(1)
    await house.store.closeTick()

    // It is told of before the proposal is known where it is told.
    const said: Resolved = { proposal: id, root: '0'.repeat(64), counted: 0, yes: 0, no: 0, zids: 0, passed: false }
    await createRecorder(house2.store, house2.keys.signer).record('resolve', { ...said })
    house2.clock.advanceTicks(1)
    await house2.store.closeTick()
    assert.equal((await syncBetween(a.keeper, b.keeper)).own.ok, true)
    for (const { clock, store } of [house, house2]) clock.advanceTicks(closes + 1 - store.now().meshTick)
    const [token = ''] = rich.tokens
    for (const { votes } of [a, b]) {
      votes.beat()
      const { state, resolutions } = await votes.get(id)
      assert.deepEqual([state, resolutions], ['voting', []])
    }
    assert.equal(house.store.peek('envelope', token)?.lock?.ref, id)

    const { returned } = await a.votes.resolve(id)
    assert.equal(returned, 1)
    assert.deepEqual(
      (await a.votes.get(id)).resolutions.map(({ node }) => node),
      [house.keys.nodeId],
    )
    assert.equal((await a.votes.get(id)).state, 'resolved')
  },
  MS,
)

test.run()
