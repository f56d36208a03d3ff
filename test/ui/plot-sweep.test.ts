// Goal: a sweep is drawn in the order of its input, with a gap where a run has no number, and over factors where the
// input spans them. Method: the plot that the chart draws, and its marks.
import assert from 'node:assert/strict'
import { onPaper, sceneOf } from '#numerics/plot/scene.ts'
import { sweepPlot } from '#ui/plot/sweep-plot.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/plot-sweep')

const of = (points: Parameters<typeof sweepPlot>[0]['points']) =>
  sweepPlot({ input: { name: 'nx', unit: '1' }, output: { name: 'peak', unit: 'K' }, points })

test('runs stand in the order of their input, each with a dot; a refused one is a gap', () => {
  const plot = of([
    { x: 3, y: 9 },
    { x: 1, y: 1 },
    { x: 2, y: null },
    { x: 4, y: 16 },
  ])
  assert.deepEqual(plot.curves[0]?.x, [1, 2, 3, 4])
  assert.deepEqual(plot.curves[0]?.y, [1, Number.NaN, 9, 16])
  const { marks } = sceneOf(plot, onPaper({ about: 'sweep', note: '' }))
  const dots = marks.find((it) => it.kind === 'dots')
  assert.equal(dots?.kind === 'dots' && dots.points.length / 2, 3)
  const lines = marks.filter((it) => it.kind === 'path' && it.width === 2)
  assert.deepEqual(
    lines.map((it) => it.kind === 'path' && it.points.length / 2),
    [1, 2],
  )
})

test('an input over two decades is drawn over factors; one that reaches zero is not', () => {
  assert.equal(of([10, 100, 1000].map((x) => ({ x, y: x }))).x.scale, 'log')
  assert.equal(of([0, 1000].map((x) => ({ x, y: x }))).x.scale, undefined)
})

test.run()
