// Goal: whatever the clock does (a suspend, a jump that is believed, one that is not, a step back, a month without the
// node), each due instant has exactly one outcome: a fire, or its place in one row that says how many were missed and
// why. Method: a real node whose wall clock jumps; every instant of the grid is looked for in the rows.
import assert from 'node:assert/strict'
import type { FireRow } from '#core/contract/fire-row.ts'
import { TICK_NS, TICK_SECONDS } from '#core/tick.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { counting, pass, rowsOf, stage } from './engine-kit.ts'

const test = suite('domain: contracts, clocks')

const NS_PER_HOUR = 3_600_000_000_000n
const EVERY = 1_000
const CRON_SECONDS = 3_600
/** Ticks of the default window, a day. */
const WINDOW = 111_197

const modes = [
  { mode: 'none' },
  { mode: 'one' },
  { mode: 'all', max: 100 },
  { mode: 'all', max: 7 },
  { mode: 'all', max: 100, window: 20 * EVERY },
] as const

/** Contracts by each way to catch up, on the mesh's grid, and one on the hours of the day. */
const watched = async ({ owner }: Awaited<ReturnType<typeof stage>>): Promise<readonly string[]> => {
  const ids: string[] = []
  const triggers = [
    ...modes.map((catchUp) => ({ kind: 'recurring', every_ticks: EVERY, catchUp })),
    { kind: 'cron', expression: '0 * * * *', catchUp: { mode: 'all', max: 100 } },
  ]
  for (const trigger of triggers) {
    ids.push(
      (await owner.call('contracts.custom', { slug: 'open', definition: counting(trigger), start: true })).contract.id,
    )
  }
  return ids
}

interface Covered {
  readonly fired: readonly number[]
  readonly missed: readonly Extract<FireRow, { outcome: 'missed' }>[]
}

interface Grid {
  readonly every: number
  /** Instants lie after it, and up to the other, in the unit of their trigger. */
  readonly after: number
  readonly until: number
}

/** How each instant came out; fails where one has no outcome, or two. */
const covered = async (it: TestNode, id: string, { every, after, until }: Grid): Promise<Covered> => {
  const rows = await rowsOf(it, id)
  const fired = rows.flatMap((row) => (row.outcome === 'fired' && row.due !== null ? [row.due] : []))
  const missed = rows.filter((row) => row.outcome === 'missed')
  const outcomes = new Map<number, number>()
  const add = (due: number): void => void outcomes.set(due, (outcomes.get(due) ?? 0) + 1)
  fired.forEach(add)
  for (const { from, to, count } of missed) {
    assert.equal((to - from) / every + 1, count)
    for (let due = from; due <= to; due += every) add(due)
  }
  const wanted: number[] = []
  for (let due = Math.floor(after / every) * every + every; due <= until; due += every) wanted.push(due)
  assert.deepEqual(
    [...outcomes.keys()].sort((a, b) => a - b),
    wanted,
  )
  for (const [due, count] of outcomes) assert.equal(count, 1, `${id} has ${count} outcomes for ${due}`)
  assert.deepEqual(
    fired,
    fired.toSorted((a, b) => a - b),
  )
  return { fired, missed }
}

const allCovered = async (it: TestNode, ids: readonly string[]): Promise<readonly Covered[]> => {
  const { store } = it.node
  const { meshTick } = store.now()
  const found: Covered[] = []
  for (const [i, id] of ids.entries()) {
    const after = store.peek('contract', id)?.armed_tick ?? 0
    // An instant of the day is decided in the tick after its own.
    const hours = { every: CRON_SECONDS, after: after * TICK_SECONDS, until: Math.floor(meshTick * TICK_SECONDS - 1) }
    found.push(await covered(it, id, i < modes.length ? { every: EVERY, after, until: meshTick } : hours))
  }
  return found
}

test('a suspend of hours, a step back and a jump that is not believed give each instant one outcome', async () => {
  const at = await stage()
  await using it = at.it
  const ids = await watched(at)
  await pass(it, 2 * EVERY, 250)
  await allCovered(it, ids)

  await it.jumpWall(20n * NS_PER_HOUR)
  await it.node.services.contracts.idle()
  await pass(it, EVERY, 250)
  const slept = await allCovered(it, ids)
  const [, , all, seven, near, hours] = slept
  const missed = slept.map((of) => of.missed.reduce((sum, { count }) => sum + count, 0))
  // Twenty hours have 92 instants; `none` misses the next one too, since the clock of the test goes in steps.
  assert.deepEqual(missed.slice(0, 2), [93, 91])
  assert.deepEqual([all?.missed, hours?.missed], [[], []])
  assert.ok((hours?.fired.length ?? 0) >= 20)
  assert.equal((seven?.missed.length ?? 0) + (near?.missed.length ?? 0), 2)
  for (const { missed: rows } of slept) for (const { reason } of rows) assert.equal(reason, 'catch-up')

  // A step back is not followed: nothing is due again, and nothing waits for the time to come round.
  const before = it.node.store.now().meshTick
  await it.jumpWall(-24n * NS_PER_HOUR)
  await pass(it, EVERY, 250)
  assert.equal(it.node.store.now().meshTick, before + EVERY)
  const back = await allCovered(it, ids)
  assert.equal(back[2]?.fired.length, (all?.fired.length ?? 0) + 1)

  // A month is not believed until somebody starts the node again.
  await it.jumpWall(31n * 24n * NS_PER_HOUR)
  await it.node.services.contracts.idle()
  assert.ok(it.node.store.now().meshTick <= before + 2 * EVERY)
  assert.ok(it.lines.some(({ event }) => event === 'clock_jump_refused'))
  assert.deepEqual((await allCovered(it, ids)).length, ids.length)
  for (const id of ids) assert.equal((await at.owner.call('contracts.verify', { slug: 'open', id })).differs, null)
}, 20_000)

test('after a month without the node, the window and the count hold, and the rest is one row', async () => {
  using dir = tempDir()
  const begun = async () => {
    const at = await stage({ directory: dir.path })
    await using it = at.it
    const ids = await watched(at)
    await pass(it, EVERY, 250)
    return { ids, key: at.key, meshTick: it.node.store.now().meshTick }
  }
  const { ids, key, meshTick } = await begun()
  const month = 31 * WINDOW
  {
    await using it = await testNode({ directory: dir.path, start: BigInt(meshTick + month) * TICK_NS + 1_000n })
    await pass(it, 1)
    const found = await allCovered(it, ids)
    const later = found.map(({ fired }) => fired.filter((due) => due > meshTick && due < 2 ** 32).length)
    assert.deepEqual(later.slice(1, 5), [1, 100, 7, 20])
    assert.ok((later[0] ?? 0) <= 1)
    for (const { missed } of found) {
      assert.equal(missed.length, 1)
      assert.equal(missed[0]?.reason, 'down')
    }
    for (const id of ids) assert.equal((await it.as(key).call('contracts.verify', { slug: 'open', id })).differs, null)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
}, 20_000)

test.run()
