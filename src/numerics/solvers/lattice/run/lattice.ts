import Type, { type Static } from 'typebox'
import { closed, count, finite, integer } from '#core/schema.ts'
import { TICK_NS } from '#core/tick.ts'
import { sqrt } from '#numerics/math.ts'
import {
  amplitudeMembers,
  amplitudeOf,
  CLOCK,
  instantText,
  momentSchema,
  preciseSine,
  specSchema,
  statedAmplitude,
  tellsMoment,
  tickSchema,
} from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { modulated } from '#numerics/runtime/modulation.ts'
import type { Reality } from '#numerics/runtime/solver.ts'

export const NODES_MAX = 16
const PROTOCOL = 'tickmesh/lattice/1'

/** Everything that states a lattice, with its default. */
export const latticeInput = closed({
  nodeCount: integer({
    minimum: 1,
    maximum: NODES_MAX,
    default: 8,
    description: 'Nodes: offsets of i/nodeCount of a tick.',
  }),
  spec: specSchema,
  tick: tickSchema,
  ...momentSchema('tick'),
  ...amplitudeMembers(['automatic', 'manual'], 'KO42: automatic has the amplitude 0.001, manual that of beta.'),
})

/** The answer: one value, seen from every node. */
export const latticeOutput = closed({
  protocol: Type.String({ description: 'Name and version of this form.' }),
  nodeCount: integer({ description: 'Nodes.' }),
  tick: count({ description: 'Tick of the first node since genesis.' }),
  sharedTick: count({ description: 'The same tick as all nodes of the mesh count it.' }),
  coherenceScore: finite({ description: 'max(0, 1 − sd/|mean|) of R over the nodes.' }),
  latticeEquation: Type.String({ description: 'What each node evaluates.' }),
  nodes: Type.Array(
    closed({
      node: count({ description: 'Its number, from 0.' }),
      operator: Type.String({ description: 'The operator whose output the value is.' }),
      tick: count({ description: 'Tick that its offset falls into.' }),
      phase: finite({ description: 'How far into it, in [0, 1).' }),
      R_t: finite({ description: 'The value modulated at that phase.' }),
      value: finite({ description: 'What it computed.' }),
    }),
  ),
  meanRt: finite({ description: 'Mean of R over the nodes.' }),
  sdRt: finite({ description: 'Standard deviation of R over the nodes.' }),
  specValue: finite({ description: 'What every node computed: the value.' }),
  specUnit: Type.String({ description: 'Its unit.' }),
  callsConsumed: integer({ description: 'Calls that this one counts as.' }),
  pulseHz: finite({ description: 'Frequency of the pulse.', 'x-unit': 'Hz' }),
  tickSec: finite({ description: 'Period of the tick.', 'x-unit': 's' }),
  computedAt: Type.String({ description: 'The moment looked at, in Unix nanoseconds.' }),
})

export type LatticeInput = Static<typeof latticeInput>
export type LatticeOutput = Static<typeof latticeOutput>

interface Exact {
  /** Whole ticks ahead of the first node's. */
  readonly ahead: bigint
  /** The phase as a fraction. */
  readonly num: bigint
  readonly den: bigint
}

/** i·τ/N after `phaseNs` into a tick: 777,000,777 is not a multiple of most N, so the offset stays a fraction. */
const placeOf = (phaseNs: number, i: number, nodes: number): Exact => {
  const den = TICK_NS * BigInt(nodes)
  const num = BigInt(phaseNs) * BigInt(nodes) + BigInt(i) * TICK_NS
  return { ahead: num / den, num: num % den, den }
}

const phaseOf = ({ num, den }: Exact): number => Number(num) / Number(den)

const statisticsOf = (values: readonly number[]) => {
  const mean = values.reduce((sum, it) => sum + it, 0) / values.length
  const sd = sqrt(values.reduce((sum, it) => sum + (it - mean) * (it - mean), 0) / values.length)
  return { mean, sd, coherence: Math.max(0, 1 - sd / Math.abs(mean)) }
}

const equationOf = ({ chain }: Computation, nodes: number): string => {
  const S = chain.map(({ equation }) => equation).join('; ')
  return `R_i = S·(1 + a·sin 2π(t/τ + i/${nodes})), i = 0..${nodes - 1}; S: ${S}`
}

/** What the nodes of a lattice see. */
export const latticeOf = (input: LatticeInput, found: Computation): LatticeOutput => {
  const { nodeCount, phaseNs, tick, genesis } = input
  const [at, from, born] = [tick ?? 0, phaseNs ?? 0, genesis ?? 0]
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
  return {
    protocol: PROTOCOL,
    nodeCount,
    tick: at,
    sharedTick: born + at,
    coherenceScore: coherence,
    latticeEquation: equationOf(found, nodeCount),
    nodes,
    meanRt: mean,
    sdRt: sd,
    specValue: found.value,
    specUnit: found.unit,
    callsConsumed: 1,
    ...CLOCK,
    computedAt: instantText(born, at, from),
  }
}

