import { builtIn, type Made } from '#numerics/solvers/dock/pairs.ts'
import { type Atoms, type Complex, UFF } from '#numerics/solvers/dock/problem.ts'
import type { DockInput } from '#numerics/solvers/dock/schema.ts'

const CLOSE = 1e-12
/** Places of a ligand about its middle, as a share of how far out they were given. */
const PLACED = 1e-10

/** Atoms of the kind that a caller gives. */
type Given = NonNullable<DockInput['receptor']>

const givenBy = ({ elements, places, charge }: Made): Given =>
  elements.map((element, i) => ({
    element,
    position: Array.from(places.subarray(3 * i, 3 * i + 3)),
    charge: charge[i] as number,
  }))

const near = (found: number, wanted: number): boolean => Math.abs(found - wanted) <= CLOSE * Math.abs(wanted)

/** Charge, σ and ε of each atom: the table has the distance of the minimum, 2^(1/6)·σ, and kcal of 4,184 J. */
const actsAsGiven = ({ count, sigma, epsilon, charge }: Atoms, given: Given): boolean =>
  count === given.length &&
  given.every((it, i) => {
    const [distance, depth] = UFF[it.element]
    const cube = (distance / sigma[i]) * (distance / sigma[i]) * (distance / sigma[i])
    return (
      charge[i] === it.charge &&
      (it.sigma === undefined ? near(cube * cube, 2) : sigma[i] === it.sigma) &&
      (it.epsilon === undefined ? near(1000 * epsilon[i], 4184 * depth) : epsilon[i] === it.epsilon)
    )
  })

/** Whether a ligand has the given shape about its own middle. */
const standsAbout = ({ places }: Atoms, given: Given): boolean => {
  const flat = given.flatMap(({ position }) => position)
  const reach = flat.reduce((most, x) => Math.max(most, Math.abs(x)), 1)
  const [x, y, z] = [0, 1, 2].map((axis) => places.reduce((sum, it, k) => (k % 3 === axis ? sum + it : sum), 0))
  return (
    [x, y, z].every((sum) => Math.abs(sum ?? Number.NaN) <= PLACED * reach * given.length) &&
    places.every((it, k) => {
      const apart = (flat[k] as number) - (flat[k % 3] as number)
      return Math.abs(it - places[k % 3] - apart) <= PLACED * reach
    })
  )
}

/**
 * Whether the atoms are those that the input states. Run and check take them from one function, so that this is worked
 * out anew; the table of radii and depths is the same.
 */
export const isProblemOf = (input: DockInput, { receptor, ligand }: Complex): boolean => {
  const own = input.receptor !== undefined && input.ligand !== undefined
  const pair = own ? undefined : builtIn(input.pair)
  const [fixed, moving] =
    pair === undefined ? [input.receptor, input.ligand] : [pair.receptor, pair.ligand].map(givenBy)
  return (
    fixed !== undefined &&
    moving !== undefined &&
    actsAsGiven(receptor, fixed) &&
    actsAsGiven(ligand, moving) &&
    fixed.every(({ position }, i) => position.every((x, axis) => receptor.places[3 * i + axis] === x)) &&
    standsAbout(ligand, moving)
  )
}
