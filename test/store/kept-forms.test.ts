/*
 * Goal: what is kept of envelopes is read alike in both of its forms: a store of releases that had blobs alone lists,
 * gives bundles, verifies, replays, draws, backs up, restores and is whole, as a new one is and as one that has both;
 * a row that was changed is found by fsck and by the bundle's verification. Method: a real node with small and large
 * results, asked in every way before and after its rows were written over in the old form, through the store.
 */
import assert from 'node:assert/strict'
import { parseBundle } from '#core/bundle.ts'
import { utf8 } from '#core/bytes.ts'
import { verifyBundle } from '#core/verify.ts'
import type { Client } from '#gateway/client.ts'
import { fsck } from '#node/fsck.ts'
import { replayHere } from '#node/offline.ts'
import { schemasHere } from '#numerics/runtime/rerun.ts'
import { readKeyFiles } from '#store/backup/key-files.ts'
import { restore } from '#store/backup/restore.ts'
import { putBlob } from '#store/blobs.ts'
import { openDatabase } from '#store/database.ts'
import { type EnvelopeTexts, unpackKept } from '#store/kept.ts'
import { seqKey } from '#store/key-parts.ts'
import { databaseDirectory } from '#store/lock.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import type { Store } from '#store/store.ts'
import { type TestNode, testNode } from '../kit/node.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { archiveFrom, inChunks, rowsIn } from './archives.ts'
import { all } from './kit.ts'

const test = suite('store: both forms of what is kept')

/** Operators, small fields, a question in words, and a field that is too large for a row. */
const CALLS: readonly (readonly [string, object])[] = [
  ['/api/svc/compute', { operators: ['KO42', 'GR37'], inputs: { mass: 4e30 } }],
  ['/api/svc/lotka', { t_max: 5, outputs: 20 }],
  [
    '/api/svc/auto',
    { query: 'gravitational force between two masses', constants: { m1: 5.972e24, m2: 1000, r: '6780 km' } },
  ],
  ['/api/svc/heat', { nx: 64, ny: 48, steps: 10 }],
]

interface Made {
  readonly client: Client
  readonly zid: string
  readonly tokens: readonly string[]
}

const sealAll = async (it: TestNode, calls = CALLS): Promise<Made> => {
  const { body } = await it.client.send('POST', '/api/auth/sign-up', {})
  const { api_key, zid } = body as { api_key: string; zid: string }
  const client = it.as(api_key)
  const tokens: string[] = []
  for (const [path, input] of calls) {
    const answer = (await client.send('POST', path, input, { idempotencyKey: path })).body
    tokens.push((answer as { envelope: { token_id: string } }).envelope.token_id)
  }
  await it.advanceTicks(2)
  return { client, zid, tokens }
}

/** Everything that is read of them. */
const readAll = async ({ client, zid, tokens }: Made) => {
  const list = (await client.send('GET', `/api/tally/envelopes/${zid}`)).body
  const answers = []
  for (const [path, input] of CALLS) {
    answers.push((await client.send('POST', path, input, { idempotencyKey: path })).body)
  }
  const bundles = []
  for (const token_id of tokens) bundles.push(await client.call('compute.bundle', { token_id }))
  const picture = (await client.ask('compute.picture', { token_id: tokens[1] ?? '' })).body
  return { list, answers, bundles, picture }
}

/** Writes envelopes as releases before schema 3 did: three blobs each, and no value or unit in the row. */
const makeOld = (store: Store, rows: readonly EnvelopeRow[]) =>
  store.commit((tx) => {
    for (const { value: _, unit: __, ...row } of rows) {
      const key = seqKey(row.index)
      const texts = unpackKept(tx.get('kept', key) ?? new Uint8Array(0))
      if (texts === undefined) continue
      const name = (text: string): string => putBlob(tx.put, utf8(text))
      const names = { receipt: name(texts.stamp), inputs: name(texts.inputs), result: name(texts.output) }
      tx.put('envelope', row.token_id, { ...row, ...names })
      tx.del('kept', key)
    }
  })

const rowsOf = async (store: Store): Promise<readonly EnvelopeRow[]> =>
  (await all(store.range('envelope'))).map(([, row]) => row)

const verified = async (node: string, bundle: unknown) =>
  verifyBundle({
    bundle: parseBundle(utf8(JSON.stringify(bundle))),
    ...{ schemas: schemasHere, trusted: node, replay: replayHere },
  })

