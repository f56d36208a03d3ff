// Goal: products, factors, solves and eigenvalues of small dense matrices are right: run and check of kalman both use
// them. Method: whole numbers, whose products are exact in a plain triple loop; systems with a known solution; matrices
// built from known eigenvalues by similarity.
import assert from 'node:assert/strict'
import {
  cholesky,
  product,
  productSymmetric,
  productTransposed,
  solveGeneral,
  solveRows,
  symmetrise,
  traceOf,
  transposed,
  transposeInto,
} from '#numerics/methods/linear/dense.ts'
import { eigenvaluesOf, spectralRadius } from '#numerics/methods/linear/eigenvalues.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'

const test = suite('numerics/dense')
const SIZES = [1, 2, 3, 5, 8] as const

/** Whole numbers from −9 to 9, a third of them zero. */
const whole = (length: number, random: ReturnType<typeof seeded>): Float64Array =>
  Float64Array.from({ length }, () => (random.next() < 1 / 3 ? 0 : Math.floor(19 * random.next()) - 9))

const plain = (a: Float64Array, b: Float64Array, rows: number, inner: number, columns: number): Float64Array =>
  Float64Array.from({ length: rows * columns }, (_, at) => {
    const [i, j] = [Math.floor(at / columns), at % columns]
    let sum = 0
    for (let k = 0; k < inner; k++) sum += (a[i * inner + k] as number) * (b[k * columns + j] as number)
    return sum
  })

const near = (found: Float64Array, due: Float64Array, slack: number): void => {
  assert.equal(found.length, due.length)
  for (const [i, it] of found.entries()) assert(Math.abs(it - (due[i] as number)) <= slack, `${i}: ${it} for ${due[i]}`)
}

/** A matrix that is well away from singular: what was drawn, and 40 on the diagonal. */
const regular = (n: number, random: ReturnType<typeof seeded>): Float64Array => {
  const a = whole(n * n, random)
  for (let i = 0; i < n; i++) a[i * n + i] = (a[i * n + i] as number) + 10 * n
  return a
}

test('products of whole numbers are exact, in every shape', () => {
  const random = seeded()
  for (const rows of SIZES) {
    for (const inner of SIZES) {
      for (const columns of SIZES) {
        const size = { rows, inner, columns }
        const [a, b] = [whole(rows * inner, random), whole(inner * columns, random)]
        const due = plain(a, b, rows, inner, columns)
        const [found, turned] = [due.slice().fill(7), due.slice().fill(7)]
        product(a, b, found, size)
        productTransposed(a, transposed(b, inner, columns), turned, size)
        near(found, due, 0)
        near(turned, due, 0)
      }
    }
  }
})

test('symmetric products, transposes, means and traces', () => {
  const random = seeded()
  for (const n of SIZES) {
    const a = whole(n * n, random)
    const t = transposed(a, n, n)
    const into = a.slice()
    transposeInto(a, into, n)
    near(into, t, 0)
    for (const [at, it] of t.entries()) assert.equal(it, a[(at % n) * n + Math.floor(at / n)])
    const due = plain(a, t, n, n, n)
    const found = due.slice().fill(7)
    productSymmetric(a, t, found, n)
    near(found, due, 0)
    const mean = a.slice()
    symmetrise(mean, n)
    near(
      mean,
      Float64Array.from(a, (it, at) => (it + (t[at] as number)) / 2),
      0,
    )
    let sum = 0
    for (let i = 0; i < n; i++) sum += a[i * n + i] as number
    assert.equal(traceOf(a, n), sum)
  }
})

test('factors give their matrix back, and what has none is refused', () => {
  const random = seeded()
  for (const n of SIZES) {
    const lower = whole(n * n, random)
    for (let i = 0; i < n; i++) for (let j = i; j < n; j++) lower[i * n + j] = i === j ? 1 + Math.abs(i - 3) : 0
    const a = plain(lower, transposed(lower, n, n), n, n, n)
    const factor = a.slice().fill(7)
    assert(cholesky(a, factor, n))
    near(factor, lower, 1e-9)
    a[n * n - 1] = -1
    assert(!cholesky(a, factor, n))
  }
  const flat = Float64Array.of(4, 2, 2, 1)
  const factor = new Float64Array(4)
  assert(!cholesky(flat, factor, 2), 'definite is asked for')
  assert(cholesky(flat, factor, 2, 1e-12), 'semidefinite is allowed')
  near(factor, Float64Array.of(2, 0, 1, 0), 1e-12)
})

test('systems give back the solution that they were made from, and singular ones are refused', () => {
  const random = seeded()
  for (const n of SIZES) {
    const [a, x] = [regular(n, random), whole(n * 3, random)]
    const b = plain(a, x, n, n, 3)
    assert(solveGeneral(a.slice(), b, n, 3))
    near(b, x, 1e-10)
    const lower = a.slice()
    for (let i = 0; i < n; i++) for (let j = i + 1; j < n; j++) lower[i * n + j] = 0
    const y = whole(3 * n, random)
    const rows = plain(y, plain(lower, transposed(lower, n, n), n, n, n), 3, n, n)
    solveRows(lower, rows, 3, n)
    near(rows, y, 1e-10)
  }
  assert(!solveGeneral(Float64Array.of(1, 2, 2, 4), Float64Array.of(1, 1), 2, 1))
})

/** Blocks a ± bi on the diagonal, seen through a drawn change of coordinates. */
const withEigenvalues = (pairs: readonly (readonly [re: number, im: number])[]): Float64Array => {
  const random = seeded()
  const n = 2 * pairs.length
  const blocks = new Float64Array(n * n)
  for (const [k, [re, im]] of pairs.entries()) {
    const at = 2 * k
    blocks[at * n + at] = re
    blocks[(at + 1) * n + at + 1] = re
    blocks[at * n + at + 1] = -im
    blocks[(at + 1) * n + at] = im
  }
  const s = regular(n, random)
  const right = plain(blocks, s, n, n, n)
  assert(solveGeneral(s.slice(), right, n, n))
  return right
}

test('eigenvalues of a similar matrix are those of its blocks', () => {
  const pairs = [
    [0.9, 0.3],
    [-0.5, 1.25],
    [0.125, 0.01],
  ] as const
  const a = withEigenvalues(pairs)
  const spectrum = eigenvaluesOf(a, 6)
  assert(spectrum !== undefined)
  const found = [...spectrum.re].map((re, i) => ({ re, im: Math.abs(spectrum.im[i] as number) }))
  found.sort((p, q) => p.re - q.re)
  const due = pairs
    .flatMap(([re, im]) => [
      { re, im },
      { re, im },
    ])
    .sort((p, q) => p.re - q.re)
  for (const [i, { re, im }] of found.entries()) {
    assert(Math.abs(re - (due[i]?.re ?? 9)) < 1e-11 && Math.abs(im - (due[i]?.im ?? 9)) < 1e-11, `${re} ± ${im}i`)
  }
  assert(Math.abs(spectralRadius(a, 6) - Math.hypot(0.5, 1.25)) < 1e-11)
  assert(Number.isNaN(spectralRadius(Float64Array.of(1, Number.NaN, 0, 1), 2)))
})

test.run()
