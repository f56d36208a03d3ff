import { TICK_NS } from '#core/tick.ts'
import { CLOCK, instantText } from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import type { LatticeInput, LatticeOutput } from './schema.ts'

export const PROTOCOL = 'tickmesh/lattice/1'

export interface Exact {
  /** Whole ticks ahead of the first node's. */
  readonly ahead: bigint
  /** The phase as a fraction. */
  readonly num: bigint
  readonly den: bigint
}

/** i·τ/N after `phaseNs` into a tick: 777,000,777 is not a multiple of most N, so the offset stays a fraction. */
export const placeOf = (phaseNs: number, i: number, nodes: number): Exact => {
  const den = TICK_NS * BigInt(nodes)
  const num = BigInt(phaseNs) * BigInt(nodes) + BigInt(i) * TICK_NS
  return { ahead: num / den, num: num % den, den }
}

/** What each node evaluates, as text. */
export const equationOf = ({ chain }: Computation, nodes: number): string => {
  const S = chain.map(({ equation }) => equation).join('; ')
  return `R_i = S·(1 + a·sin 2π(t/τ + i/${nodes})), i = 0..${nodes - 1}; S: ${S}`
}

/** An answer with what is computed of the nodes left out: no nodes, and their mean, spread and score 0. */
export const frameOf = (input: LatticeInput, found: Computation): LatticeOutput => {
  const { nodeCount, phaseNs, tick, genesis } = input
  const [at, from, born] = [tick ?? 0, phaseNs ?? 0, genesis ?? 0]
  return {
    protocol: PROTOCOL,
    nodeCount,
    tick: at,
    sharedTick: born + at,
    coherenceScore: 0,
    latticeEquation: equationOf(found, nodeCount),
    nodes: [],
    meanRt: 0,
    sdRt: 0,
    specValue: found.value,
    specUnit: found.unit,
    callsConsumed: 1,
    ...CLOCK,
    computedAt: instantText(born, at, from),
  }
}
