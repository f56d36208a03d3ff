import { cos, sin, sqrt } from '#numerics/math.ts'
import type { Outcome, Reality } from '#numerics/runtime/solver.ts'
import { type Complex, complexOf } from '#numerics/solvers/dock/problem.ts'
import type { DockEvidence, DockInput, DockOutput } from '#numerics/solvers/dock/schema.ts'
import { isProblemOf } from './recompute-problem.ts'
import { leastPivot, placesIn, type Terms, termsOf } from './recompute-terms.ts'

/** Relative disagreement of numbers that are summed in another order. */
const ECHO = 1e-9
/** The planted pose is met to 1e-10 Å: its distance is compared to what rounding leaves of a place. */
const ROUNDING = 1e-13
/** Slope left, as a share of all pair forces, that counts as 0.1 %. */
const SLOPE_SHARE = 1e-8
/** Relative distance of two energies that are one minimum. */
const SAME = 1e-6
/** Half the distance of the differences that the Hessian is made of, in Å. */
const DIFFERENCE = 1e-3

const near = (a: number, b: number, scale: number): boolean => Math.abs(a - b) <= ECHO * scale

const same = (a: ArrayLike<number>, b: ArrayLike<number>): boolean => {
  if (a.length !== b.length) return false
  for (let i = 0; i < b.length; i++) if (a[i] !== b[i]) return false
  return true
}

const termsIn = (complex: Complex, pose: ArrayLike<number>, dielectric: number): Terms =>
  termsOf(complex, placesIn(complex.ligand.places, pose), { middle: pose, dielectric })

/** A pose shifted along an axis, or turned about one through the ligand's middle. */
const nudged = (pose: Float64Array, axis: number, by: number): Float64Array => {
  const next = pose.slice()
  if (axis < 3) {
    next[axis] += by
    return next
  }
  const [c, s] = [cos(by / 2), sin(by / 2)]
  const turn: [number, number, number] = [0, 0, 0]
  turn[(axis - 3) as 0 | 1 | 2] = s
  const [x, y, z] = turn
  const [W, X, Y, Z] = [pose[3], pose[4], pose[5], pose[6]]
  next[3] = c * W - x * X - y * Y - z * Z
  next[4] = c * X + x * W + y * Z - z * Y
  next[5] = c * Y + y * W + z * X - x * Z
  next[6] = c * Z + z * W + x * Y - y * X
  return next
}

/** Second differences of the energy, by first ones of force and torque. */
const hessianAt = (complex: Complex, pose: Float64Array, { dielectric, arm }: { dielectric: number; arm: number }) => {
  const H = new Float64Array(36)
  const slopes = (axis: number, by: number): readonly number[] => {
    const { force, torque } = termsIn(complex, nudged(pose, axis, axis < 3 ? by : by / arm), dielectric)
    return [...force.map((f) => -f), ...torque.map((t) => -t / arm)]
  }
  for (let i = 0; i < 6; i++) {
    const [ahead, behind] = [slopes(i, DIFFERENCE), slopes(i, -DIFFERENCE)]
    for (let j = 0; j < 6; j++) H[6 * i + j] = ((ahead[j] ?? 0) - (behind[j] ?? 0)) / (2 * DIFFERENCE)
  }
  return H.map((h, k) => (h + H[6 * (k % 6) + Math.floor(k / 6)]) / 2)
}

/** Root mean square distance from the planted pose, the least over the ligand's symmetries. */
const plantedDistance = ({ ligand, planted }: Complex, positions: ArrayLike<number>): number | null => {
  if (planted === undefined) return null
  const { place, turn } = planted.pose
  const wanted = placesIn(ligand.places, [...place, ...turn])
  let least = Number.POSITIVE_INFINITY
  for (const order of planted.symmetries) {
    let sum = 0
    for (let k = 0; k < wanted.length; k++) {
      const d = (positions[k] as number) - wanted[3 * (order[Math.floor(k / 3)] ?? 0) + (k % 3)]
      sum += d * d
    }
    least = Math.min(least, sqrt(sum / ligand.count))
  }
  return least
}

const lengthOf = (body: Float64Array): number => sqrt((3 * body.reduce((sum, x) => sum + x * x, 0)) / body.length)

interface Seen {
  readonly complex: Complex
  readonly poses: readonly Float64Array[]
  readonly terms: readonly Terms[]
  readonly best: number
  readonly arm: number
  readonly rmsd: number | null
}

