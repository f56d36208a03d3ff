// Goal: the check of a store finds whatever of a channel does not follow from the chain of its machine, and names the
// table. Method: a node with a channel that computes anew and one that is carried on, each with ticks and a gap; then
// one row at a time is changed or taken away behind the store's back, and put back.
import assert from 'node:assert/strict'
import { STREAM_GAP } from '#core/channel/entries.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { Row, TableName } from '#store/layout.ts'
import { decodeRow, parseDatabaseKey } from '#store/rows.ts'
import { testNode } from '../../kit/node.ts'
import { suite } from '../../kit/suite.ts'
import { tempDir } from '../../kit/temp.ts'
import { accountOf, RADIUS, soundStore, tickBy } from './channel-kit.ts'
import { changed, rowsOf, spoiled } from './spoil.ts'

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

test('a row of a channel that is changed or missing is named', async () => {
  using dir = tempDir()
  await fill(dir.path)
  await soundStore(dir.path)
  const change = async <N extends TableName>(table: N, edit: (row: Row<N>) => Row<N>): Promise<string | undefined> =>
    (await changed(dir.path, table, edit))?.table
  assert.equal(await change('channelHead', (it) => ({ ...it, sealed: it.sealed + 1 })), 'channelHead')
  assert.equal(await change('channelHead', (it) => ({ ...it, missed: it.missed + 1 })), 'channelHead')
  assert.equal(await change('channelHead', (it) => ({ ...it, head: null })), 'channelHead')
  assert.equal(await change('channelHead', (it) => ({ ...it, epoch: it.epoch + 1 })), 'channelHead')
  const state = '0'.repeat(64)
  assert.equal(await change('channelHead', (it) => ({ ...it, head: it.head && { ...it.head, state } })), 'channelHead')
  assert.equal(await change('channel', (it) => ({ ...it, id_hash: state })), 'channel')
  assert.equal(await change('channelKey', () => 'f'.repeat(32)), 'channelKey')
  for (const table of ['channel', 'channelHead', 'channelKey', 'channelState'] as const) {
    for (const row of await rowsOf(dir.path, table)) {
      const [key, value] = row
      const flipped = new Uint8Array(value)
      flipped[value.length - 1] = (flipped[value.length - 1] ?? 0) ^ 1
      assert.equal((await spoiled(dir.path, row, flipped))?.table, table, `${key} flipped`)
      assert.notEqual(await spoiled(dir.path, row, undefined), null, `${key} taken away`)
    }
  }
  await soundStore(dir.path)
}, 120_000)

/** Of a channel that is due every two ticks: one gap that was said, and two refused ticks that none says yet. */
const fillDue = async (directory: string): Promise<number> => {
  await using it = await testNode({ directory })
  const { client } = await accountOf(it)
  const inputs = { mass: { $: 'count < 4 ? 1e30 : 0.0 - 1.0' } }
  await client.call('compute.stream-create', { ...RADIUS, inputs, autotick: true, tickIntervalTicks: 2 })
  const born = it.node.store.now().meshTick
  await tickBy(it, 4)
  it.passTicks(3)
  await tickBy(it, 5)
  return born
}

