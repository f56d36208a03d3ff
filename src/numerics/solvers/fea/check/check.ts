import type { Reality } from '#numerics/runtime/solver.ts'
import { beamParts, beamSolution, holeSolution, hoopStress } from '#numerics/solvers/fea/exact.ts'
import { elementNodes, lineStart, type Mesh, meshOf, pitchOf } from '#numerics/solvers/fea/mesh.ts'
import type { FeaInput, FeaOutput } from '#numerics/solvers/fea/schema.ts'
import { recomputeSaving } from './recompute-compliance.ts'
import {
  FOUR_POINTS,
  FOUR_WEIGHTS,
  type ReferenceElement,
  recomputeEnergy,
  recomputeStresses,
} from './recompute-element.ts'

const isHole = (input: FeaInput): boolean => input.problem === 'hole'

/** Whether what only repeats the input or follows from it does so. */
const echoes = (input: FeaInput, output: FeaOutput, mesh: Mesh): boolean => {
  const { columns, rows, nodes } = mesh
  // Both unknowns of the root's nodes, or one of each node on two axes: as many.
  const held = 2 * (2 * rows + 1)
  const isHeld = !isHole(input) && input.root === 'clamp'
  const arrays = [output.x, output.y, output.u, output.v, ...(isHeld ? [] : [output.vonMises ?? []])]
  return (
    output.problem === input.problem &&
    output.root === (isHole(input) ? 'symmetry' : input.root) &&
    output.elements === columns * rows &&
    output.nodes === nodes &&
    output.dof === 2 * nodes - held &&
    (output.concentration !== undefined) === isHole(input) &&
    (output.vonMises === undefined) === isHeld &&
    (output.maxVonMises === null) === isHeld &&
    arrays.every((array) => array.length === nodes && Array.from(array).every(Number.isFinite)) &&
    meshHolds(input, mesh) &&
    output.x.every((x, i) => x === mesh.x[i]) &&
    output.y.every((y, i) => y === mesh.y[i])
  )
}

/**
 * Whether the nodes of a mesh are those that the input asks for: of a beam all of them, of a plate the hole, the edges
 * and the length of the outermost elements over the innermost ones. Run and check have the mesh from one function.
 */
export const meshHolds = (input: FeaInput, { columns, rows, x, y }: Pick<Mesh, 'columns' | 'rows' | 'x' | 'y'>) => {
  const { L, h, nx, ny, plate } = input
  const near = (found: number | undefined, wanted: number, scale: number): boolean =>
    Math.abs((found ?? Number.NaN) - wanted) <= 1e-12 * scale
  const lines = Array.from({ length: columns + 1 }, (_, column) => lineStart(rows, column))
  if (!isHole(input)) {
    return lines.every((start, column) => {
      for (let k = 0; k <= 2 * rows; k++) {
        const wanted = (h * k) / (2 * ny) - h / 2
        if (!(near(x[start + k], (L / nx) * column, L) && near(y[start + k], wanted, h))) return false
      }
      return true
    })
  }
  const { radius, width, grading } = plate
  const far = (node: number): number => Math.sqrt(x[node] * x[node] + y[node] * y[node])
  return lines.every((start) => {
    const end = start + 2 * rows
    const lengths = [far(start + 2) - far(start), far(end) - far(end - 2)] as const
    return (
      near(far(start), radius, radius) &&
      near(Math.max(x[end] as number, y[end] as number), width, width) &&
      Math.abs(lengths[1] / lengths[0] / (rows === 1 ? 1 : grading) - 1) <= 1e-6
    )
  })
}

/** What the check reads off the displacements with elements of its own. */
interface Readings {
  /** Strain energy in joule. */
  readonly energy: number
  readonly vonMises: Float64Array
  /** Largest stress at the hole, at its top, along x. */
  readonly peak: number
}

