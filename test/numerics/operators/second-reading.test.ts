// Goal: a tenth of the rows was derived again by a reader who had not seen them, and what was read holds today. Method:
// the sample is drawn again from the committed seed; every committed reading is held against today's worked example.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import type { OperatorRow } from '#numerics/operators/operator.ts'
import { suite } from '../../kit/suite.ts'
import { deviationOf, drawnRows, READING_TOLERANCE, type SecondReading } from './second-reading.ts'
import { rows } from './table.ts'

const test = suite('operator rows, read again')

const committed = JSON.parse(readFileSync('protocols/operators/second-reading.json', 'utf8')) as SecondReading
// Rows that came after the reading wait for the next one.
const all = (rows as readonly OperatorRow[]).filter(({ id }) => !committed.later.includes(id))
const drawn = drawnRows(all, committed.seed, committed.share)

test('a tenth of the table is drawn, of every family its share and at least one', () => {
  assert.equal(drawn.length, Math.round(all.length / 10))
  assert.equal(new Set(drawn).size, drawn.length)
  for (const [family, of] of Map.groupBy(all, ({ domain }) => domain)) {
    const count = drawn.filter(({ domain }) => domain === family).length
    assert.ok(Math.abs(count - of.length / 10) <= 1, `${family}: ${count} of ${of.length}`)
    assert.ok(count >= 1, `${family}: none`)
  }
})

test('another seed draws others, and a row more moves few of them', () => {
  const ids = new Set(drawn.map(({ id }) => id))
  const others = drawnRows(all, 'another', committed.share).filter(({ id }) => !ids.has(id))
  assert.ok(others.length > drawn.length / 2)
  const fewer = drawnRows(all.slice(1), committed.seed, committed.share).filter(({ id }) => !ids.has(id))
  assert.ok(fewer.length <= 2)
})

test('what was read covers the sample, each row once', () => {
  assert.deepEqual(
    committed.readings.map(({ id }) => id),
    drawn.map(({ id }) => id),
  )
  for (const { id, relation } of committed.readings) assert.ok(relation.length > 0, id)
})

test("every reading agrees with today's row, or says why it was mistaken or the row unclear", () => {
  const byId = new Map(drawn.map((row) => [row.id, row]))
  for (const it of committed.readings) {
    const row = byId.get(it.id)
    assert.ok(row !== undefined)
    const isExcused = it.finding !== undefined && it.finding.wrong !== 'row' && it.finding.why !== ''
    const off = deviationOf(it, row)
    assert.ok(off <= READING_TOLERANCE || isExcused, `${it.id}: read ${it.value}, ${off} off`)
  }
})

test.run()
