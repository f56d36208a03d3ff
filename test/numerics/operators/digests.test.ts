// Goal: every operator gives the same bits, measured errors included, wherever and whenever it runs. Method: the
// results of each row are digested twice and compared with the published digests beside this file; a row without one,
// or one without a row, fails. Run with TICKMESH_TEST_WRITE_DIGESTS=1 this writes them anew first, which is right only
// together with a new row or a raised revision.
import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { suite } from '../../kit/suite.ts'
import { digestOf } from './draws.ts'
import { registry } from './table.ts'

const test = suite('operator digests')

const file = new URL('./digests.json', import.meta.url)
const rows = registry.operators.map(({ row }) => row).filter((row) => row.id !== 'KO42')
if (process.env['TICKMESH_TEST_WRITE_DIGESTS'] === '1') {
  const digests = Object.fromEntries(rows.map((row) => [row.id, digestOf(row)]))
  writeFileSync(file, `${JSON.stringify(digests, null, 2)}\n`)
}
const published = JSON.parse(readFileSync(file, 'utf8')) as Record<string, string>

test('the same bits twice', () => {
  for (const row of rows) assert.equal(digestOf(row), digestOf(row), row.id)
})

test('the published bits', () => {
  assert.deepEqual(
    Object.keys(published),
    rows.map((row) => row.id),
  )
  for (const row of rows) assert.equal(digestOf(row), published[row.id], row.id)
})

test.run()
