import { TICK_NS } from '#core/tick.ts'
import { PRECISE_PI, preciseSine, statedAmplitude, tellsMoment } from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { Precise } from '#numerics/operators/decimal.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { frameOf } from '#numerics/solvers/shift/problem.ts'
import type { ShiftInput, ShiftOutput } from '#numerics/solvers/shift/schema.ts'

/** Points of a tick on which the reparametrised time is seen to rise. */
const RISING_POINTS = 64

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
    const exact = since / TICK_NS === BigInt(tick) && Number(since % TICK_NS) / Number(TICK_NS) === phase
    const ahead = BigInt(tick - base) * TICK_NS
    const late = Math.abs(Number(ahead) / 1e9 - delta) <= 1e-14 * delta
    return step === i + 1 && tick === base + step && since % TICK_NS === BigInt(from) && exact && late
  })
}

const bare = (output: ShiftOutput): string => JSON.stringify({ ...output, projection: [], summary: null, projected: 0 })

const AGAINST = 'the sine, or the turned time, at 50 digits and exact integer phases, in units of the amplitude'

/** Checks a projection: places by integers, R by a sine at 50 digits over α·S, s(t + τ) − s(t) − τ from the formula. */
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
    bare(output) === JSON.stringify(frameOf(input, found))
  const gaugePct = mode === 'gauge' ? 100 * gaugeOff(input, output.projection) : 0
  const modulationPct = 100 * Math.max(...offs)
  const measured = found.precisionActual
  const all = [gaugePct, modulationPct, measured]
  const errorPct = !whole || all.some(Number.isNaN) ? Number.NaN : Math.max(...all)
  return { against: AGAINST, errorPct, figures: { modulationPct, gaugePct, operatorPct: measured } }
}
