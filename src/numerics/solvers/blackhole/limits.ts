import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { fateOf, type Particle, particleOf, radialSlope, radialSquare, turnsOf } from './problem.ts'
import { type BlackholeInput, END_MIN } from './schema.ts'

/**
 * Least height of the barrier above or below the particle's energy, on the scale of its terms: between, it whirls for
 * ever.
 */
const WHIRL_MIN = 1e-6
/** Least share by which nearest and farthest place differ: a circle has no nearest place. */
const ECCENTRICITY_MIN = 1e-6
/** Start over end of the longest infall: beyond, no double of the proper time tells its last part. */
const RATIO_MAX = 1e7
/** Least angular momentum that is one, in GM/c. */
const MOMENTUM_MIN = 1e-6
/** Least share of the way that an infall covers. */
const WAY_MIN = 1e-9
/** By how much a number that would pass is beyond the one that would just do: there the particle stands still. */
const SAFE = 1.01

/** An angular momentum as the input states it: by the orbit's own, or by the rate of a given state. */
const momentumAs = (
  { state }: BlackholeInput,
  momentum: number,
): { readonly l: number } | { readonly phiRate: number } =>
  state === undefined ? { l: momentum } : { phiRate: momentum / (state.r * state.r) }

const refuseStart = (input: BlackholeInput): void => {
  const { r0, orbit, state } = input
  if (state !== undefined || orbit.energy === undefined || input.mode !== 'orbit') return
  const it = particleOf(input)
  const square = radialSquare(it, 1 / it.r)
  if (square >= 0) return
  const least = sqrt(1 + it.binding - square)
  throw new Fault('ILL_POSED', `A particle of that angular momentum needs an energy of ${least} at ${r0} r_s.`, {
    measured: orbit.energy,
    limit: least,
    energy: SAFE * least,
  })
}

const refuseEnd = ({ end }: BlackholeInput, it: Particle): void => {
  const ratio = it.r / (2 * end)
  if (ratio > RATIO_MAX) {
    throw new Fault('OUT_OF_RANGE', `The infall goes over a ratio of ${ratio} of radii; ${RATIO_MAX} is allowed.`, {
      measured: ratio,
      limit: RATIO_MAX,
      end: (1.000001 * it.r) / (2 * RATIO_MAX),
    })
  }
  const way = 1 - (2 * end) / it.r
  if (way >= WAY_MIN) return
  throw new Fault('ILL_POSED', `The infall ends at ${end} r_s but starts at ${it.r / 2}.`, {
    measured: end,
    limit: it.r / 2,
    // Only a given state is so far inside that no end of the schema is below it.
    ...(it.r >= 4 * END_MIN ? { end: it.r / 4 } : { r: 8 * end }),
  })
}

const refuseOrbit = (input: BlackholeInput, it: Particle): void => {
  const { barrier, near, far } = turnsOf(it)
  const square = it.momentum * it.momentum
  const size = Math.abs(it.binding) + square / 36
  if (barrier !== undefined && Math.abs(barrier) < WHIRL_MIN * size && 1 / it.r < 1 / 3) {
    throw new Fault('ILL_POSED', 'The energy is that of the top of the barrier: the particle whirls for ever.', {
      measured: Math.abs(barrier) / size,
      limit: WHIRL_MIN,
      ...momentumAs(input, 0.99 * it.momentum),
    })
  }
  const here = 1 / it.r
  // The slope of g where the particle turns, on the scale of the pull: a circle, stable or not, has none.
  const bend = Math.abs(radialSlope(it, here)) / 2
  if (it.rRate === 0 && bend < ECCENTRICITY_MIN) {
    throw new Fault('ILL_POSED', 'The orbit is a circle: it has no nearest place.', {
      measured: bend,
      limit: ECCENTRICITY_MIN,
      ...momentumAs(input, 0.99 * it.momentum),
    })
  }
  const fate = fateOf(it)
  if (fate === 'escapes') {
    throw new Fault('ILL_POSED', `The particle escapes: its energy is ${sqrt(1 + it.binding)} and it moves outwards.`, {
      measured: sqrt(1 + it.binding),
      limit: 1,
      // The same rate inwards falls in or is scattered; at rest, no angular momentum up to 4 is thrown out.
      ...(it.rRate > 0
        ? { rRate: -it.rRate }
        : momentumAs(input, Math.sign(it.momentum) * Math.min(4, Math.abs(it.momentum)))),
    })
  }
  const apart = near === undefined || far === undefined ? 1 : near / far - 1
  if (fate === 'bound' && apart < ECCENTRICITY_MIN) {
    throw new Fault('ILL_POSED', 'The orbit is a circle: it has no nearest place.', {
      measured: apart,
      limit: ECCENTRICITY_MIN,
      ...momentumAs(input, 1.01 * it.momentum),
    })
  }
  if (fate === 'captured') refuseEnd(input, it)
}

/** Mass below which the black hole is smaller than its own wavelength: nothing classical is left. */
const PLANCK_MASS = constantOf('m_Planck').value

const refuseMass = ({ M }: BlackholeInput): void => {
  if (M >= PLANCK_MASS) return
  throw new Fault('OUT_OF_RANGE', `The mass is ${M} kg, below Planck’s: no black hole of this theory.`, {
    measured: M,
    limit: PLANCK_MASS,
    M: PLANCK_MASS,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault ILL_POSED: an infall that ends above its start, a particle that escapes, whirls on the barrier,
 * circles, cannot be at its radius, or stands inside the horizon; each with what would pass. OUT_OF_RANGE: a mass below
 * Planck's, an infall over more than 1e7 in radius, an angular momentum that is all but none.
 * INVALID_INPUT: a state with angular momentum in mode radial.
 */
export const refuseBlackhole = (input: BlackholeInput): void => {
  refuseMass(input)
  if (input.mode === 'hawking') return
  refuseStart(input)
  const it = particleOf(input)
  if (input.mode === 'radial' && it.momentum !== 0) {
    throw new Fault('INVALID_INPUT', '/state/phiRate: a radial fall has none.', { path: '/state/phiRate' })
  }
  // E² is the square of the rate and what the place adds to it.
  const inwards = -SAFE * Math.max(Math.abs(it.rRate), sqrt(Math.max(0, it.rRate * it.rRate - (1 + it.binding))))
  if (!(1 + it.binding > 0)) {
    throw new Fault('ILL_POSED', `E² is ${1 + it.binding}: no particle that came from outside moves so.`, {
      measured: 1 + it.binding,
      limit: 0,
      rRate: inwards,
    })
  }
  if (it.r <= 2 && !(it.rRate < 0)) {
    throw new Fault('ILL_POSED', 'Inside the horizon all moves inwards.', {
      measured: it.rRate,
      limit: 0,
      rRate: inwards,
    })
  }
  if (it.momentum !== 0 && Math.abs(it.momentum) < MOMENTUM_MIN) {
    throw new Fault('OUT_OF_RANGE', `The angular momentum is ${it.momentum} GM/c: at least ${MOMENTUM_MIN}, or 0.`, {
      measured: it.momentum,
      limit: MOMENTUM_MIN,
      ...momentumAs(input, 0),
    })
  }
  refuseOrbit(input, it)
}
