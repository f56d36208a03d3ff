import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { DEGREE, islandsOf, type Network, networkOf } from '#numerics/solvers/grid/problem.ts'
import type { GridEvidence, GridInput, GridOutput } from '#numerics/solvers/grid/schema.ts'
import { flowOf } from './flow.ts'

const asSeries = (values: Float64Array | Int32Array): readonly number[] => values as unknown as readonly number[]

/** Where the largest magnitude of some numbers stands. */
const largestAt = (values: Float64Array): number => {
  let at = 0
  for (let k = 1; k < values.length; k++) if (Math.abs(values[k]) > Math.abs(values[at])) at = k
  return at
}

/** What goes into the grid at each bus: as asked, at slack buses what the flows take away. */
const injectionsOf = ({ buses, lines, load, generation, slack }: Network, flows: Float64Array): Float64Array => {
  const left = new Float64Array(buses)
  for (const [k, { from, to }] of lines.entries()) {
    left[from] += flows[k]
    left[to] -= flows[k]
  }
  return left.map((power, bus) => (slack[bus] === 1 ? power : generation[bus] - load[bus]))
}

/** Solves and reports. */
export const solveGrid = (input: GridInput, progress: Progress): Outcome<GridOutput, GridEvidence> => {
  const network = networkOf(input)
  const { buses, lines, load, slack } = network
  const { angles, flows, outages } = flowOf(network, input.contingencies, progress)
  const islands = islandsOf(network).count
  const largest = largestAt(flows)
  const injections = injectionsOf(network, flows)
  const count = outages === undefined ? 0 : lines.length
  const worst = Int32Array.from({ length: count }, (_, k) => {
    if (outages?.bridges[k] === 1) return -1
    return largestAt(outages?.flows.subarray(k * count, (k + 1) * count) ?? new Float64Array(1))
  })
  const bridges = lines.map((_, k) => k + 1).filter((number) => outages?.bridges[number - 1] === 1)
  return {
    output: {
      case: input.case,
      buses,
      lines: lines.length,
      islands,
      loops: lines.length - buses + islands,
      load: load.reduce((sum, it) => sum + it, 0),
      slackInjection: injections.reduce((sum, it, bus) => (slack[bus] === 1 ? sum + it : sum), 0),
      largestFlow: Math.abs(flows[largest]),
      largestLine: largest + 1,
      flows: asSeries(flows),
      angles: asSeries(angles.map((it) => it / DEGREE)),
      injections: asSeries(injections),
      ends: asSeries(Int32Array.from(lines.flatMap(({ from, to }) => [from + 1, to + 1]))),
      bridges: asSeries(Int32Array.from(bridges)),
      worstLines: asSeries(worst.map((line) => line + 1)),
      worstFlows: asSeries(
        Float64Array.from(worst, (line, k) => (line < 0 ? 0 : Math.abs(outages?.flows[k * count + line] ?? 0))),
      ),
    },
    evidence: { outageFlows: outages?.flows ?? new Float64Array(0) },
  }
}
