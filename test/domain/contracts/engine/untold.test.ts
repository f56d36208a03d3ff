// Goal: an event that cannot be told to a contract is a failed fire of that contract, once, and of no other; what
// cannot even be written down is told later, in order, also after a restart. Method: a real node whose rows are made
// unreadable on its disk between two starts, and readable again.
import assert from 'node:assert/strict'
import { Level } from 'level'
import { exportHistory } from '#cli/contract-history.ts'
import { contractExportOf } from '#core/contract/export.ts'
import { replayContract } from '#numerics/contracts/fire/replay.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Row, TableName } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { numberedKey } from '#store/rows/contract.ts'
import { databaseKey, decodeRow, encodeRow } from '#store/rows.ts'
import { type TestNode, testNode } from '../../../kit/node.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { counting, firesOf, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, untold events')

const hit = { events: { hit: { data: {} } }, windows: { hits: { event: 'hit', fn: 'count', ticks: 600 } } }
const hears = (more: object = {}) => counting({ kind: 'event', event: 'hit' }, { ...hit, ...more })

/** Changes a row on the disk of a node that is not running. @returns what puts it back */
const spoil = async <N extends TableName>(
  directory: string,
  table: N,
  of: { key: string; edit: (row: Row<N>) => unknown },
) => {
  const key = databaseKey(table, of.key)
  const open = async (work: (level: Level<string, Uint8Array>) => Promise<unknown>) => {
    const level = new Level<string, Uint8Array>(databaseDirectory(directory), {
      ...{ keyEncoding: 'utf8', valueEncoding: 'view', compression: false },
    })
    await level.open()
    await work(level)
    await level.close()
  }
  let had: Uint8Array | undefined
  await open(async (level) => {
    had = new Uint8Array((await level.get(key))!)
    await level.put(key, encodeRow(table, of.key, of.edit(decodeRow(table, of.key, had)) as Row<N>))
  })
  return () => open((level) => level.put(key, had!))
}

type Owner = Awaited<ReturnType<typeof stage>>['owner']

/** Two contracts of one machine, and the node that they are on is not running. */
const prepared = async (directory: string, first: object) => {
  const at = await stage({ directory })
  await using it = at.it
  const make = async (definition: object) =>
    (await at.owner.call('contracts.custom', { slug: 'open', definition, start: true })).contract.id
  const ids = [await make(first), await make(hears())] as const
  return { ids, key: at.key, instant: it.node.store.now().instant }
}

const hitOnce = async (it: TestNode, owner: Owner): Promise<void> => {
  await owner.call('machines.event', { slug: 'open', type: 'hit', data: {} })
  await pass(it, 1)
}

const outcomes = async (it: TestNode, id: string) =>
  (await firesOf(it, id)).map(({ outcome, problem }) => problem?.reason ?? outcome)

const markOf = ({ node: { store } }: TestNode): number => store.peek('contractMark', 'open') ?? 0
const sizeOf = ({ node: { store } }: TestNode): number => store.peek('machineHead', 'open')?.size ?? 0

