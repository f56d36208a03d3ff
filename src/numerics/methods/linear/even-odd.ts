import { assert } from '#core/assert.ts'
import { spectrumOf } from './spectrum.ts'
import { type ByDistance, type Eigen, type Reduced, tridiagonaliseByDistance } from './symmetric-eigen.ts'

const ROOT_HALF = 0.7071067811865476

/** What even (sign 1) or odd (−1) vectors of a matrix meet on one half of it: A(i, j) ± A(n − 1 − j, i). */
const foldedOf = ({ differences, sums, added }: ByDistance, sign: 1 | -1): Reduced => {
  const n = added.length
  const half = n >> 1
  const size = sign === 1 ? n - half : half
  return tridiagonaliseByDistance(
    {
      differences: Float64Array.from({ length: size }, (_, k) => differences[k] + sign * sums[n - 1 + k]),
      sums: Float64Array.from({ length: 2 * size - 1 }, (_, k) => sums[k] + sign * differences[n - 1 - k]),
      added: added.subarray(0, size),
    },
    size > half,
  )
}

/** A vector of a folded matrix, carried on to the other half with its sign. */
const unfolded = (n: number, part: Float64Array, sign: 1 | -1): Float64Array => {
  const whole = new Float64Array(n)
  for (let i = 0; i < n >> 1; i++) {
    whole[i] = ROOT_HALF * part[i]
    whole[n - 1 - i] = sign * whole[i]
  }
  // A row in the middle is its own mirror image: odd vectors are 0 there.
  if (part.length > n >> 1) whole[n >> 1] = part[n >> 1]
  return whole
}

/**
 * The `count` lowest eigenvalues and eigenvectors of a matrix that is the same seen from its other end:
 * A(i, j) = A(n − 1 − i, n − 1 − j). Its vectors are even or odd; those of each kind belong to a matrix of half the
 * size, and both together are a quarter of the work (Cantoni, Butler, Linear Algebra Appl. 13 (1976) 275).
 *
 * @param matrix of 2 rows at least.
 * @returns undefined when it holds a number that is not finite. Of equal values the even vector is first.
 */
export const lowestEigenEvenOdd = (matrix: ByDistance, count: number): Eigen | undefined => {
  const n = matrix.added.length
  assert(n >= 2, 'there is an even vector and an odd one')
  const [evens, odds] = [foldedOf(matrix, 1), foldedOf(matrix, -1)]
  const even = spectrumOf(evens, Math.min(count, evens.diagonal.length))
  const odd = spectrumOf(odds, Math.min(count, odds.diagonal.length))
  if (even === undefined || odd === undefined) return undefined
  // Both rise: the lower head of the two is the next level.
  const values = new Float64Array(count)
  const isEven: boolean[] = []
  let [e, o] = [0, 0]
  for (let level = 0; level < count; level++) {
    const [nextEven = Number.POSITIVE_INFINITY, nextOdd = Number.POSITIVE_INFINITY] = [even.values[e], odd.values[o]]
    isEven.push(nextEven <= nextOdd)
    values[level] = Math.min(nextEven, nextOdd)
    if (nextEven <= nextOdd) e++
    else o++
  }
  const evenVectors = even.vectors(e).map((it) => unfolded(n, evens.restore(it), 1))
  const oddVectors = odd.vectors(o).map((it) => unfolded(n, odds.restore(it), -1))
  ;[e, o] = [0, 0]
  const vectors = isEven.map((it) => (it ? evenVectors[e++] : oddVectors[o++]) as Float64Array)
  return { values, vectors }
}