test('when a channel is due, and which due ticks were refused, is held against its grid and its chain', async () => {
  using dir = tempDir()
  const born = await fillDue(dir.path)
  await soundStore(dir.path)
  const whatOf = async (part: Partial<Row<'channelHead'>>, of: Partial<Row<'channel'>> = {}): Promise<string> => {
    const bad =
      Object.keys(of).length > 0
        ? await changed(dir.path, 'channel', (it) => ({ ...it, ...of }))
        : await changed(dir.path, 'channelHead', (it) => ({ ...it, ...part }))
    return `${bad?.table}: ${bad?.what}`
  }
  const [[key, value] = ['', new Uint8Array()]] = await rowsOf(dir.path, 'channelHead')
  const head = decodeRow('channelHead', parseDatabaseKey(key)?.key ?? '', value)
  // Ticks 2 and 4 were sealed, 6 passed unseen, 8 was sealed, 10 and 12 were refused.
  const { count, next_due, refused_to, missed, refusals, last_fault } = head
  const stands = { count, next_due, refused_to, missed, refusals, at: last_fault?.mesh_tick }
  const due = { count: 3, next_due: born + 10, refused_to: born + 12, missed: 1, refusals: 2, at: born + 12 }
  assert.deepEqual(stands, due)

  const beside = 'channelHead: it is due beside the grid of its creation'
  const before = 'channelHead: it is due before it was made, or where a tick is said to be missed'
  const later = 'channelHead: it is due later than whatever last said when'
  const never = 'channelHead: it ticks by itself, and is never due'
  const idle = 'channelHead: it is due, and does not tick by itself'
  const unknown = 'channelHead: it was refused ticks, and no refusal is known'
  const older = 'channelHead: a due tick of before its creation was refused'
  const newer = 'channelHead: a due tick was refused after the last refusal'
  const notDue = 'channelHead: a tick was refused that was not due'
  const newest = 'channelHead: what it says of its newest tick is not what the entry in the chain says'
  assert.equal(await whatOf({ next_due: born + 11 }), beside)
  assert.equal(await whatOf({ next_due: born + 6 }), before)
  assert.equal(await whatOf({ next_due: born }), before)
  assert.equal(await whatOf({ next_due: born + 12, refused_to: born + 12 }), later)
  assert.equal(await whatOf({ next_due: null }), never)
  assert.equal(await whatOf({ status: 'closed' }), idle)
  assert.equal(await whatOf({}, { autotick: false }), idle)
  assert.equal(await whatOf({ last_fault: null }), unknown)
  assert.equal(await whatOf({ refused_to: born }), older)
  assert.equal(await whatOf({ refused_to: born + 14 }), newer)
  assert.equal(await whatOf({ refused_to: born + 11 }), notDue)
  assert.equal(await whatOf({}, { created_mesh: born + 1 }), 'channel: it was made at two times')
  // One before what is due says nothing, wherever it lies: another rhythm left it there.
  assert.equal(await whatOf({ refused_to: born + 7 }), 'undefined: undefined')
  assert(head.head !== null)
  for (const wrong of [
    ...[{ seq: head.head.seq - 1 }, { tick: head.head.tick + 1 }, { mesh_tick: head.head.mesh_tick + 1 }],
    ...[{ value: 1 }, { unit: 'km' }, { error_pct: 1 }, { token_id: '0'.repeat(32) }],
  ]) {
    assert.equal(await whatOf({ head: { ...head.head, ...wrong } }), newest, JSON.stringify(wrong))
  }
  await soundStore(dir.path)
}, 60_000)

test('a gap that says again what was missed, or what is still to come, is named though its chain holds', async () => {
  for (const [ahead, why] of [
    [-1, 'it says again that a tick was missed'],
    [1, 'it says that ticks were missed which were still to come'],
  ] as const) {
    using dir = tempDir()
    {
      await using it = await testNode({ directory: dir.path })
      const { client } = await accountOf(it)
      const { stream } = await client.call('compute.stream-create', { ...RADIUS, autotick: true })
      const { id: channel, slug } = stream
      it.passTicks(2)
      await tickBy(it, 1)
      const { store, services } = it.node
      await store.commit((tx) => {
        const machine = tx.get('machine', slug)
        assert(machine !== undefined)
        const at = tx.meshTick + ahead
        const open = { channel, epoch: 1, from_mesh: at, to_mesh: at, missed: 1, reason: 'late' }
        services.machines.enter(tx, machine, { type: STREAM_GAP, open })
      })
    }
    const { bad } = await fsck({ directory: dir.path })
    assert.deepEqual([bad?.table, bad?.what.replace(/^entry \d+ of its chain: /, '')], ['channel', why])
  }
})

test.run()