/** Whether every number of the answer repeats the input or follows from the poses of the starts. */
const echoes = (input: DockInput, { output, evidence }: Outcome<DockOutput, DockEvidence>, seen: Seen): boolean => {
  const { complex, poses, terms, best, arm, rmsd } = seen
  const pose = poses[best] as Float64Array
  const own = terms[best] as Terms
  const unit = pose[3] * pose[3] + pose[4] * pose[4] + pose[5] * pose[5] + pose[6] * pose[6]
  const positions = placesIn(complex.ligand.places, pose)
  const far = arm + lengthOf(pose.slice(0, 3))
  const hits = Array.from(output.energies).filter(
    (it) => Math.abs(it - output.energy) <= SAME * Math.abs(output.energy),
  ).length
  return (
    output.receptorAtoms === complex.receptor.count &&
    output.ligandAtoms === complex.ligand.count &&
    output.starts === input.starts &&
    output.hits === hits &&
    same(evidence.tally, [output.evaluations, output.hits]) &&
    same(output.translation, pose.subarray(0, 3)) &&
    same(output.quaternion, pose.subarray(3)) &&
    near(unit, 1, 1) &&
    pose[3] >= 0 &&
    output.positions.length === positions.length &&
    positions.every((x, k) => near(output.positions[k] as number, x, far)) &&
    near(output.gyration, arm, arm) &&
    near(output.lennardJones, own.lennardJones, own.size) &&
    near(output.coulomb, own.coulomb, own.size) &&
    near(output.energy, output.lennardJones + output.coulomb, own.size) &&
    output.energies[best] === output.energy &&
    terms.every((it, k) => near(output.energies[k] as number, it.lennardJones + it.coulomb, it.size)) &&
    (rmsd === null ? output.rmsd === null : output.rmsd !== null && Math.abs(output.rmsd - rmsd) <= ROUNDING * far)
  )
}

const AGAINST = 'all pairs by other code: energy, force and torque, the Hessian'

/**
 * Checks a pose. The error is the largest of: the energy on the sum of all terms' sizes, force and torque left on the
 * sum of all pair forces with 1e-8 as 0.1 %, and of built-in pairs the distance from the planted pose on the ligand's
 * radius of gyration. The Hessian must be positive definite, and no start may have fallen lower.
 */
export const checkDock = (input: DockInput, outcome: Outcome<DockOutput, DockEvidence>): Reality => {
  const { output, evidence } = outcome
  const { dielectric, starts } = input
  const complex = complexOf(input)
  const against = complex.planted === undefined ? AGAINST : `${AGAINST}; the planted pose`
  const broken: Reality = { against, errorPct: 100, figures: { echo_wrong: 1 } }
  if (!isProblemOf(input, complex)) return broken
  if (evidence.poses.length !== 7 * starts || output.energies.length !== starts) return broken
  const poses = Array.from({ length: starts }, (_, k) => evidence.poses.subarray(7 * k, 7 * k + 7))
  const terms = poses.map((pose) => termsIn(complex, pose, dielectric))
  const best = output.energies.reduce((least, it, k) => (it < (output.energies[least] as number) ? k : least), 0)
  const arm = lengthOf(complex.ligand.places)
  const rmsd = plantedDistance(complex, output.positions)
  if (!echoes(input, outcome, { complex, poses, terms, best, arm, rmsd })) return broken
  const own = terms[best] as Terms
  const energyPct = (100 * Math.abs(output.energy - own.lennardJones - own.coulomb)) / own.size
  const slope = lengthOf(Float64Array.from([...own.force, ...own.torque.map((t) => t / arm)])) * sqrt(2)
  const slopePct = (0.1 * slope) / (own.pull * SLOPE_SHARE)
  const pivot = leastPivot(hessianAt(complex, poses[best] as Float64Array, { dielectric, arm }))
  const rmsdPct = rmsd === null ? 0 : (100 * rmsd) / arm
  const errorsPct = [energyPct, slopePct, rmsdPct]
  return {
    against,
    errorPct: pivot > 0 ? Math.max(...errorsPct) : Number.NaN,
    refusal: 'DID_NOT_CONVERGE',
    figures: {
      energy_pct: energyPct,
      slope_share: slope / own.pull,
      hessian_pivot: pivot,
      ...(rmsd === null ? {} : { rmsd_pct: rmsdPct }),
      hits: output.hits,
    },
  }
}