test('whoever cannot be read has a failed fire of each event, once, and others hear it', async () => {
  using dir = tempDir()
  const { ids, key, instant } = await prepared(dir.path, hears({ budget: { failures_in_row: 3 } }))
  const [broken, whole] = ids
  const start = (seconds: number) =>
    testNode({ directory: dir.path, start: instant + BigInt(seconds) * 1_000_000_000n })
  const repair = await spoil(dir.path, 'contractVersion', {
    ...{ key: numberedKey(broken, 1), edit: (row) => ({ ...row, definition: { transitions: 'none' } }) },
  })
  {
    await using it = await start(5)
    await hitOnce(it, it.as(key))
    assert.deepEqual([await outcomes(it, broken), await outcomes(it, whole)], [['node'], ['fired']])
    assert.equal(markOf(it), sizeOf(it) - 1)
    assert.equal(it.lines.filter(({ event }) => event === 'contract_broken').length, 1)
  }
  {
    await using it = await start(10)
    await pass(it, 2)
    assert.deepEqual([await outcomes(it, broken), await outcomes(it, whole)], [['node'], ['fired']])
  }
  await repair()
  await using it = await start(20)
  const owner = it.as(key)
  await hitOnce(it, owner)
  const [failed, fired] = await firesOf(it, broken)
  assert.deepEqual([failed?.outcome, failed?.seq, fired?.outcome, fired?.context], ['failed', null, 'fired', { n: 1 }])
  assert.deepEqual(await outcomes(it, whole), ['fired', 'fired'])
  for (const id of ids) {
    assert.equal((await owner.call('contracts.verify', { slug: 'open', id })).differs, null)
    await it.advanceTicks(1)
    const asked = { slug: 'open', id, signal: new AbortController().signal, tell: () => undefined }
    const file = contractExportOf(JSON.parse(JSON.stringify(await exportHistory(owner, asked))))
    const recompute = () => ({ unavailable: 'nothing is computed' })
    assert.equal(replayContract(file, { recompute }).differs, null)
    const moved = file.rows.map((row) =>
      'problem' in row && row.problem?.reason === 'node' ? { ...row, to: 'off' } : row,
    )
    const found = replayContract({ ...file, rows: moved, chain: null }, { recompute })
    assert.equal(found.differs?.member, id === broken ? 'outcome' : undefined)
  }
  await it[Symbol.asyncDispose]()
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('a call that cannot be told has failed, and the row of the call goes with it', async () => {
  using dir = tempDir()
  const { ids, key, instant } = await prepared(dir.path, hears())
  const [broken] = ids
  await spoil(dir.path, 'contractVersion', {
    ...{ key: numberedKey(broken, 1), edit: (row) => ({ ...row, definition: { transitions: 'none' } }) },
  })
  await using it = await testNode({ directory: dir.path, start: instant + 1_000_000_000n })
  const every = { kind: 'recurring', every_ticks: 2 }
  const call = { kind: 'call', contract: broken, event: 'hit', data: {} }
  const definition = counting(every, {
    transitions: [{ id: 'go', from: 'on', to: 'on', trigger: every, actions: [call] }],
  })
  const { id } = (await it.as(key).call('contracts.custom', { slug: 'open', definition, start: true })).contract
  await pass(it, 4)
  const [one, two] = await firesOf(it, id)
  const rows = await firesOf(it, broken)
  assert.deepEqual(
    rows.map(({ cause, problem }) => [cause, problem?.reason]),
    [one, two].map((caller) => [{ fire: caller?.fire, action: 0 }, 'node']),
  )
  for await (const [left] of it.node.store.range('contractCall')) assert.fail(left)
})

test('what cannot even be written down is told later, in order and once, and keeps nobody else waiting', async () => {
  using dir = tempDir()
  const { ids, key, instant } = await prepared(dir.path, hears())
  const [broken, whole] = ids
  const repair = await spoil(dir.path, 'contract', { key: broken, edit: (row) => ({ ...row, standing: null }) })
  const was = await (async () => {
    await using it = await testNode({ directory: dir.path, start: instant + 5_000_000_000n })
    const first = sizeOf(it)
    for (let i = 0; i < 3; i += 1) await hitOnce(it, it.as(key))
    await pass(it, 6)
    assert.deepEqual(await outcomes(it, whole), ['fired', 'fired', 'fired'])
    assert.deepEqual(await outcomes(it, broken), [])
    assert(markOf(it) <= first, 'the first event is not behind the mark')
    return it.node.store.now().instant
  })()
  await repair()
  await using it = await testNode({ directory: dir.path, start: was + 5_000_000_000n })
  await pass(it, 2)
  const rows = await firesOf(it, broken)
  assert.deepEqual(
    rows.map(({ outcome, context }) => [outcome, context]),
    [1, 2, 3].map((n) => ['fired', { n }]),
  )
  const seqs = rows.map(({ cause }) => ('slug' in cause ? cause.seq : -1))
  assert.deepEqual(
    seqs,
    seqs.toSorted((a, b) => a - b),
  )
  assert.equal((await outcomes(it, whole)).length, 3)
  assert.equal((await it.as(key).call('contracts.verify', { slug: 'open', id: broken })).differs, null)
  await it[Symbol.asyncDispose]()
  assert.equal((await fsck({ directory: dir.path })).bad, null)
})

test('who is behind catches up as soon as that can be, without a restart', async () => {
  using dir = tempDir()
  const { ids, key, instant } = await prepared(dir.path, hears())
  const [broken, whole] = ids
  let good: Row<'contract'> | undefined
  const edit = (row: Row<'contract'>) => {
    good = row
    return { ...row, standing: null }
  }
  await spoil(dir.path, 'contract', { key: broken, edit })
  await using it = await testNode({ directory: dir.path, start: instant + 5_000_000_000n })
  const owner = it.as(key)
  for (let i = 0; i < 2; i += 1) await hitOnce(it, owner)
  await it.node.store.commit((tx) => tx.put('contract', broken, good!))
  await hitOnce(it, owner)
  await pass(it, 8)
  assert.deepEqual([await outcomes(it, broken), await outcomes(it, whole)], Array(2).fill(['fired', 'fired', 'fired']))
  assert(markOf(it) > sizeOf(it) - 8)
})

test.run()
