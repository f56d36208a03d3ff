// Goal: the lowest eigenvalues and eigenvectors of any symmetric matrix are right, clusters included, and the kernel
// behind them gives the bits of plain loops. Method: its twin; residuals and orthogonality of drawn matrices, Jacobi's
// rotations as the other algorithm, matrices of known spectra.
import assert from 'node:assert/strict'
import { lowestEigen, tridiagonalise, tridiagonalValues } from '#numerics/linear/symmetric-eigen.ts'
import { seeded } from '../kit/random.ts'
import { suite } from '../kit/suite.ts'
import { twinReduction } from './tridiagonal-twin.ts'

const test = suite('numerics/symmetric-eigen')

type Element = (row: number, column: number) => number

const drawn = (n: number): Element => {
  const random = seeded()
  const values = Array.from({ length: n * n }, () => 2 * random.next() - 1)
  return (i, j) => values[Math.max(i, j) * n + Math.min(i, j)] as number
}

const timesVector = (n: number, a: Element, x: Float64Array): Float64Array =>
  Float64Array.from({ length: n }, (_, i) => x.reduce((sum, it, j) => sum + a(Math.max(i, j), Math.min(i, j)) * it, 0))

const dot = (x: Float64Array, y: Float64Array): number => x.reduce((sum, it, i) => sum + it * (y[i] as number), 0)

/** Every eigenvalue by cyclic Jacobi rotations, rising. */
const byJacobi = (n: number, element: Element): Float64Array => {
  const a = Array.from({ length: n }, (_, i) => Float64Array.from({ length: n }, (_, j) => element(i, j)))
  const at = (i: number, j: number): number => (a[i] as Float64Array)[j] as number
  const put = (i: number, j: number, value: number): void => {
    ;(a[i] as Float64Array)[j] = value
  }
  for (let sweep = 0; sweep < 30; sweep++) {
    for (let p = 0; p < n; p++) {
      for (let q = p + 1; q < n; q++) {
        if (at(p, q) === 0) continue
        const theta = (at(q, q) - at(p, p)) / (2 * at(p, q))
        const t = (theta < 0 ? -1 : 1) / (Math.abs(theta) + Math.sqrt(theta * theta + 1))
        const c = 1 / Math.sqrt(t * t + 1)
        const s = t * c
        for (let k = 0; k < n; k++) {
          const [x, y] = [at(k, p), at(k, q)]
          put(k, p, c * x - s * y)
          put(k, q, s * x + c * y)
        }
        for (let k = 0; k < n; k++) {
          const [x, y] = [at(p, k), at(q, k)]
          put(p, k, c * x - s * y)
          put(q, k, s * x + c * y)
        }
      }
    }
  }
  return Float64Array.from({ length: n }, (_, i) => at(i, i)).sort()
}

test('the kernel gives the bits of its twin, for even and odd sizes and matrices with zeros', () => {
  for (const n of [1, 2, 3, 4, 5, 16, 17, 63, 130]) {
    const dense = drawn(n)
    for (const element of [
      dense,
      (i: number, j: number) => (i === j ? i : 0),
      (i: number, j: number) => (i > j + 1 ? 0 : dense(i, j)),
    ]) {
      const [ours, twin] = [tridiagonalise(n, element), twinReduction(n, element)]
      assert.deepEqual(ours.diagonal, twin.diagonal, `${n}`)
      assert.deepEqual(ours.beside, twin.beside, `${n}`)
      const x = Float64Array.from({ length: n }, (_, i) => 1 / (i + 1))
      assert.deepEqual(ours.restore(x), twin.restore(x), `${n}`)
    }
  }
})

test('values are those of Jacobi’s rotations; vectors are orthonormal and leave no residual', () => {
  for (const n of [2, 7, 40]) {
    const element = drawn(n)
    const { values, vectors } = lowestEigen(n, n, element) ?? assert.fail('settles')
    const other = byJacobi(n, element)
    values.forEach((value, i) => {
      assert(Math.abs(value - (other[i] as number)) < 1e-12 * n, `${value} ${other[i]}`)
    })
    vectors.forEach((x, i) => {
      const image = timesVector(n, element, x)
      image.forEach((it, k) => {
        assert(Math.abs(it - (values[i] as number) * (x[k] as number)) < 1e-11 * n)
      })
      vectors.forEach((y, j) => {
        assert(Math.abs(dot(x, y) - (i === j ? 1 : 0)) < 1e-12)
      })
    })
  }
})

test('equal and nearly equal values have orthonormal vectors of their own', () => {
  const n = 30
  // Two wells that know of each other by 1e-14, and a matrix with one value for all.
  const wells: Element = (i, j) => {
    const [a, b] = [i % 15, j % 15]
    if (Math.floor(i / 15) !== Math.floor(j / 15)) return i === 15 && j === 14 ? 1e-14 : 0
    return a === b ? 2 + a * a : Math.abs(a - b) === 1 ? -1 : 0
  }
  const same: Element = (i, j) => (i === j ? 3 : 0)
  for (const element of [wells, same]) {
    const { values, vectors } = lowestEigen(n, 6, element) ?? assert.fail('settles')
    vectors.forEach((x, i) => {
      const image = timesVector(n, element, x)
      for (let k = 0; k < n; k++)
        assert(Math.abs((image[k] as number) - (values[i] as number) * (x[k] as number)) < 1e-11)
      for (const y of vectors.slice(0, i)) assert(Math.abs(dot(x, y)) < 1e-12)
    })
  }
})

test('a chain of springs has its textbook spectrum, and what is not a number settles nowhere', () => {
  const n = 100
  const values = tridiagonalValues({ diagonal: new Float64Array(n).fill(2), beside: new Float64Array(n).fill(-1) })
  values?.forEach((value, k) => {
    assert(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)))) < 1e-13)
  })
  const broken = new Float64Array(3).fill(Number.NaN)
  assert.equal(tridiagonalValues({ diagonal: broken, beside: new Float64Array(3) }), undefined)
  assert.equal(tridiagonalValues({ diagonal: Float64Array.of(1, 2, 3), beside: broken }), undefined)
})

test.run()
