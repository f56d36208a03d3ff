// Goal: instants are written and read as ISO 8601 without the engine's clock. Method: the engine's own Date over drawn
// instants, zones and the days on which a month, a year or a century turns.
import assert from 'node:assert/strict'
import { isoOf, parseIsoMs } from '#core/iso.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'

const test = suite('core/iso')
const random = seeded()

const LAST_MS = Date.UTC(9999, 11, 31, 23, 59, 59, 999)
const NS_PER_MS = 1_000_000n
const two = (n: number): string => String(n).padStart(2, '0')

/** Instants at which something turns, and drawn ones. */
const instants = [
  0,
  LAST_MS,
  ...[1972, 1999, 2000, 2024, 2100, 2400].flatMap((year) => [
    Date.UTC(year, 1, 28, 23, 59, 59, 999),
    Date.UTC(year, 1, 29),
    Date.UTC(year, 2, 1),
    Date.UTC(year, 11, 31, 23, 59, 59, 999),
  ]),
  ...Array.from({ length: 500 }, () => Math.floor(random.next() * LAST_MS)),
]

test('an instant is written as the engine writes it, cut off below the millisecond, and read again', () => {
  for (const ms of instants) {
    const text = new Date(ms).toISOString()
    assert.equal(isoOf(BigInt(ms) * NS_PER_MS + 999_999n), text)
    assert.equal(parseIsoMs(text), ms)
  }
})

test('a zone is ahead of UTC or behind it; seconds and parts of them may be left out', () => {
  for (const ms of instants.slice(2)) {
    const start = new Date(ms).toISOString().slice(0, 16)
    const zone = `${random.pick(['+', '-'])}${two(random.integer(0, 13))}:${two(random.integer(0, 59))}`
    for (const rest of ['', ':07', ':07.5', ':59.25', ':00.125']) {
      assert.equal(parseIsoMs(`${start}${rest}Z`), Date.parse(`${start}${rest}Z`))
      assert.equal(parseIsoMs(`${start}${rest}${zone}`), Date.parse(`${start}${rest}${zone}`), `${start}${rest}${zone}`)
    }
  }
})

test('what is no time of the years 1970 to 9999 is none', () => {
  const wrong = [
    '1969-12-31T23:59:59Z',
    '1970-01-01T00:00:00+00:01',
    '2026-02-29T00:00Z',
    '2100-02-29T00:00Z',
    '2026-04-31T00:00Z',
    '2026-00-01T00:00Z',
    '2026-13-01T00:00Z',
    '2026-01-00T00:00Z',
    '2026-01-01T24:00Z',
    '2026-01-01T00:60Z',
    '2026-01-01T00:00:60Z',
    '2026-01-01T00:00',
    '2026-01-01',
    '2026-01-01T00:00:00.1234Z',
    ' 2026-01-01T00:00Z',
  ]
  for (const text of wrong) assert.equal(parseIsoMs(text), undefined, text)
})

test.run()
