import { sqrt } from '#numerics/math.ts'
import { dot, type Pair, twoLoops } from '#numerics/methods/limited-memory.ts'
import { moved, type Pose } from '#numerics/solvers/dock/rigid.ts'
import type { Field } from './field.ts'

/** Pairs of the limited memory. */
const MEMORY = 8
const HALVINGS_MAX = 30
const ARMIJO = 1e-4
/** Longest step, in Å of shift and of rotation at the arm's end. */
const STEP_MAX = 1

const downhill = (slope: Float64Array, pairs: readonly Pair[]): Float64Array =>
  twoLoops(
    slope.map((g) => -g),
    pairs,
  )

/** Where a minimisation ended. */
export interface Ended {
  readonly pose: Pose
  readonly energy: number
}

/** How far a minimisation goes: steps at most, and the slope in kJ/mol/Å that is small enough. */
export interface Until {
  readonly steps: number
  readonly slope: number
}

/**
 * L-BFGS over poses: a step is a shift and a rotation of the pose at hand, its quaternion normalised after each; slopes
 * of neighbouring poses are compared as they are.
 */
export const minimise = (field: Field, start: Pose, { arm, until }: { arm: number; until: Until }): Ended => {
  let pose = start
  let slope = new Float64Array(6)
  let energy = field.at(pose, slope)
  const pairs: Pair[] = []
  for (let step = 0; step < until.steps && Number.isFinite(energy); step++) {
    if (sqrt(dot(slope, slope)) <= until.slope) break
    let direction = downhill(slope, pairs)
    if (!(dot(direction, slope) < 0)) {
      pairs.length = 0
      direction = downhill(slope, pairs)
    }
    const fall = dot(direction, slope)
    let t = Math.min(1, (pairs.length === 0 ? 0.1 : STEP_MAX) / sqrt(dot(direction, direction)))
    let next: Ended | undefined
    const nextSlope = new Float64Array(6)
    for (let halving = 0; halving < HALVINGS_MAX && next === undefined; halving++) {
      const there = moved(
        pose,
        direction.map((d) => t * d),
        arm,
      )
      const found = field.at(there, nextSlope)
      if (found <= energy + ARMIJO * t * fall) next = { pose: there, energy: found }
      else t *= 0.5
    }
    if (next === undefined) {
      if (pairs.length === 0) break
      pairs.length = 0
      continue
    }
    const s = direction.map((d) => t * d)
    const y = nextSlope.map((g, i) => g - slope[i])
    const curvature = dot(s, y)
    if (curvature > 1e-12 * sqrt(dot(s, s) * dot(y, y))) {
      pairs.push({ s, y, rho: 1 / curvature })
      if (pairs.length > MEMORY) pairs.shift()
    }
    pose = next.pose
    energy = next.energy
    slope = nextSlope
  }
  return { pose, energy }
}

/** Half the distance of the differences that a Hessian is made of, in Å. */
const DIFFERENCE = 1e-4
const NEWTON_MAX = 8

/** Solves H·x = −g for a positive H, or undefined. */
const newtonStep = (H: Float64Array, g: Float64Array): Float64Array | undefined => {
  const L = new Float64Array(36)
  const x = new Float64Array(6)
  for (let i = 0; i < 6; i++) {
    let own = -g[i]
    for (let j = 0; j <= i; j++) {
      let sum = (H[6 * i + j] + H[6 * j + i]) / 2
      for (let k = 0; k < j; k++) sum -= L[6 * i + k] * L[6 * j + k]
      if (i === j && !(sum > 0)) return undefined
      L[6 * i + j] = i === j ? sqrt(sum) : sum / L[6 * j + j]
      if (j < i) own -= L[6 * i + j] * x[j]
    }
    x[i] = own / L[6 * i + i]
  }
  for (let i = 5; i >= 0; i--) {
    for (let j = i + 1; j < 6; j++) x[i] -= L[6 * j + i] * x[j]
    x[i] /= L[6 * i + i]
  }
  return x
}

/** Newton's steps from a pose near a minimum, as long as the slope gets smaller. */
export const polish = (field: Field, ended: Ended, arm: number): Ended => {
  let { pose, energy } = ended
  const slope = new Float64Array(6)
  field.at(pose, slope)
  for (let step = 0; step < NEWTON_MAX; step++) {
    const H = new Float64Array(36)
    for (let i = 0; i < 6; i++) {
      const by = new Float64Array(6)
      const [ahead, behind] = [new Float64Array(6), new Float64Array(6)]
      by[i] = DIFFERENCE
      field.at(moved(pose, by, arm), ahead)
      by[i] = -DIFFERENCE
      field.at(moved(pose, by, arm), behind)
      for (let j = 0; j < 6; j++) H[6 * i + j] = (ahead[j] - behind[j]) / (2 * DIFFERENCE)
    }
    const by = newtonStep(H, slope)
    if (by === undefined || !(sqrt(dot(by, by)) < STEP_MAX)) break
    const there = moved(pose, by, arm)
    const next = new Float64Array(6)
    const found = field.at(there, next)
    if (!(dot(next, next) < dot(slope, slope))) break
    pose = there
    energy = found
    slope.set(next)
  }
  return { pose, energy }
}
