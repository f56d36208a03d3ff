import Type, { type Static } from 'typebox'
import { closed, count, finite, integer } from '#core/schema.ts'
import { amplitudeMembers, momentSchema, specSchema, tickSchema } from '#numerics/methods/spec.ts'
import { within } from '#numerics/runtime/within.ts'

export const NODES_MAX = 16

/** Everything that states a lattice, with its default. */
export const latticeInput = closed({
  nodeCount: integer({ ...within(1, NODES_MAX, 8), description: 'Nodes: offsets of i/nodeCount of a tick.' }),
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
