// Goal: a part of a plot is drawn as the whole is, cut at the frame; logarithmic axes have labels enough to be read,
// however short. Method: axes, marks and numbers read back, fast-check over spans and rectangles.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { shareOf, ticksOf } from '#numerics/plot/axes.ts'
import { axesOf } from '#numerics/plot/draw-curves.ts'
import { fieldPixels, mapAxes, scaleOf, seenOf } from '#numerics/plot/draw-map.ts'
import type { CurvesPlot, MapPlot } from '#numerics/plot/plot.ts'
import { onPaper, sceneOf } from '#numerics/plot/scene.ts'
import { csvPieces, tableOf } from '#numerics/plot/table.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/plot/seen')

const style = onPaper({ about: 'Somebody', note: '' })
const logTexts = (low: number, high: number): readonly string[] =>
  ticksOf({ name: 'y', unit: '1', low, high, scale: 'log' }, 6).ticks.map((it) => it.text)

test('a logarithmic axis of few decades has 1, 2 and 5 of each; a shorter one all digits, or even steps', () => {
  assert.deepEqual(logTexts(1, 100), ['1', '2', '5', '10', '20', '50', '100'])
  assert.deepEqual(logTexts(0.3, 9), ['0.5', '1', '2', '5'])
  assert.deepEqual(logTexts(2.9, 6.1), ['3', '4', '5', '6'])
  assert.deepEqual(logTexts(1.03e11, 2.99e11).length >= 3, true, logTexts(1.03e11, 2.99e11).join(' '))
  // Where there is hardly any room, three decades and more still have powers alone.
  const narrow = { name: 'paths', unit: '1', low: 1e3, high: 1e6, scale: 'log' } as const
  assert.deepEqual(
    ticksOf(narrow, 2).ticks.map((it) => it.text),
    ['10³', '10⁴', '10⁵', '10⁶'],
  )
  // An even axis has two numbers at least, or nobody can tell its scale.
  const even = ticksOf({ name: 'x', unit: '1', low: 0.6, high: 9.9 }, 2).ticks
  assert(even.length >= 2, even.map((it) => it.text).join(' '))
  assert(logTexts(4.1, 4.9).length >= 3, logTexts(4.1, 4.9).join(' '))
  fc.assert(
    fc.property(
      fc.double({ min: -12, max: 12, noNaN: true }),
      fc.double({ min: 1e-3, max: 20, noNaN: true }),
      (at, by) => {
        const axis = { name: 'y', unit: '1', low: 10 ** at, high: 10 ** (at + by), scale: 'log' } as const
        const { ticks } = ticksOf(axis, 6)
        assert(ticks.length >= 2 && ticks.length <= 40, `${axis.low} ${axis.high}: ${ticks.length}`)
        assert.equal(new Set(ticks.map((it) => it.text)).size, ticks.length, ticks.map((it) => it.text).join(' '))
        for (const tick of ticks) {
          const share = shareOf(axis, tick.at)
          assert(share > -1e-6 && share < 1 + 1e-6, `${tick.text} at ${share}`)
        }
      },
    ),
    { seed },
  )
})

const curves: CurvesPlot = {
  kind: 'curves',
  title: 'A line',
  x: { name: 't', unit: 's' },
  y: { name: 'u', unit: 'm' },
  curves: [
    { name: 'u', x: [0, 1, 2, 3, 4], y: [0, 10, 0, -10, 0] },
    { name: 'dots', x: [0.5, 2.5], y: [5, -5], style: 'points' },
    { name: 'pairs', x: [0, 4, 0, 1], y: [1, 1, 9, 9], style: 'segments' },
  ],
}

