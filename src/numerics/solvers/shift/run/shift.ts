import { TICK_NS, TICK_SECONDS } from '#core/tick.ts'
import { amplitudeOf, instantText } from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import { gaugeSeconds, modulated } from '#numerics/runtime/modulation.ts'
import { frameOf } from '#numerics/solvers/shift/problem.ts'
import type { ShiftInput, ShiftOutput } from '#numerics/solvers/shift/schema.ts'

const summaryOf = (values: readonly number[]): ShiftOutput['summary'] => ({
  minRt: Math.min(...values),
  maxRt: Math.max(...values),
  meanRt: values.reduce((sum, it) => sum + it, 0) / values.length,
})

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
  const summary = summaryOf(projection.map(({ R_t }) => R_t))
  return { ...frameOf(input, found), summary, projection, projected: R }
}
