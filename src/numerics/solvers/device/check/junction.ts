import { acosh, cosh, exp, log, sinh, sqrt } from '#numerics/math.ts'
import { constantOf } from '#numerics/operators/constants.ts'
import type { Reality } from '#numerics/runtime/solver.ts'
import { type JunctionInput, type JunctionOutput, junctionOf } from '#numerics/solvers/device/junction-schema.ts'

/** Agreement asked of what follows from the rest of the answer. */
const ECHO = 1e-9

/** What of a device's answer is a junction. */
export interface JunctionAnswer {
  readonly x?: ArrayLike<number> | undefined
  readonly potential: ArrayLike<number>
  readonly field?: ArrayLike<number> | undefined
  readonly charge?: ArrayLike<number> | undefined
  readonly junction?: JunctionOutput | undefined
}

/**
 * The first integral of the Poisson–Boltzmann equation in closed form: ½·ε·E² = q·Vt·G(f), with
 * G_p(f) = 2ni·(cosh f − cosh f_p) + Na·(f − f_p) on one side and G_n likewise; at the junction both are equal.
 */
const firstIntegral = (input: JunctionInput) => {
  const { acceptors, donors, intrinsic, permittivity, temperature } = junctionOf(input)
  const q = constantOf('e').value
  const vt = (constantOf('k_B').value * temperature) / q
  const epsilon = permittivity * constantOf('epsilon_0').value
  // cosh f of a neutral side from sinh f = N/2ni, by the hyperbola.
  const side = (density: number): { readonly cosh: number; readonly f: number } => {
    const ratio = density / (2 * intrinsic)
    const c = sqrt(1 + ratio * ratio)
    return { cosh: c, f: ratio > 1e-3 ? log(ratio + c) : acosh(c) }
  }
  const [p, n] = [side(acceptors), side(donors)]
  const left = (f: number): number => 2 * intrinsic * (cosh(f) - p.cosh) + acceptors * (f + p.f)
  const right = (f: number): number => 2 * intrinsic * (cosh(f) - n.cosh) - donors * (f - n.f)
  // G_p = G_n is linear in f: the carriers are the same on both sides.
  const meeting = (2 * intrinsic * (p.cosh - n.cosh) - acceptors * p.f + donors * n.f) / (acceptors + donors)
  const field = (g: number): number => sqrt((2 * q * vt * Math.max(0, g)) / epsilon)
  return { q, vt, epsilon, p, n, left, right, meeting, field }
}

/** Whether the numbers that follow from the arrays and the input do so. */
const echoes = (input: JunctionInput, { x, potential, field, charge, junction }: JunctionAnswer): boolean => {
  if (x === undefined || field === undefined || charge === undefined || junction === undefined) return false
  const { acceptors, donors, points, halfLength } = junctionOf(input)
  const { q, vt, epsilon, p, n } = firstIntegral(input)
  const last = x.length - 1
  const middle = last / 2
  if (![potential, field, charge].every((it) => it.length === x.length)) return false
  const near = (found: number, wanted: number, scale = Math.abs(wanted)): boolean =>
    Math.abs(found - wanted) <= ECHO * scale
  for (let i = 0; i <= last; i++) {
    const s = i / middle - 1
    const at = junction.grading === 0 ? s : sinh(junction.grading * s) / sinh(junction.grading)
    if (!near(x[i] as number, halfLength * at, halfLength)) return false
  }
  const peak = Math.abs(field[middle] as number)
  return (
    last === points + (points % 2) &&
    junction.points === last &&
    x[middle] === 0 &&
    near(potential[0] as number, -vt * p.f) &&
    near(potential[last] as number, vt * n.f) &&
    near(junction.builtIn, vt * (p.f + n.f)) &&
    near(junction.junctionPotential, potential[middle] as number, vt * (p.f + n.f)) &&
    near(junction.peakField, peak) &&
    near(junction.sideCharge, epsilon * peak) &&
    near(junction.widthP, (epsilon * peak) / (q * acceptors)) &&
    near(junction.widthN, (epsilon * peak) / (q * donors)) &&
    junction.newtonSteps >= 1
  )
}

const AGAINST = 'first integral of the Poisson–Boltzmann equation, and the potential as integral of the field'

/**
 * Checks a junction. The field at every node must be the one that the first integral gives for its potential (scale:
 * the largest field), the potential at the junction the one where both sides' integrals meet (scale: the built-in one),
 * and the potential from node to node the integral of the field, by the trapezoidal rule with its end correction,
 * summed from the junction (same scale). The charge must be that of its potential. The error is the largest.
 */
export const checkJunction = (input: JunctionInput, answer: JunctionAnswer): Reality => {
  if (!echoes(input, answer)) return { against: AGAINST, errorPct: 100, figures: { echo_wrong: 1 } }
  const { acceptors, donors, intrinsic } = junctionOf(input)
  const { q, vt, epsilon, p, n, left, right, meeting, field: fieldOf } = firstIntegral(input)
  const numbers = (it: ArrayLike<number> | undefined): Float64Array => Float64Array.from(it ?? [])
  const [x, potential, field, charge] = [answer.x, answer.potential, answer.field, answer.charge].map(numbers) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const middle = (x.length - 1) / 2
  const span = vt * (p.f + n.f)
  const peak = fieldOf(left(meeting))
  const doping = (i: number): number => (i === middle ? (donors - acceptors) / 2 : i < middle ? -acceptors : donors)
  const most = q * Math.max(acceptors, donors)
  let [branch, density] = [0, 0]
  // NaN, once it is there, stays.
  const worst = (found: number, off: number): number => (off <= found || Number.isNaN(found) ? found : off)
  for (let i = 0; i < x.length; i++) {
    const f = potential[i] / vt
    branch = worst(branch, Math.abs(field[i] + fieldOf(i <= middle ? left(f) : right(f))) / peak)
    const carried = q * (doping(i) + intrinsic * (exp(-f) - exp(f)))
    density = worst(density, Math.abs(charge[i] - carried) / most)
  }
  // Slopes of the field from the charge; at the junction each side has its own.
  const slope = (i: number, side: number): number =>
    (i === middle ? charge[i] + (side * q * (acceptors + donors)) / 2 : charge[i]) / epsilon
  let path = 0
  for (const side of [-1, 1]) {
    let sum = 0
    for (let i = middle; i > 0 && i < x.length - 1; i += side) {
      const h = x[i + side] - x[i]
      const mean = (h * (field[i] + field[i + side])) / 2 + (h * h * (slope(i, side) - slope(i + side, side))) / 12
      sum += potential[i + side] - potential[i] + mean
      path = worst(path, Math.abs(sum) / span)
    }
  }
  const errorsPct = {
    branch_pct: 100 * branch,
    meeting_pct: (100 * Math.abs(potential[middle] - vt * meeting)) / span,
    path_pct: 100 * path,
    charge_pct: 100 * density,
  }
  const errorPct = Object.values(errorsPct).reduce(worst, 0)
  const peakPct = 100 * (Math.abs(field[middle]) / peak - 1)
  return { against: AGAINST, errorPct, figures: { ...errorsPct, peak_field_pct: peakPct, points: x.length - 1 } }
}
