// Goal: the lowest eigenvalues and eigenvectors of any symmetric matrix are right, clusters included, also where even
// and odd ones are found apart, and the kernels behind them give the bits of plain loops. Method: their twins;
// residuals and orthogonality of drawn matrices, Jacobi's rotations as the other algorithm, matrices of known spectra.
import assert from 'node:assert/strict'
import { lowestEigenEvenOdd } from '#numerics/methods/linear/even-odd.ts'
import { boundsOf, spectrumOf, type Tridiagonal } from '#numerics/methods/linear/spectrum.ts'
import {
  type ByDistance,
  lowestEigen,
  lowestEigenByDistance,
  tridiagonalise,
  tridiagonaliseByDistance,
} from '#numerics/methods/linear/symmetric-eigen.ts'
import { seeded } from '../../kit/random.ts'
import { suite } from '../../kit/suite.ts'
import { twinLowest, twinVectors } from './spectrum-twin.ts'
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

const tridiagonalOf = (n: number): Tridiagonal => {
  const random = seeded()
  const draw = (): number => 2 * random.next() - 1
  return { diagonal: Float64Array.from({ length: n }, draw), beside: Float64Array.from({ length: n }, draw) }
}

test('values and vectors of a tridiagonal matrix have the bits of their twin, equal values included', () => {
  for (const n of [1, 2, 3, 4, 7, 8, 9, 40]) {
    const whole = tridiagonalOf(n)
    const broken = { ...whole, beside: whole.beside.map((it, i) => (i % 3 === 1 ? 0 : it)) }
    const zeros = { diagonal: new Float64Array(n), beside: new Float64Array(n) }
    for (const matrix of [whole, broken, zeros]) {
      for (const count of new Set([1, n >> 1, n].filter((it) => it > 0))) {
        const { values, vectors } = spectrumOf(matrix, count) ?? assert.fail('finite')
        const { low, high, size, floor } = boundsOf(matrix)
        assert.deepEqual(values, twinLowest(matrix, { count, low, high, floor }), `${n}, ${count}`)
        assert.deepEqual(vectors(count), twinVectors(matrix, values, size), `${n}, ${count}`)
      }
    }
  }
})

const byDistance = (n: number): ByDistance => {
  const random = seeded()
  const draw = (length: number): Float64Array => Float64Array.from({ length }, () => 2 * random.next() - 1)
  return { differences: draw(n), sums: draw(2 * n - 1), added: draw(n) }
}

const elementOf =
  ({ differences, sums, added }: ByDistance): Element =>
  (i, j) => {
    const value = (differences[i - j] as number) + (sums[i + j] as number)
    return i === j ? value + (added[i] as number) : value
  }

test('a matrix made of distances is the one that its elements make', () => {
  for (const n of [1, 2, 3, 8, 33]) {
    const matrix = byDistance(n)
    const [tables, elements] = [tridiagonaliseByDistance(matrix), tridiagonalise(n, elementOf(matrix))]
    assert.deepEqual(tables.diagonal, elements.diagonal)
    assert.deepEqual(tables.beside, elements.beside)
    const [one, other] = [lowestEigenByDistance(matrix, n), lowestEigen(n, n, elementOf(matrix))]
    assert.deepEqual(one, other)
  }
})

test('of a matrix with two symmetries even and odd vectors are found apart, and are those of the whole', () => {
  for (const n of [2, 3, 4, 5, 16, 31, 40]) {
    const drawn = byDistance(n)
    const middle = n - 1
    const matrix = {
      ...drawn,
      sums: drawn.sums.map((_, k) => drawn.sums[Math.min(k, 2 * middle - k)] as number),
      added: drawn.added.map((_, i) => drawn.added[Math.min(i, middle - i)] as number),
    }
    const element = elementOf(matrix)
    for (const count of [1, n >> 1, n]) {
      const { values, vectors } = lowestEigenEvenOdd(matrix, count) ?? assert.fail('finite')
      const whole = lowestEigen(n, count, element) ?? assert.fail('finite')
      assert.equal(vectors.length, count)
      values.forEach((value, k) => {
        assert(Math.abs(value - (whole.values[k] as number)) < 1e-13 * n, `${n}: ${value} ${whole.values[k]}`)
      })
      vectors.forEach((x, k) => {
        const sign = Math.sign(dot(x, x.toReversed()))
        x.forEach((it, i) => {
          assert(it === sign * (x[middle - i] as number), 'even or odd to the last bit')
        })
        timesVector(n, element, x).forEach((it, i) => {
          assert(Math.abs(it - (values[k] as number) * (x[i] as number)) < 1e-12 * n)
        })
        vectors.forEach((y, l) => {
          assert(Math.abs(dot(x, y) - (k === l ? 1 : 0)) < 1e-12)
        })
      })
    }
  }
})

test('a chain of springs has its textbook spectrum, and what is not a number has none', () => {
  const n = 100
  const chain = { diagonal: new Float64Array(n).fill(2), beside: new Float64Array(n).fill(-1) }
  const { values } = spectrumOf(chain, n) ?? assert.fail('finite')
  values.forEach((value, k) => {
    assert(Math.abs(value - (2 - 2 * Math.cos(((k + 1) * Math.PI) / (n + 1)))) < 1e-14)
  })
  // The least of them to its own last bits, which are far below those of the matrix.
  const least = 2 * Math.sin(Math.PI / (2 * n + 2))
  assert(Math.abs((values[0] as number) / (least * least) - 1) < 1e-12)
  const broken = new Float64Array(3).fill(Number.NaN)
  assert.equal(spectrumOf({ diagonal: broken, beside: new Float64Array(3) }, 1), undefined)
  assert.equal(spectrumOf({ diagonal: Float64Array.of(1, 2, 3), beside: broken }, 1), undefined)
  assert.equal(spectrumOf({ diagonal: Float64Array.of(1, 1e200, 3), beside: new Float64Array(3) }, 1), undefined)
  assert.equal(
    lowestEigen(4, 1, () => Number.NaN),
    undefined,
  )
})

test.run()
