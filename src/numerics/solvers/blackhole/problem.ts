import { log, sqrt } from '#numerics/math.ts'
import { zeroBetween } from '#numerics/methods/ode/zero.ts'
import type { BlackholeInput } from './schema.ts'

// Lengths in GM/c², times in GM/c³: the horizon is at r = 2. With u = 1/r the radial equation is
// (dr/dτ)² = E² − (1 − 2u)(1 + L²u²) = g(u) = b + 2u − L²u² + 2L²u³, b = E² − 1.

/** Where a particle is and how it moves; b and L follow from its rates without a difference of near numbers. */
export interface Particle {
  readonly r: number
  readonly phi: number
  /** Advanced time: t + r + 2·ln(r/2 − 1) outside. */
  readonly v: number
  readonly rRate: number
  readonly phiRate: number
  /** E² − 1 and L. */
  readonly binding: number
  readonly momentum: number
}

/** The radius up to which the coordinate time is told: 1 + 1e-6 Schwarzschild radii. */
export const T_EDGE = 2 * (1 + 1e-6)

/** Tortoise coordinate r + 2·ln(r/2 − 1), outside the horizon. */
export const tortoise = (r: number): number => r + 2 * log(r / 2 - 1)

/** g(u) = (dr/dτ)². */
export const radialSquare = ({ binding, momentum }: Pick<Particle, 'binding' | 'momentum'>, u: number): number =>
  binding + 2 * u - momentum * momentum * u * u * (1 - 2 * u)

/** dg/du. */
export const radialSlope = ({ momentum }: Pick<Particle, 'momentum'>, u: number): number =>
  2 - 2 * momentum * momentum * u * (1 - 3 * u)

/** E² − 1 of rates at a radius. */
export const bindingOf = (r: number, rRate: number, momentum: number): number => {
  const u = 1 / r
  return rRate * rRate - 2 * u + momentum * momentum * u * u * (1 - 2 * u)
}

/** dv/dτ of a particle: the root of the norm that looks to the future, without a difference inwards. */
export const vRateOf = ({ r, rRate, momentum, binding }: Particle): number => {
  const u = 1 / r
  const energy = sqrt(1 + binding)
  return rRate <= 0 ? (1 + momentum * momentum * u * u) / (energy - rRate) : (energy + rRate) / (1 - 2 * u)
}

/** Whether the particle moves inwards, or will from where it turns. */
export const isInward = (it: Particle): boolean => it.rRate < 0 || (it.rRate === 0 && radialSlope(it, 1 / it.r) > 0)

/** The particle that an input starts with. */
export const particleOf = ({ mode, r0, orbit, state }: BlackholeInput): Particle => {
  if (state !== undefined) {
    const momentum = state.r * state.r * state.phiRate
    return { ...state, momentum, binding: bindingOf(state.r, state.rRate, momentum) }
  }
  const r = 2 * r0
  const momentum = mode === 'orbit' ? orbit.l : 0
  const energy = mode === 'orbit' ? orbit.energy : undefined
  const still = {
    r,
    phi: 0,
    v: tortoise(r),
    rRate: 0,
    phiRate: momentum / (r * r),
    momentum,
    binding: bindingOf(r, 0, momentum),
  }
  if (energy === undefined) return still
  const binding = (energy - 1) * (energy + 1)
  const square = radialSquare({ binding, momentum }, 1 / r)
  return { ...still, binding, rRate: -sqrt(Math.max(0, square)) }
}

/** The turning points of the radial motion: roots u_1 < u_2 < u_3 of g as far as they are there. */
export interface Turns {
  /** The farthest and the nearest place of a bound orbit; the latter alone is where a scattered one turns. */
  readonly far: number | undefined
  readonly near: number | undefined
  /** The third root: inside it everything falls. */
  readonly inner: number | undefined
  /** g at the top of the barrier, undefined without one: positive is over it. */
  readonly barrier: number | undefined
}

/** The roots of g, each between two extremes of it. A root that the particle stands on is given as that. */
export const turnsOf = (it: Particle): Turns => {
  const square = it.momentum * it.momentum
  if (square <= 12) return { far: undefined, near: undefined, inner: undefined, barrier: undefined }
  const root = sqrt(1 - 12 / square)
  // The lower extreme by the product of both, 1/(3L²): no difference of near numbers.
  const high = (1 + root) / 6
  const low = 1 / (3 * square * high)
  const g = (u: number): number => radialSquare(it, u)
  const barrier = g(high)
  const here = 1 / it.r
  const stands = it.rRate === 0
  if (barrier >= 0) {
    const far = it.binding < 0 && g(low) > 0 ? (stands && here <= low ? here : zeroBetween(g, 0, low)) : undefined
    return { far, near: undefined, inner: undefined, barrier }
  }
  if (g(low) <= 0) return { far: undefined, near: undefined, inner: undefined, barrier }
  if (stands && here < high) {
    // One root is known to the bit; the others by their sum and product (Vieta): u + u′ = 1/2 − u_1, u·u′ = 1/L² −
    // u_1·(…).
    const sum = 0.5 - here
    const product = 1 / square - here * sum
    const wide = sqrt(Math.max(0, sum * sum - 4 * product))
    const other = (2 * product) / (sum + wide)
    const inner = (sum + wide) / 2
    if (other <= 0) return { far: undefined, near: here, inner, barrier }
    return { far: Math.min(here, other), near: Math.max(here, other), inner, barrier }
  }
  const far = it.binding < 0 ? zeroBetween(g, 0, low) : undefined
  return { far, near: zeroBetween(g, low, high), inner: zeroBetween(g, high, 2), barrier }
}

export type Fate = 'captured' | 'bound' | 'scattered' | 'escapes'

/** What becomes of a particle, by where the turning points are. */
export const fateOf = (it: Particle): Fate => {
  const { near, inner, barrier } = turnsOf(it)
  const here = 1 / it.r
  const overBarrier = barrier === undefined || barrier >= 0 || near === undefined
  const inside = !overBarrier && inner !== undefined && here > (near + inner) / 2
  if (overBarrier || inside) return isInward(it) || it.binding < 0 || inside ? 'captured' : 'escapes'
  if (it.binding < 0) return 'bound'
  return isInward(it) ? 'scattered' : 'escapes'
}
