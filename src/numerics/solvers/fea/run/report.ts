import { sqrt } from '#numerics/math.ts'
import { beamParts, holeSolution } from '#numerics/solvers/fea/exact.ts'
import { elementNodes, lineStart, type Mesh } from '#numerics/solvers/fea/mesh.ts'
import type { FeaInput, FeaOutput } from '#numerics/solvers/fea/schema.ts'
import { gradient, gradientAt, type Material, materialOf } from './element.ts'
import { loadsOf } from './loads.ts'
import { heldBy, type Solved } from './solve.ts'

/** Places of the four points where the stress of a quadratic element is most accurate (Barlow, 1976). */
const BARLOW = 1 / sqrt(3)

const CORNERS = [
  [-1, -1],
  [1, -1],
  [1, 1],
  [-1, 1],
] as const
const NODES = [...CORNERS, [0, -1], [1, 0], [0, 1], [-1, 0]] as const

/** Weights that carry values at the four points to the eight nodes, bilinearly: four of each node. */
const CARRY = Float64Array.from(
  NODES.flatMap(([xi, eta]) => CORNERS.map(([p, q]) => ((1 + (p * xi) / BARLOW) * (1 + (q * eta) / BARLOW)) / 4)),
)

/** Stress at the nodes, (xx, yy, xy) of each, as the mean over the elements that meet there. */
const stressesOf = (mesh: Mesh, displacements: Float64Array, material: Material): Float64Array => {
  const stresses = new Float64Array(3 * mesh.nodes)
  const share = new Float64Array(mesh.nodes)
  const room = gradient()
  const [x, y, u, v] = [0, 1, 2, 3].map(() => new Float64Array(8)) as [
    Float64Array,
    Float64Array,
    Float64Array,
    Float64Array,
  ]
  const points = new Float64Array(12)
  for (let column = 0; column < mesh.columns; column++) {
    for (let row = 0; row < mesh.rows; row++) {
      const nodes = elementNodes(mesh.rows, column, row)
      nodes.forEach((node, a) => {
        x[a] = mesh.x[node]
        y[a] = mesh.y[node]
        u[a] = displacements[2 * node] - displacements[2 * (nodes[0] as number)]
        v[a] = displacements[2 * node + 1] - displacements[2 * (nodes[0] as number) + 1]
      })
      for (let point = 0; point < 4; point++) {
        const xi = point === 1 || point === 2 ? BARLOW : -BARLOW
        gradientAt(x, y, { xi, eta: point > 1 ? BARLOW : -BARLOW, to: room })
        let exx = 0
        let eyy = 0
        let gxy = 0
        for (let node = 0; node < 8; node++) {
          exx += room.byX[node] * u[node]
          eyy += room.byY[node] * v[node]
          gxy += room.byY[node] * u[node] + room.byX[node] * v[node]
        }
        points[3 * point] = material.a * exx + material.b * eyy
        points[3 * point + 1] = material.b * exx + material.a * eyy
        points[3 * point + 2] = material.g * gxy
      }
      for (let a = 0; a < 8; a++) {
        const node = nodes[a] as number
        share[node] += 1
        for (let point = 0; point < 4; point++) {
          const weight = CARRY[4 * a + point]
          for (let k = 0; k < 3; k++) stresses[3 * node + k] += weight * points[3 * point + k]
        }
      }
    }
  }
  for (let i = 0; i < stresses.length; i++) stresses[i] /= share[(i - (i % 3)) / 3]
  return stresses
}

/** The deflection that the problem is about, and what theory says of it. */
const deflectionOf = (input: FeaInput, mesh: Mesh, displacements: Float64Array): readonly [number, number] => {
  const { rows, columns } = mesh
  const tip = lineStart(rows, columns)
  if (input.problem === 'hole') {
    const node = tip + 2 * rows
    return [displacements[2 * node], holeSolution(input, mesh.x[node], mesh.y[node]).u]
  }
  const { bending, shear } = beamParts(input)
  const reference = bending + 1.2 * shear
  if (input.root === 'elastic') return [-displacements[2 * (tip + rows) + 1], reference]
  return [workOf(loadsOf(input, mesh), displacements) / input.P, reference]
}

/** Work of nodal loads through nodal displacements, in joule. */
const workOf = (loads: Float64Array, displacements: Float64Array): number =>
  loads.reduce((sum, load, i) => sum + load * displacements[i], 0)

/** The answer for the displacements of all nodes. */
export const reportOf = (input: FeaInput, mesh: Mesh, { displacements, energy }: Solved): FeaOutput => {
  const { rows, columns, nodes } = mesh
  const stresses = stressesOf(mesh, displacements, materialOf(input.E, input.nu))
  const vonMises = new Float64Array(nodes)
  for (let node = 0; node < nodes; node++) {
    const xx = stresses[3 * node]
    const yy = stresses[3 * node + 1]
    const xy = stresses[3 * node + 2]
    vonMises[node] = sqrt(Math.max(0, xx * xx - xx * yy + yy * yy + 3 * xy * xy))
  }
  const [deflection, reference] = deflectionOf(input, mesh, displacements)
  const isHeld = heldBy(input)
  let dof = 2 * nodes
  for (let i = 0; i < 2 * (2 * rows + 1); i++) for (const last of [false, true]) if (isHeld(i, last)) dof--
  const hole = input.problem === 'hole'
  const stressless = !hole && input.root === 'clamp'
  return {
    problem: input.problem,
    root: hole ? 'symmetry' : input.root,
    elements: columns * rows,
    nodes,
    dof,
    deflection,
    reference,
    deflectionRatio: deflection / reference,
    energy,
    // The corners of a held root have no finite stress: what a mesh gives there, and near it, is the mesh's own.
    maxVonMises: stressless ? null : vonMises.reduce((most, it) => Math.max(most, it), 0),
    ...(hole && { concentration: stresses[0] / input.plate.stress }),
    x: mesh.x as unknown as readonly number[],
    y: mesh.y as unknown as readonly number[],
    u: displacements.filter((_, i) => i % 2 === 0) as unknown as readonly number[],
    v: displacements.filter((_, i) => i % 2 === 1) as unknown as readonly number[],
    ...(!stressless && { vonMises: vonMises as unknown as readonly number[] }),
  }
}
