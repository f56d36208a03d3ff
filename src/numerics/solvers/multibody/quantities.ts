import { sqrt } from '#numerics/math.ts'
import type { Record } from '#numerics/solvers/multibody/problem.ts'

/** What the quantities of a state depend on beside it. */
export interface System {
  readonly masses: readonly number[]
  readonly G: number
  readonly softening: number
}

/** Kinetic energy in the barycentric frame, in joules. */
const kineticOf = (record: Record, { masses }: System): number => {
  const n = masses.length
  let mass = 0
  const momentum = [0, 0, 0]
  masses.forEach((m, i) => {
    mass += m
    for (let axis = 0; axis < 3; axis++) momentum[axis] = (momentum[axis] ?? 0) + m * record[(n + i) * 3 + axis]
  })
  const [px = 0, py = 0, pz = 0] = momentum
  let twice = 0
  masses.forEach((m, i) => {
    const at = (n + i) * 3
    const x = record[at] - px / mass
    const y = record[at + 1] - py / mass
    const z = record[at + 2] - pz / mass
    twice += m * (x * x + y * y + z * z)
  })
  return twice / 2
}

/** Softened potential energy, in joules: −Σ G·m·m′/sqrt(r² + ε²) over the pairs. */
const potentialOf = (record: Record, { masses, G, softening }: System): number => {
  const n = masses.length
  const eps2 = softening * softening
  let sum = 0
  for (let i = 0; i < n; i++) {
    const x = record[3 * i]
    const y = record[3 * i + 1]
    const z = record[3 * i + 2]
    let over = 0
    for (let j = i + 1; j < n; j++) {
      const dx = record[3 * j] - x
      const dy = record[3 * j + 1] - y
      const dz = record[3 * j + 2] - z
      over += masses[j] / sqrt(dx * dx + dy * dy + dz * dz + eps2)
    }
    sum += masses[i] * over
  }
  return -G * sum
}

/** Kinetic and potential energy of a state, in joules. */
export const energiesOf = (
  record: Record,
  system: System,
): { readonly kinetic: number; readonly potential: number } => ({
  kinetic: kineticOf(record, system),
  potential: potentialOf(record, system),
})

/** Root mean square distance from the barycentre, weighted by mass, in metres. */
export const sizeOf = (record: Record, masses: readonly number[]): number => {
  const mass = masses.reduce((sum, m) => sum + m, 0)
  const centre = [0, 1, 2].map((axis) => masses.reduce((sum, m, i) => sum + m * record[3 * i + axis], 0) / mass)
  const square = masses.reduce((sum, m, i) => {
    const parts = centre.map((c, axis) => (record[3 * i + axis] - c) * (record[3 * i + axis] - c))
    return sum + m * parts.reduce((a, b) => a + b, 0)
  }, 0)
  return sqrt(square / mass)
}