const readingsOf = (input: FeaInput, { u, v }: FeaOutput, mesh: Mesh): Readings => {
  const element: ReferenceElement = {
    x: new Float64Array(8),
    y: new Float64Array(8),
    u: new Float64Array(8),
    v: new Float64Array(8),
  }
  const sums = new Float64Array(3 * mesh.nodes)
  const shares = new Float64Array(mesh.nodes)
  const local = new Float64Array(24)
  let energy = 0
  for (let k = 0; k < mesh.columns * mesh.rows; k++) {
    const nodes = elementNodes(mesh.rows, Math.floor(k / mesh.rows), k % mesh.rows)
    nodes.forEach((node, a) => {
      element.x[a] = mesh.x[node]
      element.y[a] = mesh.y[node]
      // From the element's first node: strains do not change, their rounding does.
      element.u[a] = u[node] - u[nodes[0] as number]
      element.v[a] = v[node] - v[nodes[0] as number]
    })
    energy += input.t * recomputeEnergy(element, input.E, input.nu)
    recomputeStresses(element, input, local)
    nodes.forEach((node, a) => {
      shares[node] += 1
      for (let c = 0; c < 3; c++) sums[3 * node + c] += local[3 * a + c]
    })
  }
  const vonMises = shares.map((share, node) => {
    const [xx, yy, xy] = [sums[3 * node] / share, sums[3 * node + 1] / share, sums[3 * node + 2] / share]
    return Math.sqrt((xx * xx + yy * yy + (xx - yy) * (xx - yy)) / 2 + 3 * xy * xy)
  })
  return { energy, vonMises, peak: sums[0] / shares[0] }
}

const share = (found: number, wanted: number, scale = wanted): number => Math.abs((found - wanted) / scale)

const largest = (values: ArrayLike<number>): number =>
  Array.prototype.reduce.call(values, (most, it) => Math.max(most as number, Math.abs(it as number)), 0) as number

/** Distances of the displacements from the exact ones: of all together, and of the worst component of a node. */
const distancesOf = (input: FeaInput, { u, v }: FeaOutput, mesh: Mesh) => {
  const solution = isHole(input) ? holeSolution : beamSolution
  let [error, signal] = [0, 0]
  let [worstU, worstV, scaleU, scaleV] = [0, 0, 0, 0]
  for (let node = 0; node < mesh.nodes; node++) {
    const exact = solution(input, mesh.x[node], mesh.y[node])
    const [du, dv] = [u[node] - exact.u, v[node] - exact.v]
    error += du * du + dv * dv
    signal += exact.u * exact.u + exact.v * exact.v
    worstU = Math.max(worstU, Math.abs(du))
    worstV = Math.max(worstV, Math.abs(dv))
    scaleU = Math.max(scaleU, Math.abs(exact.u))
    scaleV = Math.max(scaleV, Math.abs(exact.v))
  }
  return { field: Math.sqrt(error / signal), node: Math.max(worstU / scaleU, worstV / scaleV) }
}

/** Strain energy of beam theory's stresses, P²L³/6EI + 3P²L/5GA: exact for the elastic root. */
const beamEnergy = (input: FeaInput): number => {
  const { bending, shear } = beamParts(input)
  return (input.P * (bending + 1.2 * shear)) / 2
}

/** Half the work of Kirsch's stresses on the two outer edges, each in as many pieces as it has elements. */
const plateEnergy = (input: FeaInput): number => {
  const { width, around } = input.plate
  const piece = (2 * width) / around
  let work = 0
  for (let k = 0; k < around / 2; k++) {
    FOUR_POINTS.forEach((s, i) => {
      const along = piece * (k + (1 + s) / 2)
      const weight = ((FOUR_WEIGHTS[i] as number) * piece) / 2
      const right = holeSolution(input, width, along)
      const top = holeSolution(input, along, width)
      work += weight * (right.xx * right.u + right.xy * right.v + top.xy * top.u + top.yy * top.v)
    })
  }
  return (input.t * work) / 2
}

/** Work of the parabola at the tip through the displacements there, element by element of the tip, in joule. */
const tipWork = ({ P, h, ny }: FeaInput, { v }: FeaOutput, { rows, columns }: Mesh): number => {
  const tip = lineStart(rows, columns)
  let work = 0
  for (let row = 0; row < rows; row++) {
    const [a, b, c] = [v[tip + 2 * row], v[tip + 2 * row + 1], v[tip + 2 * row + 2]]
    FOUR_POINTS.forEach((s, i) => {
      const y = (h / ny) * (row + (1 + s) / 2) - h / 2
      const moved = b + ((c - a) / 2) * s + ((a - 2 * b + c) / 2) * s * s
      work -= ((FOUR_WEIGHTS[i] as number) * h * moved * 1.5 * P * (1 - (4 * y * y) / (h * h))) / (2 * ny * h)
    })
  }
  return work
}

/** What the error is made of, as shares of their scales. */
type Errors = Readonly<Record<string, number>>

const exactErrors = (input: FeaInput, output: FeaOutput, { mesh, energy }: { mesh: Mesh; energy: number }): Errors => {
  const { field, node } = distancesOf(input, output, mesh)
  const wanted = isHole(input) ? plateEnergy(input) : beamEnergy(input)
  const { L } = input
  const deflection = isHole(input) ? holeSolution(input, input.plate.width, 0).u : -beamSolution(input, L, 0).v
  return { field, node, deflection: share(output.deflection, deflection), theory: share(energy, wanted) }
}

