// Goal: what is drawn is what the numbers are: marks lie where the axes say, logarithms and gaps included, the table
// has every number, and hostile words cannot leave their place. Method: places read back from marks; fast-check over
// curves.
import assert from 'node:assert/strict'
import fc from 'fast-check'
import { type Axis, shareOf, ticksOf, valueAt } from '#numerics/plot/axes.ts'
import { colourAt, hexOf } from '#numerics/plot/colours.ts'
import { fieldPixels } from '#numerics/plot/draw-map.ts'
import type { Mark, Scene } from '#numerics/plot/marks.ts'
import type { CurvesPlot, MapPlot, Plot } from '#numerics/plot/plot.ts'
import { onPaper, sceneOf } from '#numerics/plot/scene.ts'
import { svgText } from '#numerics/plot/svg.ts'
import { csvPieces, tableOf } from '#numerics/plot/table.ts'
import { seed } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/plot')

const style = onPaper({ about: 'Somebody', note: 'token 0' })
const drawn = (plot: Plot): Scene => sceneOf(plot, style)
const texts = (scene: Scene): readonly string[] => scene.marks.flatMap((it) => (it.kind === 'text' ? [it.text] : []))
const ofKind = <K extends Mark['kind']>({ marks }: Scene, kind: K) =>
  marks.filter((it): it is Extract<Mark, { kind: K }> => it.kind === kind)
const csv = (plot: Plot): readonly string[] => [...csvPieces(tableOf(plot))].join('').trimEnd().split('\r\n')

const line = (x: readonly number[], y: readonly number[], more: Partial<CurvesPlot> = {}): CurvesPlot => ({
  kind: 'curves',
  title: 'A line',
  x: { name: 't', unit: 's' },
  y: { name: 'u', unit: 'm/s' },
  curves: [{ name: 'u', x, y }],
  ...more,
})

test('a curve reaches from side to side, its extremes keep off the frame, and its axes are labelled with units', () => {
  const scene = drawn(line([0, 1, 2, 4], [-1, 5, 3, 0]))
  const path = ofKind(scene, 'path').find((it) => it.width === 2)
  assert(path !== undefined)
  const { box } = scene
  const [x0, , x1] = path.points
  assert.equal(x0, box.x)
  assert(Math.abs((x1 ?? 0) - (box.x + box.width / 4)) < 1e-9)
  assert.equal(path.points.at(-2), box.x + box.width)
  const ys = path.points.filter((_, i) => i % 2 === 1)
  assert(Math.min(...ys) > box.y && Math.max(...ys) < box.y + box.height)
  for (const words of ['t / s', 'u / m/s', 'Somebody: A line', 'token 0']) assert(texts(scene).includes(words), words)
})

test('a gap breaks a line, and a logarithmic axis leaves out what it cannot show', () => {
  const broken = ofKind(drawn(line([0, 1, 2, 3, 4], [1, 2, Number.NaN, 4, 5])), 'path').filter((it) => it.width === 2)
  assert.deepEqual(
    broken.map(({ points }) => points.length / 2),
    [2, 2],
  )
  const log = drawn(line([1, 2, 3, 4], [1, 0, 100, 10_000], { y: { name: 'error', unit: '%', scale: 'log' } }))
  assert.deepEqual(
    ofKind(log, 'path')
      .filter((it) => it.width === 2)
      .map(({ points }) => points.length / 2),
    [1, 2],
  )
  assert(texts(log).includes('10⁴'), texts(log).join('|'))
})

test('ticks stand where they say, on either kind of axis', () => {
  fc.assert(
    fc.property(
      fc.double({ min: -1e12, max: 1e12, noNaN: true }),
      fc.double({ min: 1e-9, max: 1e12, noNaN: true }),
      (low, span) => {
        const axis: Axis = { name: 'x', unit: 'm', low, high: low + span }
        const { ticks } = ticksOf(axis, 8)
        assert(ticks.length <= 40)
        const slack = 1e-6 * span + 1e-12 * Math.abs(low)
        for (const { at } of ticks) assert(at >= low - slack && at <= low + span + slack)
        if (span > 1e-6 * Math.abs(low)) assert(ticks.length >= 2, `${low} ${span}`)
      },
    ),
    { seed },
  )
  fc.assert(
    fc.property(fc.integer({ min: -300, max: 200 }), fc.integer({ min: 1, max: 100 }), (from, decades) => {
      const axis: Axis = {
        name: 'x',
        unit: '',
        low: Number(`1e${from}`),
        high: Number(`1e${from + decades}`),
        scale: 'log',
      }
      const { ticks } = ticksOf(axis, 6)
      assert(ticks.length >= 2 && ticks.length <= 40)
      for (const { at } of ticks) {
        const share = shareOf(axis, at)
        assert(share >= -1e-9 && share <= 1 + 1e-9)
        assert(Math.abs(valueAt(axis, share) / at - 1) < 1e-9)
      }
    }),
    { seed },
  )
})

