// Goal: every operator gives the same bits, measured errors included, wherever and whenever it runs. Method: the results
// of each row are digested twice and compared with the published digests beside this file; a row without one, or one
// without a row, fails. `node test/numerics/operators/write-digests.ts` writes them anew, which is right only together
// with a new row or a raised revision.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import { suite } from '../../kit/suite.ts'
import { digestOf } from './draws.ts'
import { registry } from './table.ts'

const test = suite('operator digests')

const published = JSON.parse(readFileSync(new URL('./digests.json', import.meta.url), 'utf8')) as Record<string, string>
const rows = registry.operators.map(({ row }) => row).filter((row) => row.id !== 'KO42')

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
