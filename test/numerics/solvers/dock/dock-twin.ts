import { COULOMB, type Complex } from '#numerics/solvers/dock/problem.ts'

/**
 * The dock kernel as plain loops: even and odd receptor atoms add up apart. @param places of the ligand's atoms, n ×
 * 3.
 */
export const twinEnergy = (
  { receptor, ligand }: Complex,
  places: ArrayLike<number>,
  { dielectric, softening }: { readonly dielectric: number; readonly softening: number },
): { readonly lennardJones: number; readonly coulomb: number; readonly pulls: Float64Array } => {
  const [dispersion, charge] = [
    [0, 0],
    [0, 0],
  ]
  const pulls = new Float64Array(3 * ligand.count)
  for (let a = 0; a < ligand.count; a++) {
    const sums = [
      [0, 0, 0],
      [0, 0, 0],
    ]
    const depth = 2 * Math.sqrt(ligand.epsilon[a])
    const q = (COULOMB / dielectric) * ligand.charge[a]
    for (let i = 0; i < receptor.count; i++) {
      const d = [0, 1, 2].map((axis) => (places[3 * a + axis] as number) - receptor.places[3 * i + axis])
      const [x = 0, y = 0, z = 0] = d
      const inverse = 1 / (x * x + y * y + z * z + softening * softening)
      const sigma = ligand.sigma[a] / 2 + receptor.sigma[i] / 2
      const s2 = sigma * sigma * inverse
      const s6 = s2 * s2 * s2
      const s12 = s6 * s6
      const four = depth * (2 * Math.sqrt(receptor.epsilon[i]))
      const near = q * receptor.charge[i] * Math.sqrt(inverse)
      const lane = i % 2
      dispersion[lane] = (dispersion[lane] ?? 0) + four * (s12 - s6)
      charge[lane] = (charge[lane] ?? 0) + near
      const push = (four * (12 * s12 - 6 * s6) + near) * inverse
      const sum = sums[lane] as number[]
      for (const [axis, c] of d.entries()) sum[axis] = (sum[axis] ?? 0) + push * c
    }
    for (let axis = 0; axis < 3; axis++) pulls[3 * a + axis] = (sums[0]?.[axis] ?? 0) + (sums[1]?.[axis] ?? 0)
  }
  return {
    lennardJones: (dispersion[0] ?? 0) + (dispersion[1] ?? 0),
    coulomb: (charge[0] ?? 0) + (charge[1] ?? 0),
    pulls,
  }
}
