/**
 * The quant kernel's normals point by point: scrambled Sobol points and the quantile, as the plain functions have them.
 */
import { inverseNormal } from '#numerics/methods/normal.ts'
import { pointsOf } from '#numerics/methods/sobol.ts'

/** Normals of the first points of one scramble. */
export const twinNormals = (
  points: number,
  { dimensions, seed, scramble }: { readonly dimensions: number; readonly seed: number; readonly scramble: number },
): readonly Float64Array[] => {
  const sequence = pointsOf(dimensions, seed, scramble)
  return Array.from({ length: points }, () => {
    const into = new Float64Array(dimensions)
    sequence.next(into)
    return into.map(inverseNormal)
  })
}
