import { Fault } from '#core/fault.ts'
import { sqrt } from '#numerics/math.ts'
import { wrong } from '#numerics/runtime/refusing.ts'
import { type Atoms, closestOf, countsOf } from './problem.ts'
import { gyrationOf } from './rigid.ts'
import type { DockInput } from './schema.ts'

/** Least distance of two atoms of one molecule, in Å. */
const DISTANCE_MIN = 0.7
/** Least distance of an atom from the line of the others, as a share of the radius of gyration. */
const OFF_LINE_MIN = 1e-3
/** Pair evaluations of the largest docking: starts × receptor × ligand. */
const PAIRS_MAX = 400_000_000

const refuseForm = ({ receptor, ligand }: DockInput): void => {
  if (receptor !== undefined && ligand === undefined)
    wrong('/ligand', 'is missing; an own receptor needs an own ligand.')
  if (ligand !== undefined && receptor === undefined)
    wrong('/receptor', 'is missing; an own ligand needs an own receptor.')
  for (const [name, atoms] of [
    ['receptor', receptor],
    ['ligand', ligand],
  ] as const) {
    const without = atoms?.findIndex(({ charge }) => charge === undefined) ?? -1
    if (without >= 0)
      wrong(`/${name}/${without}/charge`, 'is missing; every atom needs a partial charge, which may be 0.')
  }
}

const refuseOverlap = (name: string, atoms: Atoms): void => {
  const distance = closestOf(atoms)
  if (distance >= DISTANCE_MIN) return
  throw new Fault(
    'ILL_POSED',
    `Two atoms of the ${name} are ${distance} Å apart; they overlap below ${DISTANCE_MIN} Å.`,
    {
      path: `/${name}`,
      measured: distance,
      limit: DISTANCE_MIN,
    },
  )
}

/** A ligand on one line has a rotation that changes nothing. */
const refuseLine = ({ count, places }: Atoms): void => {
  const size = gyrationOf(places)
  let most = 0
  const far = Array.from({ length: count }, (_, i) => i).reduce((best, i) => {
    const reach = (k: number): number =>
      places[3 * k] * places[3 * k] + places[3 * k + 1] * places[3 * k + 1] + places[3 * k + 2] * places[3 * k + 2]
    return reach(i) > reach(best) ? i : best
  }, 0)
  const [ax, ay, az] = [places[3 * far], places[3 * far + 1], places[3 * far + 2]]
  const reach = sqrt(ax * ax + ay * ay + az * az)
  for (let i = 0; i < 3 * count; i += 3) {
    const [x, y, z] = [places[i], places[i + 1], places[i + 2]]
    const [u, v, w] = [ay * z - az * y, az * x - ax * z, ax * y - ay * x]
    most = Math.max(most, sqrt(u * u + v * v + w * w) / reach)
  }
  if (most >= OFF_LINE_MIN * size) return
  throw new Fault('ILL_POSED', 'The ligand’s atoms are on one line: its rotation about it changes nothing.', {
    path: '/ligand',
    measured: most,
    limit: OFF_LINE_MIN * size,
  })
}

const refuseInert = (receptor: Atoms, ligand: Atoms): void => {
  const acts = (values: Float64Array): boolean => values.some((x) => x !== 0)
  const dispersive = acts(receptor.epsilon) && acts(ligand.epsilon)
  if (dispersive || (acts(receptor.charge) && acts(ligand.charge))) return
  throw new Fault('ILL_POSED', 'Nothing acts between receptor and ligand.', { measured: 0, limit: Number.MIN_VALUE })
}

const refusePairs = (input: DockInput): void => {
  const { receptor, ligand } = countsOf(input)
  const pairs = receptor * ligand
  if (input.starts * pairs <= PAIRS_MAX) return
  throw new Fault('WORK_LIMIT_EXCEEDED', `${input.starts} starts of ${pairs} pairs are too many.`, {
    measured: input.starts * pairs,
    limit: PAIRS_MAX,
    starts: Math.floor(PAIRS_MAX / pairs),
  })
}

/**
 * What can be refused without building the atoms.
 *
 * @throws Fault INVALID_INPUT (half a pair, a missing charge), WORK_LIMIT_EXCEEDED (pairs).
 */
export const refuseDock = (input: DockInput): void => {
  refuseForm(input)
  refusePairs(input)
}

/**
 * Asked where the run is, which builds the atoms anyway.
 *
 * @throws Fault ILL_POSED (overlap, a ligand on a line, nothing that acts).
 */
export const refuseAtoms = (receptor: Atoms, ligand: Atoms): void => {
  refuseOverlap('receptor', receptor)
  refuseOverlap('ligand', ligand)
  refuseLine(ligand)
  refuseInert(receptor, ligand)
}
