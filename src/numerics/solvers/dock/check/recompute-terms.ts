import { sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import type { Complex } from '#numerics/solvers/dock/problem.ts'

/** e²·N_A/(4π·ε₀) in kJ/mol·Å by another way than the run's: α·ħ·c·N_A, equal to ten digits. */
const CHARGED =
  constantOf('alpha_fs').value * constantOf('hbar').value * constantOf('c').value * constantOf('N_A').value * 1e7

/** Energy of a pose over all pairs, term by term. */
export interface Terms {
  readonly lennardJones: number
  readonly coulomb: number
  /** Sum of the sizes of all terms, and of all forces of pairs. */
  readonly size: number
  readonly pull: number
  /** Force on the ligand, and its torque about the ligand's middle. */
  readonly force: readonly [number, number, number]
  readonly torque: readonly [number, number, number]
}

/** Places of the ligand's atoms: each turned as q·b·q* and moved. @param pose place, then w, x, y, z. */
export const placesIn = (body: Float64Array, pose: ArrayLike<number>): Float64Array => {
  const [w, x, y, z] = [pose[3] as number, pose[4] as number, pose[5] as number, pose[6] as number]
  const at = new Float64Array(body.length)
  for (let i = 0; i < body.length; i += 3) {
    const [a, b, c] = [body[i], body[i + 1], body[i + 2]]
    // Twice the cross product of the vector part with the place, and once more with that.
    const [u, v, t] = [2 * (y * c - z * b), 2 * (z * a - x * c), 2 * (x * b - y * a)]
    at[i] = (pose[0] as number) + a + w * u + (y * t - z * v)
    at[i + 1] = (pose[1] as number) + b + w * v + (z * u - x * t)
    at[i + 2] = (pose[2] as number) + c + w * t + (x * v - y * u)
  }
  return at
}

/** The terms of all pairs: σ by the arithmetic and ε by the geometric mean, every distance by its root. */
export const termsOf = (
  { receptor, ligand }: Complex,
  places: Float64Array,
  { middle, dielectric }: { readonly middle: ArrayLike<number>; readonly dielectric: number },
): Terms => {
  let [lennardJones, coulomb, size, pull] = [0, 0, 0, 0]
  const force: [number, number, number] = [0, 0, 0]
  const torque: [number, number, number] = [0, 0, 0]
  for (let j = receptor.count - 1; j >= 0; j--) {
    const [X, Y, Z] = [receptor.places[3 * j], receptor.places[3 * j + 1], receptor.places[3 * j + 2]]
    for (let i = 0; i < ligand.count; i++) {
      const [x, y, z] = [places[3 * i], places[3 * i + 1], places[3 * i + 2]]
      const [dx, dy, dz] = [x - X, y - Y, z - Z]
      const r = sqrt(dx * dx + dy * dy + dz * dz)
      const ratio = (receptor.sigma[j] + ligand.sigma[i]) / (2 * r)
      const cube = ratio * ratio * ratio
      const attraction = cube * cube
      const depth = 4 * sqrt(receptor.epsilon[j] * ligand.epsilon[i])
      const repelled = depth * attraction * attraction
      const attracted = depth * attraction
      const charged = (CHARGED * receptor.charge[j] * ligand.charge[i]) / (dielectric * r)
      lennardJones += repelled - attracted
      coulomb += charged
      size += repelled + attracted + Math.abs(charged)
      const along = (12 * repelled - 6 * attracted + charged) / (r * r)
      pull += Math.abs(along) * r
      const [fx, fy, fz] = [along * dx, along * dy, along * dz]
      const [ax, ay, az] = [x - (middle[0] as number), y - (middle[1] as number), z - (middle[2] as number)]
      force[0] += fx
      force[1] += fy
      force[2] += fz
      torque[0] += ay * fz - az * fy
      torque[1] += az * fx - ax * fz
      torque[2] += ax * fy - ay * fx
    }
  }
  return { lennardJones, coulomb, size, pull, force, torque }
}

/**
 * Least pivot of a symmetric 6 × 6 matrix on its way to a triangle, as a share of the largest entry: positive exactly
 * when it is definite.
 */
export const leastPivot = (matrix: Float64Array): number => {
  const A = matrix.slice()
  const scale = A.reduce((most, x) => Math.max(most, Math.abs(x)), 0)
  let least = Number.POSITIVE_INFINITY
  for (let k = 0; k < 6; k++) {
    const pivot = A[7 * k]
    least = Math.min(least, pivot / scale)
    if (!(pivot > 0)) return least
    for (let i = k + 1; i < 6; i++) for (let j = i; j < 6; j++) A[6 * i + j] -= (A[6 * k + i] * A[6 * k + j]) / pivot
  }
  return least
}