/** The data are whole, and so is what an archive of them gives back. */
const assertWhole = async (directory: string, archive: Uint8Array): Promise<void> => {
  assert.deepEqual((await fsck({ directory })).bad, null)
  using other = tempDir()
  await restore({ directory: other.path, source: inChunks(archive), force: false })
  assert.deepEqual(await rowsIn(other.path), await rowsIn(directory))
  assert.deepEqual((await fsck({ directory: other.path })).bad, null)
}

const archiveOf = (it: TestNode): Promise<Uint8Array> => archiveFrom(it.node.store, readKeyFiles(it.directory))

test('new rows, old rows and some of both are read alike, and stand in an archive alike', async () => {
  using dir = tempDir()
  let made: Made
  let kept: Uint8Array
  {
    await using it = await testNode({ directory: dir.path })
    const { store, nodeId } = it.node
    made = await sealAll(it)
    const rows = await rowsOf(store)
    assert.deepEqual(rows.map((row) => row.receipt === undefined).sort(), [false, true, true, true])
    const before = await readAll(made)
    for (const bundle of before.bundles) {
      const { outcome, failing, unchecked } = await verified(nodeId, bundle)
      assert.deepEqual([outcome, failing, unchecked], ['verified', undefined, []])
    }
    kept = await archiveOf(it)
    for (const some of [rows.slice(0, 2), rows]) {
      await makeOld(store, some)
      assert.deepEqual(await readAll(made), before)
    }
    assert.equal((await all(store.range('kept'))).length, 0)
    assert.deepEqual(
      (await rowsOf(store)).map((row) => typeof row.receipt),
      rows.map(() => 'string'),
    )
    const old = await archiveOf(it)
    await it[Symbol.asyncDispose]()
    await assertWhole(dir.path, old)
  }
  using fresh = tempDir()
  await restore({ directory: fresh.path, source: inChunks(kept), force: false })
  await assertWhole(fresh.path, kept)
}, 60_000)

/** A row of three texts, as a hand would write it. */
const rowWith = ({ stamp, inputs, output }: EnvelopeTexts): Uint8Array => {
  const parts = [stamp, inputs, output].map(utf8)
  const header = Buffer.alloc(4)
  header.writeUInt16BE(parts[0]?.length ?? 0, 0)
  header.writeUInt16BE(parts[1]?.length ?? 0, 2)
  return new Uint8Array(Buffer.concat([header, ...parts]))
}

/** A change of one of the texts, and the step of a bundle's verification that finds it. */
const changes: readonly (readonly [keyof EnvelopeTexts, (text: string) => string, string])[] = [
  ['stamp', (it) => it.replace('"pulse":1.287', '"pulse":1.288'), 'receipt'],
  ['stamp', (it) => it.replace('"equations":{', '"equations":{"more":1,'), 'equations'],
  ['inputs', (it) => it.replace('4e+30', '5e+30'), 'inputs'],
  ['output', (it) => it.replace(/"value":(\d)/, (_, digit) => `"value":${9 - Number(digit)}`), 'result'],
]

test('a changed row is found by fsck, and by whoever verifies the bundle', async () => {
  using dir = tempDir()
  const wrong: (readonly [string, Uint8Array])[] = []
  let key = ''
  let right: Uint8Array
  {
    await using it = await testNode({ directory: dir.path })
    const { store, nodeId } = it.node
    const { client, tokens } = await sealAll(it, CALLS.slice(0, 1))
    const token_id = tokens[0] ?? ''
    key = seqKey((await store.get('envelope', token_id))?.index ?? -1)
    right = (await store.get('kept', key)) ?? new Uint8Array(0)
    const texts = unpackKept(right)
    assert.ok(texts !== undefined)
    for (const [part, change, step] of changes) {
      const changed = { ...texts, [part]: change(texts[part]) }
      assert.notDeepEqual(changed, texts, `${part} holds what is changed`)
      const row = rowWith(changed)
      wrong.push([part, row])
      await store.commit((tx) => tx.put('kept', key, row))
      const { outcome, failing } = await verified(nodeId, await client.call('compute.bundle', { token_id }))
      assert.deepEqual([outcome, failing], ['failed', step])
    }
  }
  const put = async (row: Uint8Array): Promise<void> => {
    await using database = await openDatabase(databaseDirectory(dir.path), false)
    await database.write([{ table: 'kept', key, row }])
  }
  for (const [part, row] of wrong) {
    await put(row)
    const { bad } = await fsck({ directory: dir.path })
    assert.deepEqual([bad?.table, bad?.key], ['kept', key], `${part}: ${bad?.what}`)
  }
  await put(right)
  assert.deepEqual((await fsck({ directory: dir.path })).bad, null)
}, 30_000)

test.run()
