// Goal: the check of a store finds whatever of a channel does not follow from the chain of its machine, and names the
// table. Method: a node with a channel that computes anew and one that is carried on, each with ticks and a gap; then
// one row at a time is changed or taken away behind the store's back, and put back.
import assert from 'node:assert/strict'
import { fsck } from '#store/fsck/fsck.ts'
import type { Row, TableName } from '#store/layout.ts'
import { databaseKey, decodeRow, encodeRow, parseDatabaseKey } from '#store/rows.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, RADIUS, rawOf, soundStore, tickBy } from './channel-kit.ts'

const test = suite('domain: channels that were spoiled')

const fill = async (directory: string): Promise<void> => {
  await using it = await testNode({ directory })
  const { client } = await accountOf(it)
  await client.call('compute.stream-create', { ...RADIUS, autotick: true })
  const carried = { solver: 'heat', inputs: { dim: 1, nx: 128, steps: 1 }, mode: 'continue' } as const
  const { stream } = await client.call('compute.stream-create', carried)
  await client.call('compute.stream-tick', { id: stream.id })
  await tickBy(it, 2)
  it.passTicks(2)
  await tickBy(it, 1)
}

const rowsOf = (directory: string, table: TableName) =>
  rawOf(directory, async (level) => {
    const rows: (readonly [string, Uint8Array])[] = []
    for await (const [key, value] of level.iterator()) {
      if (parseDatabaseKey(key)?.table === table) rows.push([key, new Uint8Array(value)])
    }
    return rows
  })

test('a row of a channel that is changed or missing is named', async () => {
  using dir = tempDir()
  await fill(dir.path)
  await soundStore(dir.path)
  const spoiled = async (
    key: string,
    value: Uint8Array,
    wrong: Uint8Array | undefined,
  ): Promise<string | undefined> => {
    await rawOf(dir.path, (level) => (wrong === undefined ? level.del(key) : level.put(key, wrong)))
    const { bad } = await fsck({ directory: dir.path })
    await rawOf(dir.path, (level) => level.put(key, value))
    return bad?.table
  }
  const change = async <N extends TableName>(table: N, edit: (row: Row<N>) => Row<N>): Promise<string | undefined> => {
    const [[key, value] = ['', new Uint8Array()]] = await rowsOf(dir.path, table)
    const name = parseDatabaseKey(key)?.key ?? ''
    assert.equal(databaseKey(table, name), key)
    return spoiled(key, value, encodeRow(table, name, edit(decodeRow(table, name, value))))
  }
  assert.equal(await change('channelHead', (it) => ({ ...it, sealed: it.sealed + 1 })), 'channelHead')
  assert.equal(await change('channelHead', (it) => ({ ...it, missed: it.missed + 1 })), 'channelHead')
  assert.equal(await change('channelHead', (it) => ({ ...it, head: null })), 'channelHead')
  assert.equal(await change('channelHead', (it) => ({ ...it, epoch: it.epoch + 1 })), 'channelHead')
  const state = '0'.repeat(64)
  assert.equal(await change('channelHead', (it) => ({ ...it, head: it.head && { ...it.head, state } })), 'channelHead')
  assert.equal(await change('channel', (it) => ({ ...it, id_hash: state })), 'channel')
  assert.equal(await change('channelKey', () => 'f'.repeat(32)), 'channelKey')
  for (const table of ['channel', 'channelHead', 'channelKey', 'channelState'] as const) {
    for (const [key, value] of await rowsOf(dir.path, table)) {
      const flipped = new Uint8Array(value)
      flipped[value.length - 1] = (flipped[value.length - 1] ?? 0) ^ 1
      assert.equal(await spoiled(key, value, flipped), table, `${key} flipped`)
      assert.notEqual(await spoiled(key, value, undefined), undefined, `${key} taken away`)
    }
  }
  await soundStore(dir.path)
}, 120_000)

test.run()
