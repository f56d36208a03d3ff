import { Fault } from '#core/fault.ts'
import { asinh, sinh, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import { type JunctionInput, type JunctionProblem, junctionOf } from './junction-schema.ts'

const CHARGE = constantOf('e').value
const BOLTZMANN = constantOf('k_B').value
const EPSILON_0 = constantOf('epsilon_0').value

/** Dopings that are plausible per cubic metre; 1e14 to 1e19 per cubic centimetre are 1e20 to 1e25 of them. */
const DOPING_MIN = 1e19
const DOPING_MAX = 1e25
/** Least doping over intrinsic carriers: below it there is hardly a junction. */
const DOPING_RATIO_MIN = 10
/** Least distance of a contact from the depletion region, in Debye lengths of its side. */
const DEBYE_LENGTHS_MIN = 10
/**
 * Spacing at the junction times the intervals, in Debye lengths of the heavier doping: an even grid where that has it.
 */
const SPACING = 24
/** Grading beyond which the far cells are of no use any more. */
const GRADING_MAX = 12

/** The constants of a junction. Potentials in thermal volts, 0 where both carriers are intrinsic. */
export interface Scales {
  /** Thermal voltage kT/q. */
  readonly thermal: number
  /** Permittivity, F/m. */
  readonly epsilon: number
  readonly charge: number
  /** Potentials of the neutral sides, in thermal volts. */
  readonly p: number
  readonly n: number
  /** Debye lengths √(εVt/qN) of the sides, m. */
  readonly debyeP: number
  readonly debyeN: number
}

/** Scales of a junction. */
export const scalesOf = ({ acceptors, donors, intrinsic, permittivity, temperature }: JunctionProblem): Scales => {
  const thermal = (BOLTZMANN * temperature) / CHARGE
  const epsilon = permittivity * EPSILON_0
  const debye = (density: number): number => sqrt((epsilon * thermal) / (CHARGE * density))
  return {
    thermal,
    epsilon,
    charge: CHARGE,
    p: -asinh(acceptors / (2 * intrinsic)),
    n: asinh(donors / (2 * intrinsic)),
    debyeP: debye(acceptors),
    debyeN: debye(donors),
  }
}

/** β of the grid x = L·sinh(β·s)/sinh(β): 0, an even grid, where that resolves the heavier doping. */
export const gradingOf = (problem: JunctionProblem): number => {
  const { debyeP, debyeN } = scalesOf(problem)
  const even = (2 * problem.halfLength) / problem.points
  const stretch = even / ((SPACING / problem.points) * Math.min(debyeP, debyeN))
  if (stretch <= 1) return 0
  // sinh(β)/β = stretch, by halving: it rises with β.
  let [low, high] = [0, GRADING_MAX]
  for (let k = 0; k < 60; k++) {
    const middle = (low + high) / 2
    if (sinh(middle) / middle < stretch) low = middle
    else high = middle
  }
  return (low + high) / 2
}

/** Depletion widths of the abrupt approximation, p and n side, m. */
const depletionWidths = (problem: JunctionProblem): readonly [number, number] => {
  const { acceptors, donors } = problem
  const { thermal, epsilon, charge, p, n } = scalesOf(problem)
  const whole = sqrt((2 * epsilon * thermal * (n - p) * (acceptors + donors)) / (charge * acceptors * donors))
  return [(whole * donors) / (acceptors + donors), (whole * acceptors) / (acceptors + donors)]
}

const refuse = (rule: string, details: Record<string, unknown>): never => {
  throw new Fault('OUT_OF_RANGE', rule, details)
}

const refuseDoping = (problem: JunctionProblem): void => {
  const { intrinsic } = problem
  for (const name of ['acceptors', 'donors'] as const) {
    const measured = problem[name]
    const path = `/doping/${name}`
    if (measured < DOPING_MIN) {
      const hint = `a density per cubic centimetre is 1e6 times as much per cubic metre: ${measured * 1e6}`
      refuse(`${path} is ${measured} per cubic metre, below ${DOPING_MIN}; ${hint}.`, {
        path,
        measured,
        limit: DOPING_MIN,
      })
    }
    if (measured > DOPING_MAX) {
      refuse(`${path} is ${measured} per cubic metre; above ${DOPING_MAX} Boltzmann's statistics do not hold.`, {
        path,
        measured,
        limit: DOPING_MAX,
      })
    }
    if (measured < DOPING_RATIO_MIN * intrinsic) {
      const limit = DOPING_RATIO_MIN * intrinsic
      refuse(`${path} is ${measured}; with ${intrinsic} intrinsic carriers ${limit} is the least.`, {
        path,
        measured,
        limit,
      })
    }
  }
}

/**
 * Refusals of a junction.
 *
 * @throws Fault OUT_OF_RANGE: a bias, a doping outside its range or near the intrinsic carriers, contacts nearer than
 * the depletion width and 10 Debye lengths (with the half length that passes).
 */
export const refuseJunction = (input: JunctionInput): void => {
  const problem = junctionOf(input)
  if (problem.bias !== 0) {
    const why = 'a bias drives a current, which needs drift and diffusion'
    refuse(`/junction/bias must be 0: ${why}; this is the equilibrium.`, {
      path: '/junction/bias',
      measured: problem.bias,
      limit: 0,
    })
  }
  refuseDoping(problem)
  const { debyeP, debyeN } = scalesOf(problem)
  const [wideP, wideN] = depletionWidths(problem)
  const limit = Math.max(wideP + DEBYE_LENGTHS_MIN * debyeP, wideN + DEBYE_LENGTHS_MIN * debyeN)
  if (problem.halfLength >= limit) return
  refuse(
    `The contacts are ${problem.halfLength} m from the junction; depletion and 10 Debye lengths need ${limit} m.`,
    {
      path: '/junction/halfLength',
      measured: problem.halfLength,
      limit,
      halfLength: limit * (1 + 1e-9),
    },
  )
}
