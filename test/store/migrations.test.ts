/*
 * Goal: what any release ever stored opens in this one, whole, and is refused or resumed where it must be. Method:
 * the stores that releases left, each brought up by a real node and held against what was written down beside it;
 * steps that are cut off at each of their writes; data of newer releases and of other nodes.
 */
import assert from 'node:assert/strict'
import { parseBundle } from '#core/bundle.ts'
import { toHex, utf8 } from '#core/bytes.ts'
import { verifyBundle } from '#core/verify.ts'
import { replayHere } from '#node/offline.ts'
import { COMPUTE_SOLVER } from '#numerics/operators/sealed.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { solvers } from '#numerics/solvers/index.ts'
import { type Change, type Database, openDatabase } from '#store/database.ts'
import { supersessionsOf } from '#store/eras.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { steps } from '#store/migrations/index.ts'
import { migrate, stepsFrom } from '#store/migrations/migrate.ts'
import type { Migration } from '#store/migrations/step.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { expectedOf, fixtures, unpack } from './fixtures.ts'
import { assertLog, assertMesh } from './kept.ts'
import { all } from './kit.ts'

const test = suite('store: migrations')

/** Raised since, for inputs that no receipt here has: boxes, sides of a device, what was refused; or for its check. */
const RAISED_FOR_OTHER_INPUTS: ReadonlySet<string> = new Set(['device@1', 'multibody@2', 'quant@1'])

/** Whether a claim's solver is the one of today, at its revision. */
const isToday = (named: string): boolean =>
  named === COMPUTE_SOLVER || solvers.some(({ name, revision }) => named === `${name}@${revision}`)

test('there is a store of every schema that was released, and a step from each', () => {
  const released = fixtures().map((it) => expectedOf(it).schema)
  assert.deepEqual(
    released,
    released.map((_, i) => i + 1),
    'none is missing',
  )
  assert.ok(released.length >= SCHEMA - 1, 'a schema is not raised before its store is kept')
  for (let from = 1; from < SCHEMA; from++) assert.equal(stepsFrom(from).at(-1)?.to, SCHEMA, `from ${from}`)
  for (const step of steps) assert.ok(step.from < step.to && step.why.length > 0)
})

for (const name of fixtures()) {
  test(`the store ${name} opens, is whole, and goes on from where it was`, async () => {
    using dir = tempDir()
    const directory = dir.path
    const bundles = await unpack(name, directory)
    const expected = expectedOf(name)
    const { seal, events } = expected.logs
    assert.ok(Object.values(expected.tables).every((rows) => rows > 0))
    {
      await using it = await testNode({ directory, start: BigInt(expected.stopped_ns) })
      const { store, nodeId } = it.node
      assert.equal(nodeId, expected.node)
      assert.equal(store.genesisMeshTick, expected.genesis_mesh_tick)
      assert.equal(await store.get('schema', 'version'), SCHEMA)
      await assertLog(store.log, seal)
      await assertLog(store.events, events)
      if (expected.mesh !== undefined) await assertMesh(store, expected.mesh)
      assert.deepEqual(Object.fromEntries(await all(store.range('balance'))), expected.balances)
      assert.deepEqual(Object.fromEntries(await all(store.range('machineHead'))), expected.heads)
      assert.equal((await all(store.range('due'))).length, expected.due)
      for (const [table, rows] of Object.entries(expected.tables)) {
        const found = (await all(store.range(table as 'leaf'))).length
        assert.ok(found >= rows, `${table}: ${rows} rows, then ${found}`)
      }

      const user = it.as(expected.user.key)
      assert.equal((await user.call('identity.account', {})).zid, expected.user.zid)
      await user.call('compute.compute', { operators: ['KO42', 'GR37'], inputs: { mass: 4e30 } })
      await it.advanceTicks(1)
      // What waited for the end of its tick, the tick leaf, the new envelope, its own tick leaf.
      assert.ok(store.log.size > seal.size)
      const proof = await store.log.consistency(seal.size, store.log.size)
      assert.ok(proof.length > 0)
      assert.equal((await all(store.range('due'))).length, 0)

      const successions = supersessionsOf(store)
      let judgedAgain = 0
      for (const token of Object.keys(bundles)) {
        const again = await user.call('compute.bundle', { token_id: token }).catch(() => undefined)
        if (again === undefined) continue // Another account's.
        const { claim, signature } = (bundles[token] as { envelope: { claim: unknown; signature: string } }).envelope
        assert.deepEqual(again.envelope.claim, claim)
        assert.equal(again.envelope.signature, signature)
        const judged = { bundle: parseBundle(utf8(JSON.stringify(again))), schemas: schemasHere, trusted: nodeId }
        const { outcome, failing, unchecked } = verifyBundle({ ...judged, successions })
        assert.equal(outcome, 'verified', `${token}, given anew: ${failing ?? unchecked.join()}`)
        judgedAgain += 1
      }
      assert.ok(judgedAgain > 0)
      if (expected.mesh !== undefined) await assertMesh(store, expected.mesh)
    }
    const report = await fsck({ directory })
    assert.deepEqual(report.bad, null)
  }, 60_000)

  test(`every bundle of ${name} verifies, and gives the same bits where its solver is the same`, async () => {
    using dir = tempDir()
    const bundles = await unpack(name, dir.path)
    const { node, logs, mesh } = expectedOf(name)
    const eras = mesh?.eras ?? []
    const known = new Map([...eras.map((it) => [it.logs.seal.origin, it.node] as const), [logs.seal.origin, node]])
    const from = new Set<string>()
    const revisions = new Set<string>()
    assert.ok(Object.keys(bundles).length >= 10)
    for (const [token, value] of Object.entries(bundles)) {
      const bundle = parseBundle(utf8(JSON.stringify(value)))
      const { outcome, failing, unchecked } = await verifyBundle({
        bundle,
        schemas: schemasHere,
        trusted: known.get(bundle.envelope.claim.log) ?? '',
        replay: replayHere,
      })
      assert.equal(failing, undefined, token)
      // What an earlier revision computed may give other bits today: everything holds but the re-run.
      const { solver } = bundle.envelope.claim.code
      const same = isToday(solver) || RAISED_FOR_OTHER_INPUTS.has(solver)
      assert.deepEqual(unchecked, same ? [] : ['replay'], `${token} of ${solver}`)
      assert.equal(outcome, same ? 'verified' : 'unchecked')
      revisions.add(solver)
      from.add(bundle.envelope.claim.log)
    }
    assert.deepEqual([...from].sort(), [...known.keys()].sort(), 'there are some of every era')
    assert([...revisions].some(isToday), 'some give the same bits again')
  }, 60_000)
}

