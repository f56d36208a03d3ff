import { Fault } from '#core/fault.ts'
import { rOf } from './report.ts'
import type { ReactInput } from './schema.ts'
import { restOf, startOf } from './start.ts'

/** Largest D·dt/dx²: half of what the method's stability leaves on a lattice of two dimensions. */
const R_MAX = 0.25
/** Deviation from rest below which nothing happens. */
export const SIGNAL_MIN = 1e-12

const refuseValues = ({ initial, n }: ReactInput): void => {
  for (const name of ['u', 'v'] as const) {
    const given = initial[name]
    const path = `/initial/${name}`
    if (initial.kind !== 'values') {
      if (given !== undefined) throw new Fault('INVALID_INPUT', `${path}: needs kind values.`, { path })
      continue
    }
    if (given?.length === n * n) continue
    const length = given?.length ?? 0
    const why = `${path}: has ${length} numbers; the lattice has ${n} × ${n} = ${n * n} nodes.`
    throw new Fault('INVALID_INPUT', why, { path, measured: length, limit: n * n })
  }
}

/**
 * Every refusal before work.
 *
 * @throws Fault INVALID_INPUT (values), UNSTABLE_STEP (D·dt/dx² above 0.25, with the dt that passes) and ILL_POSED (the
 * start is the state of rest).
 */
export const refuseReact = (input: ReactInput): void => {
  refuseValues(input)
  const r = rOf(input)
  if (r > R_MAX) {
    // A little below the limit, so that rounding cannot put it above again.
    const dt = (input.dt * R_MAX * (1 - 1e-12)) / r
    const rule = `D·dt/dx² is ${r}; it must be <= ${R_MAX}, that is dt <= ${dt} s.`
    throw new Fault('UNSTABLE_STEP', rule, { measured: r, limit: R_MAX, dt })
  }
  const rest = restOf(input)
  const { u, v } = startOf(input)
  const away = (values: Float64Array, still: number): number =>
    values.reduce((most, value) => Math.max(most, Math.abs(value - still)), 0)
  const measured = input.model === 'gray-scott' ? away(v, rest.v) : Math.max(away(u, rest.u), away(v, rest.v))
  if (measured <= SIGNAL_MIN) {
    const why = 'The start is the state of rest: nothing reacts, and there is nothing to measure an error against.'
    throw new Fault('ILL_POSED', why, { measured, limit: SIGNAL_MIN })
  }
}
