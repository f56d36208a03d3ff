// Goal: what is said to lie between two answers is what lies between them. Method: curves and fields whose difference
// is known by hand, on one grid and on two; inputs that differ here and there.
import assert from 'node:assert/strict'
import type { CurvesPlot, MapPlot } from '#numerics/plot/plot.ts'
import { comparedPlots } from '#ui/plot/differences.ts'
import { inputDifferences, percentApart } from '#ui/plot/input-differences.ts'
import { suite } from '../kit/suite.ts'

const test = suite('ui/plot-compare')

const curves = (x: readonly number[], y: readonly number[]): CurvesPlot => ({
  kind: 'curves',
  title: 'u',
  x: { name: 't', unit: 's' },
  y: { name: 'u', unit: 'm' },
  curves: [{ name: 'u', x, y }],
})

/** The plane a + x + 10 y on a grid of so many nodes. */
const plane = (nodes: number, a: number): MapPlot => ({
  kind: 'map',
  title: 'T',
  name: 'T',
  unit: 'K',
  rows: nodes,
  columns: nodes,
  x: { name: 'x', unit: 'm', low: 0, high: 1 },
  y: { name: 'y', unit: 'm', low: 0, high: 1 },
  values: Float64Array.from({ length: nodes * nodes }, (_, i) => {
    const [column, row] = [i % nodes, Math.floor(i / nodes)]
    return a + column / (nodes - 1) + (10 * row) / (nodes - 1)
  }),
})

test('curves at other places are compared between theirs, where both are', () => {
  const [found] = comparedPlots([curves([0, 1, 2, 3], [0, 1, 2, 3])], [curves([0, 2], [1, 7])])
  const [together, difference] = found?.plots ?? []
  assert.equal(
    together?.kind === 'curves' && together.curves.map((it) => `${it.name} ${it.style ?? 'line'}`).join(),
    'A: u line,B: u dashes',
  )
  assert(difference?.kind === 'curves')
  assert.deepEqual(Array.from(difference.curves[0]?.y ?? []), [1, 3, 5, Number.NaN])
  assert.equal(found?.distance?.most, 5)
  assert(Math.abs((found?.distance?.rms ?? 0) - Math.sqrt(35 / 3)) < 1e-12)
})

test('between the points of a smooth curve a cubic is read, whose own error is far below what is compared', () => {
  const of = (steps: number): CurvesPlot => {
    const x = Array.from({ length: steps + 1 }, (_, i) => (6 * i) / steps)
    return curves(x, x.map(Math.sin))
  }
  const [found] = comparedPlots([of(70)], [of(60)])
  assert.equal(found?.between, true)
  // A line between them would be off by h²/8 = 1.2e-3.
  assert((found.distance?.most ?? 1) < 2e-5, String(found.distance?.most))
  assert.equal(comparedPlots([of(60)], [of(60)])[0]?.between, false)
})

test('fields of one plane are as far apart as their heights, on the same grid and on another', () => {
  for (const nodes of [5, 9, 4]) {
    const [found] = comparedPlots([plane(5, 0)], [plane(nodes, 3)])
    assert.equal(found?.plots.length, 3)
    const [a, b] = found.plots
    assert.deepEqual(a?.kind === 'map' && b?.kind === 'map' && [a.range, b.range], [
      [0, 14],
      [0, 14],
    ])
    assert(Math.abs((found.distance?.most ?? 0) - 3) < 1e-12, String(found.distance?.most))
    assert(Math.abs((found.distance?.rms ?? 0) - 3) < 1e-12, String(found.distance?.rms))
  }
})

test('a path has no difference, and a plot without a fellow of its kind is left out', () => {
  const [path] = comparedPlots([curves([0, 1, 0], [0, 1, 2])], [curves([0, 1, 0], [0, 1, 3])])
  assert.equal(path?.plots.length, 1)
  assert.equal(path.distance, undefined)
  assert.deepEqual(comparedPlots([plane(3, 0), curves([0, 1], [0, 1])], [curves([0, 1], [0, 1])]), [])
})

test('members that differ are named by their path, and a figure by its percent', () => {
  assert.deepEqual(
    inputDifferences(
      { nx: 1, initial: { kind: 'box', x: [1, 2] }, a: 1 },
      { nx: 2, initial: { kind: 'box', x: [1, 3] }, b: 1 },
    ),
    [
      { path: 'nx', a: '1', b: '2' },
      { path: 'initial.x', a: '[1,2]', b: '[1,3]' },
      { path: 'a', a: '1', b: '' },
      { path: 'b', a: '', b: '1' },
    ],
  )
  assert.equal(percentApart(-2, -1), 50)
  assert.equal(percentApart(0, 1), undefined)
})

test.run()