/** A database that dies at its nth write, as kill −9 would have it: nothing of that write is there. */
const dyingAt = (database: Database, write: number): Database => {
  let writes = 0
  return {
    ...database,
    write: async (changes) => {
      writes += 1
      if (writes === write) throw new Error('killed')
      await database.write(changes)
    },
  }
}

const openFixture = async (directory: string): Promise<Database> => {
  await unpack('schema-1', directory)
  return openDatabase(databaseDirectory(directory), false)
}

const rawOf = async (database: Database): Promise<ReadonlyMap<string, string>> =>
  new Map((await all(database.raw())).map(([key, row]) => [key, toHex(row)]))

test('the index of ledger leaves is made again to the byte, wherever it was cut off', async () => {
  using dir = tempDir()
  await using database = await openFixture(dir.path)
  const whole = await rawOf(database)
  const issues = await all(database.range('issue'))
  const without: Change[] = issues.map(([key]) => ({ table: 'issue', key, row: undefined }))
  await database.write([...without, { table: 'issueTotal', key: 'all', row: undefined }])

  await assert.rejects(migrate(dyingAt(database, 1)), /killed/)
  assert.equal(database.peek('schema', 'version'), 1, 'the version moves with the last rows')
  assert.equal(await migrate(database), 1)
  const after = await rawOf(database)
  assert.equal(database.peek('schema', 'version'), SCHEMA)
  for (const [key, row] of whole) if (!key.startsWith('a/')) assert.equal(after.get(key), row, key)
  assert.equal(after.size, whole.size)
})

test('several steps run in order, once each; a cut at any write is taken up there', async () => {
  const ran: string[] = []
  const step = (from: number, to: number): Migration => ({
    from,
    to,
    why: 'a test',
    async *run() {
      ran.push(`${from}-${to}`)
      for (const key of ['one', 'two', 'three']) yield [{ table: 'usage', key, row: { credits: to, envelopes: 0 } }]
    },
  })
  const chain = [step(-1, 0), step(0, 1), step(1, SCHEMA)]
  for (let write = 1; write <= 9; write++) {
    using dir = tempDir()
    await using database = await openFixture(dir.path)
    await database.write([{ table: 'schema', key: 'version', row: -1 }])
    ran.length = 0
    await assert.rejects(migrate(dyingAt(database, write), { steps: chain }), /killed/)
    const before: number[] = []
    const backups = { count: 0 }
    await migrate(database, {
      steps: chain,
      before: async () => {
        backups.count += 1
      },
      onProgress: ({ to, done }) => {
        if (done) before.push(to)
      },
    })
    assert.equal(backups.count, 1, 'one archive, before the first step')
    const finished = Math.floor((write - 1) / 3)
    assert.deepEqual(before, [0, 1, SCHEMA].slice(finished), `cut at write ${write}`)
    assert.deepEqual(database.peek('usage', 'two'), { credits: SCHEMA, envelopes: 0 })
    assert.equal(database.peek('schema', 'version'), SCHEMA)
    assert.equal(await migrate(database, { steps: chain, before: () => assert.fail('nothing to do') }), SCHEMA)
  }
}, 60_000)

test('an archive that cannot be written keeps the data as they are', async () => {
  using dir = tempDir()
  await using database = await openFixture(dir.path)
  const whole = await rawOf(database)
  await assert.rejects(migrate(database, { before: () => Promise.reject(new Error('the disk is full')) }), /full/)
  assert.deepEqual(await rawOf(database), whole)
})

test('data of a newer release, of another node, and without their first rows are left alone', async () => {
  using dir = tempDir()
  const directory = dir.path
  {
    await using database = await openFixture(directory)
    await database.write([{ table: 'schema', key: 'version', row: SCHEMA + 1 }])
    const whole = await rawOf(database)
    assert.equal(await migrate(database), SCHEMA + 1)
    assert.deepEqual(await rawOf(database), whole)
  }
  const start = BigInt(expectedOf('schema-1').stopped_ns)
  await assert.rejects(testNode({ directory, start }), new RegExp(`have schema ${SCHEMA + 1}.*use a newer one`))
  assert.equal((await fsck({ directory })).bad?.table, 'schema')

  using other = tempDir()
  {
    await using database = await openFixture(other.path)
    const whole = await rawOf(database)
    assert.equal(await migrate(database, { node: 'another' }), 1)
    assert.deepEqual(await rawOf(database), whole)
  }
  await assert.rejects(fsck({ directory: other.path }), /schema 1.*tickmesh upgrade/)
})

test.run()
