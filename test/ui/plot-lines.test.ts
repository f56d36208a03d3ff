// Goal: curves with places of their own under one cursor say no more than each of them says: a gap of one is a gap
// wherever another one has its places. Method: the columns of a course with missed ticks, by hand, and uPlot's own
// reading of what a gap is.
import assert from 'node:assert/strict'
import type { Curve, CurvesPlot } from '#numerics/plot/plot.ts'
import { courseOf } from '#ui/channels/ticks.ts'
import { cursorAt, lineDataOf } from '#ui/plot/line-data.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/plot-lines')

const plot = (...curves: readonly Curve[]): CurvesPlot => ({
  ...{ kind: 'curves', title: 'u', x: { name: 't', unit: 's' }, y: { name: 'u', unit: 'm' } },
  curves,
})

test('a place of another curve is a gap within a gap, and nothing between two values', () => {
  const line = { name: 'line', x: [0, 2, 3, 5, 6], y: [1, 2, Number.NaN, 4, 5] }
  const marks = { name: 'marks', style: 'marks' as const, x: [1, 2.5, 4], y: [9, 9, 9] }
  const { x, columns } = lineDataOf(plot(line, marks))
  assert.deepEqual(x, [0, 1, 2, 2.5, 3, 4, 5, 6])
  assert.deepEqual(columns[0], [1, undefined, 2, null, null, null, 4, 5])
  assert.deepEqual(columns[1], [undefined, 9, undefined, 9, undefined, 9, undefined, undefined])
})

test('what a logarithmic axis cannot show is a gap up to the values beside it', () => {
  const line = { name: 'line', x: [1, 3, 5], y: [10, -1, 10] }
  const other = { name: 'other', x: [2, 4, 6], y: [1, 1, 1] }
  const { columns } = lineDataOf({ ...plot(line, other), y: { name: 'u', unit: 'm', scale: 'log' } })
  assert.deepEqual(columns[0], [10, null, null, null, 10, undefined])
})

test('no value is drawn or read at a tick that was missed', () => {
  const tick = (count: number, meshTick: number) => ({ epoch: 1, count, meshTick, value: count })
  const ticks = [tick(1, 100), tick(2, 101), tick(3, 103), tick(4, 104)]
  const course = courseOf({ ticks, gaps: [{ from: 102, to: 102, reason: 'late' }] }, 'm')
  assert.ok(course !== undefined)
  const data = lineDataOf(course)
  const at = data.x.indexOf(2)
  const [, value, missed] = cursorAt(data, at)
  assert.equal(data.columns[0]?.[value as number], null)
  assert.equal(data.columns[1]?.[missed as number], 2)
  // uPlot breaks a line from a null to the next place that is none, so none may lie between the two values.
  const line = data.columns[0]?.slice(data.x.indexOf(1), data.x.indexOf(3) + 1)
  assert.deepEqual(line, [2, null, null, 3])
})

test.run()
