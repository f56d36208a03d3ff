import { beamSolution, holeSolution } from '#numerics/solvers/fea/exact.ts'
import { elementNodes, lineStart, type Mesh } from '#numerics/solvers/fea/mesh.ts'
import type { FeaInput } from '#numerics/solvers/fea/schema.ts'
import { GAUSS_POINTS, GAUSS_WEIGHTS, sideFunctions, sideSlopes } from './element.ts'

/** Forces per area on a side at a place, for its direction of travel (dx, dy) with the body on the left. */
type Traction = (x: number, y: number) => readonly [number, number]

const addSide = (
  loads: Float64Array,
  { x, y }: Mesh,
  {
    side,
    thickness,
    traction,
  }: { readonly side: readonly [number, number, number]; readonly thickness: number; readonly traction: Traction },
): void => {
  GAUSS_POINTS.forEach((s, i) => {
    const shape = sideFunctions(s)
    const slope = sideSlopes(s)
    let [px, py, dx, dy] = [0, 0, 0, 0]
    side.forEach((node, a) => {
      px += (shape[a] as number) * x[node]
      py += (shape[a] as number) * y[node]
      dx += (slope[a] as number) * x[node]
      dy += (slope[a] as number) * y[node]
    })
    const [tx, ty] = traction(px, py)
    const weight = (GAUSS_WEIGHTS[i] as number) * thickness * Math.sqrt(dx * dx + dy * dy)
    side.forEach((node, a) => {
      loads[2 * node] += weight * (shape[a] as number) * tx
      loads[2 * node + 1] += weight * (shape[a] as number) * ty
    })
  })
}

/** Consistent nodal loads in newton: the parabola at the tip, or Kirsch's stress on the outer edges. */
export const loadsOf = (input: FeaInput, mesh: Mesh): Float64Array => {
  const { columns, rows } = mesh
  const loads = new Float64Array(2 * mesh.nodes)
  const thickness = input.t
  if (input.problem === 'cantilever') {
    const tip = lineStart(rows, columns)
    const traction: Traction = (x, y) => {
      const { xx, xy } = beamSolution(input, x, y)
      return [xx, xy]
    }
    for (let row = 0; row < rows; row++) {
      const at = tip + 2 * row
      addSide(loads, mesh, { side: [at, at + 1, at + 2], thickness, traction })
    }
    return loads
  }
  for (let column = 0; column < columns; column++) {
    const nodes = elementNodes(rows, column, rows - 1)
    const upper = column < columns / 2
    const traction: Traction = (x, y) => {
      const { xx, yy, xy } = holeSolution(input, x, y)
      return upper ? [xy, yy] : [xx, xy]
    }
    const side = [nodes[3] as number, nodes[6] as number, nodes[2] as number] as const
    addSide(loads, mesh, { side, thickness, traction })
  }
  return loads
}
