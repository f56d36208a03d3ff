import { Fault } from '#core/fault.ts'
import { cbrt, sqrt } from '#numerics/math.ts'
import { eachPair } from './pairs.ts'
import { boxOf, latticeCells, PAIRS_MAX, pairsExpected } from './problem.ts'
import { ATOMS_MAX, CUTOFF_MIN, type EvolveInput } from './schema.ts'

/** Largest step: beyond it the drift is out of bounds for every dense system. */
const STEP_MAX = 0.01
/** Least distance of two atoms at time 0: closer, their repulsion is above 250 ε. */
const DISTANCE_MIN = 0.7
/** Largest place and speed of a given state. */
const PLACE_MAX = 1e6
const SPEED_MAX = 1e4

const refuseBox = (input: EvolveInput): void => {
  const box = boxOf(input)
  const { n, density, cutoff } = input
  const fits = (atoms: number): boolean => atoms <= ATOMS_MAX && boxOf({ ...input, n: atoms }) >= 2 * cutoff
  if (box < 2 * cutoff) {
    const needed = Math.ceil(8 * density * cutoff * cutoff * cutoff)
    // Rounding may have it one atom higher.
    const atoms = [needed, needed + 1].find(fits)
    throw new Fault('ILL_POSED', `The box is ${box} wide; it must be at least two cutoffs, ${2 * cutoff}.`, {
      measured: box,
      limit: 2 * cutoff,
      ...(atoms !== undefined && { n: atoms }),
      ...(box / 2 >= CUTOFF_MIN && { cutoff: box / 2 }),
    })
  }
  const pairs = pairsExpected(input)
  if (pairs > PAIRS_MAX) {
    const fewer = Math.floor((n * PAIRS_MAX) / pairs)
    // Pairs grow as the cube of what the list reaches.
    const reach = (cutoff + input.skin) * cbrt(PAIRS_MAX / pairs) * (1 - 1e-9)
    throw new Fault('WORK_LIMIT_EXCEEDED', `The neighbour list would have ${pairs} pairs for ${n} atoms.`, {
      measured: pairs,
      limit: PAIRS_MAX,
      ...(fits(fewer)
        ? { n: fewer }
        : { cutoff: reach / (1 + input.skin / cutoff), skin: reach / (1 + cutoff / input.skin) }),
    })
  }
}

const refuseLattice = (input: EvolveInput): void => {
  const distance = boxOf(input) / latticeCells(input.n) / sqrt(2)
  if (distance >= DISTANCE_MIN) return
  const share = distance / DISTANCE_MIN
  throw new Fault('ILL_POSED', `Neighbours on the lattice are ${distance} apart; they overlap below ${DISTANCE_MIN}.`, {
    measured: distance,
    limit: DISTANCE_MIN,
    density: input.density * share * share * share,
  })
}

interface Limits {
  readonly count: number
  readonly limit: number
}

const refuseNumbers = (path: string, values: ArrayLike<number>, { count, limit }: Limits): void => {
  if (values.length !== count) {
    throw new Fault('INVALID_INPUT', `${path}: has ${values.length} numbers; 3·n are ${count}.`, {
      path,
      measured: values.length,
      limit: count,
    })
  }
  for (let k = 0; k < values.length; k++) {
    const size = Math.abs(values[k] as number)
    if (size > limit) {
      throw new Fault('OUT_OF_RANGE', `${path}: number ${k} is beyond ${limit}.`, { path, measured: size, limit })
    }
  }
}

const refuseState = (input: EvolveInput, { positions, velocities }: NonNullable<EvolveInput['initial']>): void => {
  const count = 3 * input.n
  refuseNumbers('/initial/positions', positions, { count, limit: PLACE_MAX })
  refuseNumbers('/initial/velocities', velocities, { count, limit: SPEED_MAX })
  const places = Float64Array.from(positions)
  let closest = DISTANCE_MIN * DISTANCE_MIN
  eachPair({ places, box: boxOf(input), reach: DISTANCE_MIN }, (_i, _j, r2) => {
    closest = Math.min(closest, r2)
  })
  if (closest < DISTANCE_MIN * DISTANCE_MIN) {
    throw new Fault('ILL_POSED', `Two atoms are ${sqrt(closest)} apart; they overlap below ${DISTANCE_MIN}.`, {
      measured: sqrt(closest),
      limit: DISTANCE_MIN,
    })
  }
  let relative = 0
  for (let k = 3; k < count; k++) {
    relative = Math.max(relative, Math.abs((velocities[k] as number) - (velocities[k - 3] as number)))
  }
  if (relative > 0) return
  throw new Fault('ILL_POSED', 'All atoms have one velocity: there is no kinetic energy to measure a drift by.', {
    measured: 0,
    limit: Number.MIN_VALUE,
  })
}

/**
 * Every refusal before work.
 *
 * @throws Fault UNSTABLE_STEP (with the dt that passes), ILL_POSED (box, overlap, no motion), WORK_LIMIT_EXCEEDED
 * (pairs), INVALID_INPUT and OUT_OF_RANGE (a given state).
 */
export const refuseEvolve = (input: EvolveInput): void => {
  const { dt, initial } = input
  if (dt > STEP_MAX) {
    throw new Fault('UNSTABLE_STEP', `dt is ${dt}; it must be at most ${STEP_MAX}.`, {
      measured: dt,
      limit: STEP_MAX,
      dt: STEP_MAX,
    })
  }
  refuseBox(input)
  if (initial === undefined) refuseLattice(input)
  else refuseState(input, initial)
}
