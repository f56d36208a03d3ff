// Goal: a window gives what its events in the last 60 parts say, and forgets by parts. Method: random events against a
// sum over all of them, for every function; events that come late; sums beyond the doubles.
import assert from 'node:assert/strict'
import type { Scalar } from '#core/contract/standing.ts'
import type { WindowRule } from '#numerics/contracts/definition/schema.ts'
import { fedWindows, type WindowParts, windowValues } from '#numerics/contracts/fire/windows.ts'
import { seeded } from '../../../kit/random.ts'
import { suite } from '../../../kit/suite.ts'

const test = suite('contracts/fire/windows')

const FUNCTIONS = ['count', 'sum', 'avg', 'min', 'max', 'last'] as const
const rulesOf = (ticks: number): Readonly<Record<string, WindowRule>> =>
  Object.fromEntries(FUNCTIONS.map((fn) => [fn, { event: 'go', fn, ticks, ...(fn === 'count' ? {} : { field: 'x' }) }]))
const EMPTY = { count: 0, sum: 0, avg: null, min: null, max: null, last: null }

interface Sample {
  readonly tick: number
  readonly x: number | undefined
}

/** What all events that still count say, added up part by part as they came. */
const expected = (ticks: number, samples: readonly Sample[], now: number) => {
  const width = Math.ceil(ticks / 60)
  const part = ({ tick }: Sample): number => Math.floor(tick / width)
  const counted = samples.filter((it) => part(it) > Math.floor(now / width) - 60)
  const values = counted.toSorted((a, b) => part(a) - part(b)).flatMap(({ x }) => (x === undefined ? [] : [x]))
  if (values.length === 0) return { ...EMPTY, count: counted.length }
  const sum = values.reduce((a, b) => a + b, 0)
  return {
    ...{ count: counted.length, sum, avg: sum / values.length },
    ...{ min: Math.min(...values), max: Math.max(...values), last: values.at(-1) },
  }
}

test('random events give what a sum over all of them gives, late ones too', () => {
  const random = seeded()
  for (let round = 0; round < 60; round += 1) {
    const ticks = random.pick([1, 59, 60, 61, 200, 1_000])
    const rules = rulesOf(ticks)
    const samples: Sample[] = []
    let windows: WindowParts = {}
    let now = 1_000_000
    for (let i = 0; i < 60; i += 1) {
      now += random.pick([0, 0, 1, random.integer(0, ticks)])
      const tick = now - random.pick([0, 0, random.integer(0, ticks)])
      const x = random.integer(0, 5) === 0 ? undefined : random.integer(-9, 9)
      samples.push({ tick, x })
      const data: Record<string, Scalar> = x === undefined ? {} : { x }
      const before = structuredClone(windows)
      const fed = fedWindows(rules, windows, { name: 'go', tick, data })
      assert.deepEqual(windows, before)
      windows = fed
      const asked = now + random.pick([0, random.integer(0, 2 * ticks)])
      assert.deepEqual(windowValues(rules, windows, asked), expected(ticks, samples, asked))
      for (const parts of Object.values(windows)) assert.ok(parts.length <= 60)
    }
  }
})

test('another event, or one without the field, says nothing; a null is the last, and no number', () => {
  const rules = rulesOf(60)
  assert.deepEqual(fedWindows(rules, {}, { name: 'stop', tick: 9, data: { x: 1 } }), {})
  assert.deepEqual(Object.keys(fedWindows(rules, {}, { name: 'go', tick: 9, data: {} })), ['count'])
  const fed = fedWindows(rules, {}, { name: 'go', tick: 9, data: { x: null } })
  assert.deepEqual(Object.keys(fed), ['count', 'last'])
  assert.deepEqual(windowValues(rules, {}, 9), EMPTY)
})

test('a sum beyond the doubles is no number, until its part runs out', () => {
  const rules = rulesOf(60)
  let windows: WindowParts = {}
  for (const _ of [1, 2]) windows = fedWindows(rules, windows, { name: 'go', tick: 9, data: { x: 1.7e308 } })
  assert.equal(windows['sum']?.[0]?.sum, null)
  assert.deepEqual(
    [windowValues(rules, windows, 9)['sum'], windowValues(rules, windows, 9)['max']],
    [Number.NaN, 1.7e308],
  )
  assert.deepEqual(windowValues(rules, windows, 69), EMPTY)
})

test.run()
