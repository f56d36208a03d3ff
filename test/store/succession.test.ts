// Goal: after a succession no row of any era can go missing, be damaged or say something wrong unseen. Method: a
// directory with two succeeded eras and one that was left behind; rows are taken away, flipped and forged with good
// sums.
import assert from 'node:assert/strict'
import { Level } from 'level'
import { rotateIdentity, settleRotation } from '#domain/identity/succession.ts'
import { fsck } from '#store/fsck/fsck.ts'
import { type Row, seqKey, type TableName } from '#store/layout.ts'
import { databaseDirectory } from '#store/lock.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { grantOnce, newAccount, openHouse, ownerCaller, sealOne } from '../domain/house.ts'
import { fixedClock } from '../kit/clock.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('store: succession')
const random = seeded()

/** Three eras and a present one; envelopes and a machine that moves in each. */
const fill = async (directory: string): Promise<void> => {
  const clock = fixedClock()
  const { signal } = new AbortController()
  const sleep = async (): Promise<void> => clock.advanceTicks(1)
  for (let era = 0; era < 4; era++) {
    await settleRotation(directory)
    {
      await using house = await openHouse(directory, clock)
      const { caller, zid } = await newAccount(house, `bucket ${era}`)
      await house.economy.grant(ownerCaller(house), { zid, credits: 50, reason: 'test' }, grantOnce(`grant-${era}`))
      await sealOne(house, { caller, published: true })
      if (era === 0) await house.machines.create(ownerCaller(house), { slug: 'pump', is_public: true })
      const writing = { caller: ownerCaller(house), slug: 'pump', scope: 'test', idempotencyKey: undefined }
      await house.machines.event(writing, { type: 'reading', payload: era })
      clock.advanceTicks(1)
      await house.store.closeTick()
      if (era === 1) await house.store.found({ kind: 'rolled-back', node: house.keys.nodeId })
    }
    if (era === 0 || era === 2) await rotateIdentity({ directory, clock, sleep, signal, reason: `era ${era}` })
  }
}

const withLevel = async <T>(directory: string, work: (level: Level<string, Uint8Array>) => Promise<T>): Promise<T> => {
  const at = databaseDirectory(directory)
  const level = new Level<string, Uint8Array>(at, { keyEncoding: 'utf8', valueEncoding: 'view', compression: false })
  await level.open()
  try {
    return await work(level)
  } finally {
    await level.close()
  }
}
const rowsOf = (directory: string): Promise<(readonly [string, Uint8Array])[]> =>
  withLevel(directory, async (level) => {
    const rows: (readonly [string, Uint8Array])[] = []
    for await (const [key, value] of level.iterator()) rows.push([key, new Uint8Array(value)])
    return rows
  })
const put = (directory: string, key: string, value: Uint8Array): Promise<void> =>
  withLevel(directory, (level) => level.put(key, value))

const optional: readonly string[] = ['quota', 'usage']

/**
 * The newest checkpoint of a log that did not end by a succession: a node that stops between a tick leaf and its
 * signature has none, so its absence accuses nobody.
 */
const mayBeMissing = (rows: readonly (readonly [string, Uint8Array])[]): ReadonlySet<string> => {
  const newest = ['seal.1', 'events.1', 'seal.3', 'events.3'].map((place) =>
    rows.map(([key]) => key).findLast((key) => key.startsWith(`p/${place}/`)),
  )
  return new Set(newest.filter((key) => key !== undefined))
}

test('four eras are clean, and every row of them is needed and looked at', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const whole = await fsck({ directory: dir.path })
  assert.deepEqual(whole.bad, null)
  assert.equal(whole.envelopes, 4)
  const seen = new Set<string>()
  const all = await rowsOf(dir.path)
  const unneeded = mayBeMissing(all)
  for (const [key, value] of all) {
    const { table, key: name } = parseDatabaseKey(key)!
    const isOfEra = ['era', 'genesis', 'writer'].includes(table) || /^(seal|events)(\.\d)?\//.test(name)
    if (optional.includes(table) || (!isOfEra && random.next() > 0.1)) continue
    seen.add(`${table} ${/^(\w+)(\.\d)?\//.exec(name)?.[2] ?? ''}`)
    if (random.next() < 0.5 && !unneeded.has(key)) {
      await withLevel(dir.path, (level) => level.del(key))
      assert.equal((await fsck({ directory: dir.path })).ok, false, `without ${key}`)
    } else {
      const flipped = new Uint8Array(value)
      const at = random.integer(0, value.length - 1)
      flipped[at] = (flipped[at] ?? 0) ^ (1 << random.integer(0, 7))
      await put(dir.path, key, flipped)
      const { bad } = await fsck({ directory: dir.path })
      assert.deepEqual([bad?.table, bad?.key], [table, name])
    }
    await put(dir.path, key, value)
  }
  for (const table of ['leaf', 'node', 'leafByHash', 'checkpoint']) {
    for (const era of ['', '.1', '.2', '.3']) assert.ok(seen.has(`${table} ${era}`), `${table}${era}`)
  }
  assert.equal((await fsck({ directory: dir.path })).ok, true)
}, 120_000)

test('an era that says something else is named', async () => {
  using dir = tempDir()
  await fill(dir.path)
  const rows = new Map(await rowsOf(dir.path))
  const changed = async <N extends TableName>(
    table: N,
    name: string,
    edit: (row: Row<N>) => Row<N>,
  ): Promise<string> => {
    const key = databaseKey(table, name)
    const value = rows.get(key)!
    await put(dir.path, key, encodeRow(table, name, edit(decodeRow(table, name, value))))
    const { ok, bad } = await fsck({ directory: dir.path })
    assert.equal(ok, false, `${table} ${name}`)
    await put(dir.path, key, value)
    return `${bad?.table} ${bad?.key}`
  }
  const [first, left, third] = [seqKey(0), seqKey(1), seqKey(2)]
  assert.equal(await changed('era', first, (it) => ({ ...it, succession: null })), 'writer state')
  const other = decodeRow('era', third, rows.get(databaseKey('era', third))!)
  assert.equal(await changed('era', first, (it) => ({ ...it, succession: other.succession })), `era ${first}`)
  assert.equal(
    await changed('era', first, (it) => ({ ...it, node: other.node, founded: other.founded })),
    `era ${first}`,
  )
  assert.equal(await changed('era', left, (it) => ({ ...it, succession: other.succession })), `era ${left}`)
  assert.equal(await changed('era', left, (it) => ({ ...it, founded: it.founded + 1 })), `leaf seal.1/${seqKey(0)}`)
  const shorter = (it: Row<'era'>): Row<'era'> => {
    const { seal } = it.logs
    return { ...it, logs: { ...it.logs, seal: { ...seal, size: seal.size - 1 } } }
  }
  assert.equal(await changed('era', third, shorter), `era ${third}`)
  assert.match(await changed('genesis', 'genesis', (it) => ({ ...it, node: other.node })), /^(era|leaf)/)
  assert.equal((await fsck({ directory: dir.path })).ok, true)
}, 60_000)

test.run()
