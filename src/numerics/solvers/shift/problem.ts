import { CLOCK, instantText } from '#numerics/methods/spec.ts'
import type { Computation } from '#numerics/operators/computation.ts'
import type { ShiftInput } from './schema.ts'

export const PROTOCOL = 'tickmesh/shift/1'

/** What each step evaluates, as text. */
export const equationOf = ({ mode }: ShiftInput, { chain }: Computation): string => {
  const S = `S: ${chain.map(({ equation }) => equation).join('; ')}`
  return mode === 'gauge'
    ? `s(t) = t − (ατ/2π)·(cos(2πt/τ + φ0) − cos φ0); ${S}`
    : `R(t) = S·(1 + a·sin 2πt/τ), t = t0 + k·τ; ${S}`
}

/** An answer with what is computed of the steps left out: no steps, no summary, and nothing projected. */
export const frameOf = (input: ShiftInput, found: Computation) => {
  const [base, from, born] = [input.baseTick ?? 0, input.phaseNs ?? 0, input.genesis ?? 0]
  return {
    protocol: PROTOCOL,
    domain: found.domain,
    baseTick: base,
    stepCount: input.stepCount,
    summary: null,
    projection: [],
    specValue: found.value,
    specUnit: found.unit,
    projected: 0,
    callsConsumed: 1,
    ...CLOCK,
    computedAt: instantText(born, base, from),
    equation: equationOf(input, found),
  }
}
