import { assert } from '#core/assert.ts'
import { Fault } from '#core/fault.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'

/** The rows of U that belong to unknowns eliminated, kept in a kernel's memory. */
export interface Factor {
  /** Unknowns of the matrix, and how many of them, the first ones, are eliminated. */
  readonly size: number
  readonly eliminated: number
  readonly at: number
}

/** A place where symmetric positive matrices are condensed: unknowns are eliminated, a smaller matrix is left. */
export interface Condenser {
  /**
   * Eliminates the first unknowns of a matrix.
   *
   * @param fill writes the upper triangle into a zeroed row-major array of this stride.
   * @returns the factor, and the Schur complement: upper triangle, row-major, `size − eliminated` in each direction.
   * @throws Fault DID_NOT_CONVERGE for a pivot that is not positive: the body is a mechanism in double precision.
   */
  readonly condense: (
    size: number,
    eliminated: number,
    fill: (matrix: Float64Array, stride: number) => void,
  ) => { readonly factor: Factor; readonly left: Float64Array }
  /** The unknowns that `forward` and `backward` work on, as many as the factor's size; dies with `condense`. */
  readonly vector: () => Float64Array
  /** Passes the loads of the eliminated unknowns on to the others. */
  readonly forward: (factor: Factor) => void
  /** Finds the eliminated unknowns from the others, after `forward`. */
  readonly backward: (factor: Factor) => void
}

const DOUBLE = 8

/** Doubles of a row: even, because a vector holds two. */
const strideOf = (size: number): number => size + (size % 2)

/** A condenser with a kernel of its own. @param sizeMax unknowns of the largest matrix. */
export const createCondenser = (sizeMax: number): Condenser => {
  const kernel = loadKernel('condense')
  const { eliminate, forward, backward } = kernel.call
  assert(eliminate !== undefined && forward !== undefined && backward !== undefined, 'the kernel is whole')
  const vectorAt = KERNEL_DATA_START
  const matrixAt = vectorAt + strideOf(sizeMax) * DOUBLE
  let end = matrixAt + sizeMax * strideOf(sizeMax) * DOUBLE
  kernel.reserve(end)
  return {
    condense: (size, eliminated, fill) => {
      assert(size <= sizeMax && eliminated <= size, 'the matrix fits')
      const stride = strideOf(size)
      const matrix = kernel.f64(matrixAt, size * stride)
      matrix.fill(0)
      fill(matrix, stride)
      const stuck = eliminate(matrixAt, size, stride * DOUBLE, eliminated)
      if (stuck !== 0) {
        throw new Fault('DID_NOT_CONVERGE', 'A pivot of the stiffness is not positive; nothing was sealed.', {
          measured: null,
          pivot: stuck,
        })
      }
      const rest = size - eliminated
      const left = new Float64Array(rest * rest)
      for (let row = 0; row < rest; row++) {
        const from = (eliminated + row) * stride + eliminated
        for (let column = row; column < rest; column++) left[row * rest + column] = matrix[from + column]
      }
      const kept = matrix.slice(0, eliminated * stride)
      const at = end
      end += kept.length * DOUBLE
      kernel.reserve(end)
      kernel.f64(at, kept.length).set(kept)
      return { factor: { size, eliminated, at }, left }
    },
    vector: () => kernel.f64(vectorAt, strideOf(sizeMax)),
    forward: ({ size, eliminated, at }) => {
      forward(at, size, strideOf(size) * DOUBLE, eliminated, vectorAt)
    },
    backward: ({ size, eliminated, at }) => {
      backward(at, size, strideOf(size) * DOUBLE, eliminated, vectorAt)
    },
  }
}
