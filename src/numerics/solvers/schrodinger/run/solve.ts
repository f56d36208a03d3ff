import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { lowestEigenEvenOdd } from '#numerics/methods/linear/even-odd.ts'
import { type Eigen, lowestEigen, lowestEigenByDistance } from '#numerics/methods/linear/symmetric-eigen.ts'
import { ERROR_PCT_MAX, type Outcome, type Progress } from '#numerics/runtime/solver.ts'
import { boxOf, illPosed, refuseScanned } from '#numerics/solvers/schrodinger/limits.ts'
import { breaksOf, originOf, type Problem, problemOf } from '#numerics/solvers/schrodinger/problem.ts'
import type { SchrodingerInput, SchrodingerOutput } from '#numerics/solvers/schrodinger/schema.ts'
import { elementMesh, STEPS_MIN } from './elements.ts'
import { laguerreMesh, type Mesh, sincMesh, sineMesh } from './mesh.ts'

/** A wave function counts as begun where it reaches this share of its largest value. */
const BEGUN = 0.01
/** e-folds of the deepest state beside a finite well that have elements of their own. */
const DECAYED = 6
/** Parts of the work that progress tells: matrix, eigenvalues, states. */
const PARTS = 3

/** Elements between the jumps of a potential. @throws Fault ILL_POSED when they would have too few points. */
const elementsOf = (input: SchrodingerInput, problem: Problem, breaks: readonly number[]) => {
  const { points } = input
  const { low, high } = boxOf(input, problem)
  const ends = [low, ...breaks, high]
  if (input.potential === 'finite-well') {
    // The deepest state falls off much sooner than the highest one, for which the box is so long.
    const near = DECAYED / sqrt(input.finiteWell.depth / problem.energy)
    if (2 * near < high - 0.5) ends.splice(0, ends.length, low, -0.5 - near, ...breaks, 0.5 + near, high)
  }
  const needed = STEPS_MIN * (ends.length - 1)
  if (points < needed) {
    const why = `${breaks.length} jumps of the potential need ${needed}.`
    illPosed('/points', why, { measured: points, limit: needed, points: needed })
  }
  return elementMesh({ ends, v: problem.v, points })
}

const meshOf = (input: SchrodingerInput, problem: Problem): Mesh => {
  const { points } = input
  if (problem.representation === 'laguerre') return laguerreMesh((input.levels + input.hydrogen.l) / 2, points)
  const { low, high } = boxOf(input, problem)
  return problem.representation === 'sine' ? sineMesh(low, high, points) : sincMesh(low, high, points)
}

/** Coefficients turned into values of the wave function in metres^−1/2, its first lobe positive. */
const stateOf = (vector: Float64Array, { weights }: Mesh, length: number): Float64Array => {
  const values = vector.map((c, i) => c / sqrt(weights[i] * length))
  const most = values.reduce((largest, value) => Math.max(largest, Math.abs(value)), 0)
  const first = values.find((value) => Math.abs(value) >= BEGUN * most) ?? 1
  return first < 0 ? values.map((value) => -value) : values
}

/** Lowest levels of −d²/dξ² + v; where v is the same seen from the other end, even and odd ones by themselves. */
const lowestOf = ({ kinetic }: Mesh, v: Float64Array, levels: number): Eigen | undefined => {
  const n = v.length
  if (typeof kinetic === 'function') {
    return lowestEigen(n, levels, (i, j) => (i === j ? kinetic(i, i) + v[i] : kinetic(i, j)))
  }
  const mirrored = v.every((value, i) => value === v[n - 1 - i])
  return (mirrored ? lowestEigenEvenOdd : lowestEigenByDistance)({ ...kinetic, added: v }, levels)
}

/**
 * The lowest levels in a discrete variable representation.
 *
 * @throws Fault DID_NOT_CONVERGE when an eigenvalue does not settle.
 */
export const solveSchrodinger = (input: SchrodingerInput, progress: Progress): Outcome<SchrodingerOutput, null> => {
  const problem = problemOf(input)
  refuseScanned(input, problem)
  const breaks = breaksOf(input, problem)
  const stepped = breaks.length > 0 ? elementsOf(input, problem, breaks) : undefined
  const mesh = stepped ?? meshOf(input, problem)
  const { length, energy } = problem
  const told = mesh.points.map((xi) => problem.v(xi))
  const v = stepped?.v ?? told
  progress({ step: 1, steps: PARTS })
  // −ψ″ + v·ψ = ε·ψ as a symmetric matrix over the points.
  const eigen = lowestOf(mesh, v, input.levels)
  if (eigen === undefined) {
    throw new Fault('DID_NOT_CONVERGE', 'An eigenvalue did not settle; nothing was sealed.', {
      measured: null,
      bound: ERROR_PCT_MAX,
    })
  }
  progress({ step: 2, steps: PARTS })
  const energies = eigen.values.map((value) => value * energy)
  const potentialEnergy = told.map((value) => value * energy)
  const states = new Float64Array(input.levels * input.points)
  eigen.vectors.forEach((vector, level) => {
    states.set(stateOf(vector, mesh, length), level * input.points)
  })
  const origin = originOf(input)
  const x = mesh.points.map((xi) => origin + xi * length)
  progress({ step: PARTS, steps: PARTS })
  const output: SchrodingerOutput = {
    potential: input.potential,
    representation: stepped === undefined ? problem.representation : 'elements',
    levels: input.levels,
    points: input.points,
    dx: stepped !== undefined || problem.representation === 'laguerre' ? 0 : mesh.weights[0] * length,
    groundState: energies[0],
    highestLevel: energies[input.levels - 1],
    minimum: potentialEnergy.reduce((least, value) => Math.min(least, value), Number.POSITIVE_INFINITY),
    energies: energies as unknown as readonly number[],
    x: x as unknown as readonly number[],
    potentialEnergy: potentialEnergy as unknown as readonly number[],
    states: states as unknown as readonly number[],
  }
  return { output, evidence: null }
}
