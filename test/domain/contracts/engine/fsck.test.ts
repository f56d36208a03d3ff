// Goal: fsck finds nothing wrong with what contracts leave behind, and names any row of theirs that is gone or says
// something else. Method: a directory that a real node wrote; then one row is taken away or changed behind its back.
import assert from 'node:assert/strict'
import { Level } from 'level'
import { fsck } from '#store/fsck/fsck.ts'
import { type Row, type TableName, tables } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { counting, pass, stage } from './engine-kit.ts'

const test = suite('domain: contracts, fsck')

const FORCE = { kind: 'compute', operators: ['nm19'], inputs: { m: 3, a: 2 } }

/** Contracts that fired by the clock, on an event and with a computation, on a public machine and a private one. */
const fill = async (directory: string): Promise<void> => {
  const at = await stage({ directory })
  await using it = at.it
  const make = (slug: string, definition: object) =>
    at.owner.call('contracts.custom', { slug, definition, start: true })
  const trigger = { kind: 'cron', expression: '* * * * *', timezone: 'Europe/Berlin' }
  await make('open', counting(trigger))
  await make('shut', counting({ kind: 'event', event: 'hit' }, { events: { hit: { data: {} } } }))
  const every = { kind: 'recurring', every_ticks: 3 }
  await make(
    'open',
    counting(every, { transitions: [{ id: 'run', from: 'on', to: 'on', trigger: every, actions: [FORCE] }] }),
  )
  await at.owner.call('machines.event', { slug: 'shut', type: 'hit', data: {} })
  await pass(it, 90, 3)
}

const opened = async (directory: string): Promise<Level<string, Uint8Array>> => {
  const level = new Level<string, Uint8Array>(databaseDirectory(directory), {
    ...{ keyEncoding: 'utf8', valueEncoding: 'view', compression: false },
  })
  await level.open()
  return level
}

const tamper = async (directory: string, work: (level: Level<string, Uint8Array>) => Promise<unknown>) => {
  const level = await opened(directory)
  await work(level)
  await level.close()
}

/** What says nothing by being gone: how far a chain was read, and what is still to be done. */
const optional: readonly string[] = ['contractMark']

const isContracts = (table: string): table is TableName => /^s[a-z]$/.test(tables[table as TableName].prefix)

test('a row of each table that is gone, or says something else, is found', async () => {
  using dir = tempDir()
  await fill(dir.path)
  assert.equal((await fsck({ directory: dir.path })).bad, null)
  const level = await opened(dir.path)
  const rows = new Map<string, readonly [string, string, Uint8Array]>()
  for await (const [key, value] of level.iterator()) {
    const { table, key: name } = parseDatabaseKey(key)!
    if (isContracts(table)) rows.set(table, [key, name, new Uint8Array(value)])
  }
  await level.close()
  assert.deepEqual([...rows.keys()].toSorted(), [
    ...['contract', 'contractByNumber', 'contractDue', 'contractFire', 'contractFireNo', 'contractMark', 'contractOf'],
    ...['contractVersion', 'contractWatch', 'contractZone'],
  ])
  for (const [table, [key, , value]] of rows) {
    if (optional.includes(table)) continue
    await tamper(dir.path, (it) => it.del(key))
    assert.equal((await fsck({ directory: dir.path })).ok, false, `${table} is gone`)
    await tamper(dir.path, (it) => it.put(key, value))
  }

  const changed = async <N extends TableName>(table: N, edit: (row: Row<N>) => Row<N>): Promise<string | undefined> => {
    const [key, name, value] = rows.get(table)!
    await tamper(dir.path, (it) =>
      it.put(databaseKey(table, name), encodeRow(table, name, edit(decodeRow(table, name, value)))),
    )
    const { bad } = await fsck({ directory: dir.path })
    await tamper(dir.path, (it) => it.put(key, value))
    return bad === null ? undefined : bad.table
  }
  assert.equal(
    await changed('contract', (it) => ({ ...it, standing: { ...it.standing, context: { n: 9 } } })),
    'contract',
  )
  assert.equal(await changed('contract', (it) => ({ ...it, firing: 'a'.repeat(64) })), 'contractIntent')
  assert.equal(await changed('contract', (it) => ({ ...it, fire_count: it.fire_count + 1 })), 'contract')
  assert.equal(await changed('contract', (it) => ({ ...it, next: 5 })), 'contractDue')
  assert.equal(await changed('contractFire', (it) => ({ ...it, no: it.no + 1 })), 'contractFire')
  assert.equal(await changed('contractFire', (it) => ({ ...it, to: 'off' }) as typeof it), 'contractFire')
  assert.equal(await changed('contractFireNo', (no) => no + 1), 'contractFireNo')
  assert.equal(await changed('contractVersion', (it) => ({ ...it, definition: {} })), 'contractVersion')
  assert.equal(await changed('contractMark', () => 1_000_000), 'contractMark')
  assert.equal((await fsck({ directory: dir.path })).bad, null)
}, 120_000)

test.run()
