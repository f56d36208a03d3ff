// Goal: every function of the one door is within 1 ulp of the exact value, and its constants and edges are right.
// Method: committed arguments with exact values worked out by mpmath (math-reference.py), over the whole range; the
// values that IEEE 754 and ECMAScript give for infinities, zeros and NaN; identities that must hold exactly.
import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import * as math from '#numerics/math.ts'
import { suite } from '../kit/suite.ts'

const test = suite('numerics/math')

const view = new DataView(new ArrayBuffer(8))
const double = (hex: string): number => {
  view.setBigUint64(0, BigInt(`0x${hex}`))
  return view.getFloat64(0)
}
/** The distance to the next double away from zero. */
const ulp = (x: number): number => {
  view.setFloat64(0, Math.abs(x))
  const bits = view.getBigUint64(0)
  view.setBigUint64(0, bits + 1n)
  return view.getFloat64(0) - Math.abs(x)
}

interface Row {
  readonly name: string
  readonly args: readonly number[]
  readonly near: number
  readonly rest: number
}

const rows: readonly Row[] = readFileSync(new URL('math-reference.txt', import.meta.url), 'utf8')
  .trim()
  .split('\n')
  .map((line) => {
    const [name = '', args = '', near = '', rest = ''] = line.split(' ')
    return { name, args: args.split(',').map(double), near: double(near), rest: Number(rest) }
  })

const functions = math as unknown as Readonly<Record<string, (...args: readonly number[]) => number>>
const names = [...new Set(rows.map(({ name }) => name))]

for (const name of names) {
  test(`${name} is within 1 ulp`, () => {
    let worst = 0
    for (const { args, near, rest } of rows.filter((it) => it.name === name)) {
      const found = functions[name]?.(...args) ?? Number.NaN
      const error = Math.abs((found - near) / ulp(near) - rest)
      assert(error <= 1, `${name}(${args.join(', ')}) = ${found}: ${error} ulp`)
      worst = Math.max(worst, error)
    }
    assert(worst > 0, 'the reference has digits beyond the double')
  })
}

test('every function has reference values', () => {
  const callable = Object.keys(math).filter((name) => typeof functions[name] === 'function' && name !== 'sqrt')
  assert.deepEqual([...names].sort(), callable.sort())
})

test('edges are those of ECMAScript', () => {
  const edges = [0, -0, 1, -1, Number.POSITIVE_INFINITY, Number.NEGATIVE_INFINITY, Number.NaN, 1e-320, 1e308]
  for (const name of names) {
    const ours = functions[name]
    const theirs = (Math as unknown as typeof functions)[name]
    if (ours === undefined || theirs === undefined) throw new Error(`no ${name}`)
    const pairs = ours.length === 2 ? edges.flatMap((x) => edges.map((y) => [x, y])) : edges.map((x) => [x])
    for (const args of pairs) {
      const [a, b] = [ours(...args), theirs(...args)]
      const same = Object.is(a, b) || Math.abs(a - b) <= 2 * ulp(b)
      assert(same, `${name}(${args.join(', ')}) = ${a}, not ${b}`)
    }
  }
})

test('constants are the nearest doubles', () => {
  const { PI, E, LN2, LN10, LOG2E, LOG10E, SQRT2, SQRT1_2, TAU } = math
  const found = { PI, E, LN2, LN10, LOG2E, LOG10E, SQRT2, SQRT1_2, TAU }
  assert.deepEqual(found, {
    PI: Math.PI,
    E: Math.E,
    LN2: Math.LN2,
    LN10: Math.LN10,
    LOG2E: Math.LOG2E,
    LOG10E: Math.LOG10E,
    SQRT2: Math.SQRT2,
    SQRT1_2: Math.SQRT1_2,
    TAU: 2 * Math.PI,
  })
})

test('arguments of any size are reduced', () => {
  // 2^1023 and the double nearest to a multiple of π/2 among all doubles (Muller): the reduction has to be exact.
  assert.equal(math.sin(8.98846567431158e307), 0.563127779850884)
  assert(Math.abs(math.cos(6381956970095103 * 2 ** 797) - -4.687165924254628e-19) <= 1e-34)
})

test.run()
