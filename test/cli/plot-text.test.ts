// Goal: a plot in the terminal shows what is there, where it is, within the columns and with no colour that was not
// asked for. Method: dots set by hand and read back; plots of known curves, fields and amounts, read as text.
import assert from 'node:assert/strict'
import { canvasOf } from '#cli/plot/canvas.ts'
import { depthOf, isPlain } from '#cli/plot/colour.ts'
import { plotText } from '#cli/plot/plot-text.ts'
import { type Screen, screenOf } from '#cli/plot/screen.ts'
import type { CurvesPlot, MapPlot, Plot } from '#numerics/plot/plot.ts'
import { suite } from '../kit/suite.ts'

const test = suite('cli/plot-text')

const screen: Screen = { columns: 60, rows: 12, depth: 'none', plain: false }
const axis = { name: 't', unit: 's' }
const place = { name: 'y', unit: 'm' }
const ramp = Array.from({ length: 11 }, (_, i) => i)

const line: CurvesPlot = {
  kind: 'curves',
  title: 'A line',
  x: axis,
  y: place,
  curves: [{ name: 'up', x: ramp, y: ramp }],
}
const field: MapPlot = {
  ...{ kind: 'map', title: 'A field', name: 'T', unit: 'K', rows: 4, columns: 4 },
  values: Array.from({ length: 16 }, (_, i) => i % 4),
  x: { name: 'x', unit: 'm', low: 0, high: 3 },
  y: { name: 'y', unit: 'm', low: 0, high: 3 },
}
const bars: Plot = {
  ...{ kind: 'bars', title: 'Amounts', name: 'n', unit: '1', about: 'kind' },
  ...{ labels: ['a', 'long label'], values: [1, 2] },
}

