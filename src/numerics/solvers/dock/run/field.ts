import { assert } from '#core/assert.ts'
import { sqrt } from '#numerics/math.ts'
import { KERNEL_DATA_START, loadKernel } from '#numerics/runtime/kernel.ts'
import { COULOMB, type Complex } from '#numerics/solvers/dock/problem.ts'
import { matrixOf, type Pose } from '#numerics/solvers/dock/rigid.ts'

/** The energy of a pose with its gradient: shift, then rotation about the ligand's middle times the arm. */
export interface Field {
  /** Energy in kJ/mol; the gradient of six is written to `slope`. */
  readonly at: (pose: Pose, slope: Float64Array) => number
  readonly soften: (length: number) => void
  readonly evaluations: () => number
  /** Parts of the energy of the last pose. */
  readonly parts: () => { readonly lennardJones: number; readonly coulomb: number }
}

const FAR = 1e6
const DOUBLE = 8

/** Receptor and ligand in a kernel of their own. @param arm length by which rotations are measured. */
export const createField = ({ receptor, ligand }: Complex, dielectric: number, arm: number): Field => {
  const pairs = Math.ceil(receptor.count / 2)
  const m = ligand.count
  const kernel = loadKernel('dock')
  const base = KERNEL_DATA_START
  kernel.reserve(base + (12 * pairs + 9 * m) * DOUBLE)
  const { configure, soften, energy, lennardJones, coulomb } = kernel.call
  assert(configure !== undefined && soften !== undefined && energy !== undefined, 'the dock kernel can run')
  assert(lennardJones !== undefined && coulomb !== undefined, 'the dock kernel tells its parts')
  configure(pairs, m, base)
  const fixed = kernel.f64(base, 12 * pairs)
  const moving = kernel.f64(base + 12 * pairs * DOUBLE, 6 * m)
  const pulls = kernel.f64(base + (12 * pairs + 6 * m) * DOUBLE, 3 * m)
  for (let i = 0; i < 2 * pairs; i++) {
    const there = i < receptor.count
    const own = 12 * (i >> 1) + (i & 1)
    for (let axis = 0; axis < 3; axis++) fixed[own + 2 * axis] = there ? receptor.places[3 * i + axis] : FAR
    fixed[own + 6] = there ? receptor.sigma[i] / 2 : 0
    fixed[own + 8] = there ? 2 * sqrt(receptor.epsilon[i]) : 0
    fixed[own + 10] = there ? receptor.charge[i] : 0
  }
  for (let i = 0; i < m; i++) {
    moving[6 * i + 3] = ligand.sigma[i] / 2
    moving[6 * i + 4] = 2 * sqrt(ligand.epsilon[i])
    moving[6 * i + 5] = (COULOMB / dielectric) * ligand.charge[i]
  }
  const body = ligand.places
  let evaluations = 0
  const at = ({ place, turn }: Pose, slope: Float64Array): number => {
    evaluations++
    const r = matrixOf(turn) as readonly [number, number, number, number, number, number, number, number, number]
    for (let i = 0; i < m; i++) {
      const [x, y, z] = [body[3 * i], body[3 * i + 1], body[3 * i + 2]]
      moving[6 * i] = place[0] + (r[0] * x + r[1] * y + r[2] * z)
      moving[6 * i + 1] = place[1] + (r[3] * x + r[4] * y + r[5] * z)
      moving[6 * i + 2] = place[2] + (r[6] * x + r[7] * y + r[8] * z)
    }
    const found = energy()
    slope.fill(0)
    for (let i = 0; i < m; i++) {
      const [fx, fy, fz] = [pulls[3 * i], pulls[3 * i + 1], pulls[3 * i + 2]]
      const [x, y, z] = [moving[6 * i] - place[0], moving[6 * i + 1] - place[1], moving[6 * i + 2] - place[2]]
      slope[0] -= fx
      slope[1] -= fy
      slope[2] -= fz
      slope[3] -= (y * fz - z * fy) / arm
      slope[4] -= (z * fx - x * fz) / arm
      slope[5] -= (x * fy - y * fx) / arm
    }
    return found
  }
  return {
    at,
    soften: (length) => void soften(length),
    evaluations: () => evaluations,
    parts: () => ({ lennardJones: lennardJones(), coulomb: coulomb() }),
  }
}
