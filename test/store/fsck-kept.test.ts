/*
 * Goal: fsck holds what is kept of envelopes against them and against what they claim, in both forms, and finds what
 * nothing has. Method: envelopes of both forms; one row is written over, taken away or added at a time, with sums that
 * fit, and the report is read.
 */
import assert from 'node:assert/strict'
import { utf8 } from '#core/bytes.ts'
import { type Change, openDatabase } from '#store/database.ts'
import { fsck } from '#store/fsck/fsck.ts'
import type { SchemasOf } from '#store/fsck/kept.ts'
import { type EnvelopeTexts, KEPT_BYTES_MAX, unpackKept } from '#store/kept.ts'
import { seqKey } from '#store/key-parts.ts'
import { databaseDirectory } from '#store/lock.ts'
import type { EnvelopeRow } from '#store/rows/envelope.ts'
import { newAccount, openHouse, QUESTION, sealOne } from '../domain/house.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'

const test = suite('fsck: what is kept of envelopes')

/** What the test's own computations say of themselves: plain values. */
const known: SchemasOf = () => ({ input: {}, output: {} })

/** An envelope with a row of its own, one with blobs, and what the row of the first holds. */
interface Filled {
  readonly small: EnvelopeRow
  readonly large: EnvelopeRow
  readonly texts: EnvelopeTexts
}

const fill = async (directory: string): Promise<Filled> => {
  await using house = await openHouse(directory)
  const { caller } = await newAccount(house)
  const small = await sealOne(house, { caller })
  const large = await sealOne(house, { caller, inputsBytes: KEPT_BYTES_MAX })
  const row = (await house.store.get('kept', seqKey(small.index)))!
  return { small, large, texts: unpackKept(row)! }
}

const rowWith = ({ stamp, inputs, output }: EnvelopeTexts): Uint8Array => {
  const [first, second, third] = [utf8(stamp), utf8(inputs), utf8(output)]
  const header = Buffer.alloc(4)
  header.writeUInt16BE(first.length, 0)
  header.writeUInt16BE(second.length, 2)
  return new Uint8Array(Buffer.concat([header, first, second, third]))
}

const write = async (directory: string, changes: readonly Change[]): Promise<void> => {
  await using database = await openDatabase(databaseDirectory(directory), false)
  await database.write(changes)
}

/** What fsck names once a row is written over; the row is put back. */
const named = async (directory: string, change: Change, schemas?: SchemasOf) => {
  let before: Change
  {
    await using database = await openDatabase(databaseDirectory(directory), false)
    const { table, key } = change
    before = { table, key, row: database.peek(table, key) } as Change
    await database.write([change])
  }
  const { bad } = await fsck({ directory, ...(schemas !== undefined && { schemas }) })
  await write(directory, [before])
  return bad === null ? null : `${bad.table} ${bad.key}: ${bad.what}`
}

test('both forms are whole, and each changed text is named by what claims it', async () => {
  using dir = tempDir()
  const { small, texts } = await fill(dir.path)
  const key = seqKey(small.index)
  assert.equal((await fsck({ directory: dir.path, schemas: known })).bad, null)
  const kept = (change: Partial<EnvelopeTexts>): Change => ({
    table: 'kept',
    key,
    row: rowWith({ ...texts, ...change }),
  })
  const { stamp, inputs, output } = texts
  for (const [change, what] of [
    [{ stamp: stamp.replace('"pulse":1', '"pulse":2') }, 'the tick receipt'],
    [{ stamp: stamp.replace('"equations":{}', '"equations":[]') }, 'the equations'],
    [{ stamp: stamp.replace('{', '{"question":{},') }, 'the question'],
    [{ stamp: '{}' }, 'a part'],
    [{ stamp: 'null' }, 'a part'],
    [{ inputs: '{' }, 'a part'],
  ] as const) {
    assert.match((await named(dir.path, kept(change))) ?? '', new RegExp(`^kept ${key}: ${what}`))
  }
  // What only a solver's schemas can tell: who does not know the solver accuses nobody.
  for (const [change, what] of [
    [{ inputs: inputs.replace('}', ',"x":1}') }, 'the inputs'],
    [{ output: output.replace('}', ',"x":1}') }, 'the output'],
    [{ stamp: stamp.replace('"evidence_digest":null', '"evidence_digest":""') }, 'the output'],
  ] as const) {
    assert.match((await named(dir.path, kept(change), known)) ?? '', new RegExp(`^kept ${key}: ${what}`))
    assert.equal(await named(dir.path, kept(change)), null)
  }
  assert.equal((await fsck({ directory: dir.path, schemas: known })).bad, null)
}, 30_000)

test('a question is held against the claim that answers it', async () => {
  using dir = tempDir()
  let key: string
  let texts: EnvelopeTexts
  {
    await using house = await openHouse(dir.path)
    const { caller } = await newAccount(house)
    key = seqKey((await sealOne(house, { caller, question: QUESTION })).index)
    texts = unpackKept((await house.store.get('kept', key))!)!
  }
  assert.equal((await fsck({ directory: dir.path, schemas: known })).bad, null)
  const { question, ...without } = JSON.parse(texts.stamp) as { question: typeof QUESTION }
  for (const stamp of [without, { ...without, question: { ...question, query: 'how cold' } }]) {
    const change: Change = { table: 'kept', key, row: rowWith({ ...texts, stamp: JSON.stringify(stamp) }) }
    assert.match((await named(dir.path, change)) ?? '', new RegExp(`^kept ${key}: the question`))
  }
}, 30_000)

test('a row that is missing, cut, of no envelope, or in a place beside its own is named', async () => {
  using dir = tempDir()
  const { small, large, texts } = await fill(dir.path)
  const key = seqKey(small.index)
  const row = rowWith(texts)
  const at = (place: number, it: Uint8Array | undefined) => ({ table: 'kept', key: seqKey(place), row: it }) as Change
  assert.match((await named(dir.path, at(small.index, undefined))) ?? '', new RegExp(`^kept ${key}: it is missing`))
  assert.match((await named(dir.path, at(small.index, row.subarray(0, 9)))) ?? '', /it does not hold stamp/)
  // One of no leaf, and one of an envelope that has blobs.
  for (const place of [100_000, large.index]) {
    assert.equal(await named(dir.path, at(place, row)), `kept ${seqKey(place)}: no envelope has it`)
  }
}, 30_000)

test('an envelope names all of its blobs or none, and those it names are there', async () => {
  using dir = tempDir()
  const { small, large } = await fill(dir.path)
  const { receipt: _, ...without } = large
  const { inputs = null } = large
  for (const row of [{ ...small, receipt: '0'.repeat(64) }, { ...small, result: null }, without]) {
    const change: Change = { table: 'envelope', key: row.token_id, row }
    const what = 'it names some of its blobs and not all'
    assert.equal(await named(dir.path, change), `envelope ${row.token_id}: ${what}`)
  }
  const gone: Change = { table: 'blob', key: inputs ?? '', row: undefined }
  assert.match((await named(dir.path, gone)) ?? '', new RegExp(`^blob ${inputs}: .*${large.token_id}`))
  const { receipt: __, inputs: ___, result: ____, ...nameless } = large
  const change: Change = { table: 'envelope', key: large.token_id, row: nameless }
  assert.match((await named(dir.path, change)) ?? '', /^kept .*names no blobs$/)
}, 30_000)

test.run()