const ESCAPE = '\u001B'
const seen = (text: string): string =>
  text
    .split(ESCAPE)
    .map((part, i) => (i === 0 ? part : part.replace(/^\[[\d;]*m/, '')))
    .join('')
const linesOf = (plot: Plot, with_: Partial<Screen> = {}): readonly string[] =>
  plotText(plot, { ...screen, ...with_ }).split('\n')

test('each dot of a character of braille is its own bit, and what is outside is not drawn', () => {
  for (const [x, y, text] of [
    [0, 0, '⠁'],
    [1, 0, '⠈'],
    [0, 1, '⠂'],
    [1, 2, '⠠'],
    [0, 3, '⡀'],
    [1, 3, '⢀'],
  ] as const) {
    const canvas = canvasOf(1, 1, false)
    canvas.dot(x, y, 0)
    for (const outside of [-1, 4, Number.NaN]) canvas.dot(outside, 0, 0)
    assert.deepEqual(canvas.cells(), [[{ text, thing: 0 }]])
  }
  const plain = canvasOf(2, 1, true)
  plain.dot(0, 0, 3)
  assert.deepEqual(plain.cells(), [
    [
      { text: '*', thing: 3 },
      { text: ' ', thing: undefined },
    ],
  ])
})

test('a rising line rises from the lower left to the upper right, between axes with numbers and units', () => {
  const [title, up, ...rows] = linesOf(line)
  assert.deepEqual([title, up], ['A line', 'y / m'])
  const body = rows.slice(0, screen.rows)
  const columns = body.map((row) => row.search(/[\u2801-\u28FF]/))
  assert.ok(
    columns.slice(1).every((at, i) => at <= (columns[i] ?? 0)),
    columns.join(),
  )
  assert.ok((columns[0] ?? 0) > 50 && (columns.at(-1) ?? 99) < 8, columns.join())
  const foot = rows.slice(screen.rows).join('\n')
  assert.match(foot, /└.*┬/)
  assert.match(foot, /0 .*10/)
  assert.match(foot, /t \/ s/)
})

test('every plot keeps within the columns, at any width, with colours or without', () => {
  const curves = [0, 1, 2].map((n) => ({ name: `curve of number ${n}`, x: ramp, y: ramp.map((it) => it * n) }))
  for (const plot of [line, { ...line, curves }, { ...line, equal: true }, field, bars]) {
    for (const columns of [24, 40, 80, 133]) {
      for (const depth of ['none', 'theme', 'many', 'any'] as const) {
        for (const row of linesOf(plot, { columns, depth }))
          assert.ok(seen(row).length <= columns, `${columns}: ${row}`)
      }
    }
  }
})

test('several curves are told apart by a letter on each, and by a legend', () => {
  const curves = ['one', 'two'].map((name, n) => ({ name, x: ramp, y: ramp.map((it) => it * (n + 1)) }))
  const text = plotText({ ...line, curves }, screen)
  assert.match(text, /a one {3}b two$/)
  assert.equal(text.match(/[│┤].*a/g)?.length, 1)
})

test('a field is darker where it is less, by shades without colours and by half blocks with them', () => {
  const rows = linesOf(field).filter((it) => /[│┤]/.test(it))
  for (const row of rows) assert.match(row, /[│┤] +-+\++@+$|[│┤] +[ .:=*#%-]*@+$/)
  assert.deepEqual(linesOf(field).slice(-2), ['T', '0 [ .:-=+*#%@] 3 K'])
  const coloured = plotText(field, { ...screen, depth: 'any' })
  assert.match(coloured, /\[38;2;\d+;\d+;\d+m▀/)
  assert.match(plotText(field, { ...screen, depth: 'many' }), /\[48;5;\d+m/)
  for (const row of coloured.split('\n')) if (row.includes(ESCAPE)) assert.ok(row.includes(`${ESCAPE}[0m`), row)
})

test('amounts are bars in the ratio of their numbers', () => {
  const [, , one = '', two = ''] = linesOf(bars)
  const count = (row: string) => row.match(/█/g)?.length ?? 0
  assert.ok(Math.abs(2 * count(one) - count(two)) <= 1, `${one}\n${two}`)
})

test('a terminal without more than ASCII is sent nothing else', () => {
  const log: CurvesPlot = { ...line, x: { ...axis, scale: 'log' }, y: { ...place, scale: 'log', unit: 'm^2' } }
  for (const plot of [line, log, field, bars]) {
    // biome-ignore lint/suspicious/noControlCharactersInRegex: all that ASCII has
    assert.match(plotText(plot, { ...screen, plain: true }), /^[\x00-\x7F]*$/)
  }
})

test('gaps, lone points and curves without a point are drawn as far as they are there', () => {
  const odd = [
    { name: 'gap', x: [0, 1, 2, 3], y: [0, Number.NaN, 2, Number.POSITIVE_INFINITY] },
    { name: 'none', x: [], y: [] },
    { name: 'dots', x: [1], y: [1], style: 'points' as const },
    { name: 'stems', x: [1, 2], y: [1, 2], style: 'stems' as const },
  ]
  for (const curve of odd) assert.ok(linesOf({ ...line, curves: [curve] }).length > screen.rows, curve.name)
})

test('colours are for a terminal that has them, and NO_COLOR ends them', () => {
  assert.equal(depthOf({ TERM: 'xterm-256color', COLORTERM: 'truecolor' }, true), 'any')
  assert.equal(depthOf({ TERM: 'xterm-256color' }, true), 'many')
  assert.equal(depthOf({ TERM: 'xterm' }, true), 'theme')
  for (const [env, terminal] of [
    [{ TERM: 'xterm-256color' }, false],
    [{ TERM: 'xterm-256color', NO_COLOR: '1' }, true],
    [{ TERM: 'dumb' }, true],
    [{}, true],
  ] as const) {
    assert.equal(depthOf(env, terminal), 'none')
  }
  assert.deepEqual(
    [isPlain({ LANG: 'C' }), isPlain({ LANG: 'de_DE.UTF-8' }), isPlain({ LANG: 'C.UTF-8' })],
    [true, false, false],
  )
  assert.equal(isPlain({ LC_ALL: 'en_US.ISO-8859-1' }), true)
})

test('a plot is as wide as the terminal, else as COLUMNS says, within reason', () => {
  const off = { isTTY: false, columns: 0, rows: 0 }
  assert.equal(screenOf(off, {}).columns, 80)
  assert.equal(screenOf(off, { COLUMNS: '50' }).columns, 50)
  assert.equal(screenOf({ isTTY: true, columns: 100, rows: 20 }, { COLUMNS: '50' }).columns, 100)
  assert.equal(screenOf(off, { COLUMNS: '5' }).columns, 24)
  assert.equal(screenOf({ isTTY: true, columns: 300, rows: 20 }, {}).rows, 12)
})

test.run()