test('a part of curves: its ends are the axes, lines are cut at the frame, and the table has all', () => {
  const plot: CurvesPlot = { ...curves, seen: { x: [0.5, 1.5], y: [2, 12] } }
  const axes = axesOf(plot)
  assert.deepEqual([axes.x.low, axes.x.high, axes.y.low, axes.y.high], [0.5, 1.5, 2, 12])
  const { marks, box } = sceneOf(plot, style)
  const line = marks.find((it) => it.kind === 'path' && it.width === 2)
  assert(line?.kind === 'path')
  // It comes in at (0.5, 5), turns at (1, 10), and leaves at (1.5, 5).
  const at = (x: number, y: number): readonly number[] => [
    box.x + (x - 0.5) * box.width,
    box.y + box.height * (1 - (y - 2) / 10),
  ]
  const wanted = [...at(0.5, 5), ...at(1, 10), ...at(1.5, 5)]
  assert.equal(line.points.length, wanted.length)
  for (const [i, it] of wanted.entries()) assert(Math.abs((line.points[i] as number) - it) < 1e-6, `${line.points}`)
  const dots = marks.find((it) => it.kind === 'dots')
  assert.equal(dots?.kind === 'dots' && dots.points.length, 2)
  const pairs = marks.find((it) => it.kind === 'segments')
  assert.equal(pairs?.kind === 'segments' && pairs.points.length, 4)
  assert.deepEqual([...csvPieces(tableOf(plot))], [...csvPieces(tableOf(curves))])
})

test('whatever part is looked at, nothing is drawn beyond its frame', () => {
  const number = fc.double({ min: -12, max: 12, noNaN: true })
  fc.assert(
    fc.property(number, number, fc.double({ min: 0.01, max: 9 }), fc.double({ min: 0.01, max: 9 }), (x, y, w, h) => {
      const { marks, box } = sceneOf({ ...curves, seen: { x: [x, x + w], y: [y, y + h] } }, style)
      for (const mark of marks) {
        if (mark.kind === 'text' || mark.kind === 'rect' || mark.kind === 'map') continue
        // Ticks and the grid are a pixel wide; the legend's dot has a radius of its own.
        if (mark.kind === 'dots' ? mark.radius === 3 : mark.width === 1) continue
        if (mark.kind !== 'dots' && mark.points[0] !== undefined && mark.points[0] > box.x + box.width + 1) continue
        mark.points.forEach((at, i) => {
          const [from, to] = i % 2 === 0 ? [box.x, box.x + box.width] : [box.y, box.y + box.height]
          assert(at >= from - 1e-3 && at <= to + 1e-3, `${mark.kind} ${at}`)
        })
      }
    }),
    { seed },
  )
})

const field: MapPlot = {
  kind: 'map',
  title: 'A field',
  name: 'T',
  unit: 'K',
  values: Float64Array.from({ length: 20 }, (_, i) => i),
  rows: 4,
  columns: 5,
  x: { name: 'x', unit: 'm', low: 0, high: 4 },
  y: { name: 'y', unit: 'm', low: 0, high: 3 },
}

test('a part of a field is the cells that it touches, in the colours of the whole', () => {
  const part = seenOf({ ...field, seen: { x: [0.6, 2.4], y: [1.6, 3.4] } })
  assert.deepEqual([part.columns, part.rows], [2, 2])
  assert.deepEqual([...Array.from(part.values)], [11, 12, 16, 17])
  assert.deepEqual([part.x.low, part.x.high, part.y.low, part.y.high], [1, 2, 2, 3])
  const { low, high } = scaleOf(part)
  assert.deepEqual([low, high], [0, 19])
  const whole = fieldPixels(field)
  const cut = fieldPixels(part)
  // Node (2, 3) of the whole is the upper right one of the part; images begin with the upper row.
  assert.deepEqual([...cut.data.subarray(4, 8)], [...whole.data.subarray(8, 12)])
  // Never less than two cells, wherever one looks.
  const tiny = seenOf({ ...field, seen: { x: [4.2, 4.3], y: [-0.4, -0.3] } })
  assert.deepEqual([tiny.columns, tiny.rows, tiny.values[3]], [2, 2, 9])
  const { x } = mapAxes(tiny)
  assert.deepEqual([x.low, x.high], [2.5, 4.5])
})

test('a signed field that is zero everywhere has the middle colour', () => {
  const { data } = fieldPixels({ ...field, values: new Float64Array(20), palette: 'diverging' })
  assert.deepEqual([...data.subarray(0, 3)], [240, 240, 236])
})

test.run()
