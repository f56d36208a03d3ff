import { PI, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import type { BlackholeOutput } from './schema.ts'

const inDoubles = (key: string): number => constantOf(key).value
const [c, G, hbar, k] = [inDoubles('c'), inDoubles('G'), inDoubles('hbar'), inDoubles('k_B')]

/** Length of GM/c² and time of GM/c³, in metres and seconds. */
export const unitsOf = (M: number): { readonly length: number; readonly time: number } => {
  const length = (G / c) * (M / c)
  return { length, time: length / c }
}

/** The radii of a black hole and what it radiates. */
export const holeOf = (
  M: number,
): Pick<
  BlackholeOutput,
  | 'schwarzschildRadius'
  | 'photonSphereRadius'
  | 'marginallyBoundRadius'
  | 'iscoRadius'
  | 'iscoEnergy'
  | 'iscoAngularMomentum'
  | 'captureAngularMomentum'
  | 'hawkingTemperature'
  | 'evaporationTime'
  | 'hawkingPower'
> => {
  const { length, time } = unitsOf(M)
  // Each product in an order in which nothing leaves the range of doubles, from 1e-9 kg to 1e45 kg.
  const quantum = hbar / time
  const rest = M * c * c
  return {
    schwarzschildRadius: 2 * length,
    photonSphereRadius: 3 * length,
    marginallyBoundRadius: 4 * length,
    iscoRadius: 6 * length,
    iscoEnergy: sqrt(8) / 3,
    iscoAngularMomentum: sqrt(12),
    captureAngularMomentum: 4,
    hawkingTemperature: quantum / (8 * PI * k),
    evaporationTime: 5120 * PI * time * (rest / quantum),
    hawkingPower: quantum / (15_360 * PI * time),
  }
}
