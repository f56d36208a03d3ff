// Goal: rows of a batch that are spoilt, missing or left over are found and named. Method: the directory of a node that
// closed a batch; one byte flipped in each of its rows, and each kind of row taken away.
import assert from 'node:assert/strict'
import { Level } from 'level'
import { fsck } from '#store/fsck/fsck.ts'
import { databaseDirectory } from '#store/lock.ts'
import { outcomeKey } from '#store/rows/batch.ts'
import { databaseKey, parseDatabaseKey } from '#store/rows.ts'
import { testNode } from '../../../kit/node.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'
import { tempDir } from '../../../kit/temp.ts'
import { ask, form, forms } from './asking.ts'

const test = suite('domain/compute: rows of batches')

type Rows = Level<string, Uint8Array>

const changed = async <T>(directory: string, work: (rows: Rows) => Promise<T>): Promise<T> => {
  const rows: Rows = new Level(databaseDirectory(directory), { valueEncoding: 'view', compression: false })
  await rows.open()
  try {
    return await work(rows)
  } finally {
    await rows.close()
  }
}

const filled = async (directory: string): Promise<string> => {
  await using it = await testNode({ directory, keptRuns: true })
  const { api_key: key } = await it.client.call('identity.sign-up', {})
  const calls = [...forms(3), { route: 'action', input: { stepsPerPeriod: 40 } }, form(9e30)]
  const read = await ask({ calls }, { url: it.url, key })
  assert.equal(read.status, 200)
  return String(read.opening['batch'])
}

const found = async (directory: string): Promise<string> => {
  const { bad } = await fsck({ directory })
  return bad === null ? 'nothing' : `${bad.table} ${bad.key}`
}

test('one flipped byte in any row of a batch names that row', async () => {
  using dir = tempDir()
  await filled(dir.path)
  assert.equal(await found(dir.path), 'nothing')
  const random = seeded()
  const rows = await changed(dir.path, async (level) => {
    const all: (readonly [string, Uint8Array])[] = []
    for await (const [key, value] of level.iterator()) all.push([key, new Uint8Array(value)])
    return all.filter(([key]) => parseDatabaseKey(key)?.table.startsWith('batch'))
  })
  assert.equal(rows.length, 1 + 1 + 5)
  for (const [key, value] of rows) {
    const at = random.integer(0, value.length - 1)
    await changed(dir.path, (level) => level.put(key, value.with(at, (value[at] ?? 0) ^ (1 << random.integer(0, 7)))))
    const { table, key: name } = parseDatabaseKey(key)!
    assert.equal(await found(dir.path), `${table} ${name}`, `byte ${at}`)
    await changed(dir.path, (level) => level.put(key, value))
  }
  assert.equal(await found(dir.path), 'nothing')
})

test('a row that is missing is missed, whichever of them it is', async () => {
  using dir = tempDir()
  const id = await filled(dir.path)
  for (const [gone, names] of [
    [databaseKey('batchOutcome', outcomeKey(id, 3)), `batch ${id}`],
    [databaseKey('batchCalls', id), `batchCalls ${id}`],
    [databaseKey('batch', id), 'batchCalls '],
  ] as const) {
    const value = await changed(dir.path, async (level) => {
      const it = await level.get(gone)
      await level.del(gone)
      return it
    })
    assert(value !== undefined, gone)
    assert.equal(await found(dir.path), names)
    await changed(dir.path, (level) => level.put(gone, value))
  }
  assert.equal(await found(dir.path), 'nothing')
})

test.run()
