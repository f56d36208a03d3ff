import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { resolveInput } from '#numerics/runtime/input.ts'
import { dock as solver } from '#numerics/solvers/dock/index.ts'
import { type Atoms, COULOMB, complexOf } from '#numerics/solvers/dock/problem.ts'
import { gyrationOf, placed } from '#numerics/solvers/dock/rigid.ts'
import { createField } from '#numerics/solvers/dock/run/field.ts'
import { type Case, c, type Peer, python, solved, watch } from './frame.ts'

const EVALUATIONS = 4_000
const input = resolveInput(solver, {})
const { starts, radius, dielectric } = input
const complex = complexOf(input)
const { receptor, ligand, site, planted } = complex
const pose = planted?.pose ?? { place: site, turn: [1, 0, 0, 0] as const }

// AutoDock Vina cannot be compared: it minimises another energy, its own score read off a grid, in runs of a Monte
// Carlo search each of which is thousands of minimisations. The peer is therefore the same energy by NumPy and SciPy.

/** The atoms as the kernel holds them, the ligand in its planted pose. */
const kernelAtoms = (): Float64Array => {
  const at = placed(ligand.places, pose)
  const ofReceptor = [
    ...[0, 1, 2].flatMap((axis) => Array.from({ length: receptor.count }, (_, i) => receptor.places[3 * i + axis])),
    ...Array.from(receptor.sigma, (s) => s / 2),
    ...Array.from(receptor.epsilon, (e) => 2 * Math.sqrt(e)),
    ...receptor.charge,
  ]
  const ofLigand = Array.from({ length: ligand.count }, (_, i) => {
    const place = Array.from(at.subarray(3 * i, 3 * i + 3))
    return [...place, ligand.sigma[i] / 2, 2 * Math.sqrt(ligand.epsilon[i]), (COULOMB / dielectric) * ligand.charge[i]]
  })
  return Float64Array.from([...ofReceptor, ...ofLigand.flat()])
}

const evaluations = () => {
  const field = createField(complex, dielectric, gyrationOf(ligand.places))
  field.soften(0)
  const slope = new Float64Array(6)
  const [x, y, z] = pose.place
  let energy = 0
  const spent = watch()
  for (let k = 0; k < EVALUATIONS; k++) energy = field.at({ ...pose, place: [x + 1e-6 * k, y, z] }, slope)
  return { ms: spent(), said: `last energy ${energy.toFixed(9)} kJ/mol, places and torque with it` }
}

const inC: Peer = {
  name: 'C, the same arithmetic',
  kind: 'c',
  packages: ['gcc'],
  prepare: (folder) => {
    const file = join(folder, 'atoms')
    writeFileSync(file, kernelAtoms())
    const args = [receptor.count, ligand.count, EVALUATIONS, file].map(String)
    return c('C', 'dock.c', { args, flags: ['-fno-math-errno'] }).prepare(folder)
  },
}

/** As many starts of the same two stages, from draws of its own. */
const scipy: Peer = {
  name: 'NumPy and SciPy L-BFGS-B, the same energy',
  kind: 'peer',
  packages: ['python3-scipy'],
  prepare: (folder) => {
    const plain = ({ places, sigma, epsilon, charge }: Atoms) =>
      Object.fromEntries(Object.entries({ places, sigma, epsilon, charge }).map(([k, v]) => [k, Array.from(v)]))
    const file = join(folder, 'atoms.json')
    const atoms = { receptor: plain(receptor), ligand: plain(ligand) }
    writeFileSync(file, JSON.stringify({ ...atoms, site, starts, radius, dielectric, coulomb: COULOMB }))
    const modules = ['scipy.optimize', 'scipy.spatial.transform']
    return python('', 'dock.py', { args: [file], packages: [], modules }).prepare(folder)
  },
}

export const dock: readonly Case[] = [
  {
    solver: 'dock',
    problem: `${receptor.count} and ${ligand.count} atoms, ${starts} starts`,
    ours: () => {
      const { ms, output } = solved(solver, {})
      return { ms, said: `${output.energy.toFixed(6)} kJ/mol, ${output.hits} of ${starts} starts there` }
    },
    peers: [scipy],
  },
  {
    solver: 'dock',
    problem: `${EVALUATIONS} energies with forces of ${receptor.count * ligand.count} pairs`,
    ours: evaluations,
    peers: [inC],
  },
]
