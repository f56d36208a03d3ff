import { Fault } from '#core/fault.ts'
import { lowestEigen } from '#numerics/linear/symmetric-eigen.ts'
import { sqrt } from '#numerics/math.ts'
import { ERROR_PCT_MAX, type Outcome, type Progress } from '#numerics/solver.ts'
import { laguerreMesh, type Mesh, sincMesh, sineMesh } from './mesh.ts'
import { boxOf } from './pose.ts'
import { originOf, type Problem, problemOf } from './problem.ts'
import type { SchrodingerInput, SchrodingerOutput } from './schema.ts'

/** A wave function counts as begun where it reaches this share of its largest value. */
const BEGUN = 0.01
/** Parts of the work that progress tells: matrix, eigenvalues, states. */
const PARTS = 3

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

/**
 * The lowest levels in a discrete variable representation.
 *
 * @throws Fault DID_NOT_CONVERGE when an eigenvalue does not settle.
 */
export const solveSchrodinger = (input: SchrodingerInput, progress: Progress): Outcome<SchrodingerOutput, null> => {
  const problem = problemOf(input)
  const mesh = meshOf(input, problem)
  const { length, energy } = problem
  const v = mesh.points.map((xi) => problem.v(xi))
  progress({ step: 1, steps: PARTS })
  // −ψ″ + v·ψ = ε·ψ as a symmetric matrix over the points.
  const { kinetic } = mesh
  const eigen = lowestEigen(v.length, input.levels, (i, j) => (i === j ? kinetic(i, i) + v[i] : kinetic(i, j)))
  if (eigen === undefined) {
    throw new Fault('DID_NOT_CONVERGE', 'An eigenvalue did not settle; nothing was sealed.', {
      measured: null,
      bound: ERROR_PCT_MAX,
    })
  }
  progress({ step: 2, steps: PARTS })
  const energies = eigen.values.map((value) => value * energy)
  const potentialEnergy = v.map((value) => value * energy)
  const states = new Float64Array(input.levels * input.points)
  eigen.vectors.forEach((vector, level) => {
    states.set(stateOf(vector, mesh, length), level * input.points)
  })
  const origin = originOf(input)
  const x = mesh.points.map((xi) => origin + xi * length)
  progress({ step: PARTS, steps: PARTS })
  const output: SchrodingerOutput = {
    potential: input.potential,
    representation: problem.representation,
    levels: input.levels,
    points: input.points,
    dx: problem.representation === 'laguerre' ? 0 : mesh.weights[0] * length,
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
