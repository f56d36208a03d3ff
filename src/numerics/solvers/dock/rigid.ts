import { cos, sin, sqrt } from '#numerics/math.ts'

/** A rotation as a unit quaternion w, x, y, z, and a place. */
export interface Pose {
  readonly place: readonly [number, number, number]
  readonly turn: readonly [number, number, number, number]
}

type Turn = Pose['turn']

const product = ([a, b, c, d]: Turn, [e, f, g, h]: Turn): Turn => [
  a * e - b * f - c * g - d * h,
  a * f + b * e + c * h - d * g,
  a * g - b * h + c * e + d * f,
  a * h + b * g - c * f + d * e,
]

/** The same rotation with length 1 and w ≥ 0. */
export const normalised = ([w, x, y, z]: Turn): Turn => {
  const length = (w < 0 ? -1 : 1) * sqrt(w * w + x * x + y * y + z * z)
  return [w / length, x / length, y / length, z / length]
}

/**
 * A pose moved by a vector of six: a shift, and a rotation about the ligand's middle whose vector is the rest over
 * `arm`.
 */
export const moved = ({ place, turn }: Pose, by: Float64Array, arm: number): Pose => {
  const [u, v, w] = [by[3] / arm, by[4] / arm, by[5] / arm]
  const angle = sqrt(u * u + v * v + w * w)
  const share = angle < 1e-8 ? 0.5 : sin(angle / 2) / angle
  return {
    place: [place[0] + by[0], place[1] + by[1], place[2] + by[2]],
    turn: normalised(product([cos(angle / 2), share * u, share * v, share * w], turn)),
  }
}

/** The rows of a rotation's matrix, one after another. */
export const matrixOf = ([w, x, y, z]: Turn): readonly number[] => [
  1 - 2 * (y * y + z * z),
  2 * (x * y - w * z),
  2 * (x * z + w * y),
  2 * (x * y + w * z),
  1 - 2 * (x * x + z * z),
  2 * (y * z - w * x),
  2 * (x * z - w * y),
  2 * (y * z + w * x),
  1 - 2 * (x * x + y * y),
]

/** Atoms of a body in a pose. @param body places about the middle, n × 3. */
export const placed = (body: Float64Array, { place, turn }: Pose): Float64Array => {
  const m = matrixOf(turn)
  const at = new Float64Array(body.length)
  for (let i = 0; i < body.length; i += 3) {
    for (let axis = 0; axis < 3; axis++) {
      const row = 3 * axis
      at[i + axis] =
        (place[axis as 0 | 1 | 2] as number) +
        ((m[row] as number) * body[i] + (m[row + 1] as number) * body[i + 1] + (m[row + 2] as number) * body[i + 2])
    }
  }
  return at
}

/** Radius of gyration of a body about its middle. */
export const gyrationOf = (body: Float64Array): number =>
  sqrt((3 * body.reduce((sum, x) => sum + x * x, 0)) / body.length)
