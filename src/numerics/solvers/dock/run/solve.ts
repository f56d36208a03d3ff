import { Fault } from '#core/fault.ts'
import { cbrt, cos, PI, sin, sqrt } from '#numerics/math.ts'
import { pointsOf } from '#numerics/methods/sobol.ts'
import type { Outcome, Progress } from '#numerics/runtime/solver.ts'
import { refuseAtoms } from '#numerics/solvers/dock/limits.ts'
import { type Complex, complexOf } from '#numerics/solvers/dock/problem.ts'
import { gyrationOf, normalised, type Pose, placed } from '#numerics/solvers/dock/rigid.ts'
import type { DockEvidence, DockInput, DockOutput } from '#numerics/solvers/dock/schema.ts'
import { createField } from './field.ts'
import { type Ended, minimise, polish, type Until } from './minimise.ts'

/** Length by which distances are softened at first: no start is then so deep in an atom that it is thrown out. */
const SOFTENING = 1.5
const SOFT: Until = { steps: 40, slope: 5 }
const HARD: Until = { steps: 120, slope: 1e-2 }
/** Relative distance of two energies that are one minimum. */
const SAME = 1e-6

/** A random pose: its middle even in the ball, its rotation even over all (Shoemake, Graphics Gems III, 1992). */
const poseFrom = (u: Float64Array, { site }: Complex, radius: number): Pose => {
  const [r, up, round] = [radius * cbrt(u[0]), 2 * u[1] - 1, 2 * PI * u[2]]
  const across = sqrt(1 - up * up)
  const [a, b] = [sqrt(1 - u[3]), sqrt(u[3])]
  return {
    place: [site[0] + r * across * cos(round), site[1] + r * across * sin(round), site[2] + r * up],
    turn: normalised([b * cos(2 * PI * u[5]), a * sin(2 * PI * u[4]), a * cos(2 * PI * u[4]), b * sin(2 * PI * u[5])]),
  }
}

/** Root mean square distance of two sets of places, the least over the ways the atoms may be exchanged. */
export const rmsdOf = (
  a: ArrayLike<number>,
  b: ArrayLike<number>,
  symmetries: readonly (readonly number[])[],
): number => {
  const squares = symmetries.map((order) => {
    let sum = 0
    for (const [i, j] of order.entries()) {
      for (let axis = 0; axis < 3; axis++) {
        const d = (a[3 * i + axis] as number) - (b[3 * j + axis] as number)
        sum += d * d
      }
    }
    return sum / order.length
  })
  return sqrt(Math.min(...squares))
}

const asSeries = (values: Float64Array): readonly number[] => values as unknown as readonly number[]

/**
 * Minimises from every start; the lowest is polished and told.
 *
 * @throws Fault ILL_POSED (atoms that cannot be docked), DID_NOT_CONVERGE.
 */
export const solveDock = (input: DockInput, progress: Progress): Outcome<DockOutput, DockEvidence> => {
  const { starts, seed, dielectric, radius } = input
  const complex = complexOf(input)
  refuseAtoms(complex.receptor, complex.ligand)
  const body = complex.ligand.places
  const arm = gyrationOf(body)
  const field = createField(complex, dielectric, arm)
  const points = pointsOf(6, seed, 0)
  const u = new Float64Array(6)
  const ended: Ended[] = []
  for (let start = 0; start < starts; start++) {
    points.next(u)
    field.soften(SOFTENING)
    const soft = minimise(field, poseFrom(u, complex, radius), { arm, until: SOFT })
    field.soften(0)
    ended.push(minimise(field, soft.pose, { arm, until: HARD }))
    progress({ step: start + 1, steps: starts })
  }
  const best = ended.reduce((least, it, k) => (it.energy < (ended[least] as Ended).energy ? k : least), 0)
  const lowest = polish(field, ended[best] as Ended, arm)
  ended[best] = lowest
  const { pose } = lowest
  const energy = field.at(pose, new Float64Array(6))
  const { lennardJones, coulomb } = field.parts()
  const energies = Float64Array.from(ended, (it, k) => (k === best ? energy : it.energy))
  if (!energies.every(Number.isFinite)) {
    throw new Fault('DID_NOT_CONVERGE', 'A start fell to where the energy has no bound; nothing was sealed.', {
      measured: null,
    })
  }
  const hits = energies.filter((it) => Math.abs(it - energy) <= SAME * Math.abs(energy)).length
  const positions = placed(body, pose)
  const { planted } = complex
  const poses = Float64Array.from(ended.flatMap((it) => [...it.pose.place, ...it.pose.turn]))
  return {
    output: {
      receptorAtoms: complex.receptor.count,
      ligandAtoms: complex.ligand.count,
      starts,
      hits,
      evaluations: field.evaluations(),
      energy,
      lennardJones,
      coulomb,
      translation: asSeries(Float64Array.from(pose.place)),
      quaternion: asSeries(Float64Array.from(pose.turn)),
      positions: asSeries(positions),
      energies: asSeries(energies),
      gyration: arm,
      rmsd: planted === undefined ? null : rmsdOf(positions, placed(body, planted.pose), planted.symmetries),
    },
    evidence: { poses, tally: Float64Array.of(field.evaluations(), hits) },
  }
}