/**
 * A held root: whatever field is sent, 2·work − 2·energy is at most P times the true deflection as long as the root
 * does not move (least potential energy), and the energy of stresses in equilibrium is at least that (least
 * complementary energy). What is sealed is held to both, so the true one lies within the error of it.
 */
const boundErrors = (input: FeaInput, output: FeaOutput, { mesh, energy }: { mesh: Mesh; energy: number }): Errors => {
  for (let node = 0; node <= 2 * mesh.rows; node++) if (output.u[node] !== 0 || output.v[node] !== 0) return { root: 1 }
  const work = tipWork(input, output, mesh)
  const lower = (2 * work - 2 * energy) / input.P
  const upper = (2 * beamEnergy(input)) / input.P - (recomputeSaving(input) * input.P) / (input.E * input.t)
  const gap = Math.max(share(upper, output.deflection), share(lower, output.deflection))
  return { gap, deflection: share(output.deflection, work / input.P) }
}

const AGAINST = {
  elastic: 'the plane-stress elasticity solution of the cantilever at every node',
  clamp: 'bounds of the deflection by least potential and least complementary energy',
  symmetry: 'Kirsch’s solution for the plate with a hole at every node',
} as const

const referenceOf = (input: FeaInput): number => {
  if (isHole(input)) return holeSolution(input, input.plate.width, 0).u
  const { bending, shear } = beamParts(input)
  return bending + 1.2 * shear
}

/** Largest departure of the equivalent stress at the hole's edge from Kirsch's, on three times the far stress. */
const edgeOf = (input: FeaInput, vonMises: ArrayLike<number>, { rows, columns }: Mesh): number => {
  let most = 0
  const { stress, radius } = input.plate
  const mesh = meshOf(input)
  for (let column = 0; column <= columns; column++) {
    for (const node of column < columns ? [0, 2 * rows + 1] : [0]) {
      const at = column * pitchOf(rows) + node
      const c = mesh.x[at] / radius
      const hoop = Math.abs(hoopStress(stress, 2 * c * c - 1))
      most = Math.max(most, Math.abs((vonMises[at] as number) - hoop))
    }
  }
  return most / Math.abs(3 * stress)
}

/**
 * Equivalent stresses against the check's own, and the largest against theory's: at the corner of an elastic root, at
 * the top of a hole. A held root has none.
 */
const stressErrors = (input: FeaInput, output: FeaOutput, vonMises: Float64Array): Errors => {
  if (output.vonMises === undefined || output.maxVonMises === null) return {}
  const { P, L, t, h, plate } = input
  const wanted = output.vonMises
  return {
    stress: largest(vonMises.map((it, node) => it - wanted[node])) / largest(vonMises),
    largest: share(output.maxVonMises, largest(vonMises)),
    strength: share(output.maxVonMises, Math.abs(isHole(input) ? 3 * plate.stress : (6 * P * L) / (t * h * h))),
  }
}

/**
 * Checks displacements against closed forms at every node, or a held root's deflection by its two bounds; energy and
 * stresses are read off the displacements by elements of the check's own.
 */
export const checkFea = (input: FeaInput, output: FeaOutput): Reality => {
  const mesh = meshOf(input)
  const root = isHole(input) ? 'symmetry' : input.root
  const against = AGAINST[root]
  if (!echoes(input, output, mesh)) return { against, errorPct: 100, figures: { echo_wrong: 1 } }
  const { energy, vonMises, peak } = readingsOf(input, output, mesh)
  const errors: Errors = {
    ...(root === 'clamp' ? boundErrors : exactErrors)(input, output, { mesh, energy }),
    reference: share(output.reference, referenceOf(input)),
    ratio: share(output.deflectionRatio, output.deflection / output.reference),
    energy: share(output.energy, energy),
    ...stressErrors(input, output, vonMises),
    ...(output.concentration !== undefined && {
      concentration: share(output.concentration, 3),
      peak: share(output.concentration, peak / input.plate.stress),
    }),
  }
  const all = Object.values(errors)
  const broken = all.some((error) => !Number.isFinite(error))
  return {
    against,
    errorPct: broken ? Number.NaN : 100 * Math.max(...all),
    figures: {
      ...Object.fromEntries(Object.entries(errors).map(([name, error]) => [`${name}_pct`, 100 * error])),
      ...(isHole(input) && { edge_pct: 100 * edgeOf(input, vonMises, mesh) }),
      elements: output.elements,
    },
  }
}
