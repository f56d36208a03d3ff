import { Fault } from '#core/fault.ts'
import type { Progress } from '#numerics/runtime/solver.ts'
import { beamSolution } from '#numerics/solvers/fea/exact.ts'
import { elementNodes, lineStart, type Mesh } from '#numerics/solvers/fea/mesh.ts'
import type { FeaInput } from '#numerics/solvers/fea/schema.ts'
import { type Material, materialOf, stiffnessOf } from './element.ts'
import { loadsOf } from './loads.ts'
import { createTree } from './tree.ts'

/** Rounds of the conjugate gradient at most; with an exact factor as preconditioner two or three do. */
const ROUNDS_MAX = 12
/** Energy of a correction over that of the first one from which on rounding is all that is left. */
const CORRECTION_MIN = 1e-24
/** Energy of the last correction over that of the first one that is still an answer. */
const CORRECTION_MAX = 1e-12

/** Which unknowns of the first and last line are held: u and v of the root; u, then v on the two axes of symmetry. */
export const heldBy =
  (input: FeaInput) =>
  (unknown: number, last: boolean): boolean =>
    input.problem === 'cantilever' ? !last : unknown % 2 === (last ? 1 : 0)

/** Stiffness of each element by column and row; one for all of a uniform mesh. */
const stiffnesses = (mesh: Mesh, material: Material, thickness: number) => {
  const cornersOf = (column: number, row: number): Float64Array => {
    const nodes = elementNodes(mesh.rows, column, row)
    const x = Float64Array.from(nodes, (node) => mesh.x[node])
    const y = Float64Array.from(nodes, (node) => mesh.y[node])
    return stiffnessOf(x, y, material, thickness)
  }
  if (mesh.uniform) {
    const one = cornersOf(0, 0)
    return () => one
  }
  const all = Array.from({ length: mesh.columns * mesh.rows }, (_, i) =>
    cornersOf(Math.floor(i / mesh.rows), i % mesh.rows),
  )
  return (column: number, row: number): Float64Array => all[column * mesh.rows + row] as Float64Array
}

/**
 * The product of stiffness and displacements, element by element: no matrix of the whole body is ever made.
 * Displacements are taken from the element's first node, which changes nothing but the rounding: a slender body moves
 * far more than it deforms. Returns displacements times product, twice the energy.
 */
const applyStiffness = (mesh: Mesh, stiffness: (column: number, row: number) => Float64Array) => {
  const local = new Float64Array(16)
  const places = new Int32Array(8)
  return (from: Float64Array, to: Float64Array): number => {
    to.fill(0)
    let twice = 0
    for (let column = 0; column < mesh.columns; column++) {
      const start = elementNodes(mesh.rows, column, 0)
      for (let row = 0; row < mesh.rows; row++) {
        const K = stiffness(column, row)
        for (let a = 0; a < 8; a++) {
          // The middles of the sides along the column are numbered one by one, all other nodes two by two.
          places[a] = 2 * ((start[a] as number) + (a === 4 || a === 6 ? row : 2 * row))
          local[2 * a] = from[places[a]] - from[places[0]]
          local[2 * a + 1] = from[places[a] + 1] - from[places[0] + 1]
        }
        for (let p = 0; p < 16; p++) {
          let sum = 0
          for (let q = 0; q < 16; q++) sum += K[16 * p + q] * local[q]
          to[places[p >> 1] + (p & 1)] += sum
          twice += local[p] * sum
        }
      }
    }
    return twice
  }
}

const dot = (a: Float64Array, b: Float64Array): number => {
  let sum = 0
  for (let i = 0; i < a.length; i++) sum += a[i] * b[i]
  return sum
}

/** Displacements that the problem prescribes; zero elsewhere. */
const prescribed = (input: FeaInput, mesh: Mesh): Float64Array => {
  const values = new Float64Array(2 * mesh.nodes)
  if (input.problem === 'hole' || input.root === 'clamp') return values
  for (let node = 0; node <= 2 * mesh.rows; node++) {
    const { u, v } = beamSolution(input, 0, mesh.y[node])
    values[2 * node] = u
    values[2 * node + 1] = v
  }
  return values
}

/** Displacements of all nodes (u, v of each) in metres, and the strain energy in joule. */
export interface Solved {
  readonly displacements: Float64Array
  readonly energy: number
}

/**
 * Displacements and energy by conjugate gradients, preconditioned with the stiffness factored by
 * halving: the rounds after the first take out what rounding left.
 *
 * @throws Fault DID_NOT_CONVERGE.
 */
export const solveFea = (input: FeaInput, mesh: Mesh, progress: Progress): Solved => {
  const stiffness = stiffnesses(mesh, materialOf(input.E, input.nu), input.t)
  const held = heldBy(input)
  const steps = mesh.columns + ROUNDS_MAX
  const tree = createTree(mesh, stiffness, { held, each: (step) => progress({ step, steps }) })
  const apply = applyStiffness(mesh, stiffness)
  const x = prescribed(input, mesh)
  const r = loadsOf(input, mesh)
  const [p, q] = [new Float64Array(r.length), new Float64Array(r.length)]
  const side = 2 * (2 * mesh.rows + 1)
  const last = 2 * lineStart(mesh.rows, mesh.columns)
  const fix = (vector: Float64Array): void => {
    for (let i = 0; i < side; i++) {
      if (held(i, false)) vector[i] = 0
      if (held(i, true)) vector[last + i] = 0
    }
  }
  apply(x, q)
  for (let i = 0; i < r.length; i++) r[i] -= q[i]
  fix(r)
  let [first, before] = [0, Number.POSITIVE_INFINITY]
  for (let round = 0; round < ROUNDS_MAX; round++) {
    const z = r.slice()
    tree.solve(z)
    const now = dot(r, z)
    if (round === 0) first = now
    progress({ step: mesh.columns + round + 1, steps, residual: Math.sqrt(Math.abs(now / first)) })
    if (!(now > CORRECTION_MIN * first) || now > before / 4) break
    const beta = round === 0 ? 0 : now / before
    before = now
    for (let i = 0; i < p.length; i++) p[i] = z[i] + beta * p[i]
    const alpha = now / apply(p, q)
    fix(q)
    for (let i = 0; i < x.length; i++) {
      x[i] += alpha * p[i]
      r[i] -= alpha * q[i]
    }
  }
  // The last correction is bounded by what preceded it: a factor that is no good shows here.
  if (!(before <= first) || !(first > 0) || !(dot(x, x) > 0)) return refuseStalled(Number.NaN)
  const z = r.slice()
  tree.solve(z)
  const left = Math.abs(dot(r, z)) / first
  if (!(left <= CORRECTION_MAX)) return refuseStalled(Math.sqrt(left))
  progress({ step: steps, steps, residual: Math.sqrt(left) })
  return { displacements: x, energy: apply(x, q) / 2 }
}

const refuseStalled = (residual: number): never => {
  throw new Fault('DID_NOT_CONVERGE', 'The displacements did not settle: the body is too slender for doubles.', {
    measured: Number.isFinite(residual) ? 100 * residual : null,
    bound: 100 * Math.sqrt(CORRECTION_MAX),
  })
}
