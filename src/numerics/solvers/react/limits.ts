import { Fault } from '#core/fault.ts'
import { restOf, rOf, spotOf } from './problem.ts'
import { DT_MIN, type ReactInput } from './schema.ts'

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
 * How far from rest the start is where something can react: v of Gray–Scott, either field of FitzHugh–Nagumo. Of a
 * formula by the formula; of own values no more of them are read than it takes to see that they are not at rest.
 */
const departure = (input: ReactInput): number => {
  const { model, n, initial } = input
  const [rest, spot] = [restOf(input), spotOf(input)]
  const gray = model === 'gray-scott'
  if (initial.kind !== 'values') {
    const size = Math.floor(initial.size * n) > 0 ? Math.abs(gray ? spot.v - rest.v : spot.u - rest.u) : 0
    return Math.max(size, initial.kind === 'noise' ? initial.noise : 0)
  }
  let most = 0
  for (const name of gray ? (['v'] as const) : (['u', 'v'] as const)) {
    for (const value of initial[name] ?? []) {
      most = Math.max(most, Math.abs(value - rest[name]))
      if (most > SIGNAL_MIN) return most
    }
  }
  return most
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
    const share = (R_MAX * (1 - 1e-12)) / r
    const dt = input.dt * share
    const most = Math.max(input.Du, input.Dv) * share
    // Where no step is short enough, what diffuses is to do so more slowly.
    const passing = dt >= DT_MIN ? { dt } : { Du: Math.min(input.Du, most), Dv: Math.min(input.Dv, most) }
    const rule = `D·dt/dx² is ${r}; it must be <= ${R_MAX}, that is dt <= ${dt} s.`
    throw new Fault('UNSTABLE_STEP', rule, { measured: r, limit: R_MAX, ...passing })
  }
  const measured = departure(input)
  if (measured <= SIGNAL_MIN) {
    const why = 'The start is the state of rest: nothing reacts, and there is nothing to measure an error against.'
    throw new Fault('ILL_POSED', why, { measured, limit: SIGNAL_MIN })
  }
}
