import { sqrt } from '#numerics/math.ts'
import { layersOf } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput } from '#numerics/solvers/wave/schema.ts'

/** Speed of light in m/s, as the SI has it. */
const LIGHT_SPEED = 299_792_458
/** Magnetic constant in N/A² (CODATA 2022). */
export const MAGNETIC = 1.256_637_061_27e-6

/** Gauss's rule of three points on (0, 1). */
const OFF = sqrt(3 / 20)
const RULE = [
  [0.5 - OFF, 5 / 18],
  [0.5, 8 / 18],
  [0.5 + OFF, 5 / 18],
] as const

/**
 * Mean energy density in J/m³ of exact fields, both in V/m, at time 0, which layers without loss keep: an integral over
 * every layer up to its planes, cell by cell, which no node's share of a layer enters.
 */
export const lightEnergyOf = (
  input: WaveInput,
  at: (x: number, ago: number) => { readonly electric: number; readonly flux: number },
): number => {
  const { lx, nx } = input
  let sum = 0
  for (const { from, to, index } of layersOf(input)) {
    const cells = Math.ceil(((to - from) / lx) * nx)
    const width = (to - from) / cells
    for (let cell = 0; cell < cells; cell++) {
      for (const [place, weight] of RULE) {
        const { electric, flux } = at(from + (cell + place) * width, 0)
        sum += weight * width * (index * index * electric * electric + flux * flux)
      }
    }
  }
  return sum / (2 * MAGNETIC * LIGHT_SPEED * LIGHT_SPEED * lx)
}
