/*
 * Goal: what a node has done since its genesis is counted once, whatever ended it and whenever, and by nobody's word
 * but the log's.
 * Method: a real node that seals, refuses and closes ticks; its counts kept, not kept, lost and spoiled between two
 * starts, and held against a walk over the log.
 */
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { TICK_NS } from '#core/tick.ts'
import { openTally } from '#domain/compute/tally.ts'
import { keyFiles } from '#domain/identity/node-keys.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { TallyRow } from '#store/rows/tally.ts'
import { START } from '../../kit/clock.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('compute: tally')

/** Rows that no count of this log can be. */
const spoiled: readonly Partial<TallyRow>[] = [
  { leaves: 1_000 },
  { checkpointed: 1_000 },
  { seals: 1_000 },
  { checkpoints: 1_000 },
  { refusals: -1 },
]

const ownerOf = (it: TestNode) => it.as(readFileSync(join(it.directory, keyFiles.owner), 'utf8').trim())

const seal = async (it: TestNode, mass: number): Promise<void> => {
  await ownerOf(it).call('compute.compute', { operators: ['GR37'], inputs: { mass } })
}

test('counts go on over restarts, and what a crash left uncounted is counted from the log', async () => {
  using dir = tempDir()
  let kept: TallyRow | undefined
  {
    await using it = await testNode({ directory: dir.path })
    const { store } = it.node
    await seal(it, 1e30)
    await seal(it, 2e30)
    await assert.rejects(ownerOf(it).call('compute.compute', { operators: ['GR37'], inputs: { mass: [] as never } }))
    await it.advanceTicks(1)
    await seal(it, 3e30)
    await it.advanceTicks(1)
    // Whatever the beats wrote: once more, and this is what stands.
    const tally = await openTally(store)
    assert.deepEqual([tally.now.seals, tally.now.checkpoints], [3, 2])
    kept = store.peek('tally', 'all')
    await seal(it, 4e30)
    // As if the process had ended here: the last seal is in the log, and in no row.
    await store.commit((tx) => (kept === undefined ? undefined : tx.put('tally', 'all', kept)))
    const again = await openTally(store)
    const { envelope } = await ownerOf(it).call('compute.compute', { operators: ['GR37'], inputs: { mass: 5e30 } })
    assert.equal(again.now.seals, 4, 'a count of its own hears of nothing')
    const fresh = await openTally(store)
    assert.deepEqual([fresh.now.seals, fresh.now.last_seal], [5, (envelope as { hash: string }).hash])
  }
  await using it = await testNode({ directory: dir.path, start: START + 50n * TICK_NS })
  const { store } = it.node
  await it.advanceTicks(1)
  const counted = (await openTally(store)).now
  assert.deepEqual([counted.seals, counted.refusals >= 1, counted.leaves <= store.log.size], [5, true, true])
  // A store of before has no row: everything is counted from the logs, but what they do not have.
  await store.commit((tx) => tx.del('tally', 'all'))
  const walked = (await openTally(store)).now
  assert.deepEqual({ ...walked, refusals: counted.refusals }, counted)
})

test('fsck refuses counts that the log cannot have', async () => {
  using dir = tempDir()
  let start = START
  const withRow = async (row: TallyRow): Promise<void> => {
    start += 50n * TICK_NS
    await using it = await testNode({ directory: dir.path, start })
    await it.node.store.commit((tx) => tx.put('tally', 'all', row))
  }
  let sound: TallyRow
  {
    await using it = await testNode({ directory: dir.path })
    await seal(it, 1e30)
    await it.advanceTicks(1)
    await it.node.services.registers[Symbol.asyncDispose]()
    sound = it.node.store.peek('tally', 'all') as TallyRow
    assert.equal(sound.seals, 1)
  }
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  for (const change of spoiled) {
    await withRow({ ...sound, ...change })
    const { bad } = await fsck({ directory: dir.path })
    assert.equal(bad?.table, 'tally', JSON.stringify(change))
    await withRow(sound)
    assert.equal((await fsck({ directory: dir.path })).bad, null)
  }
}, 60_000)

test.run()
