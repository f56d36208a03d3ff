import type { FractureInput } from '#numerics/solvers/fracture/schema.ts'

/**
 * A peridynamic plate once more, for the check: every node asks all its neighbours, bonds are measured by lengths, and
 * the constants come from sums over whole neighbourhoods.
 */

/** Bit, neighbour and undeformed length of one direction: a bond's bit is kept at one of its two nodes. */
interface Direction {
  readonly p: number
  readonly q: number
  readonly length: number
  readonly bit: number
  /** Whether the bit is kept here or at the neighbour. */
  readonly here: boolean
}

/** Constants of a plate as the check finds them. */
export interface ReferencePlate {
  readonly nx: number
  readonly ny: number
  readonly dx: number
  readonly volume: number
  readonly c: number
  readonly s0: number
  readonly grips: number
  readonly directions: readonly Direction[]
}

/** Places and velocities, four numbers of each node: ux, uy, vx, vy as four blocks, and the bonds' bits. */
export interface ReferenceState {
  readonly fields: Float64Array
  readonly bonds: Int32Array
}

/** The check's plate for these inputs. */
export const referencePlate = ({ nx, ny, width, thickness, horizon, E, Gc }: FractureInput): ReferencePlate => {
  const dx = width / nx
  const volume = thickness * dx * dx
  const half: { p: number; q: number }[] = []
  for (let q = 0; q <= 4; q++) for (let p = -4; p <= 4; p++) if (q > 0 || p > 0) half.push({ p, q })
  const kept = half.filter(({ p, q }) => Math.sqrt(p * p + q * q) <= horizon)
  const directions = kept.flatMap(({ p, q }, bit) => {
    const length = dx * Math.sqrt(p * p + q * q)
    return [
      { p, q, length, bit, here: true },
      { p: -p, q: -q, length, bit, here: false },
    ]
  })
  // Energy of a node's volume under equal strains of 1: half of each bond's c·|ξ|·V²/2 against 3/2·E·V.
  const bondSum = directions.reduce((sum, { length }) => sum + length * volume, 0)
  const c = (1.5 * E) / (bondSum / 4)
  // Bonds through the middle between two rows, per spacing: a bond of q rows stands over it q times.
  const through = directions.reduce((sum, { q, length }) => sum + Math.max(0, q) * length, 0)
  const s0 = Math.sqrt((Gc * dx * thickness) / (0.5 * c * volume * volume * through))
  return { nx, ny, dx, volume, c, s0, grips: kept.reduce((most, { q }) => Math.max(most, q), 0), directions }
}

/** Visits every whole bond of a node: the neighbour, the bond's deformed vector and length. */
type Visit = (other: number, direction: Direction, x: number, y: number) => void

const visitBonds = (
  { nx, ny, dx, directions }: ReferencePlate,
  { fields, bonds }: ReferenceState,
  node: number,
  visit: Visit,
) => {
  const n = nx * ny
  const i = node % nx
  const j = (node - i) / nx
  for (const direction of directions) {
    const { p, q, bit, here } = direction
    if (i + p < 0 || i + p >= nx || j + q < 0 || j + q >= ny) continue
    const other = node + q * nx + p
    if (((bonds[here ? node : other] >> bit) & 1) === 0) continue
    const x = p * dx + (fields[other] - fields[node])
    const y = q * dx + (fields[n + other] - fields[n + node])
    visit(other, direction, x, y)
  }
}

/** Strain energy in joule: half of each bond's at each of its nodes. */
export const recomputeStrain = (plate: ReferencePlate, state: ReferenceState): number => {
  const { c, volume } = plate
  let sum = 0
  for (let node = 0; node < plate.nx * plate.ny; node++) {
    visitBonds(plate, state, node, (_, { length }, x, y) => {
      const stretch = (Math.sqrt(x * x + y * y) - length) / length
      sum += (c * stretch * stretch * length) / 4
    })
  }
  return sum * volume * volume
}

/** Kinetic energy between the grips in joule. */
export const recomputeKinetic = (
  { nx, ny, volume, grips }: ReferencePlate,
  { fields }: ReferenceState,
  rho: number,
): number => {
  const n = nx * ny
  let sum = 0
  for (let node = grips * nx; node < n - grips * nx; node++) {
    sum += fields[2 * n + node] * fields[2 * n + node] + fields[3 * n + node] * fields[3 * n + node]
  }
  return (rho * volume * sum) / 2
}
