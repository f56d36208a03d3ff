// Goal: a check of a large store tells all the time how far it is, and stops when it is told to. Method: the data of a
// real node, checked with a report for every step; a reader that is watched while rows are read that nobody counts.
import assert from 'node:assert/strict'
import { fsck } from '#store/fsck/fsck.ts'
import { createProgress } from '#store/fsck/progress.ts'
import type { Stage } from '#store/fsck/report.ts'
import { databaseDirectory } from '#store/lock.ts'
import { openFiles } from '#store/open.ts'
import { accountOf, RADIUS } from '../domain/channels/channel-kit.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('fsck, how far it is')

const SEALS = 5

const fill = async (directory: string): Promise<void> => {
  await using it = await testNode({ directory })
  const { client } = await accountOf(it)
  await client.call('machines.create', { slug: 'pump-7', is_public: true })
  for (let i = 0; i < SEALS; i++) {
    await client.call('compute.compute', RADIUS)
    await client.call('machines.event', { slug: 'pump-7', type: 'reading', payload: i })
    await it.advanceTicks(1)
  }
}

test('what is told of a stage rises from 1 and never begins again, and every row that is read moves it', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const told = new Map<Stage, number>()
  const order: Stage[] = []
  const report = await fsck({
    directory: dir.path,
    everyMs: 0,
    onProgress: ({ stage, done }) => {
      assert(done > (told.get(stage) ?? 0), `${stage} ${told.get(stage)} ${done}`)
      told.set(stage, done)
      if (order.at(-1) !== stage) order.push(stage)
    },
  })
  assert.equal(report.bad, null)
  assert(order.length > new Set(order).size, `a stage is come back to: ${order.join(' ')}`)
  assert.equal(told.get('rows'), report.rows)
  // Leaves, and the transfers that are read beside them.
  assert((told.get('logs') ?? 0) >= report.leaves.seal + report.leaves.events + 2 * SEALS)
})

test('rows that nobody counts are counted as they are read, and those of a table as they are counted', async () => {
  using dir = tempDir()
  await fill(dir.path)
  await using database = await openFiles(databaseDirectory(dir.path), false)
  const rows = await database.count('transfer')
  const told: number[] = []
  const stop = new AbortController()
  const { step, watched } = createProgress({
    ...{ everyMs: 0, signal: stop.signal },
    onProgress: ({ stage, done }) => {
      assert.equal(stage, 'ledger')
      told.push(done)
    },
  })
  const reader = watched(database)
  step('ledger')
  let read = 0
  for await (const _ of reader.range('transfer')) read += 1
  // The first row belongs to the step before it; the end is looked for once.
  assert.deepEqual([read, told.at(-1)], [rows, 1 + rows])
  for await (const _ of reader.range('transfer')) step('ledger')
  assert.equal(told.at(-1), 1 + rows + 1 + rows)
  const before = told.at(-1) ?? 0
  step('ledger')
  assert.equal(await reader.count('transfer'), rows)
  assert.equal(await reader.count('transfer'), rows)
  assert.equal(told.at(-1), before + 1 + rows, 'the first count belongs to the step before it')
  stop.abort(new Error('enough'))
  await assert.rejects(reader.count('transfer'), /enough/)
  await assert.rejects(async () => {
    for await (const _ of reader.range('transfer')) assert.fail('nothing is read')
  }, /enough/)
})

test.run()
