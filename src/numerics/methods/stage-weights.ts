import { cbrt } from '#numerics/math.ts'

// Weights of Yoshida's sixth order, solution A (Physics Letters A 150, 1990), as in Hairer, Lubich, Wanner,
// Geometric Numerical Integration, V.3.2.
const SIX = [0.7845136104775573, 0.23557321335935813, -1.177679984178871] as const

/** Weights of the stages: they add up to 1 and are the same from either end. */
export const stageWeights = (order: 2 | 4 | 6): readonly number[] => {
  if (order === 2) return [1]
  if (order === 4) {
    const outer = 1 / (2 - cbrt(2))
    return [outer, 1 - 2 * outer, outer]
  }
  const [a, b, c] = SIX
  return [a, b, c, 1 - 2 * (a + b + c), c, b, a]
}
