import Type, { type Static } from 'typebox'
import { closed, count, finite, integer, orNull } from '#core/schema.ts'
import { amplitudeMembers, momentSchema, specSchema, tickSchema } from '#numerics/methods/spec.ts'
import { within } from '#numerics/runtime/within.ts'

export const STEPS_MAX = 64

/** Everything that states a projection, with its default. */
export const shiftInput = closed({
  stepCount: integer({ ...within(1, STEPS_MAX, 8), description: 'Ticks ahead: one row for each.' }),
  baseTick: tickSchema,
  ...momentSchema('baseTick'),
  spec: specSchema,
  ...amplitudeMembers(
    ['automatic', 'manual', 'gauge'],
    'KO42: automatic has the amplitude 0.001, manual that of beta; gauge turns time instead of the value.',
  ),
  phi0: finite({ ...within(0, 1, 0), description: 'Start of the gauge, as a fraction of a turn.' }),
})

/** The answer: the value at each tick ahead. */
export const shiftOutput = closed({
  protocol: Type.String({ description: 'Name and version of this form.' }),
  domain: Type.String({ description: 'Domain of the first operator.' }),
  baseTick: count({ description: 'Tick that the steps are counted from.' }),
  stepCount: integer({ description: 'Steps.' }),
  summary: closed({
    minRt: finite({ description: 'Least R.' }),
    maxRt: finite({ description: 'Largest R.' }),
    meanRt: finite({ description: 'Mean of R.' }),
  }),
  projection: Type.Array(
    closed({
      step: count({ description: 'Its number, from 1.' }),
      delta: finite({ description: 'Seconds ahead of the base.', 'x-unit': 's' }),
      tick: count({ description: 'Tick of the step.' }),
      instant: Type.String({ description: 'Its moment in Unix nanoseconds.' }),
      phase: finite({ description: 'How far into the tick, in [0, 1).' }),
      R_t: finite({ description: 'The value modulated at that phase; the value itself in the gauge mode.' }),
      s: orNull(finite(), { description: 'Gauge mode: the reparametrised time in seconds from the base tick.' }),
      operator: Type.String({ description: 'The operator whose output the value is.' }),
    }),
  ),
  specValue: finite({ description: 'What the spec computes, S.' }),
  specUnit: Type.String({ description: 'Its unit.' }),
  projected: finite({ description: 'R of the last step, the same at every step: the value.' }),
  callsConsumed: integer({ description: 'Calls that this one counts as.' }),
  pulseHz: finite({ description: 'Frequency of the pulse.', 'x-unit': 'Hz' }),
  tickSec: finite({ description: 'Period of the tick.', 'x-unit': 's' }),
  computedAt: Type.String({ description: 'The moment of the base in Unix nanoseconds.' }),
  equation: Type.String({ description: 'What is projected.' }),
})

export type ShiftInput = Static<typeof shiftInput>

export type ShiftOutput = Static<typeof shiftOutput>