test('any curves at all are drawn inside their frame, and saved whole', () => {
  const numbers = fc.array(fc.double(), { minLength: 1, maxLength: 40 })
  const curves = fc.array(
    fc.record({
      x: numbers,
      y: numbers,
      style: fc.constantFrom('line', 'dashes', 'points', 'stems', 'segments' as const),
      shaded: fc.boolean(),
    }),
    { minLength: 1, maxLength: 5 },
  )
  const scales = fc.constantFrom('linear' as const, 'log' as const)
  fc.assert(
    fc.property(curves, scales, scales, fc.boolean(), (some, across, up, equal) => {
      const plot: CurvesPlot = {
        kind: 'curves',
        title: 'any',
        x: { name: 'x', unit: 'm', scale: across },
        y: { name: 'y', unit: 'm', scale: up },
        equal: equal && across === 'linear' && up === 'linear',
        curves: some.map(({ x, y, style: its, shaded }, i) => {
          const count = Math.min(x.length, y.length)
          const even = its === 'segments' ? count - (count % 2) : count
          const shade = { name: 's', unit: '', values: x.slice(0, even) }
          return { name: `${i}`, x: x.slice(0, even), y: y.slice(0, even), style: its, ...(shaded && { shade }) }
        }),
      }
      const scene = drawn(plot)
      assert(Number.isFinite(scene.width + scene.height) && scene.width < 2_000 && scene.height < 2_000)
      for (const mark of scene.marks) {
        if (mark.kind !== 'path' && mark.kind !== 'segments' && mark.kind !== 'dots') continue
        assert(
          mark.points.every((it) => Number.isFinite(it) && it > -1 && it < 2_000),
          `${mark.kind} ${mark.points}`,
        )
      }
      const total = plot.curves.reduce((sum, it) => sum + it.x.length, 0)
      assert(csv(plot).length - 1 === total || csv(plot).length - 1 === plot.curves[0]?.x.length)
      assert(!svgText(scene, () => '', '#ffffff').includes('NaN'))
    }),
    { seed },
  )
})

const field = (values: readonly number[], more: Partial<MapPlot> = {}): MapPlot => ({
  kind: 'map',
  title: 'A field',
  name: 'T',
  unit: 'K',
  values,
  rows: 2,
  columns: 3,
  x: { name: 'x', unit: 'm', low: 0, high: 2 },
  y: { name: 'y', unit: 'm', low: 0, high: 1 },
  ...more,
})

test('a field is drawn with its first row below; a signed one has its middle colour at zero', () => {
  const { data, rows, columns } = fieldPixels(field([0, 1, 2, 3, 4, 5]))
  assert.deepEqual([rows, columns], [2, 3])
  const at = (row: number, column: number): string => {
    const from = 4 * (row * columns + column)
    return hexOf([data[from] ?? 0, data[from + 1] ?? 0, data[from + 2] ?? 0])
  }
  assert.equal(at(1, 0), hexOf(colourAt(0)))
  assert.equal(at(0, 2), hexOf(colourAt(1)))
  const signed = fieldPixels(field([-4, 0, 2, 1, Number.NaN, -1], { palette: 'diverging' })).data
  const middle = colourAt(0.5, 'diverging')
  assert.deepEqual([...signed.subarray(4 * 4, 4 * 4 + 3)], [...middle])
  assert.equal(signed[4 * 1 + 3], 0, 'a node without a value is seen through')
  assert.deepEqual(csv(field([0, 1, 2, 3, 4, 5])).slice(0, 3), ['"x (m)","y (m)","T (K)"', '0,0,0', '1,0,1'])
})

