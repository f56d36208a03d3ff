import Type, { type Static } from 'typebox'
import { closed, count, finite, integer, orNull } from '#core/schema.ts'
import { TICK_NS } from '#core/tick.ts'
import {
  amplitudeMembers,
  amplitudeOf,
  CLOCK,
  instantText,
  momentSchema,
  PRECISE_PI,
  preciseSine,
  specSchema,
  statedAmplitude,
  tellsMoment,
  tickSchema,
} from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import type { Plot } from '#numerics/plot/plot.ts'
import { gaugeSeconds, modulated, TICK_SECONDS } from '#numerics/runtime/modulation.ts'
import type { Reality } from '#numerics/runtime/solver.ts'

export const STEPS_MAX = 64
const PROTOCOL = 'tickmesh/shift/1'
/** Points of a tick on which the reparametrised time is seen to rise. */
const RISING_POINTS = 64

/** Everything that states a projection, with its default. */
export const shiftInput = closed({
  stepCount: integer({ minimum: 1, maximum: STEPS_MAX, default: 8, description: 'Ticks ahead: one row for each.' }),
  baseTick: tickSchema,
  ...momentSchema('baseTick'),
  spec: specSchema,
  ...amplitudeMembers(
    ['automatic', 'manual', 'gauge'],
    'KO42: automatic has the amplitude 0.001, manual that of beta; gauge turns time instead of the value.',
  ),
  phi0: finite({ minimum: 0, maximum: 1, default: 0, description: 'Start of the gauge, as a fraction of a turn.' }),
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

const summaryOf = (values: readonly number[]): ShiftOutput['summary'] => ({
  minRt: Math.min(...values),
  maxRt: Math.max(...values),
  meanRt: values.reduce((sum, it) => sum + it, 0) / values.length,
})

const equationOf = ({ mode }: ShiftInput, { chain }: Computation): string => {
  const S = `S: ${chain.map(({ equation }) => equation).join('; ')}`
  return mode === 'gauge'
    ? `s(t) = t − (ατ/2π)·(cos(2πt/τ + φ0) − cos φ0); ${S}`
    : `R(t) = S·(1 + a·sin 2πt/τ), t = t0 + k·τ; ${S}`
}

/** What the ticks ahead show. Frequency times period is 1, so the phase of every step is that of the base. */
export const shiftOf = (input: ShiftInput, found: Computation): ShiftOutput => {
  const { mode, stepCount, phi0 } = input
  const [base, from, born] = [input.baseTick ?? 0, input.phaseNs ?? 0, input.genesis ?? 0]
  const phase = from / Number(TICK_NS)
  const gauge = mode === 'gauge'
  const R = gauge ? found.value : modulated(found.value, phase, amplitudeOf(input))
  const turned = gauge ? gaugeSeconds(phase, phi0) : 0
  const projection = Array.from({ length: stepCount }, (_, i) => ({
    step: i + 1,
    delta: (i + 1) * TICK_SECONDS,
    tick: base + i + 1,
    instant: instantText(born, base + i + 1, from),
    phase,
    R_t: R,
    s: gauge ? (i + 1) * TICK_SECONDS + turned : null,
    operator: found.output.operator,
  }))
  return {
    protocol: PROTOCOL,
    domain: found.domain,
    baseTick: base,
    stepCount,
    summary: summaryOf(projection.map(({ R_t }) => R_t)),
    projection,
    specValue: found.value,
    specUnit: found.unit,
    projected: R,
    callsConsumed: 1,
    ...CLOCK,
    computedAt: instantText(born, base, from),
    equation: equationOf(input, found),
  }
}

const TICK = new Precise('0.777000777')
const TURN = PRECISE_PI.times(2)
/** α as KO42 states it. */
const GAUGE = '0.001'

type Exact = InstanceType<typeof Precise>

/** s(t) at 50 digits for t in turns of the pulse, nothing taken off: cos sees every turn. */
const gaugeAt = (turns: Exact, phi0: Exact): Exact => {
  const start = phi0.times(TURN)
  const swing = turns.times(TURN).plus(start).cos().minus(start.cos())
  return turns.times(TICK).minus(TICK.times(GAUGE).div(TURN).times(swing))
}

/** Errors of the reparametrised times, in units of its amplitude; NaN when time does not rise. */
const gaugeOff = (input: ShiftInput, rows: ShiftOutput['projection']): number => {
  const phase = new Precise(input.phaseNs ?? 0).div(TICK_NS.toString())
  const phi0 = new Precise(input.phi0)
  const amplitude = TICK.times(GAUGE).div(TURN)
  const scaled = (deviation: Exact): number => deviation.div(amplitude).abs().toNumber()
  const within = Array.from({ length: RISING_POINTS + 1 }, (_, i) => gaugeAt(new Precise(i).div(RISING_POINTS), phi0))
  if (!within.every((it, i) => i === 0 || it.gt(within[i - 1] ?? it))) return Number.NaN
  let largest = scaled(gaugeAt(phase.plus(1), phi0).minus(gaugeAt(phase, phi0)).minus(TICK))
  rows.forEach(({ s }, i) => {
    const here = s ?? Number.NaN
    largest = Math.max(largest, scaled(gaugeAt(phase.plus(i + 1), phi0).minus(here)))
    const before = rows[i - 1]?.s
    if (before === undefined || before === null) return
    largest = here > before ? Math.max(largest, scaled(new Precise(here).minus(before).minus(TICK))) : Number.NaN
  })
  return largest
}

/** Whether each row stands where integers put it: floor division of its nanoseconds gives its tick and its phase. */
const placed = (input: ShiftInput, { projection }: ShiftOutput): boolean => {
  const [base, from, born] = [input.baseTick ?? 0, input.phaseNs ?? 0, input.genesis ?? 0]
  const genesisNs = BigInt(born) * TICK_NS
  return projection.every(({ step, tick, phase, instant, delta }, i) => {
    if (!/^\d{1,40}$/.test(instant) || !Number.isSafeInteger(tick)) return false
    const since = BigInt(instant) - genesisNs
    const told = since / TICK_NS === BigInt(tick) && Number(since % TICK_NS) / Number(TICK_NS) === phase
    const ahead = BigInt(tick - base) * TICK_NS
    const late = Math.abs(Number(ahead) / 1e9 - delta) <= 1e-14 * delta
    return step === i + 1 && tick === base + step && since % TICK_NS === BigInt(from) && told && late
  })
}

const bare = (output: ShiftOutput): string => JSON.stringify({ ...output, projection: [], summary: null, projected: 0 })

const AGAINST = 'the sine, or the turned time, at 50 digits and exact integer phases, in units of the amplitude'

/** Judges a projection: places by integers, R by a sine at 50 digits over α·S, s(t + τ) − s(t) − τ from the formula. */
export const checkShift = (input: ShiftInput, output: ShiftOutput, found: Computation): Reality => {
  const { mode, stepCount } = input
  const amplitude = statedAmplitude(input)
  const S = found.value
  const sine = mode === 'gauge' ? new Precise(0) : preciseSine(BigInt(input.phaseNs ?? 0), TICK_NS)
  const R = new Precise(S).times(sine.times(amplitude).plus(1))
  const offs = [output.projected, ...output.projection.map(({ R_t }) => R_t)].map((it) =>
    R.minus(it).div(S).div(amplitude).abs().toNumber(),
  )
  const seen = output.projection.map(({ R_t }) => R_t)
  const { minRt, maxRt, meanRt } = output.summary
  const whole =
    output.projection.length === stepCount &&
    tellsMoment(output, { genesis: input.genesis ?? 0, tick: input.baseTick ?? 0, phaseNs: input.phaseNs ?? 0 }) &&
    placed(input, output) &&
    output.projection.every(
      ({ operator, s }) => operator === found.output.operator && (s === null) === (mode !== 'gauge'),
    ) &&
    minRt === Math.min(...seen) &&
    maxRt === Math.max(...seen) &&
    Math.abs(meanRt - seen.reduce((sum, it) => sum + it / stepCount, 0)) <= 1e-13 * Math.abs(S) &&
    bare(output) === bare(shiftOf(input, found))
  const gaugePct = mode === 'gauge' ? 100 * gaugeOff(input, output.projection) : 0
  const modulationPct = 100 * Math.max(...offs)
  const measured = found.precisionActual
  const all = [gaugePct, modulationPct, measured]
  const errorPct = !whole || all.some(Number.isNaN) ? Number.NaN : Math.max(...all)
  return { against: AGAINST, errorPct, figures: { modulationPct, gaugePct, operatorPct: measured } }
}

/** Ticks across which the pulse is drawn, and places in each. */
const TICKS_DRAWN_MAX = 12
const PLACES_PER_TICK = 48

/** Seconds below which a difference of times is rounding. */
const ROUNDING = 1e12

/**
 * The pulse over the ticks ahead, with the projected instants on it: they stand at one phase of each tick, so that
 * without the pulse they would be a row of equal numbers.
 */
export const shiftPlots = (input: ShiftInput, { projection, specValue, specUnit }: ShiftOutput): readonly Plot[] => {
  const drawn = projection.slice(0, TICKS_DRAWN_MAX)
  const from = drawn[0]?.tick ?? 0
  const turns = Float64Array.from(
    { length: drawn.length * PLACES_PER_TICK + 1 },
    (_, i) => (i % PLACES_PER_TICK) / PLACES_PER_TICK,
  )
  const along = turns.map((_, i) => from + i / PLACES_PER_TICK)
  const x = drawn.map(({ tick, phase }) => tick + phase)
  const gauge = input.mode === 'gauge'
  const amplitude = amplitudeOf(input)
  const pulse = turns.map((phase) =>
    gauge ? gaugeSeconds(phase, input.phi0) - phase * TICK_SECONDS : modulated(specValue, phase, amplitude),
  )
  const late = drawn.map(({ s, delta, phase }) => (s ?? 0) - delta - phase * TICK_SECONDS)
  const seen = gauge ? late.map((it) => Math.floor(it * ROUNDING + 0.5) / ROUNDING) : drawn.map(({ R_t }) => R_t)
  const name = gauge ? 's − t' : 'R'
  return [
    {
      kind: 'curves',
      title: gauge ? 'Turned time less plain time at the ticks ahead' : 'R at the ticks ahead, on the pulse',
      x: { name: 'tick', unit: '1' },
      y: { name, unit: gauge ? 's' : specUnit },
      curves: [
        { name: gauge ? 'gauge' : 'pulse', x: along, y: pulse, style: 'dashes' },
        { name: 'projected', x, y: seen, style: 'points' },
      ],
    },
  ]
}
