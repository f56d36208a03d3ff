/** The multibody kernel's step as plain loops: the same numbers in the same order, without lanes. */

export interface TwinBodies {
  /** Places and velocities, body by body, x y z; changed in place. */
  readonly places: Float64Array
  readonly velocities: Float64Array
  readonly masses: readonly number[]
  /** Per stage: half kick G·w·dt/2 and drift w·dt. */
  readonly stages: readonly (readonly [number, number])[]
  readonly softening: number
}

/**
 * Accelerations without G. Every pair is met once; partners of even and of odd number add up apart and join at the end.
 */
const accelerations = ({ places, masses, softening }: TwinBodies): Float64Array => {
  const n = masses.length
  const result = new Float64Array(3 * n)
  for (let i = 0; i < n; i++) {
    const even = [0, 0, 0]
    const odd = [0, 0, 0]
    for (let j = i + 1; j < n; j++) {
      const d = [0, 1, 2].map((axis) => places[3 * j + axis] - places[3 * i + axis])
      const r2 = d[0] * d[0] + d[1] * d[1] + d[2] * d[2] + softening * softening
      const inverse = 1 / (r2 * Math.sqrt(r2))
      const toward = masses[j] * inverse
      const back = masses[i] * inverse
      const sum = j % 2 === 0 ? even : odd
      for (let axis = 0; axis < 3; axis++) {
        sum[axis] += toward * d[axis]
        result[3 * j + axis] -= back * d[axis]
      }
    }
    for (let axis = 0; axis < 3; axis++) result[3 * i + axis] += even[axis] + odd[axis]
  }
  return result
}

/** Takes one step in place: kick, drift, kick for every stage. */
export const twinStep = (bodies: TwinBodies): void => {
  const { places, velocities } = bodies
  let pull = accelerations(bodies)
  for (const [kick, drift] of bodies.stages) {
    for (let k = 0; k < places.length; k++) velocities[k] += kick * pull[k]
    for (let k = 0; k < places.length; k++) places[k] += drift * velocities[k]
    pull = accelerations(bodies)
    for (let k = 0; k < places.length; k++) velocities[k] += kick * pull[k]
  }
}