const AGAINST =
  'the modulation at exact phases: its mean, its spread and each sine at 50 digits, in units of the amplitude'

/** Deviation of the mean and of the spread of R/S − 1 from what evenly spaced sines have, in units of the amplitude. */
const spreadOff = (ratios: readonly number[], first: number): number => {
  const { mean, sd } = statisticsOf(ratios)
  if (ratios.length === 1) return Math.abs(mean - first)
  const wanted = ratios.length === 2 ? Math.abs(first) : sqrt(0.5)
  return Math.max(Math.abs(mean), Math.abs(sd - wanted))
}

/** The score that evenly spaced sines have: 1 less their spread, which is the amplitude over √2 from three nodes on. */
const scoreOf = (nodeCount: number, amplitude: number, first: number): number => {
  if (nodeCount === 1) return 1
  return 1 - amplitude * (nodeCount === 2 ? Math.abs(first) : sqrt(0.5))
}

const bare = (output: LatticeOutput): string =>
  JSON.stringify({ ...output, nodes: [], meanRt: 0, sdRt: 0, coherenceScore: 0 })

/**
 * Judges a lattice by its modulation: mean and spread of R/S − 1 over the nodes, every R by a sine at 50 digits,
 * phases and ticks from nanoseconds by integers, equal values, and the error that the operators measured of theirs.
 */
export const checkLattice = (input: LatticeInput, output: LatticeOutput, found: Computation): Reality => {
  const amplitude = statedAmplitude(input)
  const [at, from, born] = [input.tick ?? 0, input.phaseNs ?? 0, input.genesis ?? 0]
  const S = found.value
  const sines = output.nodes.map((_, i) => {
    const { num, den } = placeOf(from, i, input.nodeCount)
    return preciseSine(num, den)
  })
  const off = output.nodes.map(({ R_t }, i) => {
    const wanted = new Precise(S).times((sines[i] ?? new Precise(0)).times(amplitude).plus(1))
    return Math.abs(wanted.minus(R_t).div(S).toNumber()) / amplitude
  })
  const ns = BigInt(from) * BigInt(input.nodeCount)
  const placed = output.nodes.every(({ node, tick, phase, value, operator }, i) => {
    const moved = ns + BigInt(i) * TICK_NS
    const whole = TICK_NS * BigInt(input.nodeCount)
    const over = moved >= whole ? 1 : 0
    const told = phase === Number(moved - BigInt(over) * whole) / Number(whole)
    return node === i && tick === at + over && told && value === S && operator === found.output.operator
  })
  const ratios = output.nodes.map(({ R_t }) => (R_t / S - 1) / amplitude)
  const first = sines[0]?.toNumber() ?? Number.NaN
  const { mean, sd } = statisticsOf(output.nodes.map(({ R_t }) => R_t))
  const near = (a: number, b: number): boolean => Math.abs(a - b) <= 1e-14 * Math.abs(S)
  const whole =
    output.nodes.length === input.nodeCount &&
    placed &&
    near(output.meanRt, mean) &&
    near(output.sdRt, sd) &&
    Math.abs(output.coherenceScore - scoreOf(input.nodeCount, amplitude, first)) <= 1e-14 &&
    output.sharedTick === born + at &&
    tellsMoment(output, { genesis: born, tick: at, phaseNs: from }) &&
    bare(output) === bare(latticeOf(input, found))
  const modulationPct = 100 * Math.max(spreadOff(ratios, first), ...off)
  const errorPct = whole ? modulationPct : Number.NaN
  const measured = found.precisionActual
  return {
    against: AGAINST,
    errorPct: Number.isNaN(errorPct) || Number.isNaN(measured) ? Number.NaN : Math.max(errorPct, measured),
    figures: { modulationPct, operatorPct: measured },
  }
}

/** Points of the modulation's curve. */
const CURVE_POINTS = 201

/** The nodes on the pulse. */
export const latticePlots = (input: LatticeInput, { nodes, specValue, specUnit }: LatticeOutput): readonly Plot[] => {
  const x = Float64Array.from({ length: CURVE_POINTS }, (_, i) => i / (CURVE_POINTS - 1))
  const pulse = x.map((phase) => modulated(specValue, phase, amplitudeOf(input)))
  const places = nodes.map(({ phase }) => phase)
  const seen = nodes.map(({ R_t }) => R_t)
  return [
    {
      kind: 'curves',
      title: 'Nodes on the pulse',
      x: { name: 'phase', unit: '1' },
      y: { name: 'R', unit: specUnit },
      curves: [
        { name: 'pulse', x, y: pulse, style: 'dashes' },
        { name: 'nodes', x: places, y: seen, style: 'points' },
      ],
    },
  ]
}
