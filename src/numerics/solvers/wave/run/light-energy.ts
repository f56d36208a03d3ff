import { type GridInput, gridOf } from '#numerics/methods/diffusion/grid.ts'
import { LIGHT, nodesOf, permittivities } from '#numerics/solvers/wave/problem.ts'
import type { WaveInput } from '#numerics/solvers/wave/schema.ts'

/** Magnetic constant of the SI, in N/A² (CODATA 2022). */
const MU_0 = 1.256_637_061_27e-6

/** Mean over the domain: nodes on an edge count half in each direction. */
const meanOf = (grid: GridInput, term: (at: number) => number): number => {
  const { rows, columns } = gridOf(grid)
  let sum = 0
  for (let row = 0; row < rows; row++) {
    const weight = rows > 1 && (row === 0 || row === rows - 1) ? 0.5 : 1
    const [first, last] = [row * columns, (row + 1) * columns - 1]
    for (let at = first; at <= last; at++) sum += (at === first || at === last ? weight / 2 : weight) * term(at)
  }
  return sum / ((columns - 1) * Math.max(1, rows - 1))
}

/** Mean energy density of E at the nodes and B between them, in J/m³. */
export const lightEnergy = (input: WaveInput, electric: ArrayLike<number>, magnetic: ArrayLike<number>): number => {
  const relative = permittivities(input)
  const field = meanOf(nodesOf(input), (at) => relative[at] * electric[at] * electric[at])
  let flux = 0
  for (let i = 0; i < input.nx; i++) flux += magnetic[i] * magnetic[i]
  return (field / (LIGHT * LIGHT) + flux / input.nx) / (2 * MU_0)
}