test('curves of shared places are columns, others stand one below the other', () => {
  const x = [0, 1, 2]
  const two = line(x, [1, 2, 3], {
    curves: [
      { name: 'u', x, y: [1, 2, 3] },
      { name: 'v', x: [0, 1, 2], y: [4, Number.NaN, 6] },
    ],
  })
  assert.deepEqual(csv(two), ['"t (s)","u (m/s)","v (m/s)"', '0,1,4', '1,2,', '2,3,6'])
  const apart = { ...two, curves: [two.curves[0], { name: '=v', x: [9], y: [8] }] } as CurvesPlot
  assert.deepEqual(csv(apart).at(-1), '"\'=v",9,8')
})

test('words of a plot stay words', () => {
  const hostile = '</text><script>alert(1)</script>"&\u0007\ud800'
  const svg = svgText(
    drawn({ kind: 'bars', title: hostile, name: 'n', unit: '', about: hostile, labels: [hostile], values: [-2] }),
    () => '',
    null,
  )
  assert(!svg.includes('<script') && !svg.includes('\u0007') && svg.isWellFormed())
  assert.equal(svg.match(/<title>/g)?.length, 1)
})

test('what explains the values stands within the drawing: beside them, or below where there is little room', () => {
  const name = 'a name of rather many letters, so'
  const curves = [1, 2, 3].map((k) => ({ name: `${name} ${k}`, x: [0, 1], y: [0, k] }))
  const field: MapPlot = {
    ...{ kind: 'map', title: 'A field', name: 'speed', unit: 'm/s', rows: 2, columns: 2, values: [1, 2, 3, 12345.6] },
    x: { name: 'x', unit: 'm', low: 0, high: 1 },
    y: { name: 'y', unit: 'm', low: 0, high: 1 },
  }
  const letters = 0.62
  for (const plot of [line([0, 1], [0, 1], { curves }), field]) {
    for (const below of [false, true]) {
      const { marks, width, height, box } = sceneOf(plot, { inks: style.inks, widthMax: 200, below })
      for (const it of marks) {
        if (it.kind !== 'text' || it.anchor !== 'start') continue
        assert(it.x + it.size * letters * it.text.length <= width, `${it.text} ${below}`)
        assert(it.y <= height, it.text)
        assert(below ? it.y > box.y + box.height : it.x > box.x + box.width, it.text)
      }
      if (below) assert(width <= box.x + box.width + 40, 'nothing stands beside the values')
    }
  }
})

test('numbers of an axis, however long, do not run into its name', () => {
  for (const high of [1, 12345.678, -0.00201, 1.0000001]) {
    const low = high * 0.99999
    const scene = drawn(line([0, 1], [Math.min(low, high), Math.max(low, high)]))
    const name = scene.marks.find((it) => it.kind === 'text' && it.turned === true)
    assert(name?.kind === 'text')
    for (const it of scene.marks) {
      if (it.kind !== 'text' || it.anchor !== 'end') continue
      assert(it.x - 0.6 * it.size * it.text.length >= name.x + 2, it.text)
    }
  }
})

test('a few far larger values do not wash out a field that is clipped, and its scale says so', () => {
  const values = [-1e-3, -1, 0.5, 1, 1000, 0]
  const plot: MapPlot = {
    ...{ kind: 'map', title: 'A field', name: 'u', unit: 'm', rows: 2, columns: 3, values, palette: 'diverging' },
    x: { name: 'x', unit: 'm', low: 0, high: 2 },
    y: { name: 'y', unit: 'm', low: 0, high: 1 },
    clip: 1,
  }
  const { data } = fieldPixels(plot)
  const at = (i: number): readonly number[] => [...data.slice(4 * i, 4 * i + 3)]
  // The upper row comes first: 1, 1000, 0; then −0.001, −1, 0.5.
  assert.deepEqual(at(0), colourAt(1, 'diverging'))
  assert.deepEqual(at(1), at(0))
  assert.deepEqual(at(4), colourAt(0, 'diverging'))
  assert.deepEqual(at(5), colourAt(0.75, 'diverging'))
  const words = texts(drawn(plot))
  assert(words.includes('≥ 1 m') && words.includes('≤ −1 m'), words.join(' '))
  const whole = texts(drawn({ ...plot, clip: 2000 }))
  assert(whole.includes('1000 m') && !whole.some((it) => it.startsWith('≥')), whole.join(' '))
  assert.equal(
    csv(plot).some((it) => it.includes('1000')),
    true,
  )
})

test.run()
