import Type, { type Static } from 'typebox'
import { closed, count, finite, integer, oneOf, series } from '#core/schema.ts'
import { within } from '#numerics/runtime/within.ts'
import { CASES } from './ieee.ts'

export const BUSES_MAX = 2_000
const LINES_MAX = 4_000
/** Lines of the largest grid whose outages are worked through: their flows are a square table. */
export const OUTAGE_LINES_MAX = 1_000

const NAMES = [...CASES, 'own'] as const

const megawatts = (description: string) => finite({ ...within(-1e6, 1e6, 0), description, 'x-unit': 'MW' })

/** A grid, built in or own; `{}` is the documented case. */
export const gridInput = closed({
  case: oneOf(NAMES, { default: 'ieee14', description: 'IEEE test case, or own: buses and lines.' }),
  contingencies: Type.Boolean({ default: false, description: 'Whether each line in turn is taken out (N − 1).' }),
  scale: finite({ ...within(1e-3, 1e3, 1), description: 'Factor on every load and generation.' }),
  baseMva: finite({
    ...within(1e-3, 1e6, 100),
    description: 'Power of one per unit; the IEEE cases have 100.',
    'x-unit': 'MVA',
  }),
  buses: Type.Optional(
    Type.Array(
      closed({
        load: megawatts('Active load.'),
        generation: megawatts('Active generation; not read at a slack bus.'),
        slack: Type.Boolean({
          default: false,
          description: 'Whether this bus balances its island; each island has one.',
        }),
      }),
      { minItems: 2, maxItems: BUSES_MAX, description: 'Of an own grid; numbered from 1.' },
    ),
  ),
  lines: Type.Optional(
    Type.Array(
      closed({
        from: integer({ minimum: 1, maximum: BUSES_MAX, description: 'Bus at one end.' }),
        to: integer({ minimum: 1, maximum: BUSES_MAX, description: 'Bus at the other end.' }),
        x: finite({ minimum: -1e3, maximum: 1e3, description: 'Series reactance, per unit; below zero: capacitors.' }),
        tap: finite({ ...within(0.1, 10, 1), description: 'Ratio of a transformer, at `from`.' }),
        shift: finite({
          ...within(-180, 180, 0),
          description: 'Phase shift of a transformer, at `from`.',
          'x-unit': 'deg',
        }),
      }),
      { minItems: 1, maxItems: LINES_MAX, description: 'Of an own grid; numbered from 1, parallel ones allowed.' },
    ),
  ),
})

const power = (description: string) => finite({ description, 'x-unit': 'MW' })

/** The answer: what flows, and what would flow without each line. */
export const gridOutput = closed({
  case: oneOf(NAMES, { description: 'The grid.' }),
  buses: count({ description: 'Buses.' }),
  lines: count({ description: 'Lines.' }),
  islands: count({ description: 'Parts that no line joins.' }),
  loops: count({ description: 'Independent loops.' }),
  load: power('Sum of the loads.'),
  slackInjection: power('Sum of what the slack buses put in, less their loads.'),
  largestFlow: power('Largest flow over a line, without its sign: the sealed value.'),
  largestLine: count({ description: 'Number of that line.' }),
  flows: series({ unit: 'MW', shape: ['lineCount'], axes: ['line'], description: 'Flow from `from` to `to`.' }),
  angles: series({ unit: 'deg', shape: ['busCount'], axes: ['bus'], description: 'Voltage angle; 0 at slack buses.' }),
  injections: series({
    unit: 'MW',
    shape: ['busCount'],
    axes: ['bus'],
    description: 'Generation less load, that of slack buses as it came out.',
  }),
  ends: series({
    unit: '1',
    shape: ['lineCount', 2],
    type: 'i32',
    description: 'Buses `from` and `to` of each line.',
  }),
  bridges: series({
    unit: '1',
    shape: ['bridgeCount'],
    type: 'i32',
    axes: ['bridge'],
    description: 'Numbers of the lines whose outage cuts an island in two; only with contingencies.',
  }),
  worstLines: series({
    unit: '1',
    shape: ['outageCount'],
    type: 'i32',
    axes: ['line'],
    description: 'Line with the largest flow when this one is out; 0 for bridges; empty without contingencies.',
  }),
  worstFlows: series({
    unit: 'MW',
    shape: ['outageCount'],
    axes: ['line'],
    description: 'That flow; 0 for bridges; empty without contingencies.',
  }),
})

/** A full input of the solver. */
export type GridInput = Static<typeof gridInput>
/** What it answers. */
export type GridOutput = Static<typeof gridOutput>

/** What the check works with beside the answer. */
export interface GridEvidence {
  /** Flows while line k is out, row k: lines × lines, or nothing. */
  readonly outageFlows: Float64Array
}
