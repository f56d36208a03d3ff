import { amplitudeOf } from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { modulated } from '#numerics/runtime/modulation.ts'
import { type Exact, frameOf, placeOf } from '#numerics/solvers/lattice/problem.ts'
import type { LatticeInput, LatticeOutput } from '#numerics/solvers/lattice/schema.ts'
import { statisticsOf } from '#numerics/solvers/lattice/statistics.ts'

const phaseOf = ({ num, den }: Exact): number => Number(num) / Number(den)

/** What the nodes of a lattice see. */
export const latticeOf = (input: LatticeInput, found: Computation): LatticeOutput => {
  const { nodeCount, phaseNs, tick } = input
  const [at, from] = [tick ?? 0, phaseNs ?? 0]
  const amplitude = amplitudeOf(input)
  const nodes = Array.from({ length: nodeCount }, (_, node) => {
    const place = placeOf(from, node, nodeCount)
    const phase = phaseOf(place)
    return {
      node,
      operator: found.output.operator,
      tick: at + Number(place.ahead),
      phase,
      R_t: modulated(found.value, phase, amplitude),
      value: found.value,
    }
  })
  const { mean, sd, coherence } = statisticsOf(nodes.map(({ R_t }) => R_t))
  return { ...frameOf(input, found), coherenceScore: coherence, nodes, meanRt: mean, sdRt: sd }
}
