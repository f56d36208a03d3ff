/*
 * Goal: what is kept of an envelope is given back to the letter in both of its forms, and the bound between them is
 * kept to the byte. Method: texts of sizes about the bound, of one, two and three bytes a character; rows that are cut
 * or that say other lengths.
 */
import assert from 'node:assert/strict'
import { CorruptRow } from '#store/corrupt-row.ts'
import { type EnvelopeTexts, KEPT_BYTES_MAX, type KeptNames, keptOf, putKept, unpackKept } from '#store/kept.ts'
import { seqKey } from '#store/key-parts.ts'
import type { Store } from '#store/store.ts'
import { suite } from '../kit/suite.ts'
import { tempDir } from '../kit/temp.ts'
import { all, open } from './kit.ts'

const test = suite('store: what is kept of envelopes')

const STAMP = '{"extras":{"note":"°"}}'
const SERIAL = 300

/** Three texts of so many bytes together. */
const textsOf = (bytes: number, character = 'x'): EnvelopeTexts => {
  const inputs = `{"mass":"${'ü'.repeat(10)}"}`
  const rest = bytes - Buffer.byteLength(STAMP) - Buffer.byteLength(inputs)
  const width = Buffer.byteLength(character)
  return { stamp: STAMP, inputs, output: character.repeat(Math.floor(rest / width)) + ' '.repeat(rest % width) }
}

const put = (store: Store, texts: Parameters<typeof putKept>[2]): Promise<KeptNames> =>
  store.commit((tx) => putKept(tx.put, SERIAL, texts))

const readBack = async (store: Store, names: KeptNames) => {
  const kept = keptOf(store, { ...names, index: SERIAL })
  return { stamp: JSON.stringify(await kept.stamp()), inputs: await kept.inputs(), output: await kept.output() }
}

for (const [bytes, isOneRow] of [
  [KEPT_BYTES_MAX - 1, true],
  [KEPT_BYTES_MAX, true],
  [KEPT_BYTES_MAX + 1, false],
] as const) {
  test(`${bytes} bytes stand in ${isOneRow ? 'one row' : 'blobs'}, whatever they spell`, async () => {
    for (const character of ['x', 'ü', '€']) {
      using dir = tempDir()
      await using store = await open(dir.path)
      const texts = textsOf(bytes, character)
      assert.equal(Buffer.byteLength(Object.values(texts).join('')), bytes)
      const names = await put(store, texts)
      const keys = (await all(store.range('kept'))).map(([key]) => key)
      assert.deepEqual(keys, isOneRow ? [seqKey(SERIAL)] : [])
      assert.equal((await all(store.range('blob'))).length, isOneRow ? 0 : 3)
      assert.deepEqual(Object.keys(names).sort(), isOneRow ? [] : ['inputs', 'receipt', 'result'])
      assert.deepEqual(await readBack(store, names), texts)
    }
  })
}

test('an output that is not kept leaves the others in blobs, and empty texts are texts', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  const { stamp, inputs } = textsOf(100)
  const names = await put(store, { stamp, inputs, output: null })
  assert.equal(names.result, null)
  assert.deepEqual(await readBack(store, names), { stamp, inputs, output: undefined })
  assert.deepEqual(await put(store, { stamp, inputs: '', output: '' }), {})
  assert.deepEqual(await readBack(store, {}), { stamp, inputs: '', output: '' })
})

test('a row that is not there gives nothing; one that is not three texts is named', async () => {
  using dir = tempDir()
  await using store = await open(dir.path)
  const kept = keptOf(store, { index: SERIAL })
  assert.deepEqual([await kept.stamp(), await kept.inputs(), await kept.output()], [undefined, undefined, undefined])
  await put(store, textsOf(200))
  const row = (await store.get('kept', seqKey(SERIAL)))!
  const inputsEnd = 4 + Buffer.byteLength(STAMP) + Buffer.byteLength(textsOf(200).inputs)
  for (let length = 0; length < inputsEnd; length++) assert.equal(unpackKept(row.subarray(0, length)), undefined)
  const longer = new Uint8Array(4 + KEPT_BYTES_MAX + 1)
  // Lengths that end inside of a character.
  const shifted = Uint8Array.from(row, (byte, i) => (i === 3 ? byte - 3 : byte))
  for (const wrong of [row.subarray(0, 3), row.subarray(0, inputsEnd - 1), longer, shifted]) {
    await store.commit((tx) => tx.put('kept', seqKey(SERIAL), wrong))
    await assert.rejects(keptOf(store, { index: SERIAL }).output(), CorruptRow)
  }
})

test.run()
