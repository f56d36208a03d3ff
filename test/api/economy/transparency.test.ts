/*
 * Goal: every credit and coin is accounted for in public, leaf by leaf, and no account is named.
 * Method: a real node does all that issues credits; the answer's sums are held against what was done, its lines
 * against the leaves of the log; then the index is taken away, as in a directory of an earlier version, and comes back
 * at the next start; fsck finds a line that was changed or lost.
 */
import assert from 'node:assert/strict'
import { fromUtf8, toHex } from '#core/bytes.ts'
import { leafHash } from '#core/merkle.ts'
import { type Database, openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { type TestNode, testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'

const test = suite('api: economy transparency')

const GR37 = { operators: ['GR37'], inputs: { mass: 1.98892e30 } }

/** Two accounts, a demo key, a grant, and a computation of each kind of caller. */
const live = async (it: TestNode) => {
  const first = await it.client.call('identity.sign-up', {})
  await it.advanceTicks(1)
  const second = await it.client.call('identity.sign-up', {})
  const { services } = it.node
  const bucket = '127.0.0.1'
  const link = await services.identity.openSession(services.identity.ownerLink())
  const owner = services.identity.callerOf({ session: link.token, bucket })
  await services.economy.grant(owner, { zid: first.zid, credits: 50, reason: 'for Ada' })
  const demo = await services.identity.mintDemoKey('10.0.0.9')
  await it.as(first.api_key).call('compute.compute', GR37)
  await it.as(demo.key).call('compute.compute', GR37)
  await it.client.call('compute.prove', GR37)
  await it.advanceTicks(1)
  return { first, second, demo }
}

const ask = (it: TestNode, page: { limit?: number; before?: number } = {}) =>
  it.client.call('economy.transparency', page)

test('sums are those of what was done, and add up', async () => {
  await using it = await testNode()
  const before = await ask(it)
  const { first, second } = await live(it)
  const { assets, total, lines, next } = await ask(it)
  for (const { issued, supply, burned, withheld, sources } of assets) {
    assert.equal(issued, supply + burned + withheld)
    assert.equal(
      issued,
      sources.reduce((sum, of) => sum + of.amount, 0),
    )
  }
  const grown = (asset: string, source: string): [number, number | null] => {
    const of = (all: typeof before) =>
      all.assets.find((one) => one.asset === asset)?.sources.find((s) => s.source === source)
    const now = of({ ...before, assets })
    const then = of(before)
    return [(now?.amount ?? 0) - (then?.amount ?? 0), now?.leaves == null ? null : now.leaves - (then?.leaves ?? 0)]
  }
  assert.deepEqual(grown('free', 'sign-up'), [2 * 1_287, 2])
  assert.deepEqual(grown('paid', 'grant'), [50, 1])
  assert.deepEqual(grown('free', 'demo'), [100, 1])
  assert.deepEqual(grown('free', 'anonymous'), [3, null])
  assert.deepEqual(grown('coin', 'compute'), [9, null])
  assert.equal(total - before.total, 4)
  assert.equal(assets.find(({ asset }) => asset === 'free')?.burned, 9)
  assert.deepEqual([lines.length, next], [total, null])
  // Nobody is named, and nothing of why.
  const text = JSON.stringify(lines)
  for (const word of [first.zid, second.zid, 'Ada', 'demo:', 'zid1']) assert(!text.includes(word), word)
  assert.deepEqual(Object.keys(lines[0] ?? {}).sort(), [
    'amount',
    'asset',
    'hash',
    'index',
    'kind',
    'log',
    'state',
    'tick',
  ])
})

test('each line is a leaf of the log, newest first, page by page', async () => {
  await using it = await testNode()
  await live(it)
  await it.advanceTicks(2)
  const all = (await ask(it)).lines
  const { log } = it.node.store
  for (const line of all) {
    const leaf = await log.leaf(line.index)
    assert(leaf !== undefined)
    assert.equal(toHex(leafHash(leaf)), line.hash)
    const [purpose = '', body = ''] = fromUtf8(leaf).split('\n')
    assert.equal(purpose, 'tickmesh/ledger/1')
    const { entry } = JSON.parse(body) as { entry: { kind: string; asset: string; amount: number; tick: number } }
    assert.deepEqual(
      [entry.kind, entry.asset, entry.amount, entry.tick, line.state],
      [line.kind, line.asset, line.amount, line.tick, 'final'],
    )
  }
  const paged: (typeof all)[number][] = []
  let before: number | undefined
  for (let pages = 0; pages <= all.length; pages++) {
    const page = await ask(it, { limit: 2, ...(before === undefined ? {} : { before }) })
    assert(page.lines.length <= 2)
    paged.push(...page.lines)
    if (page.next === null) break
    before = page.next
  }
  assert.deepEqual(paged, all)
  assert.deepEqual(
    all.map(({ index }) => index),
    all.map(({ index }) => index).toSorted((a, b) => b - a),
  )
})

const within = async (directory: string, work: (database: Database) => Promise<void>): Promise<void> => {
  await using database = await openDatabase(databaseDirectory(directory), false)
  await work(database)
}

test('a directory of schema 1 without the index gets it at its start; fsck finds what is changed or lost', async () => {
  using place = tempDir()
  const directory = place.path
  let told: unknown
  {
    await using it = await testNode({ directory })
    await live(it)
    await it.advanceTicks(2)
    told = await ask(it)
  }
  assert.deepEqual((await fsck({ directory })).bad, null)
  const rows: [string, { kind: string; asset: string; amount: number; tick: number }][] = []
  await within(directory, async (database) => {
    for await (const [key, row] of database.range('issue')) rows.push([key, row])
    await database.write([
      { table: 'schema', key: 'version', row: 1 },
      { table: 'issueTotal', key: 'all', row: undefined },
      ...rows.map(([key]) => ({ table: 'issue' as const, key, row: undefined })),
    ])
  })
  assert(rows.length >= 4)
  await assert.rejects(fsck({ directory }), /run tickmesh upgrade/)
  {
    await using it = await testNode({ directory })
    await it.advanceTicks(8)
    const { tick: _, ...again } = await ask(it)
    const { tick: __, ...before } = told as typeof again & { tick: number }
    assert.deepEqual(again, before)
  }
  const [key = '', row] = rows[0] ?? []
  assert(row !== undefined)
  await within(directory, (database) =>
    database.write([{ table: 'issue', key, row: { ...row, amount: row.amount + 1 } }]),
  )
  assert.equal((await fsck({ directory })).bad?.table, 'issue')
  await within(directory, (database) => database.write([{ table: 'issue', key, row: undefined }]))
  assert.equal((await fsck({ directory })).bad?.table, 'issue')
  await within(directory, (database) => database.write([{ table: 'issue', key, row }]))
  assert.deepEqual((await fsck({ directory })).bad, null)
}, 30_000)

test.run()
