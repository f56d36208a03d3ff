import { Fault } from '#core/fault.ts'
import { asinh, cosh, sinh } from '#numerics/math.ts'
import { gradingOf, scalesOf } from '#numerics/solvers/device/junction-limits.ts'
import type { JunctionOutput, JunctionProblem } from '#numerics/solvers/device/junction-schema.ts'

/** Newton iterations before a solve is given up. */
const NEWTON_STEPS_MAX = 200
/** Largest change of a potential in one iteration, in thermal volts: exp() would run away beyond. */
const CHANGE_MAX = 4
/** Change at which Newton's method ends: it converges quadratically, so the error is far below. */
const CHANGE_END = 1e-11

/** A solved junction: arrays over the nodes, in SI. */
export interface SolvedJunction {
  readonly x: Float64Array
  readonly potential: Float64Array
  readonly field: Float64Array
  readonly charge: Float64Array
  readonly junction: JunctionOutput
}

/** Places of the nodes; the middle one is the junction, at exactly 0. */
export const nodesOf = (problem: JunctionProblem): Float64Array => {
  const half = Math.ceil(problem.points / 2)
  const beta = gradingOf(problem)
  const whole = sinh(beta)
  const x = new Float64Array(2 * half + 1)
  for (let k = 1; k <= half; k++) {
    const s = k / half
    const at = k === half ? 1 : beta === 0 ? s : sinh(beta * s) / whole
    x[half + k] = problem.halfLength * at
    x[half - k] = -x[half + k]
  }
  return x
}

/** One Newton step on h·(f₊ − f)/h₊ − … = charge, solved by elimination; returns the largest change before damping. */
const newtonStep = (
  f: Float64Array,
  { x, sources, carriers }: { readonly x: Float64Array; readonly sources: Float64Array; readonly carriers: number },
  work: { readonly pivots: Float64Array; readonly change: Float64Array },
): number => {
  const last = f.length - 1
  const { pivots, change } = work
  change[0] = 0
  pivots[0] = 0
  for (let i = 1; i < last; i++) {
    const [left, right] = [1 / (x[i] - x[i - 1]), 1 / (x[i + 1] - x[i])]
    const cell = (x[i + 1] - x[i - 1]) / 2
    const residual = left * (f[i] - f[i - 1]) + right * (f[i] - f[i + 1]) + cell * carriers * sinh(f[i]) - sources[i]
    const diagonal = left + right + cell * carriers * cosh(f[i]) - left * pivots[i - 1]
    pivots[i] = right / diagonal
    change[i] = (left * change[i - 1] - residual) / diagonal
  }
  let most = 0
  for (let i = last - 1; i > 0; i--) {
    if (i < last - 1) change[i] += pivots[i] * change[i + 1]
    most = Math.max(most, Math.abs(change[i]))
  }
  const damp = most > CHANGE_MAX ? CHANGE_MAX / most : 1
  for (let i = 1; i < last; i++) f[i] += damp * change[i]
  return most
}

/**
 * The equilibrium of a PN junction: f″ = (2·ni·sinh f − N)/(ni-scaled Debye length²) by finite volumes and Newton's
 * method, f in thermal volts. The cell at the junction has half of each doping; the field at a node is that between it
 * and the next, taken back by the charge of the half cell in between, which is of second order at the cusp too.
 *
 * @throws Fault DID_NOT_CONVERGE.
 */
export const solveJunction = (problem: JunctionProblem, each: (step: number) => void): SolvedJunction => {
  const { acceptors, donors, intrinsic } = problem
  const scales = scalesOf(problem)
  const x = nodesOf(problem)
  const last = x.length - 1
  const middle = last / 2
  const strength = scales.charge / (scales.epsilon * scales.thermal)
  const carriers = 2 * intrinsic * strength
  const doping = (i: number): number => (i === middle ? (donors - acceptors) / 2 : i < middle ? -acceptors : donors)
  const sources = new Float64Array(x.length)
  const f = new Float64Array(x.length)
  for (let i = 0; i <= last; i++) {
    if (i > 0 && i < last) {
      const [left, right] = [(x[i] - x[i - 1]) / 2, (x[i + 1] - x[i]) / 2]
      sources[i] = strength * (i === middle ? right * donors - left * acceptors : (left + right) * doping(i))
    }
    f[i] = i < middle ? scales.p : i > middle ? scales.n : asinh(doping(i) / (2 * intrinsic))
  }
  const work = { pivots: new Float64Array(x.length), change: new Float64Array(x.length) }
  let steps = 0
  for (let change = 1; change > CHANGE_END; steps++) {
    if (steps === NEWTON_STEPS_MAX) {
      throw new Fault('DID_NOT_CONVERGE', `Newton's method did not converge in ${steps} steps.`, {
        measured: null,
        steps,
      })
    }
    change = newtonStep(f, { x, sources, carriers }, work)
    each(steps + 1)
  }
  const charge = f.map((value, i) => scales.charge * (doping(i) - 2 * intrinsic * sinh(value)))
  const potential = f.map((value) => scales.thermal * value)
  const field = new Float64Array(x.length)
  for (let i = 0; i <= last; i++) {
    // From the cell towards the junction, where the field is large and its relative error small.
    const to = i < middle || i === last ? i - 1 : i + 1
    const side = i === 0 ? 1 : to
    const own = i === middle ? scales.charge * (donors - 2 * intrinsic * sinh(f[i])) : charge[i]
    field[i] = -(potential[side] - potential[i]) / (x[side] - x[i]) - (own * (x[side] - x[i])) / 2 / scales.epsilon
  }
  const peak = Math.abs(field[middle])
  const sheet = scales.epsilon * peak
  return {
    x,
    potential,
    field,
    charge,
    junction: {
      points: last,
      grading: gradingOf(problem),
      builtIn: potential[last] - potential[0],
      junctionPotential: potential[middle],
      peakField: peak,
      sideCharge: sheet,
      widthP: sheet / (scales.charge * acceptors),
      widthN: sheet / (scales.charge * donors),
      newtonSteps: steps,
    },
  }
}
