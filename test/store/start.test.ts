// Goal: a start goes on from what is durable or says what is wrong with it, and never founds anew over what is there.
// Method: real directories, clocks set wrong, and single rows changed under a closed store.
import assert from 'node:assert/strict'
import { mkdirSync, rmdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import { Fault } from '#core/fault.ts'
import { TICK_NS } from '#core/tick.ts'
import { CorruptRow } from '#store/corrupt-row.ts'
import { type Change, openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { StoreRefused, TICKS_BEHIND_MAX } from '#store/open.ts'
import { SCHEMA } from '#store/rows/basis.ts'
import { checkpointKey } from '#store/rows/log.ts'
import { fixedClock, START } from '../kit/clock.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { appendText, open } from './kit.ts'

const test = suite('store: start')

test('a clock that falls before the genesis is behind, although nothing was ever appended after tick 0', async () => {
  using dir = tempDir()
  {
    await using store = await open(dir.path, fixedClock(START - 1n))
    await store.commit((tx) => appendText(tx, 'in the tick before the genesis'))
    assert.equal(store.clockBehind, false)
  }
  await assert.rejects(open(dir.path, fixedClock(START - BigInt(TICKS_BEHIND_MAX + 1) * TICK_NS)), StoreRefused)
  await using store = await open(dir.path, fixedClock(START - 10n * TICK_NS))
  assert.equal(store.clockBehind, true)
  await assert.rejects(
    store.commit((tx) => appendText(tx, 'too early')),
    (cause) => cause instanceof Fault && cause.code === 'CLOCK_BEHIND',
  )
})

test('a log without its first row, or with a note that is not its own, is a damaged one and no new one', async () => {
  using dir = tempDir()
  const clock = fixedClock()
  {
    await using store = await open(dir.path, clock)
    await store.commit((tx) => appendText(tx, 'one'))
    clock.advanceTicks(1)
    await store.closeTick()
  }
  const changed = async (change: Change): Promise<void> => {
    await using database = await openDatabase(databaseDirectory(dir.path), false)
    await database.write([change])
  }
  const refuses = (table: string): Promise<void> =>
    assert.rejects(open(dir.path, clock), (cause) => cause instanceof CorruptRow && cause.table === table)
  const key = checkpointKey('seal', 2)
  const row = await (async () => {
    await using database = await openDatabase(databaseDirectory(dir.path), false)
    return database.peek('checkpoint', key)
  })()
  assert.ok(row)
  await changed({ table: 'checkpoint', key, row: { ...row, note: row.note.replace('\n2\n', '\n3\n') } })
  await refuses('checkpoint')
  await changed({ table: 'checkpoint', key, row })
  await changed({ table: 'schema', key: 'version', row: undefined })
  await refuses('schema')
  await changed({ table: 'schema', key: 'version', row: SCHEMA })
  await using store = await open(dir.path, clock)
  assert.equal(store.log.size, 2)
})

test('what cannot be opened at all is refused in words, by fsck too, and accuses no record', async () => {
  using dir = tempDir()
  {
    await using store = await open(dir.path)
    await store.commit((tx) => appendText(tx, 'one'))
  }
  const lock = join(databaseDirectory(dir.path), 'LOCK')
  rmSync(lock)
  mkdirSync(lock)
  const refused = { name: 'StoreRefused', message: /cannot be opened: .*LOCK/ }
  await assert.rejects(open(dir.path), refused)
  await assert.rejects(fsck({ directory: dir.path }), refused)
  rmdirSync(lock)
  await using store = await open(dir.path)
  assert.equal(store.log.size, 1)
})

test.run()
